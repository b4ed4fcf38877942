# Nothing of the private data frame leaves but what was paid for: not in objects, their attributes and environments, not in what saveRDS
# writes, not in files, not in messages.

MARK <- "MARK-7f3a"
NUMBER <- 918273645

# The text of everything that an object holds, closures and environments included, as serialize() reaches it. Numbers in both of R's
# types are looked for as bytes.
holds <- function(object, what) {
  found <- serialize(object, NULL, xdr = FALSE)
  needle <- if (is.character(what)) charToRaw(what) else writeBin(what, raw())
  length(grepRaw(needle, found, fixed = TRUE)) > 0
}

# Rows with marks in every place that is not released: identifiers, levels that nobody has, row names, attributes.
dressed <- function() {
  data <- invented()
  data$key <- paste0(MARK, "-", seq_len(nrow(data)))
  data$who <- factor(paste0(MARK, "-", seq_len(nrow(data)) %% 200))
  data$job <- factor(as.character(data$job), c(paste0(MARK, "-job"), rev(levels(data$job))), ordered = TRUE)
  data$age <- as.double(data$age)
  attr(data$age, "note") <- MARK
  attr(data$age, "maximum") <- NUMBER
  attr(data$key, "label") <- MARK
  row.names(data) <- data$key
  attr(data, "note") <- MARK
  data
}

undated <- function(release) {
  release$document$created <- NULL
  release$state <- gsub('"created":"[^"]*"', "", release$state)
  unclass(release)
}

test_that("an object tells no more than the release", {
  data <- dressed()
  expect_true(holds(data, MARK))
  plain <- invented()
  plain$key <- as.character(seq_len(nrow(plain)))
  # Which rows of a person are kept follows from what the person is called.
  plain$who <- paste0(MARK, "-", seq_len(nrow(plain)) %% 200)
  for (person in list(NULL, "who")) {
    marked <- quiet(synth(data, epsilon = 10, schema = declared(), seed = 5, person = person))
    expect_false(holds(marked, MARK))
    expect_false(holds(marked, NUMBER))
    expect_false(holds(marked, as.integer(NUMBER)))
    fake <- as.data.frame(marked)
    expect_false(holds(fake, MARK))
    expect_false(holds(sample_rows(marked, 50, seed = 1), MARK))
    # The same rows in other clothes give the same object, but for when it was made.
    same <- quiet(synth(plain, epsilon = 10, schema = declared(), seed = 5, person = person))
    expect_identical(as.data.frame(same)[names(fake)], fake)
    expect_identical(undated(same), undated(marked))
    folder <- withr_file("")
    write_release(marked, folder)
    for (file in list.files(folder, full.names = TRUE)) {
      expect_equal(length(grepRaw(charToRaw(MARK), bytes(file), fixed = TRUE)), 0, info = file)
    }
  }
})

test_that("types of the private rows are not kept", {
  whole <- data.frame(x = 1:200)
  real <- data.frame(x = as.double(1:200))
  text <- 'version = 1\n[[column]]\nname = "x"\ntype = "integer"\n'
  one <- quiet(synth(whole, epsilon = 20, schema = text, seed = 1))
  other <- quiet(synth(real, epsilon = 20, schema = text, seed = 1))
  expect_identical(as.data.frame(one), as.data.frame(other))
  expect_identical(undated(one), undated(other))
})

test_that("a schema that a release has learned stays a draft", {
  data <- invented()
  learned <- quiet(synth(data, epsilon = 10))$schema
  file <- withr_file(".toml")
  write_schema(learned, file)
  for (given in list(learned, schema(learned$text), learned$text, file)) {
    again <- quiet(synth(data, epsilon = 10, schema = given))
    expect_identical(again$document$guarantee$kind, "conditional")
  }
  declared <- quiet(synth(data, epsilon = 10, levels_declared = TRUE))
  expect_identical(quiet(synth(data, epsilon = 10, schema = declared$schema$text))$document$guarantee$kind, "pure")
})

test_that("neither objects nor conditions hold environments, calls or functions", {
  plain <- function(object) {
    if (is.list(object)) return(all(vapply(unclass(object), plain, NA)) && all(vapply(attributes(object), is.atomic, NA)))
    is.null(object) || typeof(object) %in% c("logical", "integer", "double", "character")
  }
  data <- dressed()
  release <- quiet(synth(data, epsilon = 10, schema = declared()))
  expect_true(plain(release))
  formula <- (function(private) smoker ~ age)(data)
  expect_true(holds(formula, MARK))
  found <- combine(release, formula)
  expect_true(plain(found))
  expect_false(holds(found, MARK))
  evaluation <- evaluate(data[names(as.data.frame(release))], release, null = "none")
  expect_true(plain(evaluation))
  expect_false(holds(evaluation, NUMBER))
  wrong <- data
  wrong$smoker <- factor(paste0(MARK, "-smoker"))
  raised <- tryCatch(synth(wrong, epsilon = 1, schema = declared()), error = identity)
  expect_s3_class(raised, "indistinct_failed")
  expect_null(conditionCall(raised))
  expect_false(holds(raised, MARK))
  expect_match(conditionMessage(raised), "row 1, column `smoker`")
})

test_that("errors of any kind quote no cell", {
  mark <- function(...) data.frame(..., check.names = FALSE)
  tables <- list(
    mark(x = rep(paste0(MARK, 1:5), 10), key = paste0(MARK, 1:50)),
    mark(x = I(as.list(rep(MARK, 50)))),
    mark(x = c(Inf, 1:49)),
    mark(x = c(MARK, 1:49)),
    mark(x = complex(50)),
    mark(x = raw(50)),
    stats::setNames(mark(a = 1:50, b = 1:50), c("x", "x")),
    stats::setNames(mark(a = 1:50), ""),
    mark(x = numeric()),
    mark(x = "\xff\xfe\xfd"),
    mark(x = as.POSIXlt(rep("2020-01-01", 50)), x2 = rep(NA, 50))
  )
  for (table in tables) {
    for (call in list(
      function() synth(table, epsilon = 1), function() schema(table), function() synth(table, epsilon = 1, levels_declared = TRUE),
      function() evaluate(table, data.frame(y = 1:50)), function() synth(table, epsilon = 1, schema = declared())
    )) {
      said <- tryCatch(quiet(call()), error = identity)
      if (!inherits(said, "error")) next
      expect_s3_class(said, "indistinct_error")
      expect_false(inherits(said, "indistinct_internal"), info = conditionMessage(said))
      expect_no_match(conditionMessage(said), MARK)
    }
  }
})

# All conditions that a call signals, the last of them its error, if it has one.
signalled <- function(call) {
  heard <- list()
  ended <- withCallingHandlers(
    tryCatch(call(), error = identity),
    condition = function(one) heard[[length(heard) + 1]] <<- one,
    warning = function(one) tryInvokeRestart("muffleWarning")
  )
  list(value = ended, conditions = heard)
}

test_that("no object and no condition holds a mark, whichever function made it", {
  data <- dressed()
  schema <- declared()
  released <- names(invented())
  ledger <- withr_file(".ledger")
  small <- withr_file(".ledger")
  folder <- withr_file("")
  ledger_init(ledger, epsilon = 40)
  ledger_init(small, epsilon = 0.1)
  made <- signalled(function() synth(data, epsilon = 20, schema = schema, person = "who", ledger = ledger))
  release <- made$value
  write_release(release, folder)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  calls <- list(
    release = function() release,
    split = function() split_budget(data, epsilon = 20, schema = schema, person = "who", ledger = ledger),
    schema = function() release$schema,
    ledger = function() ledger_show(ledger),
    plan = function() ledger_plan(ledger, releases = 2),
    verification = function() verify(folder),
    opened = function() open_release(folder),
    opened_rows = function() as.data.frame(open_release(folder)),
    rows = function() as.data.frame(release),
    sample = function() sample_rows(release, 20, where = "age > 20"),
    summary = function() summary(release),
    interval = function() interval(release, function(table) mean(table$age, na.rm = TRUE), replicates = 10),
    words = function() interval(folder, c("mean(age)", "share(smoker)"), replicates = 10),
    combination = function() combine(release, score ~ age),
    rehearsed = function() combine(folder, score ~ age, rehearse = TRUE, replicates = 10),
    plot = function() plot(release),
    text = function() lapply(list(release, ledger_show(ledger), verify(folder)), format)
  )
  if (requireNamespace("ggplot2", quietly = TRUE)) calls$ggplot <- function() ggplot2::ggplot_build(ggplot2::autoplot(release))$data
  refused <- list(
    budget = function() synth(data, epsilon = 1, schema = schema, ledger = small),
    seeded = function() synth(data, epsilon = 1, schema = schema, ledger = ledger, seed = 1),
    drafted = function() synth(data, epsilon = 1, ledger = ledger),
    undeclared = function() synth(data[setdiff(names(data), "key")], epsilon = 1, schema = schema),
    undeclared_levels = function() synth(data, epsilon = 1, levels_declared = TRUE),
    level = function() synth(transform(data, smoker = key), epsilon = 1, schema = schema),
    number = function() synth(transform(data, age = key), epsilon = 1, schema = schema),
    person = function() synth(data, epsilon = 1, schema = schema, person = "nobody"),
    condition = function() sample_rows(release, 5, where = "nothing > 1"),
    column = function() plot(release, columns = "nothing"),
    statistic = function() interval(release, "mean(nothing)", replicates = 10),
    formula = function() combine(release, score ~ nothing),
    evaluation = function() evaluate(transform(data, smoker = key), release),
    list = function() synth(cbind(data, list = I(as.list(data$key))), epsilon = 1, schema = schema)
  )
  for (name in names(c(calls, refused))) {
    ended <- signalled(c(calls, refused)[[name]])
    expect_identical(inherits(ended$value, "error"), name %in% names(refused), info = name)
    if (name %in% names(refused)) expect_s3_class(ended$value, "indistinct_error")
    expect_false(holds(ended, MARK), info = name)
    expect_false(holds(ended, NUMBER), info = name)
    for (condition in ended$conditions) expect_null(conditionCall(condition), info = name)
  }
  expect_false(holds(made, MARK))
})
