# Everything that the package shows of a table, as texts by name: run by test-replay.R, in a process of its own.
#
#     Rscript shown.R FORM KIND WHICH FILE

library(indistinct)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "../tests/testthat/helper-data.R"))
source(file.path(here, "neighbours.R"))

# An object with all its attributes and environments as text, without times of day, the hashes that follow from them, and the folder.
told <- function(object, folder = normalizePath(".")) {
  bytes <- if (is.raw(object)) object else serialize(object, NULL, ascii = TRUE)
  # Bytes as they are: no encoding has a say.
  text <- rawToChar(bytes[bytes != 0])
  text <- gsub("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", "then", text, useBytes = TRUE)
  text <- gsub("D:[0-9]{14}", "then", text, useBytes = TRUE)
  text <- gsub("[0-9a-f]{64}", "hash", text, useBytes = TRUE)
  gsub(folder, "folder", text, fixed = TRUE, useBytes = TRUE)
}

picture <- function(draw) {
  grDevices::pdf("picture.pdf", compress = FALSE)
  draw()
  grDevices::dev.off()
  bytes("picture.pdf")
}

# A call and all that it signals, and how it ends.
everything_of <- function(call) {
  heard <- list()
  ended <- withCallingHandlers(
    tryCatch(call(), error = identity),
    condition = function(one) heard[[length(heard) + 1]] <<- one,
    warning = function(one) tryInvokeRestart("muffleWarning")
  )
  list(value = ended, conditions = heard)
}

main <- function(form, kind, which, file) {
  private <- FORMS[[form]](neighbour(as.integer(which), kind))
  options <- c(KINDS[[kind]], OPTIONS[[form]])
  set.seed(1)
  folder <- tempfile("shown")
  dir.create(folder)
  setwd(folder)
  if (is.function(private)) private <- private()
  shown <- list()
  show <- function(name, call) shown[[name]] <<- told(everything_of(call))
  on_data <- function(name, ...) {
    show(name, function() do.call(name, c(list(private), list(...), options)))
  }
  ledger_init("ledger", epsilon = 30, neighbours = if (kind == "row more") "add-remove" else "substitute")
  on_data("split_budget", epsilon = 20)
  made <- everything_of(function() do.call(synth, c(list(private, epsilon = 20, ledger = "ledger"), options)))
  release <- made$value
  shown$release <- told(made)
  if (inherits(release, "error")) stop(conditionMessage(release))
  on_data("synth", epsilon = 20, ledger = "ledger")
  show("print", function() utils::capture.output(print(release), print(summary(release)), print(release$schema), utils::str(release)))
  show("rows", function() as.data.frame(release))
  show("sample", function() sample_rows(release, 20, where = "age > 20"))
  show("no sample", function() sample_rows(release, 20, where = "nothing > 20"))
  shown$plot <- told(picture(function() plot(release)))
  # In one thread: results are replayed in the order in which they were recorded.
  show("interval", function() interval(release, function(data) mean(data$age, na.rm = TRUE), replicates = 10, threads = 1))
  show("combine", function() combine(release, score ~ age))
  show("ledger", function() ledger_show("ledger"))
  saveRDS(release, "release.rds", compress = FALSE, ascii = TRUE)
  write_release(release, "release")
  show("verify", function() verify("release"))
  show("opened", function() as.data.frame(open_release("release")))
  written <- c("release.rds", "ledger", list.files("release", full.names = TRUE))
  for (name in written) shown[[name]] <- told(bytes(name))
  show("random numbers", function() get0(".Random.seed", globalenv()))
  saveRDS(shown, file)
}

do.call(main, as.list(commandArgs(trailingOnly = TRUE)))
