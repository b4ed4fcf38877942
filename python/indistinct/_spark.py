"""Spark: rows are counted by the workers, and rows are made by them. pyspark itself is not imported: what is needed comes with the
DataFrame or the session, classic or Connect."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Optional

from . import _indistinct
from ._frames import PANDAS, failure
from ._passes import Passes, Request

_INSTALL = "install indistinct {version} and pyarrow 14 or later on every worker: pip install 'indistinct[spark]=={version}'"
# Rows that a worker makes at once.
_PIECE = 250_000
# Spark's types that Arrow has, and that can be read.
_READABLE = {
    "boolean": "bool_",
    "tinyint": "int8",
    "smallint": "int16",
    "int": "int32",
    "bigint": "int64",
    "float": "float32",
    "double": "float64",
    "string": "string",
    "date": "date32",
    "void": "null",
}


class SparkPasses(Passes):
    """A Spark DataFrame. For every pass the queries go to the workers, which count the rows of each partition, and one small row
    of counts comes back from each task.

    Counts are results of tasks, and never accumulators: of a task that Spark tries again, or runs twice for speed, one result
    counts.
    """

    library = PANDAS

    def __init__(self, table: Any) -> None:
        super().__init__(table)
        # The same in every pass and every retry, so that the same rows of a person are kept.
        self._key = _indistinct.person_key(None)

    def check(self, request: Request) -> None:
        pyarrow = _pyarrow()
        fields = []
        for field in self.table.schema.fields:
            kind = field.dataType.simpleString()
            word = kind.split("(")[0].split("<")[0]
            if word == "decimal":
                precision, scale = kind[len("decimal(") : -1].split(",")
                arrow = pyarrow.decimal128(int(precision), int(scale))
            elif word in ("varchar", "char"):
                arrow = pyarrow.string()
            elif word in ("timestamp", "timestamp_ntz"):
                arrow = pyarrow.timestamp("us", tz="UTC" if word == "timestamp" else None)
            elif word in _READABLE:
                arrow = getattr(pyarrow, _READABLE[word])()
            elif field.name in request.columns or field.name == request.person:
                raise failure(
                    f"table: column `{field.name}` is of type {word}, which cannot be read",
                    "drop the column, or turn it into numbers, text, dates or booleans",
                )
            else:
                arrow = pyarrow.null()
            fields.append((field.name, arrow))
        if request.person is not None:
            # The schema need not declare it, and never releases it.
            if request.person not in [name for name, _ in fields]:
                raise failure(
                    f"table: there is no column `{request.person}` to tell persons by",
                    "check the spelling of the column that says whose rows they are",
                )
            fields = [(name, kind) for name, kind in fields if name != request.person]
        columns = pyarrow.schema(fields).empty_table()
        _indistinct.check_columns("table", request.schema, request.person, columns.__arrow_c_stream__())
        if request.person is not None:
            self._check_persons(request)

    def _check_persons(self, request: Request) -> None:
        """Hashes all rows once, so that whatever is wrong with them is said before anything is charged."""
        task = _hash_task(request, self._person_key(request), only_problems=True)
        try:
            found = self._owned(request).mapInArrow(task, "problem string, remedy string").collect()
        except Exception as error:
            class_name = type(error).__name__
        else:
            for problem, remedy in found:
                raise failure(problem, remedy)
            return
        raise failure(f"table: its rows cannot be read ({class_name})", "look into the logs of the cluster")

    def _person_key(self, request: Request) -> bytes:
        return self._key if request.seed is None else _indistinct.person_key(request.seed)

    def count(self, request: Request, queries: bytes) -> bytes:
        rows = self._rows(request)
        counted = rows.mapInArrow(_count_task(request, queries), "counts binary, problem string, remedy string")
        try:
            collected = counted.collect()
        except Exception as error:
            # Spark itself needs it there, before our function is called. Nothing else of the text is used.
            if "No module named 'pyarrow'" not in str(error):
                raise
            collected = [(None, "a worker of the cluster does not have pyarrow", _INSTALL.format(version=_indistinct.__version__))]
        parts = []
        for counts, problem, remedy in collected:
            if problem is not None:
                raise _indistinct.PassFailed(problem, remedy)
            parts.append(bytes(counts))
        return _indistinct.add_counts(request.schema, queries, parts)

    def _rows(self, request: Request) -> Any:
        """The columns that are counted, and of each person as many rows as are kept."""
        columns = [_quoted(column) for column in request.columns]
        if request.person is None:
            return self.table.selectExpr(*columns)
        # Which rows of a person are kept follows from the key, the person and what is counted of these rows, and from nothing
        # else: not from other persons, so that a person changes at most as many rows as are kept, before and after; and not from
        # partitions, order or tries, so that all passes see the same rows. Spark's rand() would differ between tries, and
        # numbers of rows between partitionings. Equal rows are numbered: each then has a hash of its own, and it does not matter
        # which of them has which number, because all that is counted of them is equal. Rows in memory and in files are chosen by
        # the same hashes (`rows_of_persons` in Rust), and so are the same rows.
        kinds = {field.name: field.dataType.simpleString() for field in self._owned(request).schema.fields}
        types = ", ".join(f"{_quoted(column)} {kinds[column]}" for column in request.columns)
        hashed = self._owned(request).mapInArrow(
            _hash_task(request, self._person_key(request)), f"{types}, __person string, __row string"
        )
        number = "row_number() over (partition by __person, __row order by __row)"
        copy = "if(__number = 1, __row, substr(sha2(concat(__row, ':', __number), 256), 1, 16))"
        place = f"row_number() over (partition by __person order by {copy}, __number)"
        return (
            hashed.repartition("__person")
            .selectExpr(*columns, "__person", "__row", f"{number} as __number")
            .selectExpr(*columns, f"{place} as __place")
            .where(f"__place <= {int(request.rows_per_person)}")
            .selectExpr(*columns)
        )

    def _owned(self, request: Request) -> Any:
        """The columns that are counted, and that of persons. Columns of nothing but nulls are text, which functions can return."""
        void = {field.name for field in self.table.schema.fields if field.dataType.simpleString() == "void"}
        names = [*request.columns, str(request.person)]
        return self.table.selectExpr(
            *(f"cast({_quoted(name)} as string) as {_quoted(name)}" if name in void else _quoted(name) for name in names)
        )


def _hash_task(request: Request, key: bytes, only_problems: bool = False) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a worker does to rows of persons: it adds the hashes of person and contents, and leaves out what is nobody's. Or it
    says what is wrong with the rows."""
    schema, invalid, person, version = request.schema, request.invalid, str(request.person), _indistinct.__version__
    install = _INSTALL.format(version=version)

    def hash_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        problem, remedy = None, install
        try:
            from indistinct import _indistinct as module
        except ImportError:
            problem = "a worker of the cluster does not have indistinct"
        else:
            if module.__version__ != version:
                problem = "a worker of the cluster has another version of indistinct than the driver"
            elif not hasattr(pyarrow.RecordBatch, "__arrow_c_stream__"):
                problem = "a worker of the cluster has a version of pyarrow that is too old"
        for batch in batches:
            if problem is not None or batch.num_rows == 0:
                continue
            try:
                rows, persons, contents = module.hash_rows(schema, person, {"invalid": invalid}, key, batch.__arrow_c_stream__())
            except module.PassFailed as failed:
                problem, remedy = failed.args
                continue
            if not only_problems:
                kept = batch.take(pyarrow.array(rows, pyarrow.int64()))
                columns = [column for name, column in zip(kept.schema.names, kept.columns) if name != person]
                names = [name for name in kept.schema.names if name != person]
                yield pyarrow.RecordBatch.from_arrays(
                    [*columns, pyarrow.array(persons, pyarrow.string()), pyarrow.array(contents, pyarrow.string())],
                    names=[*names, "__person", "__row"],
                )
        if problem is not None and only_problems:
            yield pyarrow.RecordBatch.from_arrays(
                [pyarrow.array([problem], pyarrow.string()), pyarrow.array([remedy], pyarrow.string())],
                names=["problem", "remedy"],
            )
        elif problem is not None:
            # Rows were checked before: they have changed. The text is ours.
            raise RuntimeError(problem)

    return hash_partition


def _count_task(request: Request, queries: bytes) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a worker does: a function that is sent as it is, so that a worker without the package can say so."""
    schema, invalid, version = request.schema, request.invalid, _indistinct.__version__
    install = _INSTALL.format(version=version)

    def count_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        counts, problem, remedy = None, None, None
        try:
            from indistinct import _indistinct as module
        except ImportError:
            problem, remedy = "a worker of the cluster does not have indistinct", install
        else:
            if module.__version__ != version:
                problem, remedy = "a worker of the cluster has another version of indistinct than the driver", install
            elif not hasattr(pyarrow.RecordBatch, "__arrow_c_stream__"):
                problem, remedy = "a worker of the cluster has a version of pyarrow that is too old", install
            else:
                try:
                    counter = module.Counter(schema, queries, {"invalid": invalid, "threads": 1})
                    for batch in batches:
                        counter.add(batch.__arrow_c_stream__())
                    counts = counter.counts()
                except module.PassFailed as failed:
                    # A result and not an exception: Spark would try again, and log it.
                    problem, remedy = failed.args
        for _ in batches:
            pass
        kinds = [pyarrow.binary(), pyarrow.string(), pyarrow.string()]
        values = [pyarrow.array([value], kind) for value, kind in zip([counts, problem, remedy], kinds)]
        yield pyarrow.RecordBatch.from_arrays(values, names=["counts", "problem", "remedy"])

    return count_partition


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
    pyarrow = _pyarrow()
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
    columns = ", ".join(f"{_quoted(name)} {kind}" for name, kind in types)
    base = secrets.token_hex(16) if seed is None else str(seed)
    partitions = min(rows, partitions or -(-rows // _PIECE))
    task = _sample_task(fitted.state(), base, partitions, options)
    # One number for each partition.
    made = spark.range(0, partitions, 1, partitions).mapInArrow(task, columns)
    made.write.format(format).mode("overwrite" if force else "error").save(path)


def _sample_task(
    release: str, base: str, partitions: int, options: dict[str, Any]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    version, most = _indistinct.__version__, _PIECE
    install = _INSTALL.format(version=version)

    def sample_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import hashlib

        import pyarrow

        try:
            from indistinct import _indistinct as module
        except ImportError:
            raise RuntimeError(f"a worker of the cluster does not have indistinct\n help: {install}") from None
        if module.__version__ != version:
            raise RuntimeError(f"a worker of the cluster has another version of indistinct\n help: {install}")
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


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("pyarrow is not installed, and Spark needs it\n help: pip install 'indistinct[spark]'") from None
    return pyarrow
