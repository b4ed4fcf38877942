# Pictures of releases: distributions of the columns of a synthetic table, by base graphics and by ggplot2.

COLOUR <- "#4477AA"
# Missing values.
GREY <- "#BBBBBB"

plot.indistinct_release <- function(x, ..., columns = NULL, table = 1) {
  frame <- shown_columns(as.data.frame(x, table = table), columns)
  across <- ceiling(sqrt(length(frame)))
  before <- par(mfrow = c(ceiling(length(frame) / across), across), mar = c(3, 3, 2, 1))
  on.exit(par(before))
  for (name in names(frame)) draw_bars(bars_of(frame[[name]]), title_of(frame[[name]], name))
  invisible(x)
}

autoplot.indistinct_release <- function(object, columns = NULL, table = 1, ...) {
  frame <- shown_columns(as.data.frame(object, table = table), columns)
  drawn <- lapply(frame, bars_of)
  titles <- unlist(Map(title_of, frame, names(frame)))
  # A column has the stretch from 10 times its place onwards to itself, by which its axis is found.
  begin <- 10 * seq_along(frame)
  long <- do.call(rbind, Map(function(bars, title, begin) {
    data.frame(column = title, left = begin + bars$left, right = begin + bars$right, rows = bars$rows, missing = bars$missing)
  }, drawn, titles, begin))
  long$column <- factor(long$column, unique(titles))
  place <- function(x) min(max(1, round(mean(range(x, na.rm = TRUE)) / 10)), length(begin))
  breaks <- function(limits) begin[place(limits)] + drawn[[place(limits)]]$at
  labels <- function(breaks) {
    bars <- drawn[[place(breaks)]]
    bars$labels[match(round(breaks - begin[place(breaks)], 6), round(bars$at, 6))]
  }
  tilted <- any(vapply(drawn, function(bars) bars$long, NA))
  ggplot2::ggplot(long) +
    ggplot2::geom_rect(do.call(ggplot2::aes, lapply(list(
      xmin = "left", xmax = "right", ymax = "rows", fill = "missing"
    ), as.name)), ymin = 0, colour = "white", linewidth = 0.2) +
    ggplot2::expand_limits(y = 0) +
    ggplot2::facet_wrap("column", scales = "free") +
    ggplot2::scale_x_continuous(breaks = breaks, labels = labels, minor_breaks = NULL) +
    ggplot2::scale_fill_manual(values = c("FALSE" = COLOUR, "TRUE" = GREY), guide = "none") +
    ggplot2::labs(x = NULL, y = "rows") +
    if (tilted) ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 35, hjust = 1))
}

# The columns to draw; at most sixteen unless they are named.
shown_columns <- function(frame, columns) {
  frame <- as.data.frame(frame)
  if (is.null(columns)) return(frame[seq_len(min(16, length(frame)))])
  if (!is.character(columns) || length(columns) == 0 || anyNA(columns)) fail("columns must be names of columns")
  unknown <- setdiff(columns, names(frame))
  if (length(unknown) > 0) fail(sprintf("there is no column `%s` in this release", unknown[[1]]))
  frame[columns]
}

title_of <- function(column, name) {
  label <- attr(column, "label", exact = TRUE)
  if (is.null(label)) name else label
}

# The bars of a column on an axis from 0 to 1: where each begins and ends, how many rows it stands for and whether it is that of
# missing values, which is right of the others; what is written where on the axis; and whether that is long.
bars_of <- function(column) {
  bars <- if (all(is.na(column)) && !is.factor(column)) {
    list(left = numeric(), right = numeric(), rows = numeric(), at = numeric(), labels = character())
  } else if (is.factor(column) || is.logical(column)) {
    bars_of_levels(column)
  } else {
    bars_of_numbers(column)
  }
  bars$missing <- rep(FALSE, length(bars$rows))
  if (anyNA(column)) {
    width <- max(0.04, bars$right[1] - bars$left[1], na.rm = TRUE)
    bars$left <- c(bars$left, 1.04)
    bars$right <- c(bars$right, 1.04 + width)
    bars$rows <- c(bars$rows, sum(is.na(column)))
    bars$missing <- c(bars$missing, TRUE)
    # What is written close to it would overlap.
    kept <- bars$at < 0.93 | diff(range(bars$at, 0)) > 0.99 & length(bars$at) < 3
    bars$at <- c(bars$at[kept], 1.04 + width / 2)
    bars$labels <- c(bars$labels[kept], "NA")
  }
  bars$long <- sum(nchar(bars$labels)) > 30
  bars
}

# Of many levels some are written, and long ones in part.
bars_of_levels <- function(column) {
  counts <- table(column)
  places <- seq_along(counts)
  written <- if (length(counts) <= 12) places else unique(round(seq(1, length(counts), length.out = 6)))
  names <- names(counts)[written]
  list(
    left = (places - 0.9) / length(counts), right = (places - 0.1) / length(counts), rows = as.vector(counts),
    at = (written - 0.5) / length(counts), labels = ifelse(nchar(names) > 18, paste0(substr(names, 1, 16), ".."), names)
  )
}

bars_of_numbers <- function(column) {
  values <- as.numeric(column)
  range <- range(values, na.rm = TRUE)
  timed <- inherits(column, c("Date", "POSIXct"))
  whole <- !timed && all(values == round(values), na.rm = TRUE) && diff(range) < 2^31
  edges <- if (whole) {
    # As many whole numbers in every bar.
    width <- max(1, ceiling((diff(range) + 1) / 40))
    seq(range[1] - 0.5, range[2] + width, by = width)
  } else if (diff(range) == 0) {
    range + c(-0.5, 0.5)
  } else {
    seq(range[1], range[2], length.out = 31)
  }
  counts <- tabulate(findInterval(values[!is.na(values)], edges, rightmost.closed = TRUE), length(edges) - 1)
  share <- function(x) (as.numeric(x) - edges[1]) / (edges[length(edges)] - edges[1])
  one <- diff(range) == 0
  ticks <- if (one) column[!is.na(column)][1] else pretty(range(column, na.rm = TRUE), 4)
  seen <- ticks >= edges[1] & ticks <= edges[length(edges)] & (!whole | ticks == round(as.numeric(ticks)))
  labels <- if (timed && !one) attr(ticks, "labels")[seen] else format(ticks[seen], trim = TRUE)
  list(left = share(edges[-length(edges)]), right = share(edges[-1]), rows = counts, at = share(ticks)[seen], labels = labels)
}

# One picture of bars.
draw_bars <- function(bars, title) {
  tilted <- bars$long
  if (tilted) {
    before <- par(mar = c(1.5 + 0.45 * max(nchar(bars$labels)), 3, 2, 1))
    on.exit(par(before))
  }
  graphics::plot.new()
  graphics::plot.window(c(0, max(1, bars$right)), c(0, max(bars$rows, 1)), yaxs = "i")
  rect(bars$left, 0, bars$right, bars$rows, col = ifelse(bars$missing, GREY, COLOUR), border = "white", lwd = 0.5)
  graphics::axis(1, bars$at, bars$labels, tick = FALSE, line = -0.7, las = if (tilted) 2 else 1)
  graphics::axis(2)
  graphics::title(main = title)
}
