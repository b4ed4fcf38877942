# Work in a thread of Rust's, while R waits in a loop of its own. An interrupt leaves the loop, whose exit handler stops the work.

# The value of a reply from Rust, or the condition that it stands for.
value_of <- function(reply) {
  if (is.null(reply[["kind"]])) return(reply[["value"]])
  fail(reply[["message"]], reply[["kind"]])
}

# An error with a class: indistinct_usage, indistinct_failed, indistinct_budget_exceeded, indistinct_no_guarantee,
# indistinct_overclaim or indistinct_internal, and indistinct_error. The call is not part of it: it may hold the data.
fail <- function(message, kind = "usage") {
  classes <- c(paste0("indistinct_", kind), "indistinct_error", "error", "condition")
  stop(structure(class = classes, list(message = message, call = NULL)))
}

# What somebody should know, as a warning of class indistinct_warning.
warn <- function(texts) {
  for (text in texts) {
    warning(structure(class = c("indistinct_warning", "warning", "condition"), list(message = text, call = NULL)))
  }
}

# Waits for a job; whatever was no job is its reply.
work <- function(job, label = NULL, progress = NULL) {
  if (typeof(job) != "externalptr") return(value_of(job))
  on.exit(.Call(wrap__job_stop, job))
  bar <- progress_bar(label, progress)
  on.exit(bar$close(), add = TRUE)
  pause <- 5
  repeat {
    reply <- .Call(wrap__job_wait, job, pause)
    if (!is.null(reply)) return(value_of(reply))
    pause <- min(2 * pause, 50)
    bar$show(.Call(wrap__job_progress, job))
    # Here R listens for interrupts.
    Sys.sleep(0)
  }
}

# A bar in a console for work that takes more than a second; nothing elsewhere.
progress_bar <- function(label, progress) {
  wanted <- if (is.null(progress)) interactive() && !isTRUE(getOption("knitr.in.progress")) else isTRUE(progress)
  begun <- proc.time()[["elapsed"]]
  shown <- FALSE
  width <- 30
  show <- function(seen) {
    if (!wanted || is.null(label) || seen[[2]] == 0 || proc.time()[["elapsed"]] - begun < 1) return(invisible())
    share <- min(1, seen[[1]] / seen[[2]])
    full <- round(width * share)
    cat(sprintf("\r%s [%s%s] %3.0f %%", label, strrep("=", full), strrep(" ", width - full), 100 * share), file = stderr())
    shown <<- TRUE
  }
  close <- function() if (shown) cat("\r", strrep(" ", width + nchar(label) + 12), "\r", sep = "", file = stderr())
  list(show = show, close = close)
}

# How many threads to use: as the call says, else as options(mc.cores) does, else all cores; two where CRAN checks.
threads_of <- function(threads) {
  if (!is.null(threads)) return(threads)
  checked <- tolower(Sys.getenv("_R_CHECK_LIMIT_CORES_"))
  getOption("mc.cores", if (!checked %in% c("", "false")) 2L)
}

# A number as the command takes it; what is none, as something that it refuses.
typed <- function(number) {
  if (is.null(number)) return(NULL)
  if (is.character(number) && length(number) == 1 && !is.na(number)) return(utf8(number, "a number"))
  if (is.numeric(number) && length(number) == 1 && !is.na(number)) return(.Call(wrap__spell_number, as.double(number)))
  "not a number"
}

# Options for Rust: those that are given, texts in UTF-8.
options_of <- function(...) {
  given <- list(...)
  given <- given[!vapply(given, is.null, NA)]
  lapply(setNames(names(given), names(given)), function(name) if (is.character(given[[name]])) utf8(given[[name]], name) else given[[name]])
}

# Texts in UTF-8, the only ones that Rust takes. Others are refused by the name of what they are.
utf8 <- function(texts, what, kind = "usage") {
  # Where the session's own encoding is not UTF-8, texts of unknown encoding that are UTF-8 nearly always were read as such.
  unknown <- !is.na(texts) & Encoding(texts) == "unknown" & validUTF8(texts)
  if (!isTRUE(l10n_info()[["UTF-8"]]) && any(unknown)) Encoding(texts[unknown]) <- "UTF-8"
  texts <- enc2utf8(texts)
  if (!all(validUTF8(texts) | is.na(texts))) {
    fail(paste0(what, " has text that is not UTF-8\n help: say how it is encoded, as in Encoding(x) <- \"latin1\""), kind)
  }
  texts
}

# TRUE or FALSE and nothing else: what is promised may hang on it.
truth_of <- function(given, name) {
  if (!isTRUE(given) && !isFALSE(given)) fail(paste(name, "must be TRUE or FALSE"))
  given
}

# How many rows to make: no more than a data frame can have, which would otherwise be noticed when memory has run out.
rows_of <- function(rows, name) {
  if (is.numeric(rows) && any(rows > .Machine$integer.max, na.rm = TRUE)) {
    fail(sprintf("%s: a data frame has at most %d rows\n help: make them in parts, by sample_rows()", name, .Machine$integer.max))
  }
  rows
}

# The name of a file, which must be one text.
path_of <- function(path, what = "path") {
  if (!is.character(path) || length(path) != 1 || is.na(path)) fail(paste(what, "must be the name of a file or folder"))
  path.expand(utf8(path, what))
}

# Objects that are what the command prints, and its document.
document <- function(class, document, text, ...) {
  structure(list(document = document, text = text, ...), class = c(class, "indistinct_document"))
}

# A list of records as a data frame, which has `always` these columns; what is NULL is NA, and what is no scalar is left out.
records <- function(items, always = character()) {
  if (length(items) == 0) return(data.frame())
  names <- union(unlist(lapply(items, names)), always)
  scalar <- function(name) all(vapply(items, function(item) length(item[[name]]) <= 1 && !is.list(item[[name]]), NA))
  cell <- function(item, name) if (is.null(item[[name]])) NA else item[[name]]
  columns <- lapply(Filter(scalar, names), function(name) sapply(items, cell, name))
  as.data.frame(setNames(columns, Filter(scalar, names)), stringsAsFactors = FALSE)
}

.onLoad <- function(libname, pkgname) .Call(wrap__rust_quiet)

.onUnload <- function(libpath) library.dynam.unload("indistinct", libpath)
