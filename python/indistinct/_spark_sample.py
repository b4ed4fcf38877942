"""Spark: rows are made and written by the workers, and nothing of the private table is needed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Optional

from . import _indistinct
from ._frames import failure
from ._spark import needed_pyarrow, quoted, worker_check

# Rows that a worker makes at once.
_PIECE = 250_000


def write_sample(
    spark: Any,
    fitted: _indistinct.Fitted,
    path: str,
    options: dict[str, Any],
    *,
    format: str,
    partitions: Optional[int],
    force: bool,
) -> None:
    """Has workers make rows and write them. Every piece of rows has a stream of random numbers of its own, by its number and
    not by the task that makes it: a task that is tried again makes the same rows."""
    pyarrow = needed_pyarrow()
    rows = options["rows"]
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise failure("rows must be a whole number of at least 1", "say how many rows to make")
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise failure("partitions must be a whole number of at least 1", "leave it out for pieces of 250000 rows")
    if not hasattr(spark, "range"):
        raise failure(f"a {type(spark).__name__} is not a Spark session", "give the SparkSession first, then the number of rows")
    # Whatever is wrong with the options is said here, and types are those of a row.
    seed = options["seed"]
    first = pyarrow.table(fitted.sample({**options, "rows": 1, "threads": 1, "seed": 0 if seed is None else seed}, None))
    types = [(field.name, _spark_type(pyarrow, field.type)) for field in first.schema]
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in types)
    base = secrets.token_hex(16) if seed is None else str(seed)
    partitions = min(rows, partitions or -(-rows // _PIECE))
    task = _sample_task(fitted.state(), base, partitions, options)
    # One number for each partition.
    made = spark.range(0, partitions, 1, partitions).mapInArrow(task, columns)
    made.write.format(format).mode("overwrite" if force else "error").save(path)


def _sample_task(
    release: str, base: str, partitions: int, options: dict[str, Any]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    most, check = _PIECE, worker_check()

    def sample_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import hashlib

        import pyarrow

        module, problem, remedy = check()
        if problem is not None:
            raise RuntimeError(f"{problem}\n help: {remedy}")
        fitted = module.Fitted.of_state(release)
        for batch in batches:
            for number in batch.column(0).to_pylist():
                begin = options["rows"] * number // partitions
                left, piece = options["rows"] * (number + 1) // partitions - begin, 0
                while left > 0:
                    digest = hashlib.sha256(f"rows {base} {number} {piece}".encode()).digest()
                    wanted = {"rows": min(left, most), "seed": int.from_bytes(digest[:8], "big"), "threads": 1}
                    table = pyarrow.table(fitted.sample({**options, **wanted}, None))
                    plain = [
                        column.cast(column.type.value_type) if pyarrow.types.is_dictionary(column.type) else column
                        for column in table.columns
                    ]
                    yield from pyarrow.table(plain, names=table.column_names).to_batches(max_chunksize=10_000)
                    left, piece = left - wanted["rows"], piece + 1

    return sample_partition


def _spark_type(pyarrow: Any, kind: Any) -> str:
    """The type of Spark for one of those that released tables have."""
    types = pyarrow.types
    if types.is_dictionary(kind):
        return _spark_type(pyarrow, kind.value_type)
    for is_kind, word in [
        (types.is_integer, "bigint"),
        (types.is_floating, "double"),
        (types.is_boolean, "boolean"),
        (types.is_date, "date"),
        (types.is_timestamp, "timestamp_ntz"),
    ]:
        if is_kind(kind):
            return word
    return "string"
