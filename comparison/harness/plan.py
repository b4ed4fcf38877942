"""Which runs there are, and their order: what tells most for its time comes first."""

from dataclasses import replace

from .methods import METHODS
from .results import Run


#: A method that took longer than this with the first seed is not run with others.
LONG = 600


def planned(tables, epsilons, seeds, with_rules=()):
    """All runs. References first; then by seed, quick methods before slow ones, and epsilon 1 before the others.

    `with_rules` are the tables that have rules between columns.
    """
    tables = list(tables)
    runs = [
        Run(table, method.name, None, seed)
        for method in METHODS
        if method.is_reference
        for seed in _seeds(seeds)
        for table in tables
    ]
    budgets = sorted(epsilons, key=lambda epsilon: (epsilon != 1, epsilon))
    for seed in _seeds(seeds):
        for slow in (0, 1):
            for epsilon in budgets:
                for table in tables:
                    for method in METHODS:
                        if method.rules and table not in with_rules:
                            continue
                        if not method.is_reference and method.slow == slow:
                            runs.append(Run(table, method.name, epsilon, seed))
    return runs


def _seeds(count):
    return range(1, count + 1)


def is_too_long(run, done):
    """Whether the run is a repeat of one of another library that took too long to be repeated."""
    first = done.get(replace(run, seed=1))
    return run.seed > 1 and first is not None and first.get("process_seconds", 0) > LONG


def wanted(run, filters):
    """Whether a run passes one of the filters TABLE/METHOD/EPSILON, of which parts may be empty or left out."""
    return not filters or any(_matches(run, text.split("/")) for text in filters)


def _matches(run, parts):
    parts = parts + [""] * (3 - len(parts))
    return (
        parts[0] in ("", run.table)
        and parts[1] in ("", run.method)
        and (parts[2] == "" or (run.epsilon is not None and float(parts[2]) == run.epsilon))
    )
