"""Tables of other libraries, in and out.

What comes out is typed by the schema that it was released or read with, and by nothing of the table that went in but its
library: dtypes, categories and metadata of a private table may depend on its rows.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from . import _indistinct, _pandas

if TYPE_CHECKING:
    from ._schema import ColumnDescription

_ADVICE = "drop the column, or turn it into numbers, text, dates or booleans"
_KINDS = "give a table of pandas, polars or pyarrow, or the name of a file"

# Kinds of tables that are given back.
PANDAS, POLARS, PYARROW, RECORD_BATCH = "pandas", "polars", "pyarrow", "pyarrow.RecordBatch"


def failure(what: str, advice: str) -> ValueError:
    """What is wrong and what to do, as the command says it."""
    return ValueError(f"{what}\n help: {advice}")


def _unsupported(name: str, place: int, kind: object, more: str = "") -> ValueError:
    # Columns by place: a name may be a value of a file that was read without its header.
    # Without what stands in brackets: categories, fill values and the like come from the data.
    word = re.split(r"[(\[<{]", str(kind))[0].strip()
    return failure(f"{name}: column {place} is of type {word}{more}, which cannot be read", _ADVICE)


def is_path(table: object) -> bool:
    return isinstance(table, (str, os.PathLike))


def as_source(table: object, name: str) -> _indistinct.Source:
    """The table as something that can be read; ``name`` is what messages call it."""
    if isinstance(table, (str, os.PathLike)):
        return _indistinct.Source.open(table)
    library = library_of(table, name)
    if library == PANDAS:
        return _of_pandas(table, name)
    if library == POLARS:
        return _of_stream(polars_columns(table, name), name)
    return _of_stream(table, name)


def library_of(table: object, name: str) -> str:
    """The library whose kind of table it is, which is all that is kept of a table; that of files is pandas."""
    if is_path(table) or _is(table, "pandas", "DataFrame"):
        return PANDAS
    for library, kind, advice in [
        ("pandas", "Series", "make a table of it with to_frame()"),
        ("polars", "Series", "make a table of it with to_frame()"),
        ("polars", "LazyFrame", "collect() it first"),
        ("pyarrow", "ChunkedArray", "put it into a pyarrow.table"),
    ]:
        if _is(table, library, kind):
            raise failure(f"{name}: this is a {library} {kind}, not a table", advice)
    if any(kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.") for kind in type(table).__mro__):
        raise failure(f"{name}: this is a Spark DataFrame, which only fit and split take", "take a sample: df.limit(100000).toPandas()")
    if _is(table, "pyspark.pandas", "DataFrame"):
        raise failure(f"{name}: this is a pandas-on-Spark DataFrame", "give the Spark DataFrame, table.to_spark(), to fit or split")
    if _is(table, "polars", "DataFrame"):
        return POLARS
    if not hasattr(table, "__arrow_c_stream__"):
        raise failure(f"{name}: a {type(table).__name__} is not a table", _KINDS)
    return RECORD_BATCH if _is(table, "pyarrow", "RecordBatch") else PYARROW


def give_back(library: str, table: _indistinct.ArrowTable, columns: list[ColumnDescription]) -> Any:
    """The table as one of that library; ``columns`` are what its schema declares, and decide on every type."""
    if library == PANDAS:
        return _to_pandas(table, columns)
    if library == POLARS:
        return _to_polars(table, columns)
    back = _pyarrow("tables of other libraries").table(table)
    return back.combine_chunks().to_batches()[0] if library == RECORD_BATCH else back


def named_tables(tables: object, name: str) -> list[tuple[str, object]]:
    """One table, several, or several with names: each with what it is called."""
    if isinstance(tables, Mapping):
        return [(str(key), table) for key, table in tables.items()]
    if isinstance(tables, (list, tuple)):
        return [
            (os.fspath(table) if isinstance(table, (str, os.PathLike)) else f"{name} {place}", table)
            for place, table in enumerate(tables, 1)
        ]
    return [(os.fspath(tables) if isinstance(tables, (str, os.PathLike)) else name, tables)]


def _is(table: object, library: str, kind: str) -> bool:
    """Whether it is of that class, without importing the library: a table of it would have."""
    module = sys.modules.get(library)
    found = getattr(module, kind, None)
    return isinstance(found, type) and isinstance(table, found)


def _of_stream(table: Any, name: str) -> _indistinct.Source:
    try:
        return _taken(table, name)
    except _Unreadable:
        pass
    for place, (kind, alone) in enumerate(_columns_alone(table), 1):
        try:
            _taken(alone(), name)
        except _Unreadable:
            break
    else:
        raise failure(f"{name}: its columns cannot be read as a table", _KINDS)
    # Raised out here, exceptions do not carry those of other libraries, which quote values.
    raise _unsupported(name, place, kind)


class _Unreadable(Exception):
    """A stream that cannot be taken over."""


def _taken(table: Any, name: str) -> _indistinct.Source:
    try:
        stream = table.__arrow_c_stream__()
    except (KeyboardInterrupt, MemoryError, ImportError):
        raise
    except BaseException:
        # Other libraries' errors may quote values, and some of their panics are not even exceptions.
        raise _Unreadable from None
    try:
        return _indistinct.Source.from_arrow(name, stream)
    except TypeError:
        raise _Unreadable from None


def _columns_alone(table: Any) -> list[tuple[object, Callable[[], Any]]]:
    """The type of each column, and how to get a table of it alone."""
    if _is(table, "polars", "DataFrame"):
        return [(kind, partial(table.select, name)) for name, kind in table.schema.items()]
    if _is(table, "pyarrow", "Table") or _is(table, "pyarrow", "RecordBatch"):
        return [(field.type, partial(table.select, [at])) for at, field in enumerate(table.schema)]
    return []


def _pyarrow(why: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"pyarrow is not installed, and {why} need it\n help: pip install pyarrow") from None
    return pyarrow


def _imported_pandas(why: str) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(f"pandas is not installed, and {why} need it\n help: pip install pandas") from None
    return pandas


def _of_pandas(frame: Any, name: str) -> _indistinct.Source:
    """The columns of a table of pandas, without the index: by pyarrow where it is installed, otherwise by numpy."""
    try:
        import pyarrow
    except ImportError:
        return _pandas.source_of(frame, name, _unsupported)
    arrays = []
    for place in range(frame.shape[1]):
        series = frame.iloc[:, place]
        try:
            array = pyarrow.array(series, from_pandas=True)
            kind = array.type.value_type if pyarrow.types.is_dictionary(array.type) else array.type
            # A column that begins with a day would make days of all that follow.
            if not (pyarrow.types.is_date(kind) and _pandas.mixes_days_and_moments(series.dropna())):
                arrays.append(array)
                continue
        except (ValueError, TypeError, NotImplementedError, OverflowError, pyarrow.ArrowException):
            pass  # Their texts quote values, and must not even be the context of ours.
        several = " with values of several types" if series.dtype == object else ""
        raise _unsupported(name, place + 1, series.dtype, several)
    return _of_stream(pyarrow.table(arrays, names=[str(column) for column in frame.columns]), name)


def polars_columns(frame: Any, name: str) -> Any:
    """The columns, those that are all missing with a type that Arrow's Rust library takes from polars."""
    import polars

    for place, kind in enumerate(frame.schema.values(), 1):
        # Handing over Python objects ends the process in some versions of polars.
        if kind == polars.Object or kind.is_nested():
            raise _unsupported(name, place, kind)
    nothing = [name for name, kind in frame.schema.items() if kind == polars.Null]
    return frame.with_columns(polars.col(nothing).cast(polars.Int8)) if nothing else frame


def _to_pandas(table: _indistinct.ArrowTable, columns: list[ColumnDescription]) -> Any:
    return _pandas.to_frame(table, columns, _imported_pandas("tables without a library of their own"))


def _to_polars(table: _indistinct.ArrowTable, columns: list[ColumnDescription]) -> Any:
    import polars

    back = polars.DataFrame(table)
    enums = {
        column["name"]: polars.Enum(_pandas.levels_of(column))
        for column in columns
        if back.schema.get(column["name"]) == polars.Categorical
    }
    return back.cast(enums) if enums else back  # type: ignore[arg-type]
