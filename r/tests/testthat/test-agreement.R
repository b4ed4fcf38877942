# The same bytes as the command, for the same seed and options.

test_that("tables and models are those of the command", {
  data <- invented()
  private <- withr_file(".csv")
  declared <- schema(data, levels_declared = TRUE)
  toml <- withr_file(".toml")
  write_schema(declared, toml)
  # As the schema spells them.
  written <- data
  written$seen <- format(data$seen, "%Y-%m-%dT%H:%M:%S", tz = "UTC")
  utils::write.csv(written, private, row.names = FALSE, na = "")
  for (delta in c(0, 1e-6)) {
    by_command <- withr_file("")
    told <- run(
      "synth", private, "--schema", toml, "--epsilon", "3", "--delta", format(delta, scientific = FALSE), "--tables", "2",
      "--seed", "7", "--out", by_command
    )
    expect_identical(told$status, 0L, info = told$text)
    by_r <- withr_file("")
    write_release(quiet(synth(data, epsilon = 3, delta = delta, schema = toml, tables = 2, seed = 7)), by_r)
    for (name in c("synthetic-01.csv", "synthetic-02.csv", "model.json")) {
      expect_identical(bytes(file.path(by_r, name)), bytes(file.path(by_command, name)), info = name)
    }
    # From the file as well.
    by_file <- withr_file("")
    write_release(quiet(synth(private, epsilon = 3, delta = delta, schema = toml, tables = 2, seed = 7)), by_file)
    expect_identical(bytes(file.path(by_file, "model.json")), bytes(file.path(by_command, "model.json")))
  }
})

test_that("evaluations are those of the command", {
  data <- invented()[c("score", "age", "job", "smoker")]
  fake <- data[rev(seq_len(nrow(data))), ]
  # write.csv writes 15 digits: with the rounding error of a sum the file would be another table.
  fake$score <- round(fake$score + 1, 3)
  files <- c(withr_file(".csv"), withr_file(".csv"))
  utils::write.csv(data, files[1], row.names = FALSE, na = "")
  utils::write.csv(fake, files[2], row.names = FALSE, na = "")
  numbers <- function(text) regmatches(text, gregexpr("[0-9]+\\.[0-9]+", text))[[1]]
  for (null in c("permutation", "none")) {
    told <- run("evaluate", files[1], files[2], "--null", null)
    found <- evaluate(data, fake, null = null)
    expect_identical(numbers(format(found)), numbers(told$text))
  }
})

test_that("errors are those of the command, in the words of R", {
  data <- invented()
  private <- withr_file(".csv")
  utils::write.csv(data["age"], private, row.names = FALSE, na = "")
  said <- function(...) sub("^error: ", "", run("synth", private, ...)$text)
  raised <- function(...) tryCatch(synth(private, ...), indistinct_error = conditionMessage)
  expect_identical(raised(epsilon = -1), gsub("--epsilon 1", "epsilon = 1", gsub("--epsilon:", "`epsilon`:", said("--epsilon", "-1"))))
  expect_match(raised(epsilon = "x"), "epsilon")
})

test_that("lm and combine agree", {
  set.seed(3)
  tables <- lapply(1:3, function(table) {
    x <- rnorm(50)
    data.frame(x = x, g = factor(sample(c("a", "b"), 50, TRUE)), y = 2 * x + rnorm(50))
  })
  found <- combine(tables, y ~ x + g, n = 50)
  means <- rowMeans(sapply(tables, function(table) stats::coef(stats::lm(y ~ x + g, table))))
  expect_equal(unname(coef(found)), unname(means))
  expect_identical(names(coef(found)), names(means))
  expect_true(all(confint(found)[, "low"] < coef(found)))
  expect_identical(coef(combine(tables, "y ~ x + g", n = 50)), coef(found))
})
