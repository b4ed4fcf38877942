"""What passes over rows cost: `synth` from memory, from a Parquet file in passes, and from Spark, on generated tables of ten columns.

    python benches/passes.py --binary target/release/indistinct --rows 1000000 10000000 --page docs/load.md

Rewrites the table between the marks of the page. Tables are made in --work and kept there, results beside them, so that a run that was
stopped goes on where it was. Needs numpy and pyarrow; Spark is measured where pyspark, Java and the Python package are
(`PYTHONPATH=python`). `--spark-rows-in-workers N` generates the rows of a table in Spark's workers, so that it never exists as a file.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from load import block, measured, schema

GROUP = 500_000
BEGIN, END = "<!-- passes: begin -->", "<!-- passes: end -->"
WORKERS = "Spark, rows made in workers"


def make(path, rows, seed):
    """A Parquet file of so many rows, in groups; the same for the same seed."""
    rng = np.random.default_rng(seed)
    part = path.with_suffix(".part")
    writer = None
    for start in range(0, rows, GROUP):
        table = block(rng, min(GROUP, rows - start))
        writer = writer or pq.ParquetWriter(part, table.schema)
        writer.write_table(table, row_group_size=GROUP)
    writer.close()
    part.rename(path)


def tree_seconds():
    """Processor seconds of this process and all below it, with those that ended: Python, the driver's Java, workers."""
    tick = os.sysconf("SC_CLK_TCK")
    stats = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            stats[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / tick)
    below, total = {os.getpid()}, 0.0
    while True:
        more = {pid for pid, (parent, _) in stats.items() if parent in below} - below
        if not more:
            break
        below |= more
    for pid in below:
        total += stats.get(pid, (0, 0.0))[1]
    return total


def spark_run(table, declared, rows):
    """Fits a Spark DataFrame on two cores and prints what it took: run in a process of its own."""
    import indistinct
    from pyspark.sql import SparkSession

    # Workers are of this Python, not of the first on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "100000")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    if table == "-":
        names = ", ".join(f"{field.name} {spark_type(field.type)}" for field in block(np.random.default_rng(0), 10).schema)

        def generated(batches):
            for batch in batches:
                for number in batch.column(0).to_pylist():
                    made = block(np.random.default_rng(number), GROUP)
                    yield from made.to_batches(max_chunksize=100_000)

        frame = spark.range(0, rows // GROUP, 1, max(2, rows // GROUP)).mapInArrow(generated, names)
    else:
        frame = spark.read.parquet(table)
    start, before = time.perf_counter(), tree_seconds()
    fitted = indistinct.Synthesizer(epsilon=1, delta=1e-6, schema=declared, seed=1, rows=100_000).fit(frame)
    print(json.dumps({"seconds": time.perf_counter() - start, "cpu_seconds": tree_seconds() - before, "rows": fitted.certificate["rows"]}))
    spark.stop()


def spark_type(kind):
    return "string" if pa.types.is_string(kind) else "bigint" if pa.types.is_integer(kind) else "double"


def by_spark(table, declared, rows):
    process = subprocess.run(
        [sys.executable, __file__, "--spark-run", str(table), str(declared), str(rows)], capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        sys.exit(process.stderr[-2000:])
    return json.loads(process.stdout.splitlines()[-1])


def lines(results):
    """The table, by rows and way."""
    yield "| rows | way | seconds | processor seconds | microseconds per row | peak memory, MB |"
    yield "|---|---|---|---|---|---|"
    for result in sorted(results, key=lambda result: (result["table_rows"], result["order"])):
        peak = f"{result['peak_mb']:.0f}" if "peak_mb" in result else ""
        each = result["cpu_seconds"] / result["table_rows"] * 1e6
        yield (
            f"| {result['table_rows']:,} | {result['way']} | {result['seconds']:.0f} | {result['cpu_seconds']:.1f} "
            f"| {each:.2f} | {peak} |"
        )


def main():
    if sys.argv[1:2] == ["--spark-run"]:
        spark_run(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/release/indistinct"))
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--memory", default="400MB")
    parser.add_argument("--work", type=Path, default=Path("target/load"))
    parser.add_argument("--page", type=Path, help="rewrite the table of this page")
    parser.add_argument("--spark", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--spark-rows-in-workers", type=int, metavar="N", help="rows that Spark's workers make themselves")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    declared = options.work / "load.toml"
    declared.write_text(schema())
    kept = options.work / "passes.jsonl"
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []

    def keep(rows, order, way, run):
        if any(result["table_rows"] == rows and result["way"] == way for result in results):
            return
        print(f"{rows:,} rows: {way}", flush=True)
        result = {**run(), "table_rows": rows, "order": order, "way": way}
        results.append(result)
        with kept.open("a") as file:
            file.write(json.dumps(result) + "\n")

    for rows in options.rows:
        table = options.work / f"passes-{rows}.parquet"
        if not table.exists():
            make(table, rows, seed=rows)
        command = [options.binary.resolve(), "synth", table, "--epsilon", "1", "--delta", "1e-6", "--schema", declared, "--seed", "1"]
        command += ["--rows", "100000", "--quiet", "--force", "--out"]
        memory, passes = options.work / f"memory-{rows}", options.work / f"passes-{rows}"
        keep(rows, 0, "memory", lambda: measured([*command, memory]))
        keep(rows, 1, f"`--memory {options.memory}`", lambda: measured([*command, passes, "--memory", options.memory]))
        if (memory / "model.json").read_bytes() != (passes / "model.json").read_bytes():
            sys.exit(f"{rows:,} rows: the release in passes is not that of memory")
        if options.spark:
            keep(rows, 2, "Spark, `local[2]`", lambda: by_spark(table.resolve(), declared, rows))
    if options.spark_rows_in_workers:
        rows = options.spark_rows_in_workers
        keep(rows, 3, WORKERS, lambda: by_spark("-", declared, rows))
    text = "\n".join(lines(results))
    print(text)
    if options.page:
        page = options.page.read_text()
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        options.page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
