ledger_init <- function(file, epsilon, delta = 0, id = NULL, neighbours = "substitute") {
  file <- path_of(file, "file")
  options <- options_of(epsilon = if (!missing(epsilon)) typed(epsilon), delta = typed(delta), id = id, neighbours = neighbours)
  told <- value_of(.Call(wrap__init_ledger, file, options))
  warn(told$warnings)
  ledger_object(told, file)
}

ledger_show <- function(file) {
  file <- ledger_path(file)
  ledger_object(value_of(.Call(wrap__read_ledger, file)), file)
}

ledger_verify <- function(file, head = NULL) {
  file <- ledger_path(file)
  invisible(ledger_object(value_of(.Call(wrap__verify_ledger, file, options_of(head = head))), file))
}

ledger_plan <- function(file, releases, delta = NULL) {
  if (missing(releases)) fail("releases is needed\n help: say how many releases to plan for, as in releases = 3")
  told <- value_of(.Call(wrap__plan_ledger, ledger_path(file), options_of(releases = releases, delta = typed(delta))))
  document("indistinct_plan", told$document, told$text)
}

ledger_object <- function(told, file) document("indistinct_ledger", told$document, told$text, file = file)

as.data.frame.indistinct_ledger <- function(x, row.names = NULL, optional = FALSE, ...) records(x$document$charges)

summary.indistinct_ledger <- function(object, ...) as.data.frame(object)
