test_that("objects print, summarise and draw", {
  data <- invented()[c("score", "age", "job", "smoker", "born", "seen")]
  release <- quiet(synth(data, epsilon = 20, levels_declared = TRUE))
  expect_output(print(release), "guarantee: .*20")
  expect_output(print(release$schema), "column")
  expect_s3_class(summary(release), "table")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  expect_no_error(plot(release))
  expect_no_error(plot(release, columns = "job"))
  expect_error(plot(release, columns = "height"), class = "indistinct_usage")
  found <- evaluate(data, release, null = "none")
  expect_output(print(found), "pMSE")
  expect_true(found$pmse >= 0 && found$pmse <= 0.25)
  expect_setequal(as.data.frame(found)$name, names(data))
  expect_equal(nrow(as.data.frame(found, what = "pairs")), choose(6, 2))
  expect_no_error(plot(found))
  expect_output(print(schema(data, levels_declared = TRUE)), "pilot")
})

test_that("a page of an evaluation is written on request", {
  data <- invented()[c("score", "job")]
  page <- withr_file(".html")
  found <- evaluate(data, data, null = "none", html = page)
  expect_true(file.exists(found$html))
  expect_match(tolower(paste(readLines(found$html), collapse = "\n")), "do not publish")
  expect_error(evaluate(data, data, null = "none", html = page), class = "indistinct_error")
  unlink(found$html)
})

test_that("ggplot2 draws the same", {
  skip_if_not_installed("ggplot2")
  release <- quiet(synth(invented()[c("score", "age", "job")], epsilon = 20, levels_declared = TRUE))
  picture <- ggplot2::autoplot(release)
  expect_s3_class(picture, "ggplot")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  expect_no_error(print(picture))
  found <- evaluate(invented()[c("score", "age", "job")], release, null = "none")
  expect_no_error(print(ggplot2::autoplot(found)))
})

test_that("knitr shows what the command prints", {
  skip_if_not_installed("knitr")
  told <- knitr::knit_print(schema(invented(), levels_declared = TRUE))
  expect_s3_class(told, "knit_asis")
  expect_match(told, "```text")
})

test_that("synthetic tables of others are read", {
  data <- invented()[c("score", "job")]
  others <- structure(list(syn = list(data, data)), class = "synds")
  expect_equal(evaluate(data, others, null = "none")$pmse, 0)
  expect_equal(length(evaluate(data, list(a = data, b = data), null = "none")$document$tables), 2)
})

test_that("numbers have bars, by words, formulas and functions", {
  release <- quiet(synth(invented(holes = FALSE)[c("age", "job", "smoker")], epsilon = 50, levels_declared = TRUE))
  told <- as.data.frame(interval(release, c("mean(age)", "share(smoker)"), replicates = 10))
  expect_identical(told$statistic, c("mean(age)", "share(smoker)"))
  expect_true(all(told$low < told$estimate & told$estimate < told$high))
  # Noise can make a value of a rehearsal missing.
  by_function <- as.data.frame(interval(release, function(data) mean(data$age, na.rm = TRUE), replicates = 10))
  expect_equal(by_function$estimate, told$estimate[1])
  expect_equal(by_function$low, told$low[1])
  expect_equal(by_function$high, told$high[1])
  by_formula <- interval(release, age ~ job, replicates = 10)
  expect_true("(Intercept)" %in% as.data.frame(by_formula)$term)
  named <- interval(release, function(data) tapply(data$age, data$smoker, mean, na.rm = TRUE), replicates = 10)
  expect_identical(as.data.frame(named)$term, c("FALSE", "TRUE"))
  expect_error(interval(release, "mean(age)", replicates = 3), "replicates", class = "indistinct_usage")
  expect_error(interval(release, "mean(height)", replicates = 10), class = "indistinct_error")
  expect_error(interval(release, 3), class = "indistinct_usage")
})

test_that("pages of releases have bars where they are asked for", {
  release <- quiet(synth(invented(holes = FALSE)[c("age", "job")], epsilon = 5, levels_declared = TRUE))
  folder <- withr_file("")
  write_release(release, folder, rehearsals = 10)
  expect_match(paste(readLines(file.path(folder, "report.html")), collapse = " "), "was rehearsed 10 times")
  expect_error(write_release(release, withr_file(""), rehearsals = 3), "rehearsals = 3 is too few", class = "indistinct_usage")
})
