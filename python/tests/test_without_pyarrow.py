"""pandas goes in and comes out without pyarrow, and the same as with it."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

import indistinct
from indistinct import _frames, _pandas

TABLE = pandas.DataFrame(
    {
        "float": [1.5, None, -2.0],
        "whole": [1, 2, 3],
        "nullable": pandas.array([1, None, 3], dtype="Int64"),
        "small": numpy.array([1, 2, 3], dtype="uint8"),
        "truth": [True, False, True],
        "maybe": pandas.array([True, None, False], dtype="boolean"),
        "text": ["a", None, "b"],
        "object": pandas.Series(["a", None, "b"], dtype=object),
        "category": pandas.Categorical(["u", None, "v"], categories=["v", "u", "w"]),
        "codes": pandas.Categorical([7, None, 9]),
        "day": pandas.to_datetime(["2024-02-29", None, "1969-12-31"]),
        "moment": pandas.to_datetime(["2024-02-29 12:30", None, "1969-12-31 23:59:59.5"], format="ISO8601"),
        "zoned": pandas.to_datetime(["2024-02-29 12:30", None, "1970-01-01"], format="ISO8601").tz_localize("Europe/Vienna"),
        "date": pandas.Series([datetime.date(2024, 2, 29), None, datetime.date(1970, 1, 1)], dtype=object),
        "counts": pandas.Series([1, None, 3], dtype=object),
        "nothing": [None, None, None],
    }
)
SCHEMA = indistinct.Schema(
    """
version = 1
[[column]]
name = "float"
type = "float"
[[column]]
name = "nullable"
type = "integer"
[[column]]
name = "maybe"
type = "boolean"
[[column]]
name = "text"
type = "nominal"
levels = ["b", "a"]
[[column]]
name = "category"
type = "ordered"
levels = ["w", "v", "u"]
[[column]]
name = "day"
type = "date"
[[column]]
name = "moment"
type = "datetime"
[[column]]
name = "codes"
type = "nominal"
levels = ["7", "9", "11"]
"""
)


def forbid_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads tables as where pyarrow is not installed. (pandas itself uses what was there when it was imported.)"""

    def by_numpy(frame: Any, name: str) -> Any:
        return _pandas.source_of(frame, name, _frames._unsupported)

    monkeypatch.setattr(_frames, "_of_pandas", by_numpy)


@pytest.mark.parametrize("column", TABLE.columns)
def test_columns_are_read_as_with_pyarrow(column: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = TABLE[[column]]
    drafted = indistinct.schema(one) if column != "nothing" else None
    with monkeypatch.context() as patch:
        forbid_pyarrow(patch)
        if drafted is not None:
            assert indistinct.schema(one).to_toml() == drafted.to_toml()
        # Each is the other's equal, cell by cell.
        assert indistinct.pmse(one, one) == 0.0


def test_tables_come_out_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [column["name"] for column in SCHEMA.columns]
    found = SCHEMA.read(TABLE[names])
    assert [str(kind) for kind in found.dtypes] == [
        "float64", "Int64", "boolean", "category", "category", "datetime64[us]", "datetime64[us]", "Int64",
    ]  # fmt: skip
    assert found["category"].cat.ordered and list(found["category"].cat.categories) == ["w", "v", "u"]
    assert found["text"].tolist()[0] == "a" and found["text"].isna().tolist() == [False, True, False]
    assert found["moment"][2] == pandas.Timestamp("1969-12-31 23:59:59.5")
    assert found["day"][2] == pandas.Timestamp("1969-12-31")
    assert found.isna().sum().tolist() == [1] * 8
    with monkeypatch.context() as patch:
        forbid_pyarrow(patch)
        pandas.testing.assert_frame_equal(SCHEMA.read(TABLE[names]), found)


@pytest.mark.parametrize(
    "bad",
    [
        pandas.Series(["Ms Secret", 1], dtype=object),
        pandas.Series([[1], [2]], dtype=object),
        pandas.Series([b"Ms Secret", b""], dtype=object),
        pandas.Series([1j, 2j]),
        pandas.Series(pandas.to_timedelta([1, 2], unit="s")),
        pandas.Series(pandas.period_range("2020-01", periods=2, freq="M")),
        pandas.Series(pandas.interval_range(0, 2)),
        pandas.Series([2**70, 1], dtype=object),
        # Each for itself can be read, but not both without changing one of them.
        pandas.Series([2**53 + 1, 1.0], dtype=object),
        pandas.Series([datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12)], dtype=object),
        pandas.Series([datetime.datetime(2024, 2, 29, 12), datetime.date(2024, 2, 29)], dtype=object),
        pandas.Series(
            [datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 2, 29)], dtype=object
        ),
    ],
    ids=lambda bad: str(bad.dtype),
)
def test_types_that_cannot_be_read_name_the_column(bad: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    forbid_pyarrow(monkeypatch)
    with pytest.raises(ValueError, match="^table: column 2 is of type .*, which cannot be read\n help: drop the column") as raised:
        indistinct.schema(pandas.DataFrame({"good": [1, 2], "bad": bad}))
    assert "Secret" not in str(raised.value)


LARGE = [2**53 + 1, 2**53 + 3]
NOON = datetime.datetime(2024, 2, 29, 12)


def objects(*values: object) -> Any:
    return pandas.Series(values, dtype=object)


@pytest.mark.parametrize("pyarrow", [True, False])
@pytest.mark.parametrize(
    ("declared", "one", "other"),
    [
        ('type = "integer"', *(pandas.Series([*LARGE, last], dtype="uint64") for last in (7, 2**63 + 1))),
        ('type = "integer"', *(objects(*LARGE, last) for last in (7, 7.0))),
        ('type = "integer"', *(pandas.Series(pandas.Categorical([*LARGE, last])) for last in (LARGE[0], None))),
        (
            f'type = "nominal"\nlevels = ["{LARGE[0]}", "{LARGE[1]}"]',
            *(pandas.Series(pandas.Categorical([*LARGE, last])) for last in (LARGE[0], None)),
        ),
        ('type = "datetime"', *(objects(NOON, NOON, last) for last in (NOON, NOON.date()))),
        ('type = "datetime"', *(objects(first, NOON, NOON) for first in (NOON, NOON.date()))),
    ],
)
def test_a_value_does_not_change_those_of_other_rows(
    declared: str, one: Any, other: Any, pyarrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = indistinct.Schema(f'version = 1\n[[column]]\nname = "x"\n{declared}\n')
    if not pyarrow:
        forbid_pyarrow(monkeypatch)
    differs = [type(a) is not type(b) or a != b for a, b in zip(one, other)]
    assert sum(differs) == 1

    def others(series: Any) -> Any:
        found = schema.read(pandas.DataFrame({"x": series}))["x"]
        return [value for value, out in zip(found, differs) if not out]

    plain = others(one)
    assert not pandas.isna(pandas.Series(plain)).any()
    try:
        changed = others(other)
    except ValueError as error:
        # Refused is well, too: nothing is read then.
        assert "cannot be read" in str(error) or "column `x`" in str(error)
        return
    assert changed == plain


def test_a_whole_session_without_pyarrow(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("x,g\n" + "\n".join(f"{i % 50},{'ab'[i % 2]}" for i in range(400)) + "\n")
    script = """
import sys
sys.modules["pyarrow"] = None
import pandas, indistinct
table = pandas.read_csv("table.csv")
draft = indistinct.schema(table)
made = indistinct.Synthesizer(epsilon=2.0, schema=draft, seed=1).fit(table)
rows = made.sample(50)
assert type(rows) is pandas.DataFrame and rows.shape == (50, 2), rows
assert 0 <= indistinct.evaluate(table, rows, schema=draft, null="none").pmse <= 0.25
fitted = indistinct.Synthesizer(epsilon=2.0, schema=draft, seed=1).fit("table.csv")
assert fitted.sample(5, seed=3).equals(made.sample(5, seed=3))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(indistinct.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_levels_are_those_of_the_schema() -> None:
    assert _pandas.levels_of(SCHEMA.columns[3]) == ["b", "a"]
