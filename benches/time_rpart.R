# Times rpart on a CSV of numbers whose last column says whether a row is synthetic: median milliseconds over REPEATS
# fits of the whole call and of its C engine alone, as one JSON document a line for each DEPTH and CP.
# Usage: Rscript time_rpart.R FILE REPEATS
suppressPackageStartupMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
data <- read.csv(args[1]); repeats <- as.integer(args[2])
y <- data$synthetic; x <- as.matrix(data[names(data) != "synthetic"]); storage.mode(x) <- "double"
data$synthetic <- factor(y)
milliseconds <- function(work) {
  times <- sapply(seq_len(repeats), function(i) {
    start <- Sys.time(); work(); as.numeric(Sys.time() - start, units = "secs") * 1e3
  })
  median(times)
}
n <- nrow(x); counts <- tabulate(y + 1L, 2L)
# What rpart.class hands to the engine: priors, losses by column, Gini.
parms <- c(counts / sum(counts), 0, 1, 1, 0, 1)
for (depth in c(1, 2, 5, 30)) for (cp in c(0.01, 0.001)) {
  control <- rpart.control(cp = cp, maxdepth = depth, xval = 0, maxcompete = 0, maxsurrogate = 0)
  options <- as.double(unlist(control))
  engine <- function() .Call(rpart:::C_rpart, integer(ncol(x)), 3L, options, parms, 0L, integer(n),
                             as.double(y + 1L), x, rep(1, n), 1L, rep(1, ncol(x)))
  whole <- function() rpart(synthetic ~ ., data, method = "class", control = control)
  tree <- whole()
  leaf <- tree$frame$var == "<leaf>"; rows <- tree$frame$n[leaf]; share <- tree$frame$yval2[leaf, 3] / rows
  stopifnot(nrow(engine()$inode) == nrow(tree$frame))
  cat(sprintf('{"depth":%d,"cp":%g,"engine":%.6f,"whole":%.6f,"leaves":%d,"pmse":%.17g}\n', as.integer(depth), cp,
              milliseconds(engine), milliseconds(whole), sum(leaf), sum(rows * (share - 0.5)^2) / n))
}
