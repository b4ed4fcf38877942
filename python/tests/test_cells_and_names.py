"""Cells that a schema does not allow, and columns whose names may be values."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import indistinct

Command = Callable[..., Any]

SCHEMA = indistinct.Schema(
    'version = 1\n[[column]]\nname = "x"\ntype = "float"\n'
    '[[column]]\nname = "level"\ntype = "nominal"\nlevels = ["high", "low"]\n'
)


def table(invalid: str = "low") -> pandas.DataFrame:
    levels = ["low", "high", "high"] * 200
    levels[7] = invalid
    return pandas.DataFrame({"x": [float(row * 37 % 101) for row in range(600)], "level": levels})


def test_invalid_cells_are_refused_or_missing(tmp_path: Path, command: Command) -> None:
    table("MARK-7f3a").to_csv(tmp_path / "table.csv", index=False)
    SCHEMA.save(tmp_path / "schema.toml")
    done = command(
        "synth", tmp_path / "table.csv", "--schema", tmp_path / "schema.toml", "--epsilon", 4, "--seed", 2,
        "--invalid", "missing", "--out", tmp_path / "by-command",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = pandas.read_csv(tmp_path / "by-command" / "synthetic.csv")
    refusing = indistinct.Synthesizer(epsilon=4, schema=SCHEMA, seed=2)
    filling = indistinct.Synthesizer(epsilon=4, schema=SCHEMA, seed=2, invalid="missing")
    frame = table("MARK-7f3a")
    categories = frame.astype({"level": "category"})
    for given in [frame, categories, polars.from_pandas(frame), pyarrow.table(frame), tmp_path / "table.csv"]:
        with pytest.raises(ValueError, match="row 8, column `level`") as refused:
            refusing.fit(given)
        assert "MARK" not in str(refused.value)
        filling.fit(given).save_release(tmp_path / "release", force=True)
        again = pandas.read_csv(tmp_path / "release" / "synthetic.csv")
        pandas.testing.assert_frame_equal(again, made)
    assert filling.get_params()["invalid"] == "missing"
    with pytest.raises(ValueError, match="invalid must be one of refuse, missing"):
        indistinct.Synthesizer(invalid="ignore", schema=SCHEMA).fit(frame)


def test_columns_that_pandas_numbered_have_their_numbers_as_names() -> None:
    frame = pandas.read_csv(io.StringIO(table().to_csv(index=False, header=False)), header=None)
    with pytest.warns(UserWarning, match="column types and levels were read"):
        fitted = indistinct.Synthesizer(epsilon=4).fit(frame)
    assert list(fitted.sample(3).columns) == ["0", "1"]
    assert [column["name"] for column in indistinct.schema(frame).columns] == ["0", "1"]


def test_a_first_record_taken_for_names_is_refused_and_not_told() -> None:
    text = "918273645.125,MARK-7f3a\n" + table().to_csv(index=False, header=False)
    frame = pandas.read_csv(io.StringIO(text))
    for given in [frame, polars.from_pandas(frame), pyarrow.table(frame)]:
        works: list[Callable[[], object]] = [
            lambda: indistinct.Synthesizer(epsilon=4).fit(given),
            lambda: indistinct.schema(given),
            lambda: indistinct.evaluate(given, table()),
        ]
        for work in works:
            with pytest.raises(ValueError, match="the name of column 1 looks like a value") as refused:
                work()
            assert "918273645" not in str(refused.value) and "MARK" not in str(refused.value)
        with pytest.raises(ValueError, match="does not declare columns 1, 2") as differing:
            indistinct.Synthesizer(epsilon=4, schema=SCHEMA).fit(given)
        assert "918273645" not in str(differing.value) and "MARK" not in str(differing.value)
