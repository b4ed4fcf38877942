# Small data sets and their fits by R's glm, for tests/logistic.rs.
# Run in this folder: Rscript make_logistic.R > logistic.json
# Base R only. Rows with y = 0 (real) come before those with y = 1 (synthetic).

set.seed(20180601)

num <- function(v) ifelse(is.na(v), "null", sprintf("%.17g", v))
list_of <- function(items) paste0("[", paste(items, collapse = ", "), "]")
quoted <- function(s) sprintf("\"%s\"", s)

column <- function(name, v) {
  if (is.factor(v)) {
    codes <- ifelse(is.na(v), "null", as.character(as.integer(v) - 1L))
    sprintf("{\"name\": %s, \"levels\": %s, \"values\": %s}",
            quoted(name), list_of(quoted(levels(v))), list_of(codes))
  } else {
    sprintf("{\"name\": %s, \"values\": %s}", quoted(name), list_of(num(v)))
  }
}

# `data` is what our side sees; `formula` is fitted in `frame`, which may hold recoded columns.
case <- function(name, data, formula, interactions = FALSE, frame = data) {
  fit <- glm(formula, family = binomial, data = frame)
  stopifnot(fit$converged)
  p <- fitted(fit)
  c <- mean(frame$y)
  paste0("{\"name\": ", quoted(name),
         ",\n \"interactions\": ", tolower(interactions),
         ",\n \"real_rows\": ", sum(data$y == 0),
         ",\n \"columns\": [", paste(mapply(column, setdiff(names(data), "y"),
                                          data[setdiff(names(data), "y")]), collapse = ",\n  "), "]",
         ",\n \"terms\": ", list_of(quoted(names(coef(fit)))),
         ",\n \"coefficients\": ", list_of(num(coef(fit))),
         ",\n \"rank\": ", fit$rank,
         ",\n \"iterations\": ", fit$iter,
         ",\n \"deviance\": ", num(deviance(fit)),
         ",\n \"scores\": ", list_of(num(p)),
         ",\n \"pmse\": ", num(mean((p - 0.5)^2)),
         ",\n \"pmse_centred\": ", num(mean((p - c)^2)), "}")
}

sorted <- function(d) { d <- d[order(d$y), ]; rownames(d) <- NULL; d }

n <- 60
numeric <- sorted(within(data.frame(x = rnorm(n, 50, 12), z = rexp(n, 20)), {
  y <- rbinom(n, 1, plogis((x - 50) / 20 + 8 * (z - 0.05)))
}))

n <- 80
mixed <- data.frame(age = round(rnorm(n, 40, 15)),
                    job = factor(sample(c("a", "b", "c", "d"), n, TRUE, c(.4, .3, .2, .1))),
                    area = factor(sample(c("n", "s"), n, TRUE)))
mixed$y <- rbinom(n, 1, plogis((mixed$age - 40) / 30 + (mixed$job == "b") - 0.3 * (mixed$area == "s")))
mixed <- sorted(mixed)

n <- 150
inter <- data.frame(u = runif(n, 1000, 1010), v = rnorm(n), g = factor(sample(c("k", "l", "m"), n, TRUE)))
inter$y <- rbinom(n, 1, plogis(0.2 * (inter$u - 1005) * inter$v + 0.5 * inter$v * (inter$g == "m")))
inter <- sorted(inter)

# Four synthetic rows to every real one, and a level (q) that the synthetic rows prefer.
unequal <- sorted(data.frame(w = c(rgamma(30, 2), rgamma(120, 3)),
                             h = factor(c(sample(c("p", "q"), 30, TRUE), sample(c("p", "q"), 120, TRUE, c(.3, .7)))),
                             y = rep(0:1, c(30, 120))))

# b = a + 2 * s is aliased; `five` is constant; `t` depends on the factor.
n <- 70
alias <- data.frame(a = rnorm(n), s = rnorm(n, 3), f = factor(sample(c("i", "j", "k"), n, TRUE)))
alias$b <- alias$a + 2 * alias$s
alias$five <- 5
alias$t <- as.numeric(alias$f == "j") * 3 - 1
alias$e <- rnorm(n)
alias$y <- rbinom(n, 1, plogis(alias$a - 0.5 * alias$e))
alias <- sorted(alias)

# Interactions with aliased main effects (b) and with an empty cell (f = k never meets h = o).
n <- 140
empty <- data.frame(a = rnorm(n, 10), f = factor(sample(c("i", "j", "k"), n, TRUE)))
empty$b <- 7 - 3 * empty$a
empty$h <- factor(ifelse(empty$f == "k", "l", sample(c("l", "o"), n, TRUE)))
empty$y <- rbinom(n, 1, plogis(0.4 * (empty$a - 10) * ifelse(empty$f == "j", 1, -1)))
empty <- sorted(empty)

# A number that depends on two others, with interactions: its own interactions are partly new.
n <- 120
sums <- data.frame(a = rnorm(n, 4), s = rnorm(n, -2))
sums$b <- sums$a + sums$s
sums$e <- rnorm(n, 1)
sums$y <- rbinom(n, 1, plogis(0.3 * sums$a * (sums$s + 2) + 0.2 * sums$e))
sums <- sorted(sums)

# Missing numbers are their mean plus an indicator; missing categories are a level that comes last.
n <- 90
missing <- data.frame(r = rnorm(n, 5, 2), f = factor(sample(c("i", "j"), n, TRUE)))
missing$y <- rbinom(n, 1, plogis((missing$r - 5) / 3))
missing <- sorted(missing)
missing$r[sample(n, 12)] <- NA
missing$f[sample(n, 9)] <- NA
recoded <- with(missing, data.frame(r = ifelse(is.na(r), mean(r, na.rm = TRUE), r), r_missing = as.numeric(is.na(r)),
                                    f = factor(ifelse(is.na(f), "zz", as.character(f))), y = y))

cases <- c(
  case("numeric", numeric, y ~ x + z),
  case("factors", mixed, y ~ age + job + area),
  case("interactions", inter, y ~ (u + v + g)^2, TRUE),
  case("unequal sizes", unequal, y ~ w + h),
  case("aliased", alias, y ~ a + s + f + b + five + t + e),
  case("aliased interactions", empty, y ~ (a + f + b + h)^2, TRUE),
  case("sum of two, interactions", sums, y ~ (a + s + b + e)^2, TRUE),
  case("missing", missing, y ~ r + r_missing + f, frame = recoded)
)
cat("[", paste(cases, collapse = ",\n"), "]\n", sep = "")
