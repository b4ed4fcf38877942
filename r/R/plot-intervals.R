# Pictures of numbers with their intervals, by base graphics and by ggplot2.

plot.indistinct_interval <- function(x, ...) {
  draw_intervals(shown_intervals(x))
  invisible(x)
}

plot.indistinct_combination <- function(x, ...) {
  draw_intervals(shown_intervals(x))
  invisible(x)
}

autoplot.indistinct_interval <- function(object, ...) {
  shown <- shown_intervals(object)
  shown$name <- factor(shown$name, rev(unique(shown$name)))
  shown$of <- factor(shown$of, unique(shown$of))
  axes <- lapply(list(y = "name", x = "estimate", xmin = "low", xmax = "high"), as.name)
  ggplot2::ggplot(shown, do.call(ggplot2::aes, axes)) +
    ggplot2::geom_pointrange(colour = COLOUR, na.rm = TRUE) +
    ggplot2::geom_point(colour = COLOUR, na.rm = TRUE) +
    ggplot2::facet_wrap("of", scales = "free", ncol = 1) +
    ggplot2::labs(x = NULL, y = NULL)
}

autoplot.indistinct_combination <- function(object, ...) autoplot.indistinct_interval(object)

# What is drawn: numbers by name, those of one statistic or formula on one axis. An intercept, which would stretch it, is left out.
shown_intervals <- function(x) {
  rows <- as.data.frame(x)
  if (inherits(x, "indistinct_combination")) rows <- cbind(rows, statistic = x$document$formula, term = rows$name)
  if (is.null(rows$term)) rows$term <- NA
  shown <- data.frame(
    of = rows$statistic, name = ifelse(is.na(rows$term), "", rows$term), estimate = rows$estimate, low = as.double(rows$low),
    high = as.double(rows$high)
  )
  others <- stats::ave(shown$name != "(Intercept)", shown$of, FUN = any)
  shown[shown$name != "(Intercept)" | !others, ]
}

draw_intervals <- function(shown) {
  parts <- split(shown, factor(shown$of, unique(shown$of)))
  margin <- 2 + 0.5 * max(nchar(shown$name))
  graphics::layout(matrix(seq_along(parts)), heights = vapply(parts, nrow, 0L) + 1.5)
  before <- par(mar = c(2.5, margin, 2, 1))
  on.exit({
    par(before)
    graphics::layout(1)
  })
  for (part in parts) {
    places <- rev(seq_len(nrow(part)))
    limits <- range(part$estimate, part$low, part$high, finite = TRUE)
    graphics::plot.new()
    graphics::plot.window(limits, c(0.5, nrow(part) + 0.5))
    graphics::abline(v = 0, col = GREY)
    graphics::segments(part$low, places, part$high, places, col = COLOUR, lwd = 2)
    graphics::points(part$estimate, places, col = COLOUR, pch = 19)
    graphics::axis(1)
    graphics::axis(2, places, part$name, tick = FALSE, las = 1)
    graphics::title(main = part$of[1])
  }
}
