library(testthat)
library(indistinct)

test_check("indistinct")
