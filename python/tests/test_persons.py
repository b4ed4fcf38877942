"""Persons told by a column: the same releases as the command makes, in the same words, and no private value in any exception."""

from __future__ import annotations

import logging
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import indistinct
from indistinct._indistinct import in_keywords

Command = Callable[..., Any]

COLUMNS = {"x": 'type = "float"', "level": 'type = "nominal"\nlevels = ["high", "low"]'}


def schema(**more: str) -> indistinct.Schema:
    columns = [f'[[column]]\nname = "{name}"\n{said}' for name, said in {**COLUMNS, **more}.items()]
    return indistinct.Schema("version = 1\n" + "\n".join(columns))


@pytest.fixture(scope="module")
def visits() -> pandas.DataFrame:
    random = numpy.random.default_rng(4)
    person = random.integers(0, 500, 1500)
    return pandas.DataFrame(
        {"id": person, "x": random.normal(person % 5, 1).round(3), "level": random.choice(["low", "high"], 1500)}
    )


@pytest.mark.parametrize("options", [{}, {"rows_per_person": 3}, {"delta": 1e-6, "rows_per_person": 2}])
def test_the_release_is_that_of_the_command(
    options: dict[str, Any], visits: pandas.DataFrame, tmp_path: Path, command: Command
) -> None:
    visits.to_csv(tmp_path / "visits.csv", index=False)
    schema().save(tmp_path / "visits.toml")
    flags = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    done = command(
        "synth", tmp_path / "visits.csv", "--schema", tmp_path / "visits.toml", "--epsilon", 8, "--seed", 2,
        "--person", "id", "--out", tmp_path / "by-command", *flags,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    synthesizer = indistinct.Synthesizer(epsilon=8, schema=schema(), seed=2, person="id", **options)
    for number, table in enumerate([visits, polars.from_pandas(visits), pyarrow.table(visits), tmp_path / "visits.csv"]):
        synthesizer.fit(table)
        synthesizer.save_release(tmp_path / f"{number}")
        for file in ("synthetic.csv", "model.json"):
            assert (tmp_path / f"{number}" / file).read_bytes() == (tmp_path / "by-command" / file).read_bytes()
        kept = visits.groupby("id").size().clip(upper=options.get("rows_per_person", 1)).sum()
        found = synthesizer.certificate
        assert found["rows"] == kept
        assert found["person"]["column"] == "id"
        most = options.get("rows_per_person", 1)
        condition = f" by rows of which as many are kept, at most {most}" if most > 1 else ""
        assert found["neighbours"] == "substitute all rows of one person" + condition
    fake = synthesizer.fit(visits).sample(50)
    assert list(fake.columns) == ["x", "level"]
    assert synthesizer.split(visits).model == "mixed"
    assert synthesizer.get_params()["person"] == "id"
    assert "id" not in pickle.loads(pickle.dumps(synthesizer)).sample(3).columns


def test_the_words_are_those_of_the_command(visits: pandas.DataFrame, tmp_path: Path, command: Command) -> None:
    hole = visits.astype({"id": "Int64"})
    hole.loc[17, "id"] = None
    for frame, said, person in [
        (hole, schema(), "id"),
        (visits, schema(), "pid"),
        (visits, schema(id='type = "integer"'), "id"),
    ]:
        frame.to_csv(tmp_path / "visits.csv", index=False)
        (tmp_path / "visits.toml").write_text(said.to_toml())
        done = command(
            "synth", tmp_path / "visits.csv", "--schema", tmp_path / "visits.toml", "--epsilon", 1, "--person", person
        )  # fmt: skip
        with pytest.raises(ValueError) as raised:
            indistinct.Synthesizer(epsilon=1, schema=said, person=person).fit(tmp_path / "visits.csv")
        assert in_keywords(done.stderr) == f"error: {raised.value}\n"
        with pytest.raises(ValueError) as of_frame:
            indistinct.Synthesizer(epsilon=1, schema=said, person=person).fit(frame)
        assert str(raised.value).removeprefix(str(tmp_path / "visits.csv")) == str(of_frame.value).removeprefix("table")
    with pytest.raises(ValueError, match="^person must be text"):
        indistinct.Synthesizer(person=3).fit(visits)  # type: ignore[arg-type]


MARK = "MARK-7f3a"
NUMBER = 918273645.125


class Odd:
    """What no library knows, and what shows itself as a mark."""

    def __repr__(self) -> str:
        return MARK


def frames() -> dict[str, Any]:
    """Tables that cannot be released, with marks where they are wrong."""
    rows = 40
    good = pandas.DataFrame({"id": range(rows), "x": 1.5, "level": "low"})
    odd = good.astype(object)
    bad: dict[str, Any] = {}
    for name, value in {"text": MARK, "object": Odd(), "list": [MARK], "large": 10**400 + int(NUMBER)}.items():
        frame = odd.copy()
        frame["x"] = [*[1.5] * (rows - 1), value]
        bad[f"{name} among numbers"] = frame
    bad["an undeclared level"] = good.assign(level=["low"] * (rows - 1) + [MARK])
    bad["an undeclared category"] = bad["an undeclared level"].astype({"level": "category"})
    bad["an infinite number"] = good.assign(x=[NUMBER] * (rows - 1) + [numpy.inf])
    bad["nobody"] = good.assign(id=[MARK] * (rows - 1) + [None])
    bad["categories of several types"] = good.assign(level=pandas.Categorical([MARK] * (rows - 1) + [NUMBER]))
    bad["sparse"] = good.assign(level=pandas.arrays.SparseArray([MARK] * rows, fill_value=MARK))
    kind = polars.List(polars.Enum([MARK]))
    bad["lists of categories"] = polars.DataFrame({"id": [1], "x": [1.5], "level": polars.Series([[MARK]], dtype=kind)})
    bad["structures"] = pyarrow.table({"id": [1], "x": [NUMBER], "level": [{"a": MARK}]})
    return bad


@pytest.mark.parametrize("kind", frames())
def test_no_exception_holds_a_private_value(
    kind: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "ledger", 10)
    synthesizer = indistinct.Synthesizer(epsilon=1, schema=schema(), person="id", ledger=ledger)
    with caplog.at_level(logging.DEBUG), pytest.raises(ValueError) as raised:
        synthesizer.fit(frames()[kind])
    told = ["".join(traceback.format_exception(raised.type, raised.value, None)), *capfd.readouterr(), caplog.text]
    # Also what tools that report exceptions would find behind it.
    error: BaseException | None = raised.value
    while error is not None:
        told += [str(error), repr(error), repr(error.args)]
        error = error.__cause__ or error.__context__
    told.append((tmp_path / "ledger").read_text())
    for text in told:
        assert MARK not in text and "918273645" not in text, text
