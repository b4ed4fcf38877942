test_that("every type comes back as the schema declares it", {
  data <- invented()
  attr(data$age, "label") <- "Age in years"
  release <- quiet(synth(data, epsilon = 50, levels_declared = TRUE))
  fake <- as.data.frame(release)
  expect_s3_class(fake, "data.frame", exact = TRUE)
  expect_identical(names(fake), names(data))
  expect_identical(lapply(fake, class), lapply(data, class))
  expect_identical(levels(fake$job), levels(data$job))
  expect_identical(levels(fake$grade), levels(data$grade))
  expect_identical(attr(fake$seen, "tzone"), "Europe/Berlin")
  expect_identical(attr(fake$age, "label"), "Age in years")
  expect_identical(attr(sample_rows(release, 5)$age, "label"), "Age in years")
  expect_equal(nrow(fake), nrow(data))
  expect_true(anyNA(fake$score) || anyNA(fake$job))
})

test_that("the guarantee is conditional unless types and levels are declared", {
  data <- invented()
  expect_warning(drafted <- synth(data, epsilon = 50), class = "indistinct_warning")
  expect_identical(drafted$document$guarantee$kind, "conditional")
  expect_match(drafted$guarantee, "provided|drafted|schema")
  declared <- quiet(synth(data, epsilon = 50, levels_declared = TRUE))
  expect_identical(declared$document$guarantee$kind, "pure")
  expect_identical(quiet(synth(data, epsilon = 50, schema = schema(data, levels_declared = TRUE)))$document$guarantee$kind, "pure")
  # A draft stays one, as an object, as text and as a file.
  draft <- quiet(schema(data))
  file <- withr_file(".toml")
  write_schema(draft, file)
  for (given in list(draft, draft$text, file)) {
    expect_identical(quiet(synth(data, epsilon = 50, schema = given))$document$guarantee$kind, "conditional")
  }
})

test_that("text has no declared levels", {
  data <- data.frame(job = rep(c("nurse", "clerk"), 50))
  expect_error(synth(data, epsilon = 1, levels_declared = TRUE), "column 1 is text", class = "indistinct_failed")
  expect_identical(levels(as.data.frame(quiet(synth(data, epsilon = 5)))$job), c("clerk", "nurse"))
})

test_that("a level that is NA is a missing value", {
  data <- data.frame(job = addNA(factor(rep(c("nurse", "clerk", NA), 50))), grade = addNA(factor(rep(c("low", NA), 75), ordered = TRUE)))
  expect_true(anyNA(levels(data$job)))
  declared <- schema(data, levels_declared = TRUE)
  expect_identical(as.data.frame(declared)$levels, c("clerk, nurse", "low"))
  fake <- as.data.frame(quiet(synth(data["job"], epsilon = 50, levels_declared = TRUE)))
  expect_identical(levels(fake$job), c("clerk", "nurse"))
  expect_true(anyNA(fake$job))
})

test_that("an empty level is a level", {
  data <- data.frame(town = factor(rep(c("", "a", NA, "NA"), 50), c("", "a", "NA")))
  release <- quiet(synth(data, epsilon = 50, levels_declared = TRUE))
  fake <- as.data.frame(release)
  expect_identical(levels(fake$town), c("", "a", "NA"))
  expect_true(all(abs(table(fake$town, useNA = "always") - 50) < 15))
  folder <- withr_file("")
  write_release(release, folder)
  expect_identical(as.data.frame(open_release(folder)), fake)
})

test_that("codes with labels are numbers, and said to be; codes of missing values are NA", {
  answer <- structure(rep(c(1, 2, 8, 9), 50), class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"))
  attributes(answer) <- c(attributes(answer), list(labels = c(no = 1, yes = 2), na_values = 9, na_range = c(7, 8.5), label = "Answer"))
  data <- data.frame(x = 1:200)
  data$answer <- answer
  expect_warning(drafted <- schema(data, levels_declared = TRUE), "column 2 have labels.*as_factor", class = "indistinct_warning")
  fake <- as.data.frame(quiet(synth(data["answer"], epsilon = 50, levels_declared = TRUE)))
  expect_equal(mean(is.na(fake$answer)), 0.5, tolerance = 0.1)
  expect_lt(max(fake$answer, na.rm = TRUE), 4)
  expect_identical(attr(fake$answer, "label"), "Answer")
})

test_that("times come back in the zone in which they were shown", {
  moments <- as.POSIXct("2020-05-04 03:02:01", tz = "UTC") + 3600 * (0:199)
  zone_of <- function(seen) {
    data <- data.frame(x = seq_along(seen))
    data$seen <- seen
    attr(as.data.frame(quiet(synth(data, epsilon = 50, levels_declared = TRUE)))$seen, "tzone")
  }
  in_zone <- function(zone) structure(moments, tzone = zone)
  expect_identical(zone_of(in_zone("America/New_York")), "America/New_York")
  expect_identical(zone_of(as.POSIXlt(in_zone("America/New_York"))), "America/New_York")
  expect_identical(zone_of(in_zone("")), "")
  expect_identical(zone_of(in_zone(NULL)), "")
})

test_that("tibbles come back as tibbles", {
  skip_if_not_installed("tibble")
  release <- quiet(synth(tibble::as_tibble(invented()), epsilon = 50, levels_declared = TRUE))
  expect_s3_class(as.data.frame(release), "tbl_df")
  expect_s3_class(sample_rows(release, 3), "tbl_df")
})

test_that("tables stay the same, and are those that are written and opened", {
  release <- quiet(synth(invented(), epsilon = 50, levels_declared = TRUE, tables = 2))
  expect_identical(as.data.frame(release, table = 2), as.data.frame(release, table = 2))
  expect_false(identical(as.data.frame(release, table = 1), as.data.frame(release, table = 2)))
  folder <- withr_file("")
  write_release(release, folder)
  expect_setequal(
    list.files(folder), c("synthetic-01.csv", "synthetic-02.csv", "model.json", "certificate.json", "report.html")
  )
  verify(folder, require = "pure")
  opened <- open_release(folder)
  fake <- as.data.frame(release, table = 2)
  attr(fake$seen, "tzone") <- "UTC"
  expect_equal(as.data.frame(opened, table = 2), fake)
  expect_error(as.data.frame(release, table = 3), class = "indistinct_usage")
  expect_error(write_release(release, folder), "exists")
  write_release(release, folder, force = TRUE)
  cat("x", file = file.path(folder, "synthetic-01.csv"), append = TRUE)
  expect_error(verify(folder), "changed", class = "indistinct_failed")
})

test_that("rows can be asked for by condition, and repeat with a seed", {
  release <- quiet(synth(invented(), epsilon = 50, levels_declared = TRUE))
  old <- sample_rows(release, 50, where = "age > 60")
  expect_true(all(old$age > 60))
  expect_identical(sample_rows(release, 9, seed = 4), sample_rows(release, 9, seed = 4))
  expect_false(identical(sample_rows(release, 9), sample_rows(release, 9)))
  expect_error(sample_rows(release, 0), class = "indistinct_error")
  expect_error(sample_rows(release, 5, where = "height > 3"), "where")
})

test_that("a release can be saved by R", {
  release <- quiet(synth(invented(), epsilon = 50, levels_declared = TRUE))
  file <- withr_file(".rds")
  saveRDS(release, file)
  expect_identical(readRDS(file), release)
  expect_identical(as.data.frame(readRDS(file)), as.data.frame(release))
})

test_that("a split charges nothing", {
  file <- withr_file(".ledger")
  ledger_init(file, epsilon = 1)
  split <- quiet(split_budget(invented(), epsilon = 2, levels_declared = TRUE, ledger = file))
  expect_equal(sum(as.data.frame(split)$share), 1, tolerance = 1e-6)
  expect_false(split$document$ledger$fits)
  expect_equal(nrow(as.data.frame(ledger_show(file))), 0)
  expect_error(split_budget(invented(), 2, levelsdeclared = TRUE), "levelsdeclared", class = "indistinct_usage")
})
