"""Tables of pandas, in and out, without pyarrow: by bytes that numpy reads and writes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

from . import _indistinct

if TYPE_CHECKING:
    from ._schema import ColumnDescription

# A column on its way in: kind, values, whether there is one, and what codes refer to.
_Column = tuple[str, bytes, bytes, list[str]]


def to_frame(table: _indistinct.ArrowTable, columns: list[ColumnDescription], pandas: Any) -> Any:
    """A table of pandas with the types that a schema declares; all of them have missing values, whether or not there are any."""
    declared = {column["name"]: column for column in columns}
    return pandas.DataFrame(
        {name: _series(kind, data, valid, declared[name], pandas) for name, kind, data, valid in table.columns()}
    )


def levels_of(column: ColumnDescription) -> list[str]:
    """What the values of a column of categories are called, in their order."""
    return column["levels"] if "levels" in column else [column["false"], column["true"]]


def _series(kind: str, data: bytes, valid: bytes, declared: ColumnDescription, pandas: Any) -> Any:
    import numpy

    missing = numpy.frombuffer(valid, dtype=numpy.uint8) == 0
    if kind == "int64":
        return pandas.Series(pandas.arrays.IntegerArray(numpy.frombuffer(data, dtype=numpy.int64).copy(), missing))
    if kind == "bool":
        return pandas.Series(pandas.arrays.BooleanArray(numpy.frombuffer(data, dtype=numpy.bool_).copy(), missing))
    if kind == "codes":
        codes = numpy.frombuffer(data, dtype=numpy.int32).copy()
        codes[missing] = -1
        dtype = pandas.CategoricalDtype(levels_of(declared), ordered=declared["type"] == "ordered")
        return pandas.Series(pandas.Categorical.from_codes(codes, dtype=dtype))
    if kind == "float64":
        values = numpy.frombuffer(data, dtype=numpy.float64).copy()
        values[missing] = numpy.nan
        return pandas.Series(values)
    if kind == "days":
        moments = numpy.frombuffer(data, dtype=numpy.int32).astype("datetime64[D]").astype("datetime64[us]")
    else:
        moments = numpy.frombuffer(data, dtype=numpy.int64).astype("datetime64[us]")
    moments[missing] = numpy.datetime64("NaT")
    return pandas.Series(moments)


def source_of(frame: Any, name: str, unsupported: Callable[[str, int, object, str], ValueError]) -> _indistinct.Source:
    """The columns of a table of pandas, without its index; ``unsupported`` makes the error for one that cannot be read."""
    columns = []
    for place in range(frame.shape[1]):
        series = frame.iloc[:, place]
        try:
            column = _column(series)
        except Exception:
            column = None  # Texts of pandas quote values, and must not even be the context of ours.
        if column is None:
            several = " with values of several types" if series.dtype == object else ""
            raise unsupported(name, place + 1, series.dtype, several)
        columns.append((str(frame.columns[place]), *column))
    return _indistinct.Source.from_columns(name, columns)


def mixes_days_and_moments(values: Any) -> bool:
    """Whether some are days and others have a time, of which one library makes days and another nothing."""
    kinds = {isinstance(value, datetime.datetime) for value in values if isinstance(value, datetime.date)}
    return len(kinds) > 1


def _column(series: Any) -> Optional[_Column]:
    """The values as bytes; None if they are of a type that cannot be read.

    What a value becomes follows from this value alone, whatever others are in the column: where one of several types would be
    rounded or cut to that of another, the column is not read.
    """
    import numpy
    import pandas

    types, dtype = pandas.api.types, series.dtype
    missing = series.isna().to_numpy()
    if isinstance(dtype, pandas.CategoricalDtype):
        categories = pandas.Series(dtype.categories)
        if _are(categories, str):
            return _coded("codes", series.cat.codes.to_numpy(), [str(level) for level in dtype.categories])
        # Categories that are no text are values: those of rows, with any of them where one is missing.
        column = _column(pandas.Series(categories.take(series.cat.codes.where(~missing, 0)).array))
        return None if column is None else (*column[:2], (~missing).tobytes(), column[3])
    if types.is_bool_dtype(dtype):
        return _packed("bool", series.to_numpy(dtype=numpy.bool_, na_value=False), missing)
    if types.is_unsigned_integer_dtype(dtype):
        return _packed("uint64", series.to_numpy(dtype=numpy.uint64, na_value=0), missing)
    if types.is_integer_dtype(dtype):
        return _packed("int64", series.to_numpy(dtype=numpy.int64, na_value=0), missing)
    if types.is_float_dtype(dtype):
        return _packed("float64", series.to_numpy(dtype=numpy.float64, na_value=numpy.nan), missing)
    if types.is_datetime64_any_dtype(dtype):
        moments = series if getattr(dtype, "tz", None) is None else series.dt.tz_convert("UTC").dt.tz_localize(None)
        return _packed("microseconds", moments.to_numpy().astype("datetime64[us]").astype(numpy.int64), missing)
    if types.is_string_dtype(dtype) or dtype == object:
        return _of_objects(series, missing)
    return None


def _of_objects(series: Any, missing: Any) -> Optional[_Column]:
    import numpy
    import pandas

    present = series[~missing]
    if _are(present, str):
        codes, spellings = pandas.factorize(series)
        return _coded("text", codes, [str(spelling) for spelling in spellings])
    if _are(present, bool):
        return _packed("bool", series.where(~missing, False).to_numpy(dtype=numpy.bool_), missing)
    if any(isinstance(value, bool) for value in present):
        return None
    if _are(present, int):
        if all(-(2**63) <= value < 2**63 for value in present):
            return _packed("int64", series.where(~missing, 0).to_numpy(dtype=numpy.int64), missing)
        return None
    if _are(present, (int, float)):
        # As pyarrow has it: all whole numbers are doubles.
        if all(isinstance(value, float) or abs(value) <= 2**53 for value in present):
            return _packed("float64", series.where(~missing, numpy.nan).to_numpy(dtype=numpy.float64), missing)
        return None
    if mixes_days_and_moments(present):
        return None
    if _are(present, datetime.datetime):
        return _column(pandas.to_datetime(series))
    if _are(present, datetime.date):
        days = series.where(~missing, datetime.date(1970, 1, 1)).to_numpy(dtype="datetime64[D]")
        return _packed("days", days.astype(numpy.int64).astype(numpy.int32), missing)
    return None


def _are(series: Any, kind: Any) -> bool:
    return all(isinstance(value, kind) for value in series)


def _packed(kind: str, values: Any, missing: Any) -> _Column:
    return kind, values.tobytes(), (~missing).tobytes(), []


def _coded(kind: str, codes: Any, spellings: list[str]) -> _Column:
    codes = codes.astype("int32")
    return kind, codes.tobytes(), (codes >= 0).tobytes(), spellings
