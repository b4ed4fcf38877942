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
  options <- options_of(n = n, where = where, draw = draw, seed = seed, threads = threads_of(threads))
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
  if (dir.exists(folder) && length(found) == opened$tables) opened$files <- file.path(folder, found)
  opened
}

verify <- function(folder, require = NULL) {
  folder <- path_of(folder, "folder")
  told <- work(.Call(wrap__start_verify, folder, options_of(require = require)))
  if (!is.null(told$problem)) value_of(told$problem)
  invisible(document("indistinct_verification", told$document, told$text))
}

summary.indistinct_release <- function(object, ...) summary(as.data.frame(object), ...)

# Distributions of the columns of a synthetic table.
plot.indistinct_release <- function(x, columns = NULL, table = 1, ...) {
  frame <- as.data.frame(x, table = table)
  frame <- shown_columns(frame, columns)
  across <- ceiling(sqrt(length(frame)))
  before <- par(mfrow = c(ceiling(length(frame) / across), across), mar = c(3, 3, 2, 1))
  on.exit(par(before))
  for (name in names(frame)) {
    column <- frame[[name]]
    title <- if (is.null(attr(column, "label"))) name else attr(column, "label")
    if (is.factor(column) || is.logical(column)) {
      barplot(table(column), main = title, col = "#4477AA", border = NA)
    } else {
      values <- column[!is.na(column)]
      if (inherits(values, c("Date", "POSIXct"))) {
        hist(values, breaks = 20, main = title, xlab = "", col = "#4477AA", border = "white", freq = TRUE)
      } else {
        hist(values, main = title, xlab = "", col = "#4477AA", border = "white")
      }
    }
  }
  invisible(x)
}

# The columns to draw; at most sixteen unless they are named.
shown_columns <- function(frame, columns) {
  if (is.null(columns)) return(frame[seq_len(min(16, length(frame)))])
  unknown <- setdiff(columns, names(frame))
  if (length(unknown) > 0) fail(sprintf("there is no column `%s` in this release", unknown[[1]]))
  frame[columns]
}

autoplot.indistinct_release <- function(object, columns = NULL, table = 1, ...) {
  frame <- shown_columns(as.data.frame(object, table = table), columns)
  long <- do.call(rbind, lapply(names(frame), function(name) {
    column <- frame[[name]]
    category <- is.factor(column) || is.logical(column)
    bins <- if (category) as.character(column) else as.character(cut(as.numeric(column), 20, labels = FALSE))
    levels <- if (is.factor(column)) levels(column) else if (category) c("FALSE", "TRUE") else as.character(1:20)
    counts <- table(factor(bins, levels))
    at <- if (category) seq_along(levels) else {
      range <- range(as.numeric(column), na.rm = TRUE)
      range[1] + (seq_len(20) - 0.5) * diff(range) / 20
    }
    data.frame(column = name, at = at, rows = as.vector(counts), level = levels)
  }))
  long$column <- factor(long$column, names(frame))
  ggplot2::ggplot(long, do.call(ggplot2::aes, list(x = quote(at), y = quote(rows)))) +
    ggplot2::geom_col(fill = "#4477AA") + ggplot2::facet_wrap("column", scales = "free") + ggplot2::labs(x = NULL)
}
