"""Runs the timing programs side by side and writes docs/benchmarks.md: see `benches/run`."""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import subprocess
import sys

import numpy
import pandas
import sklearn

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
DATA = ROOT / "benches" / "data"
EXAMPLES = ROOT / "target" / "release" / "examples"
ONE_THREAD = {**os.environ, "RAYON_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
DEPTHS, CPS, COLUMNS = (1, 2, 5, 30), (0.01, 0.001), (2, 10)


def run(*command, env=None):
    """The JSON documents that a program prints, one a line."""
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env=env)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def pair_of_tables(q):
    """The paper's Gaussian chain, 5000 real rows and 5000 from nearly the same model."""
    path = DATA / f"q{q}.csv"
    rng = numpy.random.default_rng(q)
    halves = []
    for synthetic in (0, 1):
        columns = [rng.normal(2 + 0.5 * synthetic, 10, 5000)]
        while len(columns) < q:
            columns.append(rng.normal(-2.5 + 0.5 * columns[-1] * (1 - 0.05 * synthetic), 3 + 0.1 * synthetic))
        halves.append(numpy.column_stack(columns + [numpy.full(5000, synthetic)]))
    header = ",".join([f"x{j + 1}" for j in range(q)] + ["synthetic"])
    numpy.savetxt(path, numpy.vstack(halves), "%.17g", ",", header=header, comments="")
    return path


def table_for_reading(kind, rows):
    path = DATA / f"{kind}-{rows}.csv"
    rng = numpy.random.default_rng(1)
    if kind == "floats":
        frame = pandas.DataFrame({f"x{j}": rng.normal(size=rows) for j in range(10)})
    else:
        words = numpy.array(["north", "east", "south", "west", "unknown place"])
        frame = pandas.DataFrame({f"i{j}": rng.integers(0, 10 ** (2 * j + 2), rows) for j in range(4)})
        for j in range(3):
            frame[f"s{j}"] = words[rng.integers(0, 5, rows)]
            frame[f"f{j}"] = rng.lognormal(8, 1, rows).round(2)
    frame.to_csv(path, index=False)
    return path


def trees(rounds, repeats):
    """Per (q, depth, cp) the best of each program's medians over several rounds, taken in turn."""
    best, seen = {}, {}
    for q in COLUMNS:
        path = pair_of_tables(q)
        for _ in range(rounds):
            for row in run("Rscript", ROOT / "benches" / "time_rpart.R", path, repeats):
                key = q, row["depth"], row["cp"]
                ours = run(EXAMPLES / "time_cart", path, row["depth"], row["cp"], repeats, env=ONE_THREAD)[0]
                if ours["leaves"] != row["leaves"] or not math.isclose(ours["pmse"], row["pmse"], abs_tol=1e-12):
                    sys.exit(f"not the same tree as rpart's: {key}")
                seen[key] = ours["leaves"]
                entry = best.setdefault(key, {})
                for name, value in (("ours", ours["milliseconds"]), ("presorted", ours["milliseconds_presorted"]),
                                    ("engine", row["engine"]), ("rpart", row["whole"])):
                    entry[name] = min(entry.get(name, math.inf), value)
            for row in run(sys.executable, ROOT / "benches" / "time_sklearn.py", path, repeats, env=ONE_THREAD):
                for cp in CPS:
                    entry = best[q, row["depth"], cp]
                    entry["sklearn"] = min(entry.get("sklearn", math.inf), row["milliseconds"])
            print(f"trees, q = {q}: a round done", file=sys.stderr)
    lines = ["| q | depth | cp | leaves | ours, ms | sorted before, ms | rpart's engine | rpart() | scikit-learn |",
             "|---|---|---|---|---|---|---|---|---|"]
    for (q, depth, cp), entry in best.items():
        ratios = " | ".join(f"{entry[name] / entry['ours']:.1f}x" for name in ("engine", "rpart", "sklearn"))
        lines.append(f"| {q} | {depth} | {cp} | {seen[q, depth, cp]} | {entry['ours']:.2f} | {entry['presorted']:.2f} "
                     f"| {ratios} |")
    least = {name: min(entry[name] / entry["ours"] for entry in best.values()) for name in ("engine", "sklearn")}
    return lines, least


def reading(rows, rounds):
    """The section, with its own date, as it can be measured by itself."""
    lines = [
        "## Reading CSV",
        "",
        f"The whole file to typed columns (numbers, categories, missing values), all cores, against `pandas.read_csv` {pandas.__version__}",
        f"with its default engine; measured on {datetime.date.today()}.",
        "",
        "| table | size | ours, s | pandas, s | ratio |",
        "|---|---|---|---|---|",
    ]
    for kind, what in (("floats", "ten floats of 17 digits"), ("mixed", "4 integers, 3 strings, 3 amounts")):
        path = table_for_reading(kind, rows)
        ours = theirs = math.inf
        for _ in range(rounds):
            theirs = min(theirs, run(sys.executable, ROOT / "benches" / "time_pandas.py", path, 1)[0]["seconds"])
            ours = min(ours, run(EXAMPLES / "time_csv", path, 1)[0]["median_seconds"])
        size = path.stat().st_size / 1e6
        path.unlink()
        lines.append(f"| {rows:,} x 10: {what} | {size:.0f} MB | {ours:.2f} | {theirs:.2f} | {theirs / ours:.1f}x |")
        print(f"reading {kind}: done", file=sys.stderr)
    return lines


def optimal(rounds):
    best = {}
    for _ in range(rounds):
        done = subprocess.run([EXAMPLES / "time_optimal"], check=True, capture_output=True, text=True, env=ONE_THREAD)
        for row in json.loads(done.stdout)["results"]:
            entry = best.setdefault((row["depth"], str(row["thresholds"]), row["columns"], row["quality"]), {})
            for name in ("binning_ms", "search_ms", "fit_ms"):
                if name in row:
                    entry[name] = min(entry.get(name, math.inf), row[name])
    lines = ["| depth | thresholds per column | q | maximises | binning, ms | search, ms |", "|---|---|---|---|---|---|"]
    for (depth, thresholds, columns, quality), entry in sorted(best.items()):
        binning = f"{entry['binning_ms']:.2f}" if "binning_ms" in entry else "-"
        search = entry.get("search_ms", entry.get("fit_ms"))
        lines.append(f"| {depth} | {thresholds} | {columns} | {quality.replace('P', 'p', 1).replace('mse', 'MSE').replace('mae', 'MAE')} "
                     f"| {binning} | {search:.2f} |")
    return lines


def utility(rounds, repeats):
    """One evaluation of the partition's utility against one call of rpart on the same kind of data."""
    ours = theirs = math.inf
    path = DATA / "q2.csv"
    for _ in range(rounds):
        done = subprocess.run([EXAMPLES / "time_utility"], check=True, capture_output=True, text=True, env=ONE_THREAD)
        ours = min(ours, json.loads(done.stdout)["microseconds"]["partition_pmae"])
        fits = run("Rscript", ROOT / "benches" / "time_rpart.R", path, repeats)
        theirs = min(theirs, next(row["whole"] for row in fits if row["depth"] == 30 and row["cp"] == 0.001))
    return ours, theirs * 1e3, theirs * 1e3 / ours


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--reading", action="store_true")
    options = parser.parse_args()
    short = options.short
    DATA.mkdir(exist_ok=True)
    if options.reading:
        # The page's last section again, the others as they are.
        written = PAGE.read_text(encoding="utf-8")
        before, _section = written.split("## Reading CSV")
        PAGE.write_text(before + "\n".join(reading(1_000_000, 5)) + "\n", encoding="utf-8")
        return
    tree_lines, least = trees(*((1, 5) if short else (3, 31)))
    read_lines = reading(50_000 if short else 1_000_000, 1 if short else 5)
    optimal_lines = optimal(1 if short else 3)
    partition, fit, ratio = utility(*((1, 5) if short else (3, 15)))
    rpart = subprocess.run(["Rscript", "-e", 'cat(R.version$major, ".", R.version$minor, ", rpart ", '
                            'format(packageVersion("rpart")), sep = "")'], check=True, capture_output=True, text=True)
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    page = f"""# Benchmarks

Written by `benches/run` on {datetime.date.today()}: {cpu}, {os.cpu_count()} cores, {platform.system()};
R {rpart.stdout}; Python {platform.python_version()}, scikit-learn {sklearn.__version__}, pandas {pandas.__version__}.
The machine is shared and noisy, so absolute times say little: compare within a row. Programs take turns in several
rounds, and each row has the best round's median for every one of them.

## Greedy trees: `cart` against rpart and scikit-learn

N = 10,000 rows (5,000 real, 5,000 synthetic, the paper's Gaussian chain), one thread. *Ours* includes sorting the
columns, as the others' times do; *sorted before* is what a refit with other labels costs, as in permutation nulls.
*rpart's engine* is its C code alone, without formula, model frame and printing, and without competitor splits,
surrogates and cross-validation; *rpart()* is the call that users make, with the same settings. scikit-learn has no
cp: its tree has the same depth and the same smallest nodes and leaves. Every tree was compared: ours has rpart's
leaves and pMSE (to 1e-12) in all rows. Ratios are the other's time over ours.

{chr(10).join(tree_lines)}

The least ratio is {least['engine']:.1f} against rpart's engine and {least['sklearn']:.1f} against scikit-learn.

## Optimal trees

N = 10,000 rows, one thread. Binning takes thresholds from the synthetic rows once; the search is what repeats. Over all
thresholds there is no binning, and the time is that of the whole fit.

{chr(10).join(optimal_lines)}

## Inside the mechanism

Judging one theta by the `partition` discriminator (n = 5,000 private rows, q = 2, 8 x 8 cells, one thread) took
{partition:.0f} microseconds; one call of rpart (cp = 0.001, unlimited depth) on as many real and synthetic rows took
{fit:.0f} in the same run, {ratio:.0f} times as long.

{chr(10).join(read_lines)}
"""
    if short:
        print(page)
    else:
        PAGE.write_text(page, encoding="utf-8")
        print("docs/benchmarks.md written")


if __name__ == "__main__":
    main()
