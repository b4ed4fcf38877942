combine <- function(synthetic, formula, schema = NULL, rule = NULL, target = "population", n = NULL, draws = NULL,
                    epsilon = NULL, efficiency = NULL, level = 0.95, rehearse = FALSE, replicates = NULL, seed = NULL,
                    threads = NULL, progress = NULL) {
  options <- options_of(
    rule = rule, target = target, n = n, draws = draws, epsilon = epsilon, efficiency = efficiency, level = level,
    rehearse = rehearse, replicates = replicates, seed = seed, threads = threads_of(threads)
  )
  if (!is.null(replicates) && !isTRUE(rehearse)) {
    fail("replicates is the number of rehearsals\n help: say rehearse = TRUE, or leave it out")
  }
  formula <- formula_text(formula)
  schema <- schema_text(schema)
  of_files <- function(paths) {
    work(.Call(wrap__start_combine_files, path.expand(utf8(paths, "synthetic")), formula, schema, options), "rehearsing", progress)
  }
  found <- if (inherits(synthetic, "indistinct_release")) {
    # The folder of a release says all that the rule needs.
    released <- folder_of(synthetic)
    if (released$temporary) on.exit(unlink(released$folder, recursive = TRUE))
    of_files(released$folder)
  } else if (is.character(synthetic) && !anyNA(synthetic)) {
    of_files(synthetic)
  } else if (isTRUE(rehearse)) {
    fail("rehearse = TRUE is for one release\n help: give a release, or the name of its folder")
  } else {
    work(.Call(wrap__start_combine_tables, sources_of(synthetic), formula, schema, options))
  }
  # What was written for this call only has no folder that is worth telling.
  if (inherits(synthetic, "indistinct_release") && released$temporary) found$document$files <- basename(found$document$files)
  document("indistinct_combination", found$document, found$text)
}

# A formula as text; the environment that a formula of R drags along is left behind.
formula_text <- function(formula) {
  if (inherits(formula, "formula")) return(utf8(paste(deparse(formula, width.cutoff = 500L), collapse = " "), "formula"))
  if (is.character(formula) && length(formula) == 1 && !is.na(formula)) return(utf8(formula, "formula"))
  fail("formula must be a formula, as in y ~ x + z")
}

as.data.frame.indistinct_combination <- function(x, row.names = NULL, optional = FALSE, ...) records(x$document$coefficients)

summary.indistinct_combination <- function(object, ...) as.data.frame(object)

coef.indistinct_combination <- function(object, ...) {
  rows <- as.data.frame(object)
  setNames(rows$estimate, rows$name)
}

confint.indistinct_combination <- function(object, parm, level = NULL, ...) {
  if (!is.null(level) && !isTRUE(all.equal(level, object$document$level))) {
    fail(sprintf("these intervals have the level %s\n help: say combine(level = %s)", format(object$document$level), format(level)))
  }
  rows <- as.data.frame(object)
  limits <- cbind(low = rows$low, high = rows$high)
  rownames(limits) <- rows$name
  if (missing(parm)) return(limits)
  there <- if (is.character(parm)) parm %in% rownames(limits) else parm %in% seq_len(nrow(limits))
  if (!all(there)) fail(sprintf("there is no coefficient %s\n help: these are there: %s", parm[!there][1], paste(rownames(limits), collapse = ", ")))
  limits[parm, , drop = FALSE]
}
