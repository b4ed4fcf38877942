evaluate <- function(real, synthetic, schema = NULL, discriminator = "cart", depth = NULL, cp = NULL, minsplit = NULL,
                     minbucket = NULL, method = NULL, thresholds = NULL, objective = NULL, leaf_penalty = NULL,
                     min_synthetic = NULL, interactions = FALSE, null = NULL, null_reference = NULL, replicates = NULL,
                     predict = NULL, sample = NULL, html = NULL, force = FALSE, seed = NULL, threads = NULL, progress = NULL) {
  options <- options_of(
    discriminator = discriminator, depth = depth, cp = cp, minsplit = minsplit, minbucket = minbucket, method = method,
    thresholds = thresholds, objective = objective, leaf_penalty = leaf_penalty, min_synthetic = min_synthetic,
    interactions = interactions, null = null, null_reference = null_reference, replicates = replicates, predict = predict,
    sample = sample, html = if (!is.null(html)) path_of(html, "html"), force = force, seed = seed, threads = threads_of(threads)
  )
  if (is.null(schema) && inherits(synthetic, "indistinct_release")) schema <- synthetic$schema
  real <- source_of(real, "real")
  sources <- sources_of(synthetic)
  found <- work(.Call(wrap__start_evaluate, real, sources, schema_text(schema), options), "evaluating", progress)
  mean <- found$document$mean
  document("indistinct_evaluation", found$document, found$text, pmse = mean$pmse, pmae = mean$pmae, s_pmse = mean$s_pmse, html = found$page)
}

# Named sources of one table or of several: data frames, files, a release, or what synthpop's syn() returns.
sources_of <- function(tables) {
  if (inherits(tables, "indistinct_release")) {
    release <- tables
    tables <- lapply(seq_len(release$tables), function(table) as.data.frame(release, table = table))
  } else if (inherits(tables, "synds")) {
    tables <- if (is.data.frame(tables$syn)) list(tables$syn) else tables$syn
  } else if (is.data.frame(tables) || is.character(tables)) {
    tables <- if (is.data.frame(tables)) list(tables) else as.list(tables)
  }
  if (!is.list(tables) || length(tables) == 0) fail("there is no synthetic table\n help: give a data frame, or a list of them")
  names <- names(tables)
  if (is.null(names)) names <- rep("", length(tables))
  numbered <- if (length(tables) == 1) "synthetic" else paste0("synthetic", seq_along(tables))
  names <- utf8(ifelse(is.na(names) | names == "", numbered, names), "a name of a synthetic table")
  setNames(lapply(seq_along(tables), function(place) source_of(tables[[place]], names[[place]])), names)
}

summary.indistinct_evaluation <- function(object, ...) as.data.frame(object)

as.data.frame.indistinct_evaluation <- function(x, row.names = NULL, optional = FALSE, what = c("columns", "pairs"), ...) {
  what <- match.arg(what)
  rows <- lapply(x$document$tables, function(table) {
    found <- records(table[[what]])
    cbind(table = rep(table$file, nrow(found)), found)
  })
  do.call(rbind, rows)
}

# How far each pair of columns is from the real one, and each column on the diagonal.
plot.indistinct_evaluation <- function(x, ...) {
  distances <- distance_matrix(x)
  names <- rownames(distances)
  side <- 2 + max(nchar(names)) * 0.45
  before <- par(mar = c(side, side, 3, 1))
  on.exit(par(before))
  image(seq_along(names), seq_along(names), distances,
    zlim = c(0, max(distances, 0.05, na.rm = TRUE)), col = blues(), axes = FALSE, xlab = "", ylab = "",
    main = "total variation distance: do not publish"
  )
  graphics::axis(1, seq_along(names), names, las = 2)
  graphics::axis(2, seq_along(names), names, las = 2)
  invisible(x)
}

# White is no distance at all.
blues <- function() hcl.colors(32, "Blues 3", rev = TRUE)

distance_matrix <- function(x) {
  columns <- records(x$document$tables[[1]]$columns)
  pairs <- records(x$document$tables[[1]]$pairs)
  distances <- matrix(NA_real_, nrow(columns), nrow(columns), dimnames = list(columns$name, columns$name))
  diag(distances) <- columns$tvd
  if (nrow(pairs) > 0) {
    distances[cbind(pairs$a, pairs$b)] <- pairs$tvd
    distances[cbind(pairs$b, pairs$a)] <- pairs$tvd
  }
  distances
}

autoplot.indistinct_evaluation <- function(object, ...) {
  distances <- distance_matrix(object)
  long <- data.frame(
    a = factor(rownames(distances)[row(distances)], rownames(distances)),
    b = factor(colnames(distances)[col(distances)], colnames(distances)), distance = as.vector(distances)
  )
  ggplot2::ggplot(long, do.call(ggplot2::aes, list(x = quote(a), y = quote(b), fill = quote(distance)))) +
    ggplot2::geom_tile() +
    ggplot2::scale_fill_gradientn(colours = blues(), limits = c(0, max(distances, 0.05, na.rm = TRUE))) +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 35, hjust = 1)) +
    ggplot2::labs(x = NULL, y = NULL, title = "total variation distance: do not publish")
}
