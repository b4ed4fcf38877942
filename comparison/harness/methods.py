"""The methods that are compared, and the command that runs each of them once, in a process of its own."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

#: The delta of every method that takes one.
DELTA = 1e-5
EPSILONS = (0.5, 1.0, 4.0)
#: dpsynth needs a later Python than dpmm does, and so an environment of its own (requirements-dpsynth.txt).
DPSYNTH_PYTHON = Path(os.environ.get("DPSYNTH_VENV", Path(__file__).resolve().parent.parent / ".venv-dpsynth")) / "bin/python"


@dataclass(frozen=True)
class Method:
    """One row of the page. `library` is the distribution whose version is recorded, None for references."""

    name: str
    label: str
    library: str | None
    delta: float | None
    #: 0 for what is quick, 1 for what comes last.
    slow: int = 0
    limits: bool = True
    #: Whether it is told the rules between columns, where a table has some; there are no runs on tables without.
    rules: bool = False
    #: Of ours: between which tables the guarantee holds.
    neighbours: str = "substitute"

    @property
    def is_ours(self):
        return self.library == "indistinct"

    @property
    def python(self):
        """The interpreter that has the library."""
        return str(DPSYNTH_PYTHON) if self.library == "dpsynth" else sys.executable

    @property
    def is_reference(self):
        return self.library is None


METHODS = (
    Method("halves", "two halves of the real table", None, None),
    Method("independent", "independent columns", None, None),
    Method("indistinct", "`indistinct`", "indistinct", DELTA),
    Method("indistinct-add-remove", "`indistinct`, add/remove", "indistinct", DELTA, neighbours="add-remove"),
    Method("indistinct-pure", "`indistinct`, pure", "indistinct", 0.0),
    Method("indistinct-no-limits", "`indistinct`, no limits", "indistinct", DELTA, limits=False),
    Method("indistinct-rules", "`indistinct`, with rules", "indistinct", DELTA, rules=True),
    Method("dpmm-privbayes", "dpmm PrivBayes", "dpmm", DELTA),
    Method("dpmm-mst", "dpmm MST", "dpmm", DELTA),
    Method("datasynthesizer", "DataSynthesizer", "DataSynthesizer", 0.0),
    Method("datasynthesizer-one-parent", "DataSynthesizer, one parent", "DataSynthesizer", 0.0),
    Method("dpmm-mst-no-limits", "dpmm MST, no limits", "dpmm", DELTA, slow=1, limits=False),
    Method("dpmm-aim", "dpmm AIM", "dpmm", DELTA, slow=1),
    Method("dpsynth-mst", "dpsynth MST", "dpsynth", DELTA),
    Method("dpsynth-aim", "dpsynth AIM", "dpsynth", DELTA, slow=1),
)
BY_NAME = {method.name: method for method in METHODS}


def command(method, run, paths, binary):
    """The command line of one run. `paths` has the table, the schema and the folder for what it writes."""
    if method.is_ours:
        # Versions before 0.2 know one kind of neighbours, and no option.
        relation = [] if method.neighbours == "substitute" else ["--neighbours", method.neighbours]
        return [
            str(binary), "synth", str(paths.table), "--schema", str(paths.schema(method)),
            "--epsilon", repr(run.epsilon), "--delta", repr(method.delta), "--seed", str(run.seed),
            *relation, "--out", str(paths.folder / "release"),
        ]  # fmt: skip
    return [
        method.python, "-m", "harness.child", method.name, str(paths.table), str(paths.with_limits),
        repr(run.epsilon), str(run.seed), str(paths.folder),
    ]  # fmt: skip


def synthetic_file(method, paths):
    """Where the synthetic table is after a run."""
    return paths.folder / "release" / "synthetic.csv" if method.is_ours else paths.folder / "synthetic.csv"
