interval <- function(release, statistic, replicates = 100, level = 0.95, of = "population", html = NULL, force = FALSE, seed = 0,
                     threads = NULL, progress = NULL) {
  # A function that has a name is told by it.
  typed <- substitute(statistic)
  if (is.null(replicates)) replicates <- 100
  if (is.null(seed)) seed <- 0
  options <- options_of(
    replicates = replicates, level = level, of = of, html = if (!is.null(html)) path_of(html, "html"), force = force, seed = seed,
    threads = threads_of(threads)
  )
  like <- if (inherits(release, "indistinct_release")) release$like else list()
  released <- folder_of(release)
  if (released$temporary) on.exit(unlink(released$folder, recursive = TRUE))
  options$release <- if (released$temporary) "a release in R" else released$folder
  told <- if (is.function(statistic)) {
    options$named <- if (is.name(typed)) utf8(as.character(typed), "statistic") else "function"
    interval_of_function(released$folder, statistic, options, like, progress)
  } else {
    each <- if (is.list(statistic) || is.character(statistic)) as.list(statistic) else list(statistic)
    in_words <- vapply(each, function(one) inherits(one, "formula") || is.character(one) && length(one) == 1 && !is.na(one), NA)
    if (length(each) == 0 || !all(in_words)) {
      fail("statistic must be text, a formula or a function\n help: as in \"mean(age)\", income ~ age, or function(data) mean(data$age, na.rm = TRUE)")
    }
    texts <- vapply(unname(each), formula_text, "")
    work(.Call(wrap__start_intervals, released$folder, texts, options), "rehearsing", progress)
  }
  document("indistinct_interval", told$document, told$text)
}

# Rehearsals that are made at once: more would only take memory.
AT_ONCE <- 8

# Bars of what a function of a data frame returns: one number or several, by name.
interval_of_function <- function(folder, statistic, options, like, progress) {
  begun <- work(.Call(wrap__start_rehearsing, folder, options), "rehearsing", progress)
  # Means over tables of what the function gives, with the same random numbers for all of a rehearsal.
  means <- function(tables, call) {
    each <- lapply(tables, function(columns) {
      told_apart(numbers_of(with_seed(options$seed + call, function() statistic(frame_of(columns, like)))))
    })
    found <- vapply(each, pick, each[[1]], like = each[[1]])
    setNames(rowMeans(matrix(found, length(each[[1]]))), names(each[[1]]))
  }
  released <- means(begun$tables, 0)
  if (!any(is.finite(released))) fail("the function gives no number for the release\n help: try it on as.data.frame(release)")
  undefined <- rep(NA_real_, length(released))
  # In tables of as many rows as the release has, so that counts and sums are comparable.
  parts <- lapply(begun$population, function(columns) tryCatch(pick(means(list(columns), 0), released), error = identity))
  broken <- vapply(parts, inherits, NA, "condition")
  if (all(broken)) stop(parts[[1]])
  population <- rowMeans(matrix(unlist(parts[!broken]), length(released)), na.rm = TRUE)
  made <- drawn <- numeric()
  failed <- 0
  problem <- NULL
  bar <- progress_bar("rehearsing", progress)
  on.exit(bar$close())
  for (first in seq(1, options$replicates, by = AT_ONCE)) {
    count <- min(AT_ONCE, options$replicates - first + 1)
    rehearsed <- work(.Call(wrap__start_rehearse, begun$rehearsing, as.double(first), as.double(count), options))
    for (place in seq_len(count)) {
      one <- rehearsed[[place]]
      number <- first + place - 1
      pair <- if (!is.null(one)) tryCatch(
        list(pick(means(one$tables, number), released), pick(means(list(one$drawn), number), released)),
        error = function(condition) {
          failed <<- failed + 1
          if (is.null(problem)) problem <<- conditionMessage(condition)
          NULL
        }
      )
      if (is.null(pair)) pair <- list(undefined, undefined)
      made <- c(made, pair[[1]])
      drawn <- c(drawn, pair[[2]])
      bar$show(c(number, options$replicates))
    }
  }
  if (failed > 0) {
    warn(sprintf(
      "the function failed in %d of %d rehearsals, which were left out; the first time with: %s", failed, as.integer(options$replicates), problem
    ))
  }
  terms <- if (is.null(names(released))) rep("", length(released)) else names(released)
  if (length(released) > 1 && all(terms == "")) terms <- as.character(seq_along(released))
  found <- list(released = unname(released), population = population, made = made, drawn = drawn)
  value_of(.Call(wrap__intervals_of, options$named, utf8(terms, "a name of what the function returns"), found, options))
}

# What a function returned as numbers, by name where there are names: of a table by row and column, where columns that are no numbers
# name the rows.
numbers_of <- function(found) {
  by_cell <- function(values, rows, columns) {
    if (is.null(rows)) rows <- seq_len(nrow(values))
    if (is.null(columns)) columns <- seq_len(ncol(values))
    setNames(as.double(values), paste(rep(rows, length(columns)), rep(columns, each = length(rows))))
  }
  if (is.data.frame(found)) {
    counted <- vapply(found, function(x) is.numeric(x) && is.null(dim(x)), NA)
    texts <- lapply(found[!counted], as.character)
    rows <- if (length(texts) > 0) do.call(paste, unname(texts)) else row.names(found)
    return(by_cell(as.matrix(as.data.frame(found)[counted]), rows, names(found)[counted]))
  }
  if (is.list(found)) found <- unlist(found)
  if (!is.numeric(found) && !is.logical(found)) {
    fail("the function must return numbers\n help: one, or a vector, matrix, list or data frame of them, with names")
  }
  if (length(dim(found)) == 2) return(by_cell(found, rownames(found), colnames(found)))
  setNames(as.double(found), names(found))
}

# Numbers whose names, if they have any, all differ: others would be taken for each other.
told_apart <- function(found) {
  if (is.null(names(found))) return(found)
  named <- ifelse(is.na(names(found)), "NA", names(found))
  setNames(found, make.unique(ifelse(named == "", as.character(seq_along(found)), named), " "))
}

# The numbers that are also in `like`, by name where there are names, by place where not.
pick <- function(found, like) {
  if (!is.null(names(like))) return(unname(found[names(like)]))
  if (length(found) == length(like)) unname(found) else rep(NA_real_, length(like))
}

# What a function gives when random numbers start at a seed; afterwards they go on as if nothing had been drawn.
with_seed <- function(seed, compute) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(
    if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, envir = globalenv())
  )
  set.seed(seed %% .Machine$integer.max, "Mersenne-Twister", "Inversion", "Rejection")
  compute()
}

as.data.frame.indistinct_interval <- function(x, row.names = NULL, optional = FALSE, ...) {
  # Where no number varies, nothing has a bar.
  records(x$document$statistics, c("statistic", "estimate", "se", "low", "high", "level"))
}

summary.indistinct_interval <- function(object, ...) as.data.frame(object)
