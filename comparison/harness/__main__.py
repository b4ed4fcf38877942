"""The comparison's command; `comparison/run --help` tells its options."""

import argparse
import signal
import sys
from pathlib import Path

from . import page
from .catalogue import TABLES
from .methods import BY_NAME, DPSYNTH_PYTHON, EPSILONS, METHODS
from .plan import is_too_long, planned, wanted
from .results import read_results
from .runner import Runner
from .scores import is_complete
from .smoke import smoke

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent


def arguments():
    parser = argparse.ArgumentParser(prog="comparison/run", description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help=f"folder with the real tables: {', '.join(dict.fromkeys(table.file for table in TABLES))}",
    )
    parser.add_argument(
        "--binary", type=Path, default=ROOT / "target/release/indistinct", metavar="PATH", help="the indistinct to run"
    )
    parser.add_argument("--seeds", type=int, default=3, help="repeats of each run [3]")
    parser.add_argument(
        "--time-limit", type=float, default=1200, metavar="SECONDS", help="of one run; reaching it is a result [1200]"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TABLE/METHOD/EPSILON",
        help="runs that match, such as adult, adult/dpmm-mst or //1; may be repeated",
    )
    parser.add_argument(
        "--again",
        action="append",
        default=[],
        metavar="METHOD",
        help="repeat these although there are results; `indistinct` is all of ours",
    )
    parser.add_argument(
        "--results", type=Path, default=HERE / "results.jsonl", metavar="FILE", help="where results are kept"
    )
    parser.add_argument(
        "--page-file", type=Path, default=ROOT / "docs/comparison.md", metavar="FILE", help="the page to write"
    )
    parser.add_argument(
        "--page", action="store_true", help="write the page from the results that there are, and run nothing"
    )
    parser.add_argument("--list", action="store_true", help="list the runs that are still to be done, and run nothing")
    parser.add_argument(
        "--smoke", action="store_true", help="a quick try on a generated table; needs no data and no network"
    )
    return parser.parse_args()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that a run's process is stopped too
    options = arguments()
    if options.smoke:
        return smoke(options.binary)
    if options.page:
        page.write(options.results, options.page_file)
        return 0
    done = read_results(options.results)
    again = {m.name for m in METHODS if m.name in options.again or (m.is_ours and "indistinct" in options.again)}
    unknown = [name for name in options.again if name not in BY_NAME]
    if unknown:
        sys.exit(f"no such method: {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    with_rules = [table.name for table in TABLES if table.has_rules]
    plan = planned([table.name for table in TABLES], EPSILONS, options.seeds, with_rules)
    plan = [run for run in plan if wanted(run, options.only)]
    plan = [run for run in plan if run not in done or run.method in again or not is_complete(done[run])]
    plan = [run for run in plan if BY_NAME[run.method].is_ours or not is_too_long(run, done)]
    if not options.binary.is_file():
        ours = [run for run in plan if BY_NAME[run.method].is_ours]
        if ours:
            print(f"{options.binary} is not there: {len(ours)} runs of indistinct are left for later", file=sys.stderr)
        plan = [run for run in plan if run not in ours]
    if not DPSYNTH_PYTHON.exists():
        absent = [run for run in plan if BY_NAME[run.method].library == "dpsynth"]
        if absent:
            print(f"{DPSYNTH_PYTHON} is not there: {len(absent)} runs of dpsynth are left for later", file=sys.stderr)
        plan = [run for run in plan if run not in absent]
    if options.list:
        print("\n".join(map(str, plan)) or "all runs are done")
        return 0
    if options.data is None and plan:
        sys.exit(
            "--data DIR is needed: the folder with the real tables (comparison/README.md says where they are from)"
        )
    runner = Runner(options.data, HERE / "schemas", HERE / "work", options.binary, options.time_limit, options.results)
    for number, run in enumerate(plan, 1):
        print(f"[{number}/{len(plan)}] {run} ... ", end="", flush=True)
        print(runner.run(run), flush=True)
    page.write(options.results, options.page_file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
