synth <- function(data, epsilon, delta = 0, schema = NULL, levels_declared = FALSE, tables = 1, draws = 1, rows = NULL,
                  ledger = NULL, ledger_id = NULL, accept_conditional = FALSE, person = NULL, rows_per_person = 1,
                  neighbours = "substitute", invalid = "refuse", score_epsilon = 0, model = "auto", quality = NULL,
                  discriminator = NULL, sampler = NULL, measure_share = NULL, sensitivity = NULL, candidates = NULL,
                  steps = NULL, chains = NULL, prior_sd = NULL, prior_scale = NULL, fresh_tables = FALSE, sets = NULL,
                  depth = NULL, cp = NULL, minsplit = NULL, minbucket = NULL, seed = NULL, threads = NULL, progress = NULL) {
  options <- options_of(
    epsilon = if (!missing(epsilon)) typed(epsilon), delta = typed(delta), tables = tables, draws = draws, rows = rows_of(rows, "rows"),
    ledger = ledger_path(ledger), ledger_id = ledger_id, accept_conditional = accept_conditional, person = person,
    rows_per_person = rows_per_person, neighbours = neighbours, invalid = invalid, score_epsilon = typed(score_epsilon),
    model = model, quality = quality, discriminator = discriminator, sampler = sampler, measure_share = measure_share,
    sensitivity = sensitivity, candidates = candidates, steps = steps, chains = chains, prior_sd = prior_sd,
    prior_scale = prior_scale, fresh_tables = fresh_tables, sets = sets, depth = depth, cp = cp, minsplit = minsplit,
    minbucket = minbucket, seed = seed, threads = threads_of(threads)
  )
  prepared <- prepare(data, schema, levels_declared, options, FALSE)
  warn(prepared$warnings)
  made <- work(.Call(wrap__start_release, prepared$prepared, options), "drawing parameters", progress)
  warn(made$warnings)
  released <- release_object(made$state)
  released$like <- likeness(data, schema_names(released$schema))
  released
}

split_budget <- function(data, epsilon, ...) {
  given <- list(...)
  if (length(given) > 0 && (is.null(names(given)) || any(names(given) == ""))) {
    fail("split_budget() takes two arguments without names\n help: name the others, as in delta = 1e-6")
  }
  declared <- if (is.null(given$levels_declared)) FALSE else given$levels_declared
  schema <- given$schema
  given[c("schema", "levels_declared", "progress")] <- NULL
  for (name in intersect(c("delta", "score_epsilon"), names(given))) given[[name]] <- typed(given[[name]])
  given$ledger <- ledger_path(given$ledger)
  given$rows <- rows_of(given$rows, "rows")
  unknown <- setdiff(names(given), names(formals(synth)))
  if (length(unknown) > 0) fail(sprintf("synth() has no argument `%s`\n help: those that it has are on ?synth", unknown[1]))
  given$threads <- threads_of(given$threads)
  options <- do.call(options_of, c(list(epsilon = if (!missing(epsilon)) typed(epsilon)), given))
  prepared <- prepare(data, schema, declared, options, TRUE)
  warn(prepared$warnings)
  document("indistinct_split", prepared$split, prepared$text)
}

# Reads the table and tries everything that can fail. Schemas from the types of columns are the user's word only where they say so.
prepare <- function(data, schema, levels_declared, options, dry_run) {
  source <- source_of(data, "data")
  by_types <- truth_of(levels_declared, "levels_declared") && is.null(schema)
  if (is.null(schema)) warn(codes_of(data))
  if (by_types) schema <- schema_object(value_of(.Call(wrap__schema_by_types, source)))
  text <- schema_text(schema)
  work(.Call(wrap__start_prepare, source, text, is_draft(schema), options, dry_run), "reading")
}

as.data.frame.indistinct_split <- function(x, row.names = NULL, optional = FALSE, ...) records(x$document$split)

# A ledger is given by its file, or as ledger_show() and ledger_init() return it.
ledger_path <- function(ledger) {
  if (is.null(ledger)) return(NULL)
  path_of(if (inherits(ledger, "indistinct_ledger")) ledger$file else ledger, "ledger")
}
