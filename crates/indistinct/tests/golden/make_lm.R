# Small tables and their regressions by R's lm, for tests/combine.rs.
# Run in this folder: Rscript make_lm.R > lm.json
# Base R only. Logical columns are our booleans.

set.seed(20170301)

num <- function(v) ifelse(is.na(v), "null", sprintf("%.17g", v))
list_of <- function(items) paste0("[", paste(items, collapse = ", "), "]")
quoted <- function(s) sprintf("\"%s\"", s)

column <- function(name, v) {
  if (is.factor(v)) {
    codes <- ifelse(is.na(v), "null", as.character(as.integer(v) - 1L))
    sprintf("{\"name\": %s, \"levels\": %s, \"values\": %s}",
            quoted(name), list_of(quoted(levels(v))), list_of(codes))
  } else if (is.logical(v)) {
    sprintf("{\"name\": %s, \"boolean\": true, \"values\": %s}",
            quoted(name), list_of(ifelse(is.na(v), "null", as.character(as.integer(v)))))
  } else {
    sprintf("{\"name\": %s, \"values\": %s}", quoted(name), list_of(num(v)))
  }
}

table <- function(name, data) {
  sprintf("%s: [%s]", quoted(name), paste(mapply(column, names(data), data), collapse = ",\n  "))
}

# Ordered factors get treatment contrasts here too; C(x) of a number is a factor.
options(contrasts = c("contr.treatment", "contr.treatment"))

case <- function(table, text) {
  fit <- lm(as.formula(gsub("C\\(k\\)", "factor(k)", text)), data = get(table))
  s <- summary(fit)
  back <- function(names) gsub("factor\\(k\\)", "C(k)", names)
  names <- back(names(coef(fit)))
  paste0("{\"table\": ", quoted(table), ", \"formula\": ", quoted(text),
         ",\n \"names\": ", list_of(quoted(names)),
         ",\n \"coefficients\": ", list_of(num(coef(fit))),
         ",\n \"estimated\": ", list_of(quoted(back(rownames(s$coefficients)))),
         ",\n \"std_errors\": ", list_of(num(s$coefficients[, 2])),
         ",\n \"p\": ", list_of(num(s$coefficients[, 4])),
         ",\n \"sigma\": ", num(s$sigma), ", \"df\": ", fit$df.residual, ", \"used\": ", nobs(fit), "}")
}

n <- 80
mixed <- data.frame(x = rnorm(n, 2, 10), z = rexp(n) + 0.1, k = sample(c(-1, 2, 10), n, TRUE),
                    f = factor(sample(c("b", "a", "c"), n, TRUE), levels = c("b", "a", "c", "never")),
                    g = factor(sample(c("lo", "mid", "hi"), n, TRUE), levels = c("lo", "mid", "hi"), ordered = TRUE),
                    flag = sample(c(TRUE, FALSE), n, TRUE), check.names = FALSE)
mixed$y <- with(mixed, -2.5 + 0.5 * x + log(z) + 2 * (f == "a") * x / 10 + (g == "hi") + rnorm(n, 0, 3))
mixed$positive <- exp(mixed$y / 10)
mixed[["odd name"]] <- runif(n)
mixed$up <- mixed$y > 0

gaps <- mixed[, c("y", "x", "z", "f", "flag")]
for (name in names(gaps)) gaps[[name]][sample(n, 9)] <- NA
# Level c occurs in incomplete rows only.
gaps$z[which(gaps$f == "c")] <- NA

n <- 60
scaled <- data.frame(tiny = rnorm(n) * 1e-12, huge = rnorm(n, 3) * 1e15, far = 1e6 + rnorm(n), small = runif(n) * 1e-3)
scaled$y <- with(scaled, 1e12 * tiny + 1e-15 * huge + (far - 1e6) + rnorm(n)) * 1e8

aliased <- data.frame(a = rnorm(n), b = rnorm(n, 5), f = factor(sample(c("i", "j", "k"), n, TRUE)))
aliased$sum <- aliased$a + 2 * aliased$b
aliased$five <- 5
aliased$h <- factor(ifelse(aliased$f == "k", "l", sample(c("l", "o"), n, TRUE)))
aliased$e <- rnorm(n)
aliased$y <- with(aliased, a - b + e + rnorm(n))

tables <- c("mixed", "gaps", "scaled", "aliased")
cases <- c(
  case("mixed", "y ~ x"), case("mixed", "y ~ x + log(z)"), case("mixed", "y ~ 1"), case("mixed", "y ~ x - 1"),
  case("mixed", "y ~ ."), case("mixed", "y ~ . - `odd name` - positive - up"),
  case("mixed", "log(positive) ~ x + f + `odd name` + log(`odd name`)"),
  case("mixed", "y ~ f"), case("mixed", "y ~ f - 1"), case("mixed", "y ~ f + g + 0"), case("mixed", "y ~ x + f - 1"),
  case("mixed", "y ~ x * f"), case("mixed", "y ~ x:f"), case("mixed", "y ~ x + x:f"), case("mixed", "y ~ f:x + f"),
  case("mixed", "y ~ f:g"), case("mixed", "y ~ f * g"), case("mixed", "y ~ f + f:g"), case("mixed", "y ~ f:g - 1"),
  case("mixed", "y ~ 0 + x:f + g"), case("mixed", "y ~ f*x*z"), case("mixed", "y ~ x:z:f + f"), case("mixed", "y ~ z + f:x:z"),
  case("mixed", "y ~ C(k)"), case("mixed", "y ~ C(k)*x + k"), case("mixed", "y ~ flag + flag:x"), case("mixed", "y ~ flag*f - 1"),
  case("mixed", "up ~ x + z"), case("mixed", "y ~ x*z - x"), case("mixed", "y ~ f*g - f:g"), case("mixed", "y ~ g:f + x*flag"),
  case("gaps", "y ~ x + z"), case("gaps", "y ~ ."), case("gaps", "y ~ f*flag"), case("gaps", "y ~ z + f"),
  case("scaled", "y ~ tiny + huge + far"), case("scaled", "y ~ ."), case("scaled", "y ~ tiny*huge + small"),
  case("aliased", "y ~ ."), case("aliased", "y ~ sum + a + b + e"), case("aliased", "y ~ five + a"), case("aliased", "y ~ f*h"),
  case("aliased", "y ~ f:h + a"), case("aliased", "y ~ a*b + sum:a + e")
)
cat("{\"tables\": {\n", paste(mapply(table, tables, mget(tables)), collapse = ",\n"), "},\n\"cases\": [\n",
    paste(cases, collapse = ",\n"), "]}\n", sep = "")
