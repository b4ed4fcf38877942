# Student's t distribution, for src/combine/student.rs: two-sided probabilities of t, and the t of probabilities.
# Run in this folder: Rscript make_student.R > student.csv
line <- function(kind, given, df, result) cat(sprintf("%s,%.17g,%.17g,%.17g\n", kind, given, df, result))
for (df in c(0.5, 1, 2, 3.7, 9, 38, 41, 100, 1e3, 1e5, 1e7)) {
  for (t in c(0.1, 1, 1.96, 5, 30)) if (2 * pt(-t, df) > 1e-290) line("p", t, df, 2 * pt(-t, df))
  for (p in c(0.5, 0.1, 0.05, 0.001)) line("t", p, df, qt(p / 2, df, lower.tail = FALSE))
}
