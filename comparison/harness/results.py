"""Results as JSON lines, one for each run. Lines are only ever added; of two for the same run the later one counts."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What identifies a run. References have no epsilon."""

    table: str
    method: str
    epsilon: float | None
    seed: int

    def __str__(self):
        budget = "" if self.epsilon is None else f" epsilon {self.epsilon:g}"
        return f"{self.table} {self.method}{budget} seed {self.seed}"


def run_of(line):
    """The run that a line is about."""
    return Run(line["table"], line["method"], line["epsilon"], line["seed"])


def read_results(path):
    """The lines that count, by run, in the order in which the runs were first done."""
    results = {}
    if path.exists():
        for text in path.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            results[run_of(line)] = line
    return results


def add_result(path, line):
    """Adds a line, in one write, so that two runners may share a file."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
