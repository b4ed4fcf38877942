"""Results, put together for the page: medians, ranges, who is ahead of whom. Nothing here is typed in by hand."""

from dataclasses import dataclass
from statistics import median
from typing import Callable

from .catalogue import BY_NAME as TABLES
from .methods import BY_NAME, EPSILONS, METHODS

CONTROL = "independent"
HALVES = "halves"


@dataclass(frozen=True)
class Measure:
    """One number of a run. The smaller the better, but for shares."""

    key: str
    title: str
    says: str
    digits: int
    of: Callable
    larger_is_better: bool = False


def metric(*keys):
    """A number of a line's metrics; some have parts."""

    def of(_summary, line):
        found = line.get("metrics")
        for key in keys:
            found = found.get(key) if found else None
        return found

    return of


def share_removed(key):
    """The share of the control's error that a run removes, where the control has one that can be seen."""

    def share(summary, line):
        error = line.get("metrics", {}).get(key)
        control = summary.reference(line["table"], CONTROL, key)
        if error is None or control is None or not summary.control_is_seen(line["table"], key):
            return None
        return 1 - error / control

    return share


QUALITY = (
    Measure(
        "pmse",
        "pMSE of a tree",
        "0 if a tree of depth 6 cannot tell the tables apart, 1/4 if it always can.",
        4,
        metric("pmse"),
    ),
    Measure(
        "one_way",
        "One-way distance",
        "Total variation distance of the distribution of a column, mean over columns.",
        4,
        metric("one_way"),
    ),
    Measure(
        "two_way",
        "Two-way distance",
        "Total variation distance of the joint distribution of two columns, mean over pairs.",
        4,
        metric("two_way"),
    ),
    Measure(
        "three_way",
        "Three-way distance",
        "Total variation distance of the joint distribution of three columns, mean over triples.",
        4,
        metric("three_way"),
    ),
    Measure(
        "predict",
        "Prediction",
        "Accuracy, or R2 of a column of numbers, of a forest that was trained on the synthetic table and tested on real rows.",
        3,
        metric("predict", "synthetic"),
        True,
    ),
    Measure(
        "k_marginal",
        "NIST's k-marginal score",
        "Of SDNist 2.4, from 0 to 1000, for its excerpts.",
        0,
        metric("sdnist", "k_marginal"),
        True,
    ),
    Measure("nist_pmse", "NIST's pMSE", "Of SDNist 2.4, for its excerpts.", 4, metric("sdnist", "pmse")),
    Measure(
        "regression", "Error of regressions", "Mean difference of standardised coefficients.", 3, metric("regression")
    ),
)
SHARES = (
    Measure(
        "share_two_way",
        "Share of the control's two-way distance removed",
        "1 is a perfect copy, 0 no better than columns made independently of each other with exact margins, below 0 worse than that.",
        2,
        share_removed("two_way"),
        True,
    ),
    Measure(
        "share_pmse",
        "Share of the control's pMSE removed",
        "The same for pMSE, where the tree sees the control at all.",
        2,
        share_removed("pmse"),
        True,
    ),
)


def starved(line):
    """Whether a run, which has one thread, waited for a processor most of the time."""
    return line.get("process_seconds", 0) > 3 * line.get("cpu_seconds", 0) > 0


COST = (
    Measure(
        "seconds",
        "Seconds",
        "Fitting and sampling, wall clock; for `indistinct` the whole command, with reading and writing. Left out where a run got less "
        "than a third of a processor: that tells of the machine.",
        1,
        lambda _, line: line.get("seconds") if not starved(line) else None,
    ),
    Measure(
        "cpu_seconds",
        "Processor seconds",
        "Of the whole process, with start, reading and writing.",
        1,
        lambda _, line: line.get("cpu_seconds") if line["status"] == "ok" else None,
    ),
    Measure(
        "peak_mb",
        "Peak memory in MB",
        "Resident memory of the process.",
        0,
        lambda _, line: line.get("peak_mb") if line["status"] == "ok" else None,
    ),
)


class Summary:
    """Lines of results by table, method and epsilon."""

    def __init__(self, lines):
        self.lines = list(lines)
        self._groups = {}
        for line in self.lines:
            self._groups.setdefault((line["table"], line["method"], line["epsilon"]), []).append(line)

    @property
    def tables(self):
        present = dict.fromkeys(line["table"] for line in self.lines)
        return sorted(present, key=lambda table: list(TABLES).index(table) if table in TABLES else len(TABLES))

    @property
    def private_methods(self):
        """Methods with at least one line, without the references."""
        present = {line["method"] for line in self.lines}
        return [method for method in METHODS if method.name in present and not method.is_reference]

    def group(self, table, method, epsilon):
        return self._groups.get((table, method, epsilon), [])

    def values(self, table, method, epsilon, measure):
        """One number for each run that has one."""
        found = [measure.of(self, line) for line in self.group(table, method, epsilon)]
        return [value for value in found if value is not None]

    def median(self, table, method, epsilon, measure):
        values = self.values(table, method, epsilon, measure)
        return median(values) if values else None

    def reference(self, table, method, key):
        """The median of a reference's metric."""
        values = [line["metrics"].get(key) for line in self.group(table, method, None)]
        values = [value for value in values if value is not None]
        return median(values) if values else None

    def control_is_seen(self, table, key):
        """Whether the control is further from the real table than its halves are from each other."""
        control, floor = self.reference(table, CONTROL, key), self.reference(table, HALVES, key)
        return control is not None and floor is not None and control > floor

    def best(self, table, epsilon, measure):
        """Private methods from best to worst, with their medians; runs that gave nothing are not among them."""
        ranked = [(self.median(table, method.name, epsilon, measure), method.name) for method in self.private_methods]
        ranked = [(value, name) for value, name in ranked if value is not None]
        return sorted(ranked, reverse=measure.larger_is_better)

    def ahead(self, method, rival, measure):
        """In how many cases (table and epsilon) the method's median is better than the rival's, of how many where both gave
        a table, and in how many only the method, or only the rival, did."""
        better = both = alone = rival_alone = 0
        for table in self.tables:
            for epsilon in EPSILONS:
                if not self.group(table, method, epsilon) or not self.group(table, rival, epsilon):
                    continue
                mine, theirs = (self.median(table, name, epsilon, measure) for name in (method, rival))
                if mine is None or theirs is None:
                    alone += mine is not None
                    rival_alone += theirs is not None
                else:
                    both += 1
                    better += mine > theirs if measure.larger_is_better else mine < theirs
        return better, both, alone, rival_alone

    def failures(self):
        """Lines of runs that gave no table."""
        return [line for line in self.lines if line["status"] != "ok"]


def is_test_table(name):
    """Whether nothing was ever tuned on the table."""
    return name in TABLES and not TABLES[name].development


def label(name):
    return BY_NAME[name].label
