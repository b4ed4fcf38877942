"""Does one run: the table in a file, the method in a process of its own, the measures, a line of results."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .catalogue import BY_NAME as TABLES
from .execute import execute
from .methods import BY_NAME, command, synthetic_file
from .regressions import REGRESSIONS
from .results import add_result
from .schema import read_schema, without_limits
from .scores import score
from .tables import halves, independent_columns, read_table, within_limits, write_table

HERE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Paths:
    """The files of one run."""

    table: Path
    with_limits: Path
    no_limits: Path
    folder: Path
    with_rules: Path | None = None

    def schema(self, method):
        if method.rules:
            return self.with_rules
        return self.with_limits if method.limits else self.no_limits


class Runner:
    """Runs methods on tables, and keeps what several runs of one table need."""

    def __init__(self, data, schemas, work, binary, time_limit, results, tables=TABLES, regressions=REGRESSIONS):
        self.data, self.schemas, self.work = data, schemas, work
        self.binary, self.time_limit, self.results = Path(binary).resolve(), time_limit, results
        self.tables, self.regressions = tables, regressions
        self._read = {}

    def run(self, run):
        """Does the run, adds its line to the results, and says in a few words how it went."""
        method = BY_NAME[run.method]
        table, schema, outside = self._table(run.table)
        line = {**run.__dict__, "delta": method.delta, "rows": len(table), "columns": len(schema.columns)}
        line["outside_limits"] = outside
        if method.is_reference:
            pair = halves(table, run.seed) if run.method == "halves" else (table, independent_columns(table, run.seed))
            # NIST's scores are of tables against the whole excerpt, which a half is a part of.
            skip = ("sdnist",) if run.method == "halves" else ()
            line |= {"status": "ok", "metrics": self._score(run, *pair, skip)}
        else:
            line |= self._method(method, run, table, schema)
        add_result(self.results, line)
        return _in_words(line)

    def _method(self, method, run, table, schema):
        paths = self._paths(run)
        machine = {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
        try:
            log = paths.folder / "log.txt"
            outcome = execute(command(method, run, paths, self.binary), self.time_limit, log, HERE)
            line = {
                "status": outcome.status, "reason": outcome.reason, "process_seconds": round(outcome.seconds, 2),
                "cpu_seconds": round(outcome.cpu_seconds, 2), "peak_mb": round(outcome.peak_mb, 1),
                "time_limit": self.time_limit, "versions": self._versions(method), "machine": machine,
            }  # fmt: skip
            if outcome.status == "ok":
                timing = paths.folder / "timing.json"
                seconds = json.loads(timing.read_text())["seconds"] if timing.exists() else outcome.seconds
                line["seconds"] = round(seconds, 2)
                try:
                    synthetic = read_table(synthetic_file(method, paths), schema)
                except (OSError, ValueError) as error:
                    return line | {"status": "failed", "reason": f"its synthetic table cannot be read: {error}"}
                line["synthetic_rows"] = len(synthetic)
                line["metrics"] = self._score(run, table, synthetic)
            return line
        finally:
            shutil.rmtree(paths.folder)

    def _score(self, run, real, synthetic, skip=()):
        schema = self._table(run.table)[1]
        regressions = self.regressions[run.table]
        return score(self.tables[run.table], real, synthetic, schema, self.data, regressions, skip)

    def _table(self, name):
        """The real table, read once, and written as a CSV file with the schema's columns only."""
        if name not in self._read:
            schema = read_schema(self.schemas / f"{name}.toml")
            table = read_table(self.data / self.tables[name].file, schema)
            self._read[name] = table, schema, within_limits(table, schema)[1]
        return self._read[name]

    def _paths(self, run):
        """A fresh folder for the run, with the table and both forms of the schema."""
        table, schema, _outside = self._table(run.table)
        folder = self.work / str(run).replace(" ", "-")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        paths = Paths(
            folder / f"{run.table}.csv", folder / "schema.toml", folder / "no-limits.toml", folder,
            self.schemas / f"{run.table}-rules.toml",
        )  # fmt: skip
        write_table(table, paths.table, schema, missing=schema.missing)
        text = (self.schemas / f"{run.table}.toml").read_text(encoding="utf-8")
        paths.with_limits.write_text(text, encoding="utf-8")
        paths.no_limits.write_text(without_limits(text), encoding="utf-8")
        return paths

    def _versions(self, method):
        if method.is_ours:
            said = subprocess.run([self.binary, "--version"], capture_output=True, text=True, check=True)
            return {"indistinct": said.stdout.split()[-1]}
        if method.library == "dpsynth":
            names = ("dpsynth", "mbi", "jax", "numpy", "pandas")
            code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
            said = subprocess.run([method.python, "-c", code, *names], capture_output=True, text=True, check=True)
            return dict(zip(names, said.stdout.split()))
        return {name: metadata.version(name) for name in (method.library, "numpy", "pandas", "scikit-learn")}


def _in_words(line):
    if line["status"] != "ok":
        return f"{line['status']}: {line['reason']}"
    numbers = {name: value for name, value in line["metrics"].items() if isinstance(value, float)}
    measures = ", ".join(f"{name} {value:.4f}" for name, value in numbers.items())
    return measures + (f", {line['seconds']:.1f} s, {line['peak_mb']:.0f} MB" if "seconds" in line else "")
