# No message speaks of the command: options are arguments that there are, and other commands are functions.

sources <- function() {
  crates <- file.path(testthat::test_path(), "../../../crates")
  if (!dir.exists(crates)) skip("messages are written in a clone of the project")
  found <- list.files(file.path(crates, c("indistinct", "indistinct-io", "indistinct-report"), "src"), "\\.rs$", recursive = TRUE, full.names = TRUE)
  # What only the command says: its own help, how its ledgers begin, folders of rehearsals.
  found[!grepl("keywords.rs|/tests|options/mod.rs|text/ledger.rs|interval/kept.rs", found)]
}

# The texts in a file of Rust, without comments and tests, lines joined as the compiler joins them.
literals <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  tests <- grep("#[cfg(test)]", lines, fixed = TRUE)
  if (length(tests) > 0) lines <- lines[seq_len(tests[1] - 1)]
  text <- paste(lines[!grepl("^\\s*//", lines)], collapse = "\n")
  found <- regmatches(text, gregexpr('"(?:[^"\\\\]|\\\\(?s:.))*"', text, perl = TRUE))[[1]]
  gsub('\\"', '"', gsub("\\\\\n\\s*", "", gsub('^"|"$', "", found)), fixed = TRUE)
}

test_that("messages name functions and arguments that there are", {
  exported <- getNamespaceExports("indistinct")
  arguments <- unique(unlist(lapply(exported, function(name) names(formals(getExportedValue("indistinct", name))))))
  seen <- 0
  for (file in sources()) for (literal in literals(file)) {
    if (!grepl("--|`indistinct ", literal)) next
    said <- .Call(indistinct:::wrap__in_words_of_r, gsub("{}", "--draws", literal, fixed = TRUE))
    seen <- seen + 1
    expect_no_match(said, "(?<![\\w-])--[a-z]", perl = TRUE)
    expect_no_match(said, "`indistinct [a-z]")
    named <- regmatches(said, gregexpr("(?<![\\w(\"`])[a-z_]+(?= =(?! [a-z]+\\())", said, perl = TRUE))[[1]]
    of_the_command <- regmatches(literal, gregexpr("(?<=--)[a-z][a-z-]*", literal, perl = TRUE))[[1]]
    for (name in intersect(named, gsub("-", "_", of_the_command))) expect_true(name %in% arguments, label = said)
  }
  expect_gt(seen, 40)
})

test_that("arguments are named as they are typed", {
  say <- function(text) .Call(indistinct:::wrap__in_words_of_r, text)
  expect_identical(say("leave --delta out, or use --sampler zoom"), "leave `delta` out, or use sampler = \"zoom\"")
  expect_identical(say("leave out --rule, --n and --epsilon: --level must be"), "leave out `rule`, `n` and `epsilon`: `level` must be")
  expect_identical(say("say --no-header, or --force"), "read it with header = FALSE, or force = TRUE")
})

test_that("a plan of a ledger says what to call", {
  file <- withr_file(".ledger")
  ledger_init(file, epsilon = 4, delta = 1e-5, neighbours = "add-remove")
  told <- format(ledger_plan(file, releases = 2))
  expect_match(told, paste0("synth(..., ledger = \"", file, "\", epsilon = "), fixed = TRUE)
  expect_match(told, ", delta = 0.000005, neighbours = \"add-remove\")", fixed = TRUE)
})
