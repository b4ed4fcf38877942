#' What the columns of a data frame mean
#'
#' `schema()` drafts a schema from a private data frame, to review and edit; or, with `levels_declared = TRUE`, takes types and
#' levels of its columns as declared and looks at no row.
schema <- function(data, levels_declared = FALSE, threads = NULL) {
  if (is_schema_text(data)) return(schema_object(value_of(.Call(wrap__parse_schema, utf8(data, "the text of the schema")))))
  source <- source_of(data, "data")
  warn(codes_of(data))
  if (truth_of(levels_declared, "levels_declared")) return(schema_object(value_of(.Call(wrap__schema_by_types, source))))
  draft <- work(.Call(wrap__start_draft, source, options_of(threads = threads_of(threads))), "drafting a schema")
  warn(draft$warnings)
  schema_object(draft)
}

# Text of a schema rather than the name of a file.
is_schema_text <- function(x) is.character(x) && length(x) == 1 && !is.na(x) && grepl("\n", x, fixed = TRUE)

read_schema <- function(path) schema_object(value_of(.Call(wrap__read_schema, path_of(path))))

write_schema <- function(x, path, force = FALSE) {
  if (!inherits(x, "indistinct_schema")) fail("x must be a schema, as schema() makes it")
  value_of(.Call(wrap__save_text, x$text, path_of(path), isTRUE(force)))
  invisible(path)
}

schema_object <- function(told) document("indistinct_schema", told$document, told$text)

# The text of a schema that was given as such, as text, or as a file.
schema_text <- function(given) {
  if (is.null(given)) return(NULL)
  if (inherits(given, "indistinct_schema")) return(given$text)
  if (is_schema_text(given)) return(schema(given)$text)
  if (is.character(given) && length(given) == 1 && !is.na(given)) return(read_schema(given)$text)
  fail("schema must be a schema or the name of a schema file\n help: draft one with schema(data)")
}

is_draft <- function(schema) inherits(schema, "indistinct_schema") && !identical(schema$document$source, "user")

summary.indistinct_schema <- function(object, ...) as.data.frame(object)

as.data.frame.indistinct_schema <- function(x, row.names = NULL, optional = FALSE, ...) {
  levels <- vapply(x$document$columns, function(column) paste(column$levels, collapse = ", "), "")
  data.frame(
    name = vapply(x$document$columns, `[[`, "", "name"), type = vapply(x$document$columns, `[[`, "", "type"), levels = levels
  )
}
