interval <- function(release, statistic, replicates = 100, level = 0.95, of = "population", seed = 0, threads = NULL,
                     progress = NULL) {
  options <- options_of(replicates = replicates, level = level, of = of, seed = seed, threads = threads_of(threads))
  folder <- release
  like <- list()
  if (inherits(release, "indistinct_release")) {
    like <- release$like
    folder <- tempfile("release")
    on.exit(unlink(folder, recursive = TRUE))
    write_release(release, folder)
  }
  folder <- path_of(folder, "release")
  told <- if (is.function(statistic)) {
    interval_of_function(folder, statistic, options, like, progress)
  } else {
    texts <- if (is.list(statistic)) vapply(statistic, formula_text, "") else
      if (inherits(statistic, "formula")) formula_text(statistic) else statistic
    if (!is.character(texts) || length(texts) == 0 || anyNA(texts)) {
      fail("statistic must be text, a formula or a function\n help: as in \"mean(age)\", income ~ age, or function(data) mean(data$age, na.rm = TRUE)")
    }
    work(.Call(wrap__start_intervals, folder, enc2utf8(unname(texts)), options), "rehearsing", progress)
  }
  document("indistinct_interval", told$document, told$text)
}

# Bars of what a function of a data frame returns: one number or several, by name.
interval_of_function <- function(folder, statistic, options, like, progress) {
  begun <- work(.Call(wrap__start_rehearsing, folder, options), "rehearsing", progress)
  numbers <- function(columns) {
    found <- statistic(frame_of(columns, like))
    found <- if (is.list(found)) unlist(found) else found
    if (!is.numeric(found) && !is.logical(found)) fail("the function must return numbers")
    setNames(as.double(found), names(found))
  }
  mean_of <- function(tables) {
    each <- lapply(tables, numbers)
    names <- names(each[[1]])
    means <- rowMeans(matrix(vapply(each, function(one) pick(one, each[[1]]), each[[1]]), length(each[[1]])))
    setNames(means, names)
  }
  released <- mean_of(begun$tables)
  if (!any(is.finite(released))) fail("the function gives no number for the release\n help: try it on as.data.frame(release)")
  same <- function(found) pick(found, released)
  # In a rehearsal the function may be undefined: that counts as such.
  tried <- function(compute) tryCatch(same(compute), error = function(problem) rep(NA_real_, length(released)))
  population <- same(numbers(begun$population))
  made <- drawn <- numeric()
  bar <- progress_bar("rehearsing", progress)
  on.exit(bar$close())
  quiet <- options
  for (number in seq_len(options$replicates)) {
    one <- work(.Call(wrap__start_rehearse, begun$rehearsing, as.double(number), quiet))
    made <- c(made, if (is.null(one)) rep(NA_real_, length(released)) else tried(mean_of(one$tables)))
    drawn <- c(drawn, if (is.null(one)) rep(NA_real_, length(released)) else tried(numbers(one$drawn)))
    bar$show(c(number, options$replicates))
  }
  terms <- if (is.null(names(released))) rep("", length(released)) else names(released)
  if (length(released) > 1 && all(terms == "")) terms <- as.character(seq_along(released))
  found <- list(released = unname(released), population = unname(population), made = unname(made), drawn = unname(drawn))
  value_of(.Call(wrap__intervals_of, enc2utf8(terms), found, options))
}

# The numbers that are also in `like`, by name where there are names, by place where not.
pick <- function(found, like) {
  if (!is.null(names(like))) return(unname(found[names(like)]))
  if (length(found) == length(like)) unname(found) else rep(NA_real_, length(like))
}

as.data.frame.indistinct_interval <- function(x, row.names = NULL, optional = FALSE, ...) records(x$document$statistics)

summary.indistinct_interval <- function(object, ...) as.data.frame(object)
