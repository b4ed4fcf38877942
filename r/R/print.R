# What the command prints.
format.indistinct_document <- function(x, ...) sub("\n$", "", x$text)

print.indistinct_document <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# What has no table of numbers is its own summary.
summary.indistinct_document <- function(object, ...) object

# In a document of knitr: a block of text.
knit_print.indistinct_document <- function(x, ...) {
  structure(paste0("\n```text\n", format(x), "\n```\n"), class = "knit_asis")
}
