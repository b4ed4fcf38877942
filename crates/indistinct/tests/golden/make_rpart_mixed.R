# Writes rpart_mixed.jsonl.gz: trees grown by rpart on small random tables with everything that is easy to get wrong:
# ties, nominal and ordered factors, unequal class sizes, odd controls, class and anova. One JSON document a line.
# Usage: Rscript make_rpart_mixed.R CASES SEED OUT
suppressPackageStartupMessages(library(rpart))
args <- commandArgs(trailingOnly = TRUE)
cases <- as.integer(args[1]); set.seed(as.integer(args[2])); out <- gzfile(args[3], "w")

column <- function(n) {
  kind <- sample(c("normal", "integer", "binary", "rounded", "constant", "nominal", "manylevels", "ordered", "heavy"), 1)
  switch(kind,
    normal = rnorm(n), integer = sample(-4:4, n, TRUE), binary = rbinom(n, 1, 0.4), rounded = round(rnorm(n), 1),
    constant = rep(3, n), heavy = rt(n, 1),
    nominal = factor(letters[sample(1:4, n, TRUE)], levels = letters[1:5]),
    manylevels = factor(sprintf("l%02d", sample(1:30, n, TRUE)), levels = sprintf("l%02d", 1:32)),
    ordered = factor(sample(1:6, n, TRUE), levels = 1:6, ordered = TRUE))
}
numbers <- function(x) paste(sprintf("%.17g", x), collapse = ",")
write_column <- function(x) {
  if (is.factor(x) && !is.ordered(x))
    sprintf('{"levels":%d,"codes":[%s]}', nlevels(x), paste(as.integer(x) - 1L, collapse = ","))
  else sprintf('{"values":[%s]}', numbers(as.numeric(x)))
}
for (case in seq_len(cases)) {
  n <- sample(c(20, 50, 100, 200, 400), 1); share <- sample(c(0.5, 0.5, 0.3, 0.6), 1)
  y <- as.integer(seq_len(n) > round(n * (1 - share)))
  x <- lapply(seq_len(sample(1:4, 1)), function(j) column(n))
  # A little signal: shift a number, or prefer some levels.
  x <- lapply(x, function(v) {
    if (runif(1) < 0.5) return(v)
    if (is.factor(v)) { take <- y == 1 & runif(n) < 0.3; v[take] <- levels(v)[2]; v }
    else if (length(unique(v)) > 10) v + 0.4 * y else v
  })
  names(x) <- paste0("x", seq_along(x))
  method <- sample(c("class", "anova"), 1)
  minbucket <- sample(c(1, 2, 5, 7), 1); minsplit <- sample(c(2, 10, 20), 1)
  control <- rpart.control(minsplit = minsplit, minbucket = minbucket, cp = sample(c(0, 0.001, 0.01, 0.05), 1),
                           maxdepth = sample(c(1, 2, 3, 5, 30), 1), xval = 0, maxsurrogate = 0)
  data <- data.frame(x, synthetic = if (method == "class") factor(y, levels = 0:1) else y)
  tree <- rpart(synthetic ~ ., data, method = method, control = control)
  frame <- tree$frame
  synthetic <- if (method == "class") frame$yval2[, 3] else round(frame$yval * frame$n)
  # The primary split of each node: its threshold, or for each level -1 (left), 1 (right) or 0 (not in the node).
  inner <- frame$var != "<leaf>"
  primary <- rep(0L, nrow(frame))
  primary[inner] <- head(c(1L, 1L + cumsum((1L + frame$ncompete + frame$nsurrogate)[inner])), -1L)
  described <- sapply(primary, function(row) {
    if (row == 0L) return("[]")
    split <- tree$splits[row, ]
    if (abs(split["ncat"]) < 2) sprintf("[%.17g]", split["index"])
    else sprintf("[%s]", paste(tree$csplit[split["index"], seq_len(split["ncat"])] - 2L, collapse = ","))
  })
  nodes <- sprintf('[%s,%d,%d,"%s",%.17g,%s]', rownames(frame), frame$n, as.integer(synthetic), as.character(frame$var),
                   frame$complexity, described)
  cat(sprintf('{"method":"%s","cp":%g,"minsplit":%d,"minbucket":%d,"depth":%d,"y":[%s],"x":[%s],"nodes":[%s]}\n',
              method, control$cp, as.integer(minsplit), as.integer(minbucket), as.integer(control$maxdepth),
              paste(y, collapse = ","), paste(sapply(x, write_column), collapse = ","), paste(nodes, collapse = ",")),
      file = out)
}
close(out)
