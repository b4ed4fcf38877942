test_that("a ledger refuses what does not fit, by a class of its own", {
  file <- withr_file(".ledger")
  ledger <- ledger_init(file, epsilon = 3, id = "people")
  data <- invented()
  quiet(synth(data, epsilon = 2, levels_declared = TRUE, ledger = ledger, ledger_id = "people"))
  expect_error(
    quiet(synth(data, epsilon = 2, levels_declared = TRUE, ledger = file)), class = "indistinct_budget_exceeded"
  )
  expect_error(quiet(synth(data, epsilon = 1, levels_declared = TRUE, ledger = file, seed = 1)), class = "indistinct_no_guarantee")
  expect_error(quiet(synth(data, epsilon = 1, ledger = file)), "accept_conditional = TRUE", class = "indistinct_no_guarantee")
  charges <- as.data.frame(ledger_show(file))
  expect_equal(charges$epsilon, 2)
  expect_match(charges$what, "R")
  expect_equal(ledger_plan(file, releases = 2)$document$pure_epsilon, 0.5)
  ledger_verify(file, head = ledger$document$head)
  expect_error(ledger_verify(file, head = strrep("0", 64)), class = "indistinct_error")
  expect_error(ledger_init(file, epsilon = 3), "exists")
})

# A text of which nobody says how it is encoded.
not_utf8 <- structure("caf\xe9\n")
Encoding(not_utf8) <- "bytes"

test_that("arguments are checked, and named as they are written", {
  data <- invented()
  for (wrong in list(
    list(epsilon = 0), list(epsilon = NA), list(epsilon = "a"), list(epsilon = 1, delta = 2), list(epsilon = 1, tables = 0),
    list(epsilon = 1, tables = 1.5), list(epsilon = 1, rows = -1), list(epsilon = 1, model = "best"), list(epsilon = 1, threads = 0),
    list(epsilon = 1, neighbours = TRUE), list(epsilon = 1, seed = -4), list(epsilon = 1, schema = 3), list(epsilon = 1, ledger = 3),
    list(epsilon = 1, levels_declared = NA), list(epsilon = 1, levels_declared = "yes"), list(epsilon = 1, rows = 1e15),
    list(epsilon = 1, ledger = "l", ledger_id = not_utf8), list(epsilon = 1, schema = not_utf8), list(epsilon = not_utf8),
    list()
  )) {
    raised <- tryCatch(quiet(do.call(synth, c(list(data), wrong))), error = identity)
    expect_s3_class(raised, "indistinct_usage")
    expect_no_match(conditionMessage(raised), "--")
  }
  for (data in list(1:3, "-", NULL, NA)) expect_error(synth(data, epsilon = 1), "data frame", class = "indistinct_usage")
  data <- invented()
  expect_error(evaluate(data, list()), class = "indistinct_usage")
  expect_error(combine(data, 3), class = "indistinct_usage")
  expect_error(open_release("no such folder"), class = "indistinct_failed")
  expect_error(verify("no such folder"), class = "indistinct_failed")
  expect_error(sample_rows(3), class = "indistinct_usage")
})

test_that("text that is not UTF-8 is refused by name, wherever it is", {
  data <- stats::setNames(invented()[c("age", "job")], c("age", not_utf8))
  expect_error(synth(data, epsilon = 1), "name of column 2 has text that is not UTF-8", class = "indistinct_failed")
  data <- invented(holes = FALSE)[c("age", "job")]
  expect_error(evaluate(data, stats::setNames(list(data), not_utf8)), "not UTF-8", class = "indistinct_usage")
  expect_error(evaluate(data, data, predict = not_utf8), "`predict`|predict has", class = "indistinct_usage")
  expect_error(combine(data, not_utf8), "formula", class = "indistinct_usage")
  expect_error(open_release(not_utf8), "folder", class = "indistinct_usage")
  release <- quiet(synth(data, epsilon = 50, levels_declared = TRUE))
  expect_error(sample_rows(release, 5, where = not_utf8), "where", class = "indistinct_usage")
  expect_error(sample_rows(release, 1e12), "2147483647", class = "indistinct_usage")
  for (statistic in list(not_utf8, list("mean(age)", mean), list(), NA)) {
    expect_error(interval(release, statistic, replicates = 10), class = "indistinct_usage")
  }
  expect_error(interval(data, "mean(age)"), "release must be a release", class = "indistinct_usage")
})

test_that("threads do not matter", {
  data <- invented()
  one <- quiet(synth(data, epsilon = 5, levels_declared = TRUE, seed = 2, threads = 1))
  old <- options(mc.cores = 3)
  on.exit(options(old), add = TRUE)
  three <- quiet(synth(data, epsilon = 5, levels_declared = TRUE, seed = 2))
  expect_identical(as.data.frame(one), as.data.frame(three))
})

test_that("where CRAN checks, two threads are used", {
  old <- Sys.getenv("_R_CHECK_LIMIT_CORES_", NA)
  on.exit(if (is.na(old)) Sys.unsetenv("_R_CHECK_LIMIT_CORES_") else Sys.setenv("_R_CHECK_LIMIT_CORES_" = old), add = TRUE)
  before <- options(mc.cores = NULL)
  on.exit(options(before), add = TRUE)
  Sys.setenv("_R_CHECK_LIMIT_CORES_" = "TRUE")
  expect_identical(indistinct:::threads_of(NULL), 2L)
  expect_identical(indistinct:::threads_of(3), 3)
  Sys.setenv("_R_CHECK_LIMIT_CORES_" = "false")
  expect_null(indistinct:::threads_of(NULL))
})

test_that("an interrupt is heard while Rust works, and stops it", {
  skip_on_os("windows")
  script <- withr_file(".R")
  writeLines(c(
    "library(indistinct)",
    "begun <- Sys.time()",
    "system(sprintf('(sleep 1; kill -INT %d) &', Sys.getpid()))",
    "heard <- tryCatch(indistinct:::work(.Call(indistinct:::wrap__start_nothing, list())), interrupt = function(stop) 'interrupted')",
    "cat(heard, if (difftime(Sys.time(), begun, units = 'secs') < 30) 'soon')"
  ), script)
  library <- dirname(system.file(package = "indistinct"))
  told <- system2(
    file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = TRUE, env = paste0("R_LIBS=", library), timeout = 60
  )
  expect_match(paste(told, collapse = " "), "interrupted soon")
})

test_that("arguments that would be ignored are refused", {
  data <- invented()
  expect_error(split_budget(data, 8, 1e-6), "without names", class = "indistinct_usage")
  expect_error(quiet(synth(data, 5, levels_declared = TRUE, ledger_id = "x")), "ledger_id", class = "indistinct_usage")
  release <- quiet(synth(data, 5, levels_declared = TRUE, seed = 1))
  expect_error(combine(release, age ~ score, replicates = 5), "rehearse = TRUE", class = "indistinct_usage")
  expect_error(ledger_init(tempfile()), "epsilon", class = "indistinct_usage")
  expect_error(ledger_plan(tempfile()), "releases", class = "indistinct_usage")
  fit <- quiet(combine(release, age ~ score))
  expect_error(confint(fit, "zz"), "no coefficient zz", class = "indistinct_usage")
})

test_that("a table of one column has no pairs", {
  data <- invented()["age"]
  expect_identical(nrow(as.data.frame(quiet(evaluate(data, data, null = "none")), what = "pairs")), 0L)
})

test_that("texts of unknown encoding that are UTF-8 stay what they are where the session has another", {
  script <- withr_file(".R")
  writeLines(c(
    "library(indistinct)",
    "data <- data.frame(a = factor(rep(c('caf\\xc3\\xa9', 'b'), 200)))",
    "text <- schema(data, levels_declared = TRUE)$text",
    "cat(grepl('caf\\u00e9', text, fixed = TRUE))"
  ), script)
  library <- dirname(system.file(package = "indistinct"))
  told <- system2(file.path(R.home("bin"), "Rscript"), shQuote(script), stdout = TRUE, stderr = TRUE, env = c("LC_ALL=C", paste0("R_LIBS=", library)))
  expect_match(paste(told, collapse = " "), "TRUE")
})
