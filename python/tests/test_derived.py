"""Derived columns: computed from the others, in what is sampled and in what is read."""

from __future__ import annotations

from pathlib import Path

import numpy
import pandas
import pytest

import indistinct

SCHEMA = """
version = 1

[[column]]
name = "area"
type = "float"
decimals = 2
derive = "width * height"

[[column]]
name = "width"
type = "float"
decimals = 1
minimum = 0
maximum = 10
focus = 3

[[column]]
name = "height"
type = "integer"
minimum = 1
maximum = 20

[[column]]
name = "size"
type = "ordered"
levels = ["small", "large"]
derive = "cut(area, 25)"

[[column]]
name = "shape"
type = "nominal"
levels = ["oval", "square"]

[[column]]
name = "corners"
type = "integer"
derive = "lookup(shape)"
[column.lookup]
oval = 0
square = 4
"""


@pytest.fixture(scope="module")
def table() -> pandas.DataFrame:
    random = numpy.random.default_rng(5)
    return pandas.DataFrame(
        {
            "width": random.uniform(0, 10, 900).round(1),
            "height": random.integers(1, 21, 900),
            "shape": random.choice(["oval", "square"], 900),
        }
    )


def exact(sample: pandas.DataFrame) -> None:
    assert list(sample.columns) == ["area", "width", "height", "size", "shape", "corners"]
    known = sample.dropna()
    assert len(known) > 0
    assert (known["area"] == (known["width"] * known["height"]).round(2)).all()
    assert ((known["size"] == "large") == (known["area"] >= 25)).all()
    assert (known["corners"] == known["shape"].map({"oval": 0, "square": 4}).astype("int64")).all()


def test_samples_have_derived_columns(table: pandas.DataFrame, tmp_path: Path) -> None:
    declared = indistinct.Schema(SCHEMA)
    fitted = indistinct.Synthesizer(epsilon=8.0, schema=declared).fit(table)
    exact(fitted.sample())
    some = fitted.sample(300, where="area > 30 and corners == 4")
    exact(some)
    assert (some["area"] > 30).all() and (some["shape"] == "square").all()
    assert fitted.certificate["derived"] == ["area", "size", "corners"]
    fitted.save_release(tmp_path / "release")
    indistinct.verify(tmp_path / "release")
    exact(indistinct.load(tmp_path / "release" / "model.json").sample(200))


def test_tables_are_read_with_derived_columns(table: pandas.DataFrame) -> None:
    exact(indistinct.Schema(SCHEMA).read(table))


def test_schemas_tell_what_is_derived_and_what_matters(tmp_path: Path) -> None:
    declared = indistinct.Schema(SCHEMA)
    area, width, *_, corners = declared.columns
    assert (area["derive"], width["focus"]) == ("width * height", 3)
    assert corners["lookup"] == {"oval": 0, "square": 4}
    declared.save(tmp_path / "schema.toml")
    assert indistinct.Schema.load(tmp_path / "schema.toml") == declared
    assert "width * height" in declared._repr_html_()
    with pytest.raises(ValueError, match="no column `witdh`"):
        indistinct.Schema(SCHEMA.replace("width * height", "witdh * height"))
