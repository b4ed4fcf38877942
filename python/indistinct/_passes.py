"""Private rows that are not in memory: they are read again for every pass, batch by batch, and only counts of them are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Optional

from . import _indistinct
from ._frames import POLARS, PYARROW, failure, is_path, polars_columns

# Rows that are asked for at once: enough that reading costs more than asking.
BATCH = 1 << 16

# Bytes of memory for rows of persons, while it is chosen which of them are kept.
_PERSONS = 1 << 30

_AGAIN = (
    "read it into memory (pyarrow's read_all, pandas or polars), or give something that can be read again: a "
    "pyarrow.dataset, a polars LazyFrame, a DuckDB relation, or a function without arguments that opens a new stream"
)


@dataclass(frozen=True)
class Request:
    """What rows are counted for: the schema's text, and the options that decide which rows and cells count."""

    schema: str
    invalid: str
    person: Optional[str]
    rows_per_person: int
    seed: Optional[int]
    threads: Optional[int]

    @property
    def columns(self) -> list[str]:
        """The columns that are counted, in the schema's order."""
        return _indistinct.asked_columns(self.schema)

    @property
    def options(self) -> dict[str, Any]:
        """How rows are read."""
        return {"invalid": self.invalid, "threads": self.threads}

    def asked(self, queries: bytes) -> list[str]:
        """Those of them that a pass must read: all of them for the first, which checks every cell."""
        return _indistinct.asked_columns(self.schema, queries)


class Passes:
    """Rows that can be read again."""

    # The library whose tables samples are.
    library = PYARROW

    def __init__(self, table: Any) -> None:
        self.table = table
        # The rows that are kept of each person, once they were chosen.
        self._chosen: Optional[_indistinct.RowsOfPersons] = None

    def check(self, request: Request) -> None:
        """Refuses columns that are not those of the schema, and types that cannot be read: before anything is read or charged."""
        try:
            stream = self.no_rows()
        except (KeyboardInterrupt, MemoryError, ImportError):
            raise
        except _indistinct.PassFailed as failed:
            problem, remedy = failed.args
            raise failure(problem, remedy) from None
        except Exception as error:
            class_name = type(error).__name__
        else:
            _indistinct.check_columns("table", request.schema, request.person, stream)
            return
        # Raised out here, it does not carry an exception that may quote values.
        raise failure(f"table: its columns cannot be read ({class_name})", "check that it can be read at all, by a few rows")

    def no_rows(self) -> object:
        """A stream of its columns without rows."""
        raise NotImplementedError

    def streams(self, columns: list[str]) -> Iterable[object]:
        """Streams of all rows, one after the other, of at least these columns."""
        raise NotImplementedError

    def count(self, request: Request, queries: bytes) -> bytes:
        """One pass: the counts of all rows, or of those that are kept of each person."""
        columns = request.asked(queries)
        if request.person is not None:
            # Rows are told by all that is counted of them, because their order may be another in every pass.
            columns = [*request.columns, request.person]
            self._chosen = self._chosen or self._choose(request, columns)
        counter = _indistinct.Counter(request.schema, queries, request.options, self._chosen)
        for stream in self.streams(columns):
            counter.add(stream)
        return counter.counts()

    def _choose(self, request: Request, columns: list[str]) -> _indistinct.RowsOfPersons:
        """Chooses the rows of each person, by one pass or, where there are many rows, by several."""
        key = _indistinct.person_key(request.seed)
        chooser = _indistinct.PersonChooser(
            request.schema, str(request.person), request.rows_per_person, request.options, key, _PERSONS
        )
        goes_on = True
        while goes_on:
            for stream in self.streams(columns):
                chooser.add(stream)
            goes_on = chooser.end_pass()
        return chooser.chosen()


class _Dataset(Passes):
    """A ``pyarrow.dataset``: files that are read a few batches ahead."""

    def no_rows(self) -> object:
        return self.table.schema.empty_table().__arrow_c_stream__()

    def streams(self, columns: list[str]) -> Iterator[object]:
        scanner = self.table.scanner(columns=columns, batch_size=BATCH, batch_readahead=4, fragment_readahead=2)
        yield scanner.to_reader().__arrow_c_stream__()


class _LazyFrame(Passes):
    """A query of polars, whose result comes in batches."""

    library = POLARS

    def check(self, request: Request) -> None:
        if not hasattr(self.table, "collect_batches"):
            raise failure(
                "table: this version of polars does not give the rows of a LazyFrame in batches",
                "install polars 1.34 or later, or collect() it if it fits into memory",
            )
        super().check(request)

    def no_rows(self) -> object:
        import polars

        empty = polars.DataFrame(schema=self.table.collect_schema())
        try:
            columns = polars_columns(empty, "table")
        except ValueError as unreadable:
            # Of a table without rows nothing else can be wrong: the text is ours.
            raise _indistinct.PassFailed(*str(unreadable).split("\n help: ")) from None
        return columns.__arrow_c_stream__()

    def streams(self, columns: list[str]) -> Iterator[object]:
        for batch in self.table.select(columns).collect_batches(chunk_size=BATCH, maintain_order=False):
            yield polars_columns(batch, "table").__arrow_c_stream__()


class _Relation(Passes):
    """A relation of DuckDB: the query is run again for every pass."""

    def _reader(self, relation: Any) -> Any:
        for name in ("to_arrow_reader", "fetch_arrow_reader", "fetch_record_batch"):
            if hasattr(relation, name):
                return getattr(relation, name)(BATCH)
        raise failure("table: this version of DuckDB gives no batches of rows", "install DuckDB 1.0 or later")

    def no_rows(self) -> object:
        # The connection has one open result at most: this one is closed before the passes.
        reader = self._reader(self.table.limit(0))
        schema = reader.schema
        reader.close()
        return schema.empty_table().__arrow_c_stream__()

    def streams(self, columns: list[str]) -> Iterator[object]:
        named = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
        yield self._reader(self.table.project(named)).__arrow_c_stream__()


class _Function(Passes):
    """A function without arguments that opens a new stream of all rows."""

    def __init__(self, table: Any) -> None:
        super().__init__(table)
        self._opened: object = None
        self._was_read = False

    def no_rows(self) -> object:
        return next(iter(self.streams([])))

    def count(self, request: Request, queries: bytes) -> bytes:
        counts = super().count(request, queries)
        if not self._was_read:
            # The first pass, before anything is charged: what can be read once only was read to its end, and gives nothing any more.
            self._was_read = True
            has_rows = counts != _indistinct.add_counts(request.schema, queries, [])
            if has_rows and not any(map(_indistinct.has_rows, self.streams([]))):
                raise _indistinct.PassFailed(
                    "the function that opens the rows gave none when it was called again: what it opens can be read only once",
                    "open the source of the rows in the function, every time",
                )
        return counts

    def streams(self, columns: list[str]) -> Iterator[object]:
        opened = self.table()
        if opened is self._opened and _is_read_once(opened):
            # The first pass tells, before anything is charged: later ones would find no rows.
            raise _indistinct.PassFailed(
                f"the function that opens the rows returned the same {type(opened).__name__} twice, and it can be read only once",
                "open a new one in the function, every time",
            )
        self._opened = opened
        if not hasattr(opened, "__arrow_c_stream__"):
            raise _indistinct.PassFailed(
                f"the function that opens the rows returned a {type(opened).__name__}, which is no stream of Arrow batches",
                "return a pyarrow.RecordBatchReader, a new one every time",
            )
        yield opened.__arrow_c_stream__()


def passes_of(table: Any) -> Optional[Passes]:
    """The table as rows that can be read again, if it is not one that is read into memory. Streams that can be read once only
    are refused."""
    if is_path(table):
        return None
    if is_spark(table):
        from ._spark import SparkPasses

        return SparkPasses(table)
    kinds: list[tuple[str, str, Callable[[Any], Passes]]] = [
        ("pyarrow.dataset", "Dataset", _Dataset),
        ("polars", "LazyFrame", _LazyFrame),
        ("duckdb", "DuckDBPyRelation", _Relation),
    ]
    for module, kind, made in kinds:
        found = getattr(sys.modules.get(module), kind, None)
        if isinstance(found, type) and isinstance(table, found):
            return made(table)
    if _is_read_once(table) or (isinstance(table, Iterator) and not hasattr(table, "__arrow_c_stream__")):
        raise failure(f"table: a {type(table).__name__} can be read only once, and rows are read several times", _AGAIN)
    if callable(table) and not isinstance(table, type) and not hasattr(table, "__arrow_c_stream__"):
        return _Function(table)
    return None


def _is_read_once(table: object) -> bool:
    reader = getattr(sys.modules.get("pyarrow"), "RecordBatchReader", None)
    return isinstance(reader, type) and isinstance(table, reader)


def is_spark(table: object) -> bool:
    """Whether it is a Spark DataFrame, classic or Connect, without importing Spark."""
    return any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.") for kind in type(table).__mro__)


