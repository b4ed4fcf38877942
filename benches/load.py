"""How time and memory of `synth` and `evaluate` grow with rows: generated tables of ten columns, each run in a process of its own.

    python benches/load.py --binary target/release/indistinct --rows 100000 1000000 3000000 10000000 --page docs/load.md

Tables are made in --work (a gigabyte for ten million rows) and kept there; results are kept beside them, so that a run that was stopped
goes on where it was. Needs numpy and pyarrow.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

LEVELS = {"sex": ["F", "M"], "region": [f"R{number:02}" for number in range(20)], "job": [f"J{number:03}" for number in range(100)]}


def schema():
    """What the columns mean, as a steward would declare it."""
    columns = [
        'name = "age"\ntype = "integer"\nminimum = 0\nmaximum = 110',
        'name = "children"\ntype = "integer"\nminimum = 0\nmaximum = 20',
        'name = "hours"\ntype = "integer"\nminimum = 0\nmaximum = 99',
        'name = "postcode"\ntype = "integer"\nminimum = 10000\nmaximum = 99999',
        *(f'name = "{name}"\ntype = "nominal"\nlevels = {json.dumps(levels)}' for name, levels in LEVELS.items()),
        'name = "income"\ntype = "float"\ndecimals = 2\nminimum = 0\nmaximum = 10000000',
        'name = "height"\ntype = "float"\ndecimals = 1',
        'name = "weight"\ntype = "float"\ndecimals = 1',
    ]
    return "version = 1\n" + "".join(f"\n[[column]]\n{column}\n" for column in columns)


def block(rng, rows):
    """Rows with dependence, skewness, heaps and holes."""
    age = rng.integers(0, 100, rows)
    sex = rng.integers(0, 2, rows)
    region = np.minimum(rng.geometric(0.15, rows) - 1, 19)
    height = np.round(165 + 12 * sex + rng.normal(0, 7, rows), 1)
    weight = np.round(0.5 * height - 15 + rng.normal(0, 9, rows), 1)
    income = np.round(np.exp(9 + 0.01 * age + 0.03 * region + rng.normal(0, 0.7, rows)), 2)
    income[rng.random(rows) < 0.1] = 0
    return pa.table({
        "age": age,
        "children": np.minimum(rng.poisson(1 + age / 80), 20),
        "hours": np.where(rng.random(rows) < 0.4, 40, rng.integers(0, 99, rows)),
        "postcode": 10_000 + 4_000 * region + rng.integers(0, 4_000, rows),
        "sex": np.array(LEVELS["sex"])[sex],
        "region": np.array(LEVELS["region"])[region],
        "job": np.array(LEVELS["job"])[np.minimum((rng.exponential(15, rows) + age / 5).astype(int), 99)],
        "income": pa.array(income, mask=rng.random(rows) < 0.05),
        "height": height,
        "weight": pa.array(weight, mask=rng.random(rows) < 0.02),
    })  # fmt: skip


def make(path, rows, seed):
    """A table of so many rows, in pieces of a million; the same for the same seed."""
    rng = np.random.default_rng(seed)
    part = path.with_suffix(".part")
    first = block(rng, min(rows, 1_000_000))
    with csv.CSVWriter(part, first.schema, write_options=csv.WriteOptions(quoting_style="none")) as writer:
        writer.write_table(first)
        for start in range(1_000_000, rows, 1_000_000):
            writer.write_table(block(rng, min(rows - start, 1_000_000)))
    part.rename(path)


def measured(arguments):
    """Seconds, processor seconds and peak memory of a command, which must succeed."""
    start = time.perf_counter()
    peak, ended = 0, 0
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=errors)
        while not ended:
            # What wait4 says of memory begins with that of this process, which made the tables.
            peak = max(peak, peak_memory(process.pid))
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        seconds = time.perf_counter() - start
        errors.seek(0)
        if status != 0:
            sys.exit(f"{' '.join(map(str, arguments))}: {errors.read().decode()}")
    return {"seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_mb": peak / 1024}


def peak_memory(pid):
    """The most memory that a process has had, in kB; none if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def commands(binary, work, rows):
    """What is measured on a table of so many rows."""
    table, synthetic, declared = work / f"load-{rows}.csv", work / f"release-{rows}" / "synthetic.csv", work / "load.toml"
    common = ["--schema", declared, "--quiet"]
    return {
        "synth": [binary, "synth", table, "--epsilon", "1", "--delta", "1e-6", "--out", synthetic.parent, "--force", *common],
        "evaluate --null none": [binary, "evaluate", table, synthetic, "--null", "none", *common],
        "evaluate": [binary, "evaluate", table, synthetic, *common],
    }


def page(results):
    """The page: what each table took, and how that grows."""
    rows = sorted({result["rows"] for result in results})
    size = {result["rows"]: result["bytes"] for result in results}
    lines = [
        "# Load",
        "",
        "Written by `benches/load.py`: generated tables of ten columns (four of whole numbers, three of categories with up to 100 levels,",
        "three of decimals; heaps, skewness, missing values, dependence), `synth` at epsilon 1 and delta 1e-6 with a declared schema, and",
        "`evaluate` without and with its null, which fits the tree to fifty permutations more. Of tables with more than a million rows trees",
        "see a sample of a million ([evaluation](evaluation.md#large-tables)); reading, one-way and two-way distances see all rows.",
        f"{os.cpu_count()} cores, shared and noisy: compare within the page. *Per row* is processor time, as a multiple of that with",
        f"{rows[0]:,} rows.",
        "",
        "| command | rows | table, MB | seconds | processor seconds | microseconds per row | per row, ratio | peak memory, MB | memory over table |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for command in ("synth", "evaluate --null none", "evaluate"):
        base = None
        for result in sorted((r for r in results if r["command"] == command), key=lambda r: r["rows"]):
            each = result["cpu_seconds"] / result["rows"]
            base = base or each
            megabytes = size[result["rows"]] / 1e6
            lines.append(
                f"| `{command}` | {result['rows']:,} | {megabytes:.0f} | {result['seconds']:.1f} | {result['cpu_seconds']:.1f} "
                f"| {each * 1e6:.2f} | {each / base:.2f} | {result['peak_mb']:.0f} | {result['peak_mb'] * 1.048576 / megabytes:.1f} |"
            )
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/release/indistinct"))
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--work", type=Path, default=Path("target/load"))
    parser.add_argument("--page", type=Path, help="write the page here")
    parser.add_argument("--again", action="store_true", help="measure again what was measured")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "load.toml").write_text(schema())
    kept = options.work / "results.jsonl"
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() and not options.again else []
    done = {(result["command"], result["rows"]) for result in results}
    for rows in options.rows:
        table = options.work / f"load-{rows}.csv"
        if not table.exists():
            print(f"making {rows:,} rows", flush=True)
            make(table, rows, seed=rows)
        for name, arguments in commands(options.binary.resolve(), options.work, rows).items():
            if (name, rows) in done:
                continue
            print(f"{name} of {rows:,} rows", end=" ... ", flush=True)
            result = {"command": name, "rows": rows, "bytes": table.stat().st_size, **measured(arguments)}
            print(f"{result['seconds']:.1f} s, {result['cpu_seconds']:.1f} on a processor, {result['peak_mb']:.0f} MB", flush=True)
            results.append(result)
            kept.write_text("".join(json.dumps(result) + "\n" for result in results))
    text = page(results)
    if options.page:
        options.page.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
