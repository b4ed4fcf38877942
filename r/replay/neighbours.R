# Private tables that differ in one row, or in one person's rows, and the forms in which they are handed over.

# Values that no other row has: beyond what is likely, levels that nobody else has, nothing.
STRANGE <- list(
  score = 1e300, age = 500L, job = "pilot", grade = "mid", smoker = NA, born = as.Date("9999-01-01"),
  seen = as.POSIXct("1700-01-01", tz = "UTC")
)

KINDS <- list(row = list(), person = list(person = "who", rows_per_person = 2), "row more" = list(neighbours = "add-remove"))

# The table (0), or one in which a row, or a person's rows, are missing everywhere (1) or strange (2), or are not there.
neighbour <- function(which, kind) {
  rows <- invented()
  rows$key <- paste("key", seq_len(nrow(rows)))
  rows$who <- paste("person", seq_len(nrow(rows)) %% 100)
  one <- 7
  if (kind == "row more") return(rows[setdiff(seq_len(nrow(rows)), c(one, one + 100)[seq_len(which)]), ])
  if (which == 0) return(rows)
  replaced <- if (kind == "person") base::which(rows$who == rows$who[one]) else one
  for (name in names(STRANGE)) rows[[name]][replaced] <- if (which == 1) NA else STRANGE[[name]]
  rows$who[replaced] <- paste("somebody else", which)
  rows$key[replaced] <- paste("another key", which)
  rows
}

# With attributes of every kind that follow from rows.
dressed <- function(rows) {
  for (name in names(rows)) attr(rows[[name]], "note") <- list(table(rows[[name]]), environment())
  row.names(rows) <- make.unique(rows$key)
  attr(rows, "note") <- rows$score
  rows
}

# Types and levels as somebody finds them in these rows who declares nothing in R.
found <- function(rows) {
  rows$job <- factor(as.character(rows$job), unique(as.character(rows$job)))
  rows$grade <- as.character(rows$grade)
  rows$smoker <- factor(rows$smoker)
  rows$age <- as.double(rows$age)
  rows$seen <- as.POSIXlt(rows$seen)
  rows
}

# A file, in which the strange row has a text where others have numbers.
filed <- function(rows) {
  rows$seen <- format(rows$seen, "%Y-%m-%dT%H:%M:%S", tz = "UTC")
  rows$age <- ifelse(rows$age %in% 500, "five hundred", rows$age)
  rows$smoker <- ifelse(rows$job %in% "pilot" & is.na(rows$smoker), "hardly", rows$smoker)
  function() {
    utils::write.csv(rows, "private.csv", row.names = FALSE, na = "")
    "private.csv"
  }
}

FORMS <- list(
  "data frame" = dressed,
  "types by the data" = found,
  "file" = filed,
  "file read by R" = function(rows) function() utils::read.csv(filed(rows)(), stringsAsFactors = TRUE),
  # Nothing but columns that are released: their types and levels are the schema.
  "declared by types" = function(rows) dressed(rows)[setdiff(names(rows), c("key", "who"))]
)
if (requireNamespace("tibble", quietly = TRUE)) FORMS$tibble <- function(rows) tibble::as_tibble(rows)

# What is said with every form besides the kind of neighbours.
OPTIONS <- lapply(FORMS, function(form) list(schema = declared()))
OPTIONS[["declared by types"]] <- list(levels_declared = TRUE)
for (form in c("file", "file read by R")) OPTIONS[[form]]$invalid <- "missing"
# There is no column of persons there.
NEVER <- list(c("declared by types", "person"))
