"""Tables go in and come back as they were: library, types, order, missing values."""

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
from pandas.testing import assert_frame_equal
from polars.testing import assert_frame_equal as assert_polars_equal

import indistinct
from indistinct import _indistinct

DAY = datetime.date(2024, 2, 29)
MOMENT = datetime.datetime(1999, 12, 31, 23, 59, 58, 123456)


def round_trip(table: Any) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "column `x`: all values are missing")
        draft = indistinct.schema(table)
    return draft.read(table)


PANDAS = {
    "int64": pandas.Series([3, -1, 7], dtype="int64"),
    "int8": pandas.Series([3, -1, 7], dtype="int8"),
    "uint16": pandas.Series([3, 1, 7], dtype="uint16"),
    "Int64": pandas.Series([3, None, 7], dtype="Int64"),
    "UInt8": pandas.Series([3, None, 7], dtype="UInt8"),
    "float64": pandas.Series([0.5, numpy.nan, 1e-3], dtype="float64"),
    "float32": pandas.Series([0.5, numpy.nan, 0.1], dtype="float32"),
    "Float64": pandas.Series([0.5, None, 1.0], dtype="Float64"),
    "bool": pandas.Series([True, False, True], dtype="bool"),
    "boolean": pandas.Series([True, None, False], dtype="boolean"),
    "str": pandas.Series(["a", None, "b c"], dtype="str"),
    "string": pandas.Series(["a", None, "b c"], dtype="string"),
    "object": pandas.Series(["a", "d", "b c"], dtype="object"),
    "category": pandas.Series(pandas.Categorical(["lo", None, "hi"], categories=["lo", "mid", "hi"], ordered=True)),
    "category of numbers": pandas.Series(pandas.Categorical([3, 1, 3], categories=[3, 1, 2])),
    "datetime64[us]": pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[us]"),
    "datetime64[ns]": pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[ns]"),
    "zoned": pandas.Series([MOMENT, None, MOMENT], dtype="datetime64[us]").dt.tz_localize("Europe/Berlin"),
    "dates": pandas.Series([DAY, DAY, DAY + datetime.timedelta(3)], dtype="object"),
    "arrow int": pandas.Series([3, None, 7], dtype="int32[pyarrow]"),
    "arrow text": pandas.Series(["a", None, "b"], dtype=pandas.ArrowDtype(pyarrow.string())),
    "arrow date": pandas.Series([DAY, None, DAY], dtype=pandas.ArrowDtype(pyarrow.date32())),
}


@pytest.mark.parametrize("kind", PANDAS)
def test_pandas_types_come_back(kind: str) -> None:
    table = pandas.DataFrame({"x": PANDAS[kind]})
    assert_frame_equal(round_trip(table), table)


POLARS = {
    "Int64": polars.Series([3, None, 7], dtype=polars.Int64),
    "Int8": polars.Series([3, None, 7], dtype=polars.Int8),
    "UInt32": polars.Series([3, None, 7], dtype=polars.UInt32),
    "Float64": polars.Series([0.5, None, 1e-3], dtype=polars.Float64),
    "Float32": polars.Series([0.5, None, 0.1], dtype=polars.Float32),
    "Boolean": polars.Series([True, None, False], dtype=polars.Boolean),
    "String": polars.Series(["a", None, "b c"], dtype=polars.String),
    "Categorical": polars.Series(["lo", None, "hi"], dtype=polars.Categorical),
    "Enum": polars.Series(["lo", None, "hi"], dtype=polars.Enum(["lo", "mid", "hi"])),
    "Date": polars.Series([DAY, None, DAY], dtype=polars.Date),
    "Datetime": polars.Series([MOMENT, None, MOMENT], dtype=polars.Datetime("us")),
    "Datetime in ms": polars.Series([MOMENT.replace(microsecond=0), None, MOMENT.replace(microsecond=0)]).cast(
        polars.Datetime("ms")
    ),
    "zoned": polars.Series([MOMENT, None, MOMENT]).dt.replace_time_zone("Asia/Tokyo"),
    "Decimal": polars.Series([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], dtype=polars.Decimal(10, 2)),
    "Null": polars.Series([None, None, None], dtype=polars.Null),
}


@pytest.mark.parametrize("kind", POLARS)
def test_polars_types_come_back(kind: str) -> None:
    table = polars.DataFrame({"x": POLARS[kind], "y": [1.5, 2.5, 3.5]})
    assert_polars_equal(round_trip(table), table)


PYARROW = {
    "int16": pyarrow.array([3, None, 7], pyarrow.int16()),
    "double": pyarrow.array([0.5, None, 1e-3]),
    "bool": pyarrow.array([True, None, False]),
    "string": pyarrow.array(["a", None, "b"]),
    "large_string": pyarrow.array(["a", None, "b"], pyarrow.large_string()),
    "string_view": pyarrow.array(["a", None, "b"], pyarrow.string_view()),
    "date32": pyarrow.array([DAY, None, DAY]),
    "date64": pyarrow.array([DAY, None, DAY], pyarrow.date64()),
    "timestamp": pyarrow.array([MOMENT, None, MOMENT], pyarrow.timestamp("ns", "America/Lima")),
    "decimal128": pyarrow.array([decimal.Decimal("1.50"), None, decimal.Decimal("7.25")], pyarrow.decimal128(12, 2)),
    "null": pyarrow.nulls(3),
}


@pytest.mark.parametrize("kind", PYARROW)
def test_pyarrow_types_come_back(kind: str) -> None:
    table = pyarrow.table({"x": PYARROW[kind], "y": [1.5, 2.5, 3.5]})
    back = round_trip(table)
    assert isinstance(back, pyarrow.Table)
    assert back.schema == table.schema
    assert back.equals(table)


def test_pyarrow_dictionaries_come_back() -> None:
    levels = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 1], pyarrow.int8()), ["lo", "hi"])
    table = pyarrow.table({"x": levels})
    back = round_trip(table)
    assert back.schema == table.schema
    assert back.to_pydict() == table.to_pydict()


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


def test_columns_keep_their_order_whatever_the_schema() -> None:
    table = pandas.DataFrame({"b": [1, 2], "a": ["x", "y"]})
    columns = {column["name"]: column for column in indistinct.schema(table).columns}
    assert list(columns) == ["b", "a"]
    text = (
        'version = 1\n[[column]]\nname = "a"\ntype = "nominal"\nlevels = ["x", "y"]\n'
        '[[column]]\nname = "b"\ntype = "integer"\n'
    )
    assert_frame_equal(indistinct.Schema(text).read(table), table)


def test_the_index_is_not_a_column() -> None:
    table = pandas.DataFrame({"x": [1.5, 2.5]}, index=["first", "second"])
    back = round_trip(table)
    assert list(back.index) == [0, 1]
    assert isinstance(back.index, pandas.RangeIndex)
    assert list(back.columns) == ["x"]


def test_column_labels_that_are_no_text_come_back() -> None:
    table = pandas.DataFrame(numpy.arange(6.0).reshape(3, 2))
    assert_frame_equal(round_trip(table), table)


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
