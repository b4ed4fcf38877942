combine <- function(synthetic, formula, schema = NULL, rule = NULL, target = "population", n = NULL, draws = NULL,
                    epsilon = NULL, efficiency = NULL, level = 0.95, rehearse = FALSE, replicates = NULL, seed = NULL,
                    progress = NULL) {
  options <- options_of(
    rule = rule, target = target, n = n, draws = draws, epsilon = epsilon, efficiency = efficiency, level = level,
    rehearse = rehearse, replicates = replicates, seed = seed, threads = threads_of(NULL)
  )
  formula <- formula_text(formula)
  schema <- schema_text(schema)
  found <- if (inherits(synthetic, "indistinct_release")) {
    # The folder of a release says all that the rule needs.
    folder <- tempfile("release")
    on.exit(unlink(folder, recursive = TRUE))
    write_release(synthetic, folder)
    work(.Call(wrap__start_combine_files, folder, formula, schema, options), "rehearsing", progress)
  } else if (is.character(synthetic) && !anyNA(synthetic)) {
    work(.Call(wrap__start_combine_files, enc2utf8(path.expand(synthetic)), formula, schema, options), "rehearsing", progress)
  } else {
    work(.Call(wrap__start_combine_tables, sources_of(synthetic), formula, schema, options))
  }
  document("indistinct_combination", found$document, found$text)
}

# A formula as text; the environment that a formula of R drags along is left behind.
formula_text <- function(formula) {
  if (inherits(formula, "formula")) return(enc2utf8(paste(deparse(formula, width.cutoff = 500L), collapse = " ")))
  if (is.character(formula) && length(formula) == 1 && !is.na(formula)) return(enc2utf8(formula))
  fail("formula must be a formula, as in y ~ x + z")
}

as.data.frame.indistinct_combination <- function(x, row.names = NULL, optional = FALSE, ...) records(x$document$coefficients)

summary.indistinct_combination <- function(object, ...) as.data.frame(object)

coef.indistinct_combination <- function(object, ...) {
  rows <- as.data.frame(object)
  setNames(rows$estimate, rows$name)
}

confint.indistinct_combination <- function(object, parm, level = NULL, ...) {
  rows <- as.data.frame(object)
  limits <- cbind(low = rows$low, high = rows$high)
  rownames(limits) <- rows$name
  if (missing(parm)) limits else limits[parm, , drop = FALSE]
}
