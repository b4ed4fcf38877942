# A release as R keeps it: text of the model with its certificate, and what both say. No environment, no pointer, no closure.
release_object <- function(state) {
  facts <- value_of(.Call(wrap__release_facts, state))
  text <- if (is.null(facts$text)) "a model without the certificate of its release\n" else facts$text
  document("indistinct_release", facts$certificate, text,
    state = state, guarantee = facts$guarantee, schema = schema_object(facts$schema), rows = facts$rows, tables = facts$tables
  )
}

require_release <- function(x, name = "x") {
  if (!inherits(x, "indistinct_release")) fail(paste(name, "must be a release, as synth() and open_release() make it"))
}

schema_names <- function(schema) vapply(schema$document$columns, `[[`, "", "name")

sample_rows <- function(release, n = NULL, where = NULL, draw = 1, seed = NULL, threads = NULL, progress = NULL) {
  require_release(release, "release")
  options <- options_of(n = rows_of(n, "n"), where = where, draw = draw, seed = seed, threads = threads_of(threads))
  frame_of(work(.Call(wrap__start_sample, release$state, options), "making rows", progress), release$like)
}

as.data.frame.indistinct_release <- function(x, row.names = NULL, optional = FALSE, table = 1, ...) {
  if (!is.numeric(table) || length(table) != 1 || is.na(table) || table < 1 || table > x$tables || table %% 1 != 0) {
    fail(sprintf("table must be a whole number from 1 to %d", as.integer(x$tables)))
  }
  options <- options_of(threads = threads_of(NULL))
  if (!is.null(x$files)) {
    source <- source_of(x$files[[table]], "table")
    return(frame_of(work(.Call(wrap__start_read, source, x$schema$text, options), "reading"), x$like))
  }
  frame_of(work(.Call(wrap__start_table, x$state, as.double(table), options), "making rows"), x$like)
}

write_release <- function(x, folder, tables = NULL, format = "csv", force = FALSE, rehearsals = NULL, threads = NULL,
                          progress = NULL) {
  require_release(x)
  folder <- path_of(folder, "folder")
  options <- options_of(tables = tables, format = format, rehearsals = rehearsals, threads = threads_of(threads))
  work(.Call(wrap__start_write, x$state, folder, isTRUE(force), options), "making rows", progress)
  invisible(folder)
}

open_release <- function(folder) {
  folder <- path_of(folder, "folder")
  opened <- release_object(work(.Call(wrap__start_open, folder, options_of())))
  # Its tables are those in the folder, which a certificate lists.
  found <- sort(list.files(folder, "^synthetic(-[0-9]+)?\\.(csv|tsv)(\\.gz)?$"))
  if (dir.exists(folder) && length(found) == opened$tables) opened$files <- file.path(normalizePath(folder), found)
  opened
}

# The folder of a release with its tables as they were released: its own, if it has one, else a temporary one.
folder_of <- function(release) {
  if (!inherits(release, "indistinct_release")) {
    if (!is.character(release)) fail("release must be a release, as synth() and open_release() make it, or the name of its folder")
    return(list(folder = path_of(release, "release"), temporary = FALSE))
  }
  if (!is.null(release$files)) return(list(folder = dirname(release$files[[1]]), temporary = FALSE))
  list(folder = write_release(release, tempfile("release")), temporary = TRUE)
}

verify <- function(folder, require = NULL) {
  folder <- path_of(folder, "folder")
  told <- work(.Call(wrap__start_verify, folder, options_of(require = require)))
  if (!is.null(told$problem)) value_of(told$problem)
  invisible(document("indistinct_verification", told$document, told$text))
}

summary.indistinct_release <- function(object, ...) summary(as.data.frame(object), ...)
