"""Bad input is a ValueError that says what is wrong, where, and what to do; it never quotes a value."""

from __future__ import annotations

import datetime
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import indistinct

GOOD = pandas.DataFrame({"x": [1.0, 2.0, 3.0]})
SECRET = "Ms Secret"


def refused(call: Any, pattern: str) -> str:
    with pytest.raises(ValueError, match=pattern) as raised:
        call()
    text = str(raised.value)
    assert SECRET not in text
    assert re.fullmatch(r"[^\n]+(\n help: [^\n]+)?", text), text
    return text


UNSUPPORTED: dict[str, Any] = {
    "mixed objects": pandas.DataFrame({"good": [1, 2], "bad": [SECRET, 1]}),
    "complex": pandas.DataFrame({"good": [1, 2], "bad": [1j, 2j]}),
    "lists": pandas.DataFrame({"good": [1, 2], "bad": [[SECRET], []]}),
    "dictionaries": pandas.DataFrame({"good": [1, 2], "bad": [{"a": SECRET}, {}]}),
    "bytes": pandas.DataFrame({"good": [1, 2], "bad": [SECRET.encode(), b""]}),
    "timedeltas": pandas.DataFrame({"good": [1, 2], "bad": pandas.to_timedelta([1, 2], unit="s")}),
    "periods": pandas.DataFrame({"good": [1, 2], "bad": pandas.period_range("2020-01", periods=2, freq="M")}),
    "intervals": pandas.DataFrame({"good": [1, 2], "bad": pandas.interval_range(0, 2)}),
    "times": pandas.DataFrame({"good": [1, 2], "bad": [datetime.time(1), datetime.time(2)]}),
    "any objects": pandas.DataFrame({"good": [1, 2], "bad": [object(), object()]}),
    "polars lists": polars.DataFrame({"good": [1, 2], "bad": [[SECRET], []]}),
    "polars objects": polars.DataFrame({"good": [1, 2], "bad": polars.Series([object(), object()], dtype=polars.Object)}),
    "polars int128": polars.DataFrame({"good": [1, 2], "bad": polars.Series([1, 2], dtype=polars.Int128)}),
    "polars durations": polars.DataFrame({"good": [1, 2], "bad": [datetime.timedelta(1), None]}),
    "pyarrow structs": pyarrow.table({"good": [1, 2], "bad": [{"a": SECRET}, None]}),
    "pyarrow binary": pyarrow.table({"good": [1, 2], "bad": [SECRET.encode(), None]}),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_types_that_cannot_be_read_name_the_column(kind: str) -> None:
    text = refused(lambda: indistinct.schema(UNSUPPORTED[kind]), "^table: column 2 is of type .*, which cannot be read")
    assert text.endswith("\n help: drop the column, or turn it into numbers, text, dates or booleans")


@pytest.mark.parametrize(
    ("table", "pattern"),
    [
        (None, "a NoneType is not a table"),
        ([[1, 2]], "a list is not a table"),
        (numpy.eye(2), "a ndarray is not a table"),
        ({"x": [1]}, "a dict is not a table"),
        (GOOD["x"], "this is a pandas Series, not a table"),
        (polars.Series([1]), "this is a polars Series, not a table"),
        (polars.LazyFrame({"x": [1]}), "this is a polars LazyFrame, not a table"),
        (pyarrow.chunked_array([[1]]), "this is a pyarrow ChunkedArray, not a table"),
        (pyarrow.array([1]), "is not a table"),
    ],
)
def test_what_is_no_table(table: Any, pattern: str) -> None:
    refused(lambda: indistinct.pmse(table, GOOD), f"^real: .*{pattern}")


@pytest.mark.parametrize(
    ("table", "pattern"),
    [
        (GOOD.iloc[:0], "the table has column names but no rows"),
        (pandas.DataFrame(), "the table has no columns"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "columns 1 and 2 have the same name"),
        (pandas.DataFrame([[1, 2]], columns=["a", " "]), "column 2 has an empty name"),
        (polars.DataFrame({"x": []}, schema={"x": polars.Int64}), "the table has column names but no rows"),
        (polars.DataFrame(), "the table has no columns"),
        (pyarrow.table([[1], [2]], names=["a", "a"]), "columns 1 and 2 have the same name"),
        (pandas.DataFrame({"x": [1.0, numpy.inf]}), "row 2, column 1: the number is infinite or too large"),
    ],
)
def test_tables_that_are_none(table: Any, pattern: str) -> None:
    refused(lambda: indistinct.evaluate(table, GOOD), f"^real: {pattern}")
    refused(lambda: indistinct.pmse(GOOD, table), f"^synthetic: {pattern}")
    refused(lambda: indistinct.combine([GOOD, table], "x ~ 1"), f"^table 2: {pattern}")


def test_tables_that_do_not_match() -> None:
    refused(lambda: indistinct.evaluate(GOOD, pandas.DataFrame({"y": [1.0]})), "column")
    refused(lambda: indistinct.evaluate(GOOD, GOOD.assign(y=1)), "column")
    refused(lambda: indistinct.evaluate(GOOD, []), "there is no synthetic table")
    refused(lambda: indistinct.combine([], "y ~ x"), "there is no table to combine")


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ({"discriminator": "tree"}, "^discriminator must be one of cart, optimal, partition, logistic$"),
        ({"discriminator": 3}, "^discriminator must be one of"),
        ({"null": "all"}, "^null must be one of permutation, bootstrap, analytic, none$"),
        ({"cp": "0.01"}, "^cp must be a number$"),
        ({"cp": float("nan")}, "cp"),
        ({"depth": -1}, "^depth must be a whole number that is not negative$"),
        ({"depth": 2.5}, "^depth must be a whole number"),
        ({"depth": 2**40}, "^depth is too large$"),
        ({"seed": -3}, "^seed must be a whole number"),
        ({"seed": 2**70}, "^seed must be a whole number"),
        ({"interactions": "yes"}, "^interactions must be True or False$"),
        ({"thresholds": 1.5, "discriminator": "optimal"}, "^thresholds must be"),
        ({"predict": 3}, "^predict must be text$"),
        ({"predict": "gone"}, "^the tables have no column `gone` to predict\n help: name a column"),
        ({"sample": 1}, "^sample= must be at least 2, or `all`\n help: say how many rows .* sample=100000, or sample=\"all\"$"),
        ({"sample": 0}, "^sample= must be at least 2"),
        ({"sample": -1}, "^sample must be a whole number"),
        ({"sample": 2.5}, "^sample must be a whole number"),
        ({"sample": "some"}, "^sample= takes a number of rows, or `all`"),
        ({"schema": 3}, "^schema must be a Schema or the name of a schema file"),
        ({"schema": "gone.toml"}, "gone.toml"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], pattern: str) -> None:
    refused(lambda: indistinct.evaluate(GOOD, GOOD, **options), pattern)


def test_options_of_combinations_that_cannot_be() -> None:
    refused(lambda: indistinct.combine([GOOD], 3), "^the formula must be text")  # type: ignore[arg-type]
    refused(lambda: indistinct.combine([GOOD], "x ~ 1", rule="rubin"), "^rule must be one of raab, ")
    refused(lambda: indistinct.combine([GOOD], "x ~ 1", level=2), "level")
    refused(lambda: indistinct.combine([GOOD], "x ~ 1", level="high"), "^level must be a number")  # type: ignore[arg-type]
    refused(lambda: indistinct.combine([GOOD], "x ~ 1", rule="private-counts"), "needs a release")


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    refused(lambda: indistinct.Certificate.load(other), "there is no such file")
    for text in ["{", "[]", "{}", '{"tool": "another"}', "\x00"]:
        other.write_text(text)
        refused(lambda: indistinct.Certificate.load(other), "this is not a certificate")
    refused(lambda: indistinct.Certificate({"tool": object()}).check(), "this is not a certificate")
    refused(lambda: indistinct.verify(tmp_path), "there is no certificate.json in it")
    refused(lambda: indistinct.Ledger.open(other), "ledger")
    refused(lambda: indistinct.Ledger.init(tmp_path / "l", "much"), "^epsilon: ")
    refused(lambda: indistinct.Ledger.init(tmp_path / "l", None), "^epsilon must be a number")  # type: ignore[arg-type]
    refused(lambda: indistinct.Schema(3), "^a Schema is made from the text")  # type: ignore[arg-type]
    refused(lambda: indistinct.Schema("= 3"), ".")
    assert not (tmp_path / "l").exists()


def test_a_table_of_pandas_on_spark_is_told_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class DataFrame:
        """As pyspark has it, which does not import with every pandas."""

    monkeypatch.setitem(sys.modules, "pyspark.pandas", types.SimpleNamespace(DataFrame=DataFrame))
    with pytest.raises(ValueError, match=r"a pandas-on-Spark DataFrame\n help: give the Spark DataFrame, table.to_spark"):
        indistinct.Synthesizer(epsilon=1).fit(DataFrame())


def test_a_stream_that_lies_is_refused() -> None:
    class Liar:
        def __init__(self, given: object) -> None:
            self.given = given

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            if isinstance(self.given, Exception):
                raise self.given
            return self.given

    for given in [None, 3, RuntimeError(SECRET), pyarrow.array([1]).__arrow_c_array__()[0]]:
        refused(lambda: indistinct.pmse(Liar(given), GOOD), "^real: its columns cannot be read as a table")
    spent = pyarrow.table({"x": [1, 2]}).__arrow_c_stream__(None)
    indistinct.pmse(Liar(spent), GOOD)
    refused(lambda: indistinct.pmse(Liar(spent), GOOD), "^real: its columns cannot be read as a table")


HOPELESS_SCHEMA = """
version = 1
[[column]]
name = "job"
type = "nominal"
levels = [{levels}]
[[column]]
name = "since"
type = "integer"
"""


def test_hopeless_columns_are_refused_by_name(tmp_path: Path) -> None:
    schema = tmp_path / "schema.toml"
    schema.write_text(HOPELESS_SCHEMA.format(levels=", ".join(f'"l{level}"' for level in range(800))))
    table = pandas.DataFrame({"job": [f"l{row % 800}" for row in range(1000)], "since": range(1000)})
    synthesizer = indistinct.Synthesizer(epsilon=0.1, schema=schema, model="mixed")
    for call in (synthesizer.fit, synthesizer.split):
        text = refused(lambda call=call: call(table), "^the release would say nothing about `job` \\(800 levels, ")
        assert "`since` (not both limits are declared, and the budget is too small to find them)" in text
        assert " help: join levels of `job` until about " in text
        assert ", and declare `minimum` and `maximum` of `since`; or declare them `type = \"identifier\"`" in text
        assert "; or raise epsilon= to about " in text


def test_limits_that_may_not_be_found_are_warned_of() -> None:
    table = pandas.DataFrame({"x": [row % 400 for row in range(1000)], "a": ["u", "v"] * 500})
    declared = indistinct.Schema(
        """
        version = 1
        [[column]]
        name = "x"
        type = "integer"
        [[column]]
        name = "a"
        type = "nominal"
        levels = ["u", "v"]
        """
    )
    with pytest.warns(UserWarning) as heard:
        indistinct.Synthesizer(epsilon=0.2, schema=declared).split(table)
    assert any("not both limits are declared for `x`" in str(warning.message) for warning in heard)
