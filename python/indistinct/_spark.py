"""Spark: rows are counted by the workers. pyspark itself is not imported: what is needed comes with the DataFrame, classic or
Connect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Optional

from . import _indistinct
from ._frames import PANDAS, failure
from ._passes import Passes, Request

_INSTALL = "install indistinct {version} and pyarrow 14 or later on every worker: pip install 'indistinct[spark]=={version}'"
# What a task sends back: counts, or what is wrong and what to do about it. The second is a result and not an exception: Spark would
# try again, and log it.
_COUNTS = "counts binary, problem string, remedy string"
# Results of tasks that are added up by one more task, so that few come back to the driver.
_TOGETHER = 16
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
        # How many results the first pass sent back, which are small: one from each task.
        self._tasks = 0

    def check(self, request: Request) -> None:
        pyarrow = needed_pyarrow()
        if self.table.isStreaming:
            raise failure(
                "table: this is a streaming DataFrame, which can be read only once, and rows are read several times",
                "write its rows to a table, and give that",
            )
        fields = []
        for field in self.table.schema.fields:
            kind = field.dataType.simpleString()
            # What follows is a precision, a length, what is nested, or a collation.
            word = re.split("[(< ]", kind)[0]
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
        columns = pyarrow.schema(fields).empty_table()
        _indistinct.check_columns("table", request.schema, request.person, columns.__arrow_c_stream__())
        self._check_names(request)
        if request.person is not None:
            self._check_persons(request)

    def _check_names(self, request: Request) -> None:
        """Refuses names that Spark cannot tell from others."""
        for name in [*request.columns, *([] if request.person is None else [request.person])]:
            same = [field.name for field in self.table.schema.fields if field.name.lower() == name.lower()]
            try:
                is_clear = len(same) == 1 or self.table.selectExpr(quoted(name)).schema is not None
            except Exception:
                is_clear = False
            if not is_clear:
                # Raised out here, it does not carry an exception of Spark.
                raise failure(
                    f"table: Spark cannot tell the columns {' and '.join(f'`{one}`' for one in same)} apart",
                    "rename or drop one of them, or set spark.sql.caseSensitive to true if they differ by upper and lower case",
                )

    def _check_persons(self, request: Request) -> None:
        """Hashes all rows once, so that whatever is wrong with them is said before anything is charged."""
        task = _hash_task(request, self._person_key(request), None)
        try:
            found = self._renamed([*request.columns, str(request.person)]).mapInArrow(task, "problem string, remedy string").collect()
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
        counted = self._rows(request, queries).mapInArrow(_count_task(request, queries), _COUNTS)
        tasks = self._tasks
        while tasks > _TOGETHER:
            tasks = -(-tasks // _TOGETHER)
            counted = counted.repartition(tasks).mapInArrow(_add_task(request, queries), _COUNTS)
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
        self._tasks = self._tasks or len(parts)
        return _indistinct.add_counts(request.schema, queries, parts)

    def _rows(self, request: Request, queries: bytes) -> Any:
        """The columns that a pass reads, and of each person as many rows as are kept."""
        asked = request.asked(queries)
        if request.person is None:
            return self._renamed(asked)
        # Which rows of a person are kept follows from the key, the person and what is counted of these rows, and from nothing
        # else: not from other persons, so that a person changes at most as many rows as are kept, before and after; and not from
        # partitions, order or tries, so that all passes see the same rows. Spark's rand() would differ between tries, and
        # numbers of rows between partitionings. Equal rows are numbered: each then has a hash of its own, and it does not matter
        # which of them has which number, because all that is counted of them is equal. Rows in memory and in files are chosen by
        # the same hashes (`rows_of_persons` in Rust), and so are the same rows.
        owned = self._renamed([*request.columns, request.person])
        kinds = dict(zip(request.columns, (field.dataType.simpleString() for field in owned.schema.fields)))
        types = ", ".join(f"c{place} {kinds[column]}" for place, column in enumerate(asked))
        task = _hash_task(request, self._person_key(request), asked)
        hashed = owned.mapInArrow(task, f"{types}, __person string, __row string")
        columns = [f"c{place}" for place in range(len(asked))]
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

    def _renamed(self, names: list[str]) -> Any:
        """Some columns as `c0`, `c1` and so on: `mapInArrow` looks columns up by names, and takes `a.b` for a part of `a`. Columns of
        nothing but nulls are text, which functions can return."""
        void = {field.name for field in self.table.schema.fields if field.dataType.simpleString() == "void"}
        read = [f"cast({quoted(name)} as string)" if name in void else quoted(name) for name in names]
        return self.table.selectExpr(*(f"{column} as c{place}" for place, column in enumerate(read)))


def worker_check() -> Callable[[], tuple[Any, Optional[str], Optional[str]]]:
    """What a worker does first: it finds the package, or says what to install. A function that is sent as it is, so that a worker
    without the package can say so."""
    version = _indistinct.__version__
    install = _INSTALL.format(version=version)

    def find() -> tuple[Any, Optional[str], Optional[str]]:
        import pyarrow

        try:
            from indistinct import _indistinct as module
        except ImportError:
            return None, "a worker of the cluster does not have indistinct", install
        if module.__version__ != version:
            return None, "a worker of the cluster has another version of indistinct than the driver", install
        if not hasattr(pyarrow.RecordBatch, "__arrow_c_stream__"):
            return None, "a worker of the cluster has a version of pyarrow that is too old", install
        return module, None, None

    return find


def _hash_task(request: Request, key: bytes, asked: Optional[list[str]]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a worker does to rows of persons: it adds the hashes of person and contents to the columns that a pass reads, and leaves
    out what is nobody's. Or, without such columns, it says what is wrong with the rows."""
    schema, invalid, person, check = request.schema, request.invalid, str(request.person), worker_check()
    read = [*request.columns, person]

    def hash_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        module, problem, remedy = check()
        for batch in batches:
            if problem is not None or batch.num_rows == 0:
                continue
            batch = pyarrow.RecordBatch.from_arrays(batch.columns, names=read)
            try:
                rows, persons, contents = module.hash_rows(schema, person, {"invalid": invalid}, key, batch.__arrow_c_stream__())
            except module.PassFailed as failed:
                problem, remedy = failed.args
                continue
            if asked is not None:
                kept = batch.take(pyarrow.array(rows, pyarrow.int64()))
                hashes = [pyarrow.array(persons, pyarrow.string()), pyarrow.array(contents, pyarrow.string())]
                yield pyarrow.RecordBatch.from_arrays(
                    [*(kept.column(read.index(name)) for name in asked), *hashes],
                    names=[*(f"c{place}" for place in range(len(asked))), "__person", "__row"],
                )
        if problem is not None and asked is None:
            yield pyarrow.RecordBatch.from_arrays(
                [pyarrow.array([problem], pyarrow.string()), pyarrow.array([remedy], pyarrow.string())],
                names=["problem", "remedy"],
            )
        elif problem is not None:
            # Rows were checked before: they have changed. The text is ours.
            raise RuntimeError(problem)

    return hash_partition


def _count_task(request: Request, queries: bytes) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a worker does to the rows of a partition: it counts them."""
    schema, invalid, check, asked = request.schema, request.invalid, worker_check(), request.asked(queries)

    def count_partition(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        counts = None
        module, problem, remedy = check()
        if problem is None:
            try:
                counter = module.Counter(schema, queries, {"invalid": invalid, "threads": 1})
                for batch in batches:
                    counter.add(pyarrow.RecordBatch.from_arrays(batch.columns, names=asked).__arrow_c_stream__())
                counts = counter.counts()
            except module.PassFailed as failed:
                problem, remedy = failed.args
        for _ in batches:
            pass
        kinds = [pyarrow.binary(), pyarrow.string(), pyarrow.string()]
        values = [pyarrow.array([value], kind) for value, kind in zip([counts, problem, remedy], kinds)]
        yield pyarrow.RecordBatch.from_arrays(values, names=["counts", "problem", "remedy"])

    return count_partition


def _add_task(request: Request, queries: bytes) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """What a worker does to the results of several tasks: it adds them up, or hands on what is wrong."""
    schema, check = request.schema, worker_check()

    def add_results(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        module, problem, remedy = check()
        parts: list[bytes] = []
        for batch in batches:
            for counts, said, advice in zip(*(column.to_pylist() for column in batch.columns)):
                if said is not None:
                    problem, remedy = said, advice
                elif problem is None:
                    parts = [module.add_counts(schema, queries, [*parts, counts])]
        if problem is not None or parts:
            kinds = [pyarrow.binary(), pyarrow.string(), pyarrow.string()]
            added = [None if problem is not None else parts[0], problem, remedy]
            values = [pyarrow.array([value], kind) for value, kind in zip(added, kinds)]
            yield pyarrow.RecordBatch.from_arrays(values, names=["counts", "problem", "remedy"])

    return add_results


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def needed_pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("pyarrow is not installed, and Spark needs it\n help: pip install 'indistinct[spark]'") from None
    return pyarrow
