"""Tables go in whatever types they have, and come back with the same values in the types that the schema declares."""

from __future__ import annotations

import datetime
import decimal
import warnings
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import indistinct
from indistinct import _indistinct

DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime(1999, 12, 31, 23, 59, 58, 123456)


def plain(values: Any) -> list[Any]:
    """Values as the draft means them: moments in UTC, missing ones as None."""

    def one(value: Any) -> Any:
        if value is None or value is pandas.NA or value is pandas.NaT or value != value:
            return None
        if isinstance(value, datetime.datetime):
            return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
        if isinstance(value, datetime.date):
            return datetime.datetime(value.year, value.month, value.day)
        return float(value) if isinstance(value, decimal.Decimal) else value

    return [one(value) for value in values]


def round_trip(table: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column `x`: all values are missing")
        draft = indistinct.schema(table)
    return draft.read(table)


CATEGORY = "category"

# How a column comes in, and the dtype that it comes back with.
PANDAS = {
    "int64": (pandas.Series([3, -1, 7], dtype="int64"), "Int64"),
    "int8": (pandas.Series([3, -1, 7], dtype="int8"), "Int64"),
    "uint16": (pandas.Series([3, 1, 7], dtype="uint16"), "Int64"),
    "Int64": (pandas.Series([3, None, 7], dtype="Int64"), "Int64"),
    "UInt8": (pandas.Series([3, None, 7], dtype="UInt8"), "Int64"),
    "whole float64": (pandas.Series([3, None, 7], dtype="float64"), "Int64"),
    "float64": (pandas.Series([0.5, numpy.nan, 1e-3], dtype="float64"), "float64"),
    "float32": (pandas.Series([0.5, numpy.nan, 0.25], dtype="float32"), "float64"),
    "Float64": (pandas.Series([0.5, None, 1.5], dtype="Float64"), "float64"),
    "bool": (pandas.Series([True, False, True], dtype="bool"), "boolean"),
    "boolean": (pandas.Series([True, None, False], dtype="boolean"), "boolean"),
    "str": (pandas.Series(["a", None, "b c"], dtype="str"), CATEGORY),
    "string": (pandas.Series(["a", None, "b c"], dtype="string"), CATEGORY),
    "object": (pandas.Series(["a", "d", "b c"], dtype="object"), CATEGORY),
    "category": (pandas.Series(pandas.Categorical(["lo", None, "hi"], ["lo", "mid", "hi"], ordered=True)), CATEGORY),
    "category of numbers": (pandas.Series(pandas.Categorical([3, 1, 3], categories=[3, 1, 2])), "Int64"),
    "datetime64[us]": (pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[us]"), "datetime64[us]"),
    "datetime64[ns]": (pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[ns]"), "datetime64[us]"),
    "zoned": (
        pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[us]").dt.tz_localize("Europe/Berlin"),
        "datetime64[us]",
    ),
    "dates": (pandas.Series([DAY, DAY, DAY + datetime.timedelta(3)], dtype="object"), "datetime64[us]"),
    "arrow int": (pandas.Series([3, None, 7], dtype="int32[pyarrow]"), "Int64"),
    "arrow text": (pandas.Series(["a", None, "b"], dtype=pandas.ArrowDtype(pyarrow.string())), CATEGORY),
    "arrow date": (pandas.Series([DAY, None, DAY], dtype=pandas.ArrowDtype(pyarrow.date32())), "datetime64[us]"),
}


@pytest.mark.parametrize("kind", PANDAS)
def test_pandas_types(kind: str) -> None:
    series, dtype = PANDAS[kind]
    back = round_trip(pandas.DataFrame({"x": series}))["x"]
    assert back.dtype == dtype
    assert plain(back) == plain(series)


ENUM = polars.Enum(["hi", "lo"])
POLARS = {
    "Int64": (polars.Series([3, None, 7], dtype=polars.Int64), polars.Int64),
    "Int8": (polars.Series([3, None, 7], dtype=polars.Int8), polars.Int64),
    "UInt32": (polars.Series([3, None, 7], dtype=polars.UInt32), polars.Int64),
    "Float64": (polars.Series([0.5, None, 1e-3], dtype=polars.Float64), polars.Float64),
    "Float32": (polars.Series([0.5, None, 0.25], dtype=polars.Float32), polars.Float64),
    "Boolean": (polars.Series([True, None, False], dtype=polars.Boolean), polars.Boolean),
    "String": (polars.Series(["lo", None, "hi"], dtype=polars.String), ENUM),
    "Categorical": (polars.Series(["lo", None, "hi"], dtype=polars.Categorical), ENUM),
    "Enum": (polars.Series(["lo", None, "hi"], dtype=polars.Enum(["lo", "mid", "hi"])), ENUM),
    "Date": (polars.Series([DAY, None, DAY], dtype=polars.Date), polars.Date),
    "Datetime": (polars.Series([MOMENT, None, MOMENT], dtype=polars.Datetime("us")), polars.Datetime("us")),
    "Datetime in ms": (
        polars.Series([MOMENT.replace(microsecond=0), None, MOMENT.replace(microsecond=0)]).cast(polars.Datetime("ms")),
        polars.Datetime("us"),
    ),
    "zoned": (polars.Series([MOMENT, None, MOMENT]).dt.replace_time_zone("Asia/Tokyo"), polars.Datetime("us")),
    "Decimal": (
        polars.Series([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], dtype=polars.Decimal(10, 2)),
        polars.Float64,
    ),
    "Null": (polars.Series([None, None, None], dtype=polars.Null), polars.Float64),
}


@pytest.mark.parametrize("kind", POLARS)
def test_polars_types(kind: str) -> None:
    series, dtype = POLARS[kind]
    back = round_trip(polars.DataFrame({"x": series, "y": [1.5, 2.5, 3.5]}))
    assert back.schema == {"x": dtype, "y": polars.Float64}
    assert plain(back["x"]) == plain(series)


LEVELS = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
PYARROW = {
    "int16": (pyarrow.array([3, None, 7], pyarrow.int16()), pyarrow.int64()),
    "double": (pyarrow.array([0.5, None, 1e-3]), pyarrow.float64()),
    "bool": (pyarrow.array([True, None, False]), pyarrow.bool_()),
    "string": (pyarrow.array(["a", None, "b"]), LEVELS),
    "large_string": (pyarrow.array(["a", None, "b"], pyarrow.large_string()), LEVELS),
    "string_view": (pyarrow.array(["a", None, "b"], pyarrow.string_view()), LEVELS),
    "dictionary": (
        pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 1], pyarrow.int8()), ["lo", "hi"]), LEVELS
    ),
    "date32": (pyarrow.array([DAY, None, DAY]), pyarrow.date32()),
    "date64": (pyarrow.array([DAY, None, DAY], pyarrow.date64()), pyarrow.date32()),
    "timestamp": (
        pyarrow.array([MOMENT, None, MOMENT], pyarrow.timestamp("us", "America/Lima")), pyarrow.timestamp("us")
    ),
    "decimal128": (
        pyarrow.array([decimal.Decimal("1.50"), None, decimal.Decimal("7.25")], pyarrow.decimal128(12, 2)),
        pyarrow.float64(),
    ),
    "null": (pyarrow.nulls(3), pyarrow.float64()),
}


@pytest.mark.parametrize("kind", PYARROW)
def test_pyarrow_types(kind: str) -> None:
    array, dtype = PYARROW[kind]
    back = round_trip(pyarrow.table({"x": array, "y": [1.5, 2.5, 3.5]}))
    assert isinstance(back, pyarrow.Table)
    assert back.schema.equals(pyarrow.schema({"x": dtype, "y": pyarrow.float64()}), check_metadata=True)
    assert plain(back.column("x").to_pylist()) == plain(array.to_pylist())


def test_other_kinds_of_arrow() -> None:
    table = pyarrow.table({"x": [1, 2, 3]})
    batch = table.to_batches()[0]
    assert round_trip(batch).equals(batch)
    assert indistinct.pmse(table.to_reader(), table) == 0.0

    class Foreign:
        """A library that nobody has heard of."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return table.__arrow_c_stream__(requested_schema)

    assert indistinct.pmse(Foreign(), table) == 0.0
    assert isinstance(round_trip(Foreign()), pyarrow.Table)


def test_chunks_and_slices_are_read_whole() -> None:
    chunked = polars.concat([polars.DataFrame({"x": [1, 2]}), polars.DataFrame({"x": [3]})], rechunk=False)
    assert round_trip(chunked)["x"].to_list() == [1, 2, 3]
    sliced = pyarrow.table({"x": list(range(100)), "t": [True, False] * 50}).slice(3, 5)
    assert round_trip(sliced).to_pydict() == sliced.to_pydict()


def test_columns_come_in_the_order_of_the_schema() -> None:
    table = pandas.DataFrame({"b": [1, 2], "a": ["x", "y"]})
    assert [column["name"] for column in indistinct.schema(table).columns] == ["b", "a"]
    assert round_trip(table).columns.tolist() == ["b", "a"]
    text = (
        'version = 1\n[[column]]\nname = "a"\ntype = "nominal"\nlevels = ["x", "y"]\n'
        '[[column]]\nname = "b"\ntype = "integer"\n'
    )
    back = indistinct.Schema(text).read(table)
    assert back.columns.tolist() == ["a", "b"]
    assert back["b"].tolist() == [1, 2]


def test_the_index_is_not_a_column() -> None:
    table = pandas.DataFrame({"x": [1.5, 2.5]}, index=["first", "second"])
    back = round_trip(table)
    assert list(back.index) == [0, 1]
    assert isinstance(back.index, pandas.RangeIndex)
    assert list(back.columns) == ["x"]


def test_column_labels_are_text_as_the_schema_has_them() -> None:
    back = round_trip(pandas.DataFrame(numpy.arange(6.0).reshape(3, 2)))
    assert back.columns.tolist() == ["0", "1"]


def test_missing_values_that_a_schema_declares() -> None:
    text = 'version = 1\nmissing = ["", "99"]\n[[column]]\nname = "x"\ntype = "integer"\n'
    back = indistinct.Schema(text).read(pandas.DataFrame({"x": [1, 99]}))
    assert back["x"].tolist() == [1, pandas.NA]
    assert back["x"].dtype == "Int64"


def test_numbers_are_not_copied_on_the_way_in() -> None:
    values = numpy.arange(1000.0)
    array = pyarrow.array(values)
    assert array.buffers()[1].address == values.ctypes.data, "pyarrow itself copies, so that nothing can be said"
    before = pyarrow.total_allocated_bytes()
    source = _indistinct.Source.from_arrow("table", pyarrow.table({"x": array}).__arrow_c_stream__())
    assert pyarrow.total_allocated_bytes() - before < values.nbytes
    assert source.names == ["x"]


def test_dates_are_the_same_whatever_their_type() -> None:
    days = [DAY + datetime.timedelta(7 * number) for number in range(40)]
    text = [str(day) for day in days]
    tables: list[Any] = [
        pandas.DataFrame({"x": text}),
        pandas.DataFrame({"x": [f"{day}T00:00:00" for day in text]}),
        pandas.DataFrame({"x": pandas.to_datetime(text)}),
        pandas.DataFrame({"x": days}),
        polars.DataFrame({"x": days}),
        pyarrow.table({"x": days}),
    ]
    for real in tables:
        for other in tables:
            assert indistinct.pmse(real, other) == 0.0
