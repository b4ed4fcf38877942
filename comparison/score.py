#!/usr/bin/env python3
"""Scores a synthetic table by every measure of the comparison and prints JSON: `comparison/score.py TABLE SYNTHETIC.csv`.

TABLE is one of the comparison's tables; `comparison/score.py --list` names them. `--private FILE` writes the real table with the
columns of its schema, which is what methods are given; schemas/TABLE.toml, and TABLE-rules.toml where there are rules, say
what is public about it. Measures that need what is not installed are null.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

try:
    import sklearn  # noqa: F401
except ImportError:  # the environment that comparison/run made has what is needed
    python = HERE / ".venv/bin/python"
    if not python.exists() or sys.executable == str(python):
        sys.exit("pandas and scikit-learn are needed: `comparison/run --list` makes an environment that has them")
    os.execv(python, [str(python), *sys.argv])

from harness import nist_evaluation  # noqa: E402
from harness.catalogue import BY_NAME, TABLES  # noqa: E402
from harness.regressions import REGRESSIONS  # noqa: E402
from harness.schema import read_schema  # noqa: E402
from harness.scores import score  # noqa: E402
from harness.tables import read_table, write_table  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog="comparison/score.py", description=__doc__)
    parser.add_argument("table", nargs="?", metavar="TABLE", choices=list(BY_NAME), help="a table of the comparison")
    parser.add_argument("synthetic", nargs="*", type=Path, metavar="SYNTHETIC.csv", help="synthetic tables to score")
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("INDISTINCT_DATA"), metavar="DIR",
        help="folder with the real tables [$INDISTINCT_DATA]",
    )  # fmt: skip
    parser.add_argument("--private", type=Path, metavar="FILE", help="write the real table as methods are given it")
    parser.add_argument("--skip", action="append", default=[], choices=["predict", "sdnist", "three-way"])
    parser.add_argument("--list", action="store_true", help="the tables, and end")
    parser.add_argument("--install-sdnist", action="store_true", help="install NIST's evaluation (needs Python 3.11)")
    options = parser.parse_args()
    if not (options.table or options.list or options.install_sdnist):
        parser.error("a table is needed; --list names them")
    if options.table and options.data is None:
        parser.error("--data DIR is needed, or INDISTINCT_DATA=DIR: the folder with the real tables (comparison/README.md)")
    return options


def main():
    options = arguments()
    if options.list:
        for table in TABLES:
            print(f"{table.name:<28} {'development' if table.development else 'test':<12} {table.file}")
    if options.install_sdnist:
        nist_evaluation.install()
    if not options.table:
        return
    table = BY_NAME[options.table]
    schema = read_schema(HERE / "schemas" / f"{table.name}.toml")
    real = read_table(options.data / table.file, schema)
    if options.private:
        write_table(real, options.private, schema, missing=schema.missing)
    for path in options.synthetic:
        start = time.perf_counter()
        synthetic = read_table(path, schema)
        found = score(table, real, synthetic, schema, options.data, REGRESSIONS[table.name], options.skip)
        told = {"table": table.name, "file": str(path), "rows": len(synthetic), **found}
        print(json.dumps(told | {"seconds": round(time.perf_counter() - start, 1)}), flush=True)


if __name__ == "__main__":
    main()
