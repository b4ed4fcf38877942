"""What passes over rows cost: `synth` from memory, from a Parquet file in passes, and from Spark, on generated tables of ten columns.

    python benches/passes.py --binary target/release/indistinct --rows 1000000 10000000 --page docs/load.md

Rewrites the table between the marks of the page. Tables are made in --work and kept there, results beside them, so that a run that was
stopped goes on where it was. Needs numpy and pyarrow; Spark is measured where pyspark, Java and the Python package are
(`PYTHONPATH=python`). `--spark-rows-in-workers N ...` generates the rows of tables in Spark's workers, so that they never exist as files.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import load
from load import block, measured, peak_memory, schema

GROUP = 500_000
BEGIN, END = "<!-- passes: begin -->", "<!-- passes: end -->"
WORKERS = "Spark, rows made in workers"


def made(rng, rows, columns):
    """Rows of so many columns: ten that depend on each other, and ten more, and so on."""
    tens = [block(rng, rows) for _ in range(columns // 10)]
    names = [name + ("" if ten == 0 else str(ten + 1)) for ten, table in enumerate(tens) for name in table.column_names]
    return pa.table([column for table in tens for column in table.columns], names=names)


def declared_columns(columns):
    """The schema of so many columns."""
    version, *ten = schema().split("\n[[column]]\n")
    numbered = (re.sub('^name = "(.*)"', rf'name = "\g<1>{number or ""}"', one) for number in [0, *range(2, columns // 10 + 1)] for one in ten)
    return version + "".join(f"\n[[column]]\n{column}" for column in numbered)


def make(path, rows, columns, seed):
    """A Parquet file of so many rows, in groups; the same for the same seed."""
    rng = np.random.default_rng(seed)
    part = path.with_suffix(".part")
    writer = None
    for start in range(0, rows, GROUP):
        table = made(rng, min(GROUP, rows - start), columns)
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


def spark_run(table, declared, rows, columns, release):
    """Fits a Spark DataFrame on two cores and prints what it took: run in a process of its own."""
    import indistinct
    from pyspark import cloudpickle
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
        # Workers have this file's functions, but not the module beside it.
        cloudpickle.register_pickle_by_value(load)
        names = ", ".join(f"{field.name} {spark_type(field.type)}" for field in made(np.random.default_rng(0), 10, columns).schema)

        def generated(batches):
            for batch in batches:
                for number in batch.column(0).to_pylist():
                    yield from made(np.random.default_rng(number), GROUP, columns).to_batches(max_chunksize=100_000)

        frame = spark.range(0, rows // GROUP, 1, max(2, rows // GROUP)).mapInArrow(generated, names)
    else:
        frame = spark.read.parquet(table)
    sent = watched(indistinct)
    start, before = time.perf_counter(), tree_seconds()
    fitted = indistinct.Synthesizer(epsilon=1, delta=1e-6, schema=declared, seed=1, rows=100_000).fit(frame)
    took = {"seconds": time.perf_counter() - start, "cpu_seconds": tree_seconds() - before, "rows": fitted.certificate["rows"]}
    print(json.dumps({**took, "passes": sent, "peak_mb": peak_memory(os.getpid()) / 1024}))
    fitted.save(release, force=True)
    spark.stop()


def watched(indistinct):
    """What every pass of Spark sends from now on: columns that it reads, bytes of questions, and bytes of all answers together."""
    from indistinct import _spark

    passes = []
    count, add = _spark.SparkPasses.count, _spark._indistinct.add_counts

    def counted(self, request, queries):
        passes.append({"columns": len(request.asked(queries)), "asked": len(queries)})
        return count(self, request, queries)

    def added(schema, queries, parts):
        passes[-1].update(answers=len(parts), bytes=sum(map(len, parts)))
        return add(schema, queries, parts)

    _spark.SparkPasses.count, _spark._indistinct.add_counts = counted, added
    return passes


def spark_type(kind):
    return "string" if pa.types.is_string(kind) else "bigint" if pa.types.is_integer(kind) else "double"


def by_spark(table, declared, rows, columns, release):
    arguments = map(str, ["--spark-run", table, declared, rows, columns, release])
    process = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        sys.exit(process.stderr[-2000:])
    return json.loads(process.stdout.splitlines()[-1])


def lines(results):
    """The table, by rows and way."""
    yield "| rows | columns | way | seconds | processor seconds | microseconds per row | peak memory, MB |"
    yield "|---|---|---|---|---|---|---|"
    for result in sorted(results, key=lambda result: (result["columns"], result["table_rows"], result["order"])):
        peak = f"{result['peak_mb']:.0f}" if "peak_mb" in result else ""
        each = result["cpu_seconds"] / result["table_rows"] * 1e6
        yield (
            f"| {result['table_rows']:,} | {result['columns']} | {result['way']} | {result['seconds']:.0f} | {result['cpu_seconds']:.1f} "
            f"| {each:.2f} | {peak} |"
        )


def main():
    if sys.argv[1:2] == ["--spark-run"]:
        spark_run(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/release/indistinct"))
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--columns", type=int, default=10, help="ten, or a multiple of it")
    parser.add_argument("--memory", default="400MB")
    parser.add_argument("--work", type=Path, default=Path("target/load"))
    parser.add_argument("--page", type=Path, help="rewrite the table of this page")
    parser.add_argument("--spark", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--spark-rows-in-workers", type=int, nargs="+", default=[], metavar="N", help="rows that Spark's workers make themselves")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.columns % 10 != 0:
        parser.error("columns come by tens")
    declared = options.work / f"columns-{options.columns}.toml"
    declared.write_text(declared_columns(options.columns))
    kept = options.work / "passes.jsonl"
    results = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []

    def keep(rows, order, way, run):
        case = {"table_rows": rows, "columns": options.columns, "way": way}
        if any(result.items() >= case.items() for result in results):
            return
        print(f"{rows:,} rows of {options.columns} columns: {way}", flush=True)
        result = {**run(), **case, "order": order}
        results.append(result)
        with kept.open("a") as file:
            file.write(json.dumps(result) + "\n")

    def name(rows):
        return f"{rows}" if options.columns == 10 else f"{rows}x{options.columns}"

    for rows in options.rows:
        table = options.work / f"passes-{name(rows)}.parquet"
        if not table.exists():
            make(table, rows, options.columns, seed=rows)
        command = [options.binary.resolve(), "synth", table, "--epsilon", "1", "--delta", "1e-6", "--schema", declared, "--seed", "1"]
        command += ["--rows", "100000", "--quiet", "--force", "--out"]
        memory, passes = options.work / f"memory-{name(rows)}", options.work / f"passes-{name(rows)}"
        keep(rows, 0, "memory", lambda: measured([*command, memory]))
        keep(rows, 1, f"`--memory {options.memory}`", lambda: measured([*command, passes, "--memory", options.memory]))
        if (memory / "model.json").read_bytes() != (passes / "model.json").read_bytes():
            sys.exit(f"{rows:,} rows: the release in passes is not that of memory")
        if options.spark:
            spark = options.work / f"spark-{name(rows)}.json"
            keep(rows, 2, "Spark, `local[2]`", lambda: by_spark(table.resolve(), declared, rows, options.columns, spark))
            if (memory / "model.json").read_bytes() != spark.read_bytes():
                sys.exit(f"{rows:,} rows: the release of Spark is not that of memory")
    for rows in options.spark_rows_in_workers:
        keep(rows, 3, WORKERS, lambda: by_spark("-", declared, rows, options.columns, options.work / f"workers-{name(rows)}.json"))
    text = "\n".join(lines(results))
    print(text)
    if options.page:
        page = options.page.read_text()
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        options.page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
