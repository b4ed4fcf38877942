# Data frames to and from Rust.

# A table that Rust can read: a data frame, or the name of a file (CSV or TSV, packed or not). It holds a copy of the rows, and
# is for the call that makes it: nothing that is returned may keep it.
source_of <- function(data, name) {
  # What the command calls "-" is the console here.
  if (is.character(data) && length(data) == 1 && !is.na(data) && data != "-") {
    return(work(.Call(wrap__start_table_of_file, path_of(data), options_of()), "reading"))
  }
  if (!is.data.frame(data)) fail(paste(name, "must be a data frame, or the name of a CSV file"))
  names <- as.character(names(data))
  names[is.na(names)] <- ""
  # Told by their places: they may be texts of a row.
  names <- vapply(seq_along(names), function(place) utf8(names[[place]], sprintf("%s: the name of column %d", name, place), "failed"), "")
  columns <- lapply(seq_along(names), function(place) column_of(data[[place]], names[[place]], place, name))
  value_of(.Call(wrap__table_of_columns, name, columns))
}

# A column taken apart: kind, numbers and levels.
column_of <- function(x, column, place, table) {
  parts <- function(kind, values, levels = NULL) list(name = column, kind = kind, values = values, levels = levels)
  plain <- function(values) {
    attributes(values) <- NULL
    values
  }
  unsupported <- function(kind) {
    fail(sprintf(
      "%s: column %d is of type %s, which cannot be read\n help: %s", table, place, kind,
      "drop the column, or turn it into numbers, text, dates or booleans"
    ), "failed")
  }
  of_column <- function(texts) utf8(as.character(texts), sprintf("%s: column %d", table, place), "failed")
  if (!is.null(dim(x))) unsupported("matrix")
  # A level that is NA is no level: its rows are missing.
  if (is.factor(x) && anyNA(levels(x))) x <- factor(x, levels(x)[!is.na(levels(x))])
  if (is.factor(x)) return(parts(if (is.ordered(x)) "ordered" else "nominal", plain(unclass(x)), of_column(levels(x))))
  if (inherits(x, "Date")) return(parts("date", plain(as.double(x))))
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (inherits(x, "POSIXct")) return(parts("datetime", plain(as.double(x))))
  if (is.object(x) && !inherits(x, c("integer", "numeric", "character", "logical", "AsIs", "labelled", "haven_labelled"))) {
    unsupported(class(x)[[1]])
  }
  if (inherits(x, "haven_labelled_spss")) x <- without_missing_codes(unclass(x))
  if (inherits(x, "integer64")) unsupported("integer64")
  switch(typeof(x),
    logical = parts("boolean", plain(as.integer(x))),
    integer = parts("integer", plain(x)),
    double = parts("float", plain(x)),
    character = {
      x <- of_column(plain(x))
      different <- unique(x)
      different <- different[!is.na(different)]
      parts("text", match(x, different), different)
    },
    unsupported(typeof(x))
  )
}


# What to say of columns whose numbers are codes, as the packages haven and labelled read them from files of SPSS, Stata and SAS.
codes_of <- function(data) {
  if (!is.data.frame(data)) return(NULL)
  coded <- which(vapply(data, function(x) typeof(x) != "character" && inherits(x, c("haven_labelled", "labelled")) && length(attr(x, "labels", exact = TRUE)) > 0, NA))
  if (length(coded) > 0) {
    sprintf(
      "the numbers of column%s %s have labels, and are taken for numbers nevertheless: haven::as_factor() makes categories of them",
      if (length(coded) > 1) "s" else "", paste(coded, collapse = ", ")
    )
  }
}

# A column whose missing codes, which the package haven knows from SPSS, are NA.
without_missing_codes <- function(x) {
  range <- attr(x, "na_range", exact = TRUE)
  missing <- x %in% attr(x, "na_values", exact = TRUE)
  if (length(range) == 2) missing <- missing | !is.na(x) & unclass(x) >= range[1] & unclass(x) <= range[2]
  x[missing] <- NA
  x
}

# A data frame from the columns that Rust gives. All types follow from the schema, never from private rows; labels and time zones are
# what the data frame that was synthesised says of its columns.
frame_of <- function(columns, like = list()) {
  one <- function(column) {
    x <- column$values
    name <- column$name
    x <- switch(column$kind,
      nominal = structure(x + 1L, levels = column$levels, class = "factor"),
      ordered = structure(x + 1L, levels = column$levels, class = c("ordered", "factor")),
      boolean = if (identical(toupper(column$levels), c("FALSE", "TRUE"))) {
        as.logical(x)
      } else {
        structure(x + 1L, levels = column$levels, class = "factor")
      },
      date = structure(as.double(x), class = "Date"),
      datetime = structure(x / 1e6, class = c("POSIXct", "POSIXt"), tzone = if (is.null(like$zones[[name]])) "UTC" else like$zones[[name]]),
      x
    )
    if (!is.null(like$labels[[name]])) attr(x, "label") <- like$labels[[name]]
    x
  }
  frame <- setNames(lapply(columns, one), vapply(columns, `[[`, "", "name"))
  frame <- structure(frame, class = "data.frame", row.names = .set_row_names(length(frame[[1]])))
  if (isTRUE(like$tibble) && requireNamespace("tibble", quietly = TRUE)) frame <- tibble::as_tibble(frame)
  frame
}

# What is kept of how a data frame looks: whether it is a tibble, and labels and time zones of columns that are released. They are
# about columns, as names are; nothing is computed from rows, and types are those of the schema.
likeness <- function(data, released) {
  if (!is.data.frame(data)) return(list())
  kept <- function(of) {
    found <- lapply(setNames(released, released), function(name) if (name %in% names(data)) of(data[[name]]))
    Filter(Negate(is.null), found)
  }
  one_text <- function(x) if (is.character(x) && length(x) == 1 && !is.na(x)) as.vector(x)
  list(
    tibble = inherits(data, "tbl_df"),
    labels = kept(function(x) one_text(attr(x, "label", exact = TRUE))),
    # Without one a time is shown in that of the session.
    zones = kept(function(x) if (inherits(x, "POSIXt")) one_text(c(attr(x, "tzone", exact = TRUE), "")[1]))
  )
}
