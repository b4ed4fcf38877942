"""Tables of other libraries, in and out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from . import _indistinct

T = TypeVar("T")

_ADVICE = "drop the column, or turn it into numbers, text, dates or booleans"
_KINDS = "give a table of pandas, polars or pyarrow, or the name of a file"


def failure(what: str, advice: str) -> ValueError:
    """What is wrong and what to do, as the command says it."""
    return ValueError(f"{what}\n help: {advice}")


def _unsupported(name: str, column: object, kind: object, more: str = "") -> ValueError:
    # Without what stands in brackets: categories, fill values and the like come from the data.
    word = re.split(r"[(\[<{]", str(kind))[0].strip()
    return failure(f"{name}: column `{column}` is of type {word}{more}, which cannot be read", _ADVICE)


def is_path(table: object) -> bool:
    return isinstance(table, (str, os.PathLike))


def as_source(table: object, name: str) -> _indistinct.Source:
    """The table as something that can be read; ``name`` is what messages call it."""
    if isinstance(table, (str, os.PathLike)):
        return _indistinct.Source.open(table)
    if _is(table, "pandas", "DataFrame"):
        return _of_stream(_pandas_columns(table, name), name)
    for library, kind, advice in [
        ("pandas", "Series", "make a table of it with to_frame()"),
        ("polars", "Series", "make a table of it with to_frame()"),
        ("polars", "LazyFrame", "collect() it first"),
        ("pyarrow", "ChunkedArray", "put it into a pyarrow.table"),
    ]:
        if _is(table, library, kind):
            raise failure(f"{name}: this is a {library} {kind}, not a table", advice)
    if _is(table, "polars", "DataFrame"):
        return _of_stream(_polars_columns(table, name), name)
    if not hasattr(table, "__arrow_c_stream__"):
        raise failure(f"{name}: a {type(table).__name__} is not a table", _KINDS)
    return _of_stream(table, name)


def give_back(like: T, table: _indistinct.ArrowTable) -> T:
    """The table as the kind of table that ``like`` is, with the same types of columns."""
    back: Any
    if _is(like, "pandas", "DataFrame"):
        back = _to_pandas(like, table)
    elif _is(like, "polars", "DataFrame"):
        back = _to_polars(like, table)
    else:
        back = _pyarrow("tables of other libraries").table(table)
        if _is(like, "pyarrow", "RecordBatch"):
            back = back.combine_chunks().to_batches()[0]
    return back  # type: ignore[no-any-return]


def prototype(table: object) -> object:
    """A table of the same kind and types without rows, and without anything else of them; none for a file."""
    if is_path(table):
        return None
    frame: Any = table
    if _is(table, "pandas", "DataFrame"):
        empty = frame.iloc[:0].reset_index(drop=True).copy()
        empty.attrs = {}
        return empty
    if _is(table, "polars", "DataFrame"):
        return frame.clear()
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and _is(table, "pyarrow", "RecordBatch"):
        return pyarrow.RecordBatch.from_arrays([pyarrow.array([])], names=["nothing"])
    return ()


def to_default(table: _indistinct.ArrowTable) -> Any:
    """The table as one of pandas, with the dtypes that suit its columns."""
    columns = _pyarrow("tables of pandas").table(table)
    return _pandas("tables without a library of their own").DataFrame(
        {name: _natural(columns.column(name)) for name in columns.column_names}
    )


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
    for column, kind, alone in _columns_alone(table):
        try:
            _taken(alone(), name)
        except _Unreadable:
            break
    else:
        raise failure(f"{name}: its columns cannot be read as a table", _KINDS)
    # Raised out here, exceptions do not carry those of other libraries, which quote values.
    raise _unsupported(name, column, kind)


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


def _columns_alone(table: Any) -> list[tuple[str, object, Callable[[], Any]]]:
    """Name and type of each column, and how to get a table of it alone."""
    if _is(table, "polars", "DataFrame"):
        return [(name, kind, partial(table.select, name)) for name, kind in table.schema.items()]
    if _is(table, "pyarrow", "Table") or _is(table, "pyarrow", "RecordBatch"):
        return [(field.name, field.type, partial(table.select, [at])) for at, field in enumerate(table.schema)]
    return []


def _pyarrow(why: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError(f"pyarrow is not installed, and {why} need it\n help: pip install pyarrow") from None
    return pyarrow


def _pandas(why: str) -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError(f"pandas is not installed, and {why} need it\n help: pip install pandas") from None
    return pandas


def _natural(column: Any) -> Any:
    """A column of pyarrow as a series: whole numbers and truths stay such if some are missing, and dates are dates."""
    import pyarrow

    if column.null_count and (pyarrow.types.is_integer(column.type) or pyarrow.types.is_boolean(column.type)):
        name = "boolean" if pyarrow.types.is_boolean(column.type) else "Int64"
        return column.to_pandas(types_mapper=lambda _: _pandas("them").api.types.pandas_dtype(name))
    return column.to_pandas(date_as_object=False)


def _pandas_columns(frame: Any, name: str) -> Any:
    """The columns as a pyarrow table, without the index."""
    pyarrow = _pyarrow("tables of pandas")
    arrays = []
    for place, column in enumerate(frame.columns):
        series = frame.iloc[:, place]
        try:
            arrays.append(pyarrow.array(series, from_pandas=True))
            continue
        except (ValueError, TypeError, NotImplementedError, OverflowError, pyarrow.ArrowException):
            pass  # Their texts quote values, and must not even be the context of ours.
        several = " with values of several types" if series.dtype == object else ""
        raise _unsupported(name, column, series.dtype, several)
    return pyarrow.table(arrays, names=[str(column) for column in frame.columns])


def _polars_columns(frame: Any, name: str) -> Any:
    """The columns, those that are all missing with a type that Arrow's Rust library takes from polars."""
    import polars

    for column, kind in frame.schema.items():
        # Handing over Python objects ends the process in some versions of polars.
        if kind == polars.Object or kind.is_nested():
            raise _unsupported(name, column, kind)
    nothing = [name for name, kind in frame.schema.items() if kind == polars.Null]
    return frame.with_columns(polars.col(nothing).cast(polars.Int8)) if nothing else frame


def _to_pandas(like: Any, table: _indistinct.ArrowTable) -> Any:
    import pandas

    columns = _pyarrow("tables of pandas").table(table)
    names = [str(column) for column in like.columns]
    places = [names.index(name) for name in columns.column_names]
    made = {
        place: _as_dtype(columns.column(at), like.dtypes.iloc[place]) for at, place in enumerate(places)
    }
    back = pandas.DataFrame(made)
    back.columns = like.columns.take(places)
    return back


def _as_dtype(column: Any, dtype: Any) -> Any:
    """A column of pyarrow as a series of that dtype, or of the nearest that has missing values."""
    import pandas

    if hasattr(dtype, "__from_arrow__"):
        return pandas.Series(dtype.__from_arrow__(column))
    series = column.to_pandas()
    if series.dtype == dtype:
        return series
    wanted = dtype
    if column.null_count and getattr(dtype, "kind", "") in "iub":
        # numpy has no missing whole numbers and booleans.
        names = {"b": "boolean", "i": dtype.name.capitalize(), "u": "UInt" + dtype.name[len("uint") :]}
        wanted = names[dtype.kind]
    try:
        return series.astype(wanted)
    except (ValueError, TypeError):
        return series


def _to_polars(like: Any, table: _indistinct.ArrowTable) -> Any:
    import polars

    back = polars.DataFrame(table)
    wanted = {name: dtype for name, dtype in like.schema.items() if name in back.columns}
    changed = {name: dtype for name, dtype in wanted.items() if back.schema[name] != dtype}
    for name, dtype in changed.items():
        try:
            back = back.with_columns(polars.col(name).cast(dtype))
        except polars.exceptions.PolarsError:
            pass  # The values do not fit, and keep the type that they have.
    return back
