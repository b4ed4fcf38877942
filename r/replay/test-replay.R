# Everything that leaves the R package, on neighbouring tables: with all that was charged replayed, nothing may differ.
#
# Needs a package that was built with the recorder (feature `broken`), and is therefore not among the other tests:
#
#     INDISTINCT_R_FEATURES=broken INDISTINCT_R_PROFILE=dev INDISTINCT_R_TARGET="$PWD/target/r" R CMD INSTALL --library=FOLDER r
#     R_LIBS=FOLDER Rscript -e 'testthat::test_file("r/replay/test-replay.R", stop_on_failure = TRUE)'
#
# `crates/indistinct-cli/tests/surface` does the same for the command, `python/replay` for Python.

library(indistinct)
source("../tests/testthat/helper-data.R")
source("neighbours.R")

shown <- function(form, kind, which, tape = "") {
  file <- withr_file(".rds")
  told <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(c("shown.R", form, kind, which, file)),
    stdout = TRUE, stderr = TRUE, env = if (tape != "") paste0("INDISTINCT_REPLAY=", tape)
  ))
  if (!file.exists(file)) stop(paste(told, collapse = "\n"))
  readRDS(file)
}

# The names of what differs.
differences <- function(first, second) {
  names <- union(names(first), names(second))
  names[!vapply(names, function(name) identical(first[[name]], second[[name]]), NA)]
}

for (form in names(FORMS)) for (kind in names(KINDS)) {
  if (list(c(form, kind)) %in% NEVER) next
  test_that(paste("only what was charged depends on a row:", form, kind), {
    tape <- withr_file(".tape")
    first <- shown(form, kind, 0, tape)
    expect_gt(file.size(tape), 0)
    expect_true(all(c("release", "rows", "release.rds", "release/certificate.json") %in% names(first)))
    for (which in 1:2) expect_identical(differences(first, shown(form, kind, which, tape)), character())
  })
}

test_that("without the recorder releases differ", {
  found <- differences(shown("data frame", "row", 0), shown("data frame", "row", 0))
  expect_true(all(c("release", "rows", "release.rds", "release/model.json") %in% found))
})
