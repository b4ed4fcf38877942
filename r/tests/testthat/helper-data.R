# Invented rows of every type, with missing values.
invented <- function(rows = 300, holes = TRUE) {
  set.seed(11)
  data <- data.frame(
    score = round(rnorm(rows), 3),
    age = sample(18:90, rows, TRUE),
    job = factor(sample(c("nurse", "clerk", "baker"), rows, TRUE), c("pilot", "nurse", "clerk", "baker")),
    grade = factor(sample(c("low", "mid", "high"), rows, TRUE), c("low", "mid", "high"), ordered = TRUE),
    smoker = runif(rows) < 0.4,
    born = as.Date("1990-01-01") + sample(0:9000, rows, TRUE),
    seen = as.POSIXct("2020-05-04 03:02:01", tz = "Europe/Berlin") + sample(0:1e8, rows, TRUE)
  )
  if (holes) for (place in seq_along(data)) data[[place]][seq(place, rows, by = 10)] <- NA
  data
}

# What the columns of invented rows mean, with two that are not released.
declared <- function() {
  text <- schema(invented(), levels_declared = TRUE)$text
  identifiers <- '\n[[column]]\nname = "key"\ntype = "identifier"\n[[column]]\nname = "who"\ntype = "identifier"\n'
  schema(paste0(text, identifiers))
}

# The command, where it was built or is installed: in a clone, or named by INDISTINCT_COMMAND.
command <- function() {
  named <- Sys.getenv("INDISTINCT_COMMAND")
  found <- c(named[named != ""], Sys.which("indistinct"))
  found <- found[file.exists(found)]
  if (length(found) == 0) skip("the command is not built")
  found[[1]]
}

run <- function(...) {
  told <- suppressWarnings(system2(command(), shQuote(c(...)), stdout = TRUE, stderr = TRUE))
  list(status = if (is.null(attr(told, "status"))) 0L else attr(told, "status"), text = paste(told, collapse = "\n"))
}

quiet <- function(...) suppressWarnings(..., classes = "indistinct_warning")

bytes <- function(path) readBin(path, "raw", file.size(path))

# A file or folder that is removed when the test is over.
withr_file <- function(ending, environment = parent.frame()) {
  path <- tempfile("indistinct", fileext = ending)
  do.call(on.exit, list(bquote(unlink(.(path), recursive = TRUE)), add = TRUE), envir = environment)
  path
}
