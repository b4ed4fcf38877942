"""Error bars: statistics in words, functions of Python, and what goes wrong."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import indistinct

SCHEMA = """version = 1
[[column]]
name = "age"
type = "integer"
minimum = 18
maximum = 90
[[column]]
name = "sex"
type = "nominal"
levels = ["F", "M"]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draws = np.random.default_rng(1)
    table = pd.DataFrame({"age": draws.integers(18, 90, 600), "sex": draws.choice(["F", "M"], 600)})
    synthesizer = indistinct.Synthesizer(epsilon=4.0, schema=indistinct.Schema(SCHEMA), seed=1)
    synthesizer.fit(table)
    path = tmp_path_factory.mktemp("intervals") / "release"
    synthesizer.save_release(path)
    return path


@pytest.fixture(scope="module")
def release(folder: Path) -> indistinct.Release:
    return indistinct.open_release(folder)


def test_statistics_in_words_agree_with_the_command(
    release: indistinct.Release, folder: Path, document: Callable[..., Any]
) -> None:
    asked = ["mean(age)", "age ~ sex"]
    found = release.interval(asked, replicates=10, level=0.9, of="table")
    told = document("interval", folder, *asked, "--replicates", 10, "--level", 0.9, "--of", "table")
    assert found.to_dict() == told
    assert [one.get("term") for one in found.statistics] == [None, "(Intercept)", "sexM"]
    assert "90 % intervals for the private table itself" in repr(found)


def test_pages_of_releases_have_bars_where_they_are_asked_for(folder: Path, tmp_path: Path) -> None:
    fitted = indistinct.load(folder / "model.json")
    fitted.save_release(tmp_path / "bars", rehearsals=10)
    assert "was rehearsed 10 times" in (tmp_path / "bars" / "report.html").read_text(encoding="utf-8")
    assert "was rehearsed" not in (folder / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="^rehearsals=3 is too few"):
        fitted.save_release(tmp_path / "few", rehearsals=3)
    assert not (tmp_path / "few").exists()


def test_a_function_agrees_with_the_same_statistic(release: indistinct.Release) -> None:
    function: dict[str, Any] = {**release.interval(lambda table: table.age.mean(), replicates=10).statistics[0]}
    words: dict[str, Any] = {**release.interval("mean(age)", replicates=10).statistics[0]}
    for field in ("estimate", "se"):
        assert function[field] == pytest.approx(words[field], rel=1e-9)
    # The model is taken in tables of as many rows as the release, with a few left over, and its bias counts three times.
    for field in ("low", "high"):
        assert function[field] == pytest.approx(words[field], rel=5e-3)


def test_counts_and_sums_are_of_as_many_rows_as_the_release(release: indistinct.Release) -> None:
    share: dict[str, Any] = {**release.interval("share(sex == 'F')", replicates=10).statistics[0]}
    count: dict[str, Any] = {**release.interval(lambda table: (table.sex == "F").sum(), replicates=10).statistics[0]}
    assert count["estimate"] == pytest.approx(600 * share["estimate"], rel=0.02)
    # Intervals of functions are wider than those of shares, whose behaviour is known.
    assert count["se"] == pytest.approx(600 * share["se"] * 1.1 / 1.05, rel=0.02)
    assert count["low"] < 600 * share["low"] and count["high"] > 600 * share["high"]
    rows = release.interval(len, replicates=10).statistics[0]
    assert (rows["low"], rows["estimate"], rows["high"]) == (600.0, 600.0, 600.0)


def test_functions_may_change_their_table(release: indistinct.Release) -> None:
    def careless(table: pd.DataFrame) -> float:
        table["age"] = table["age"] * 2
        del table["sex"]
        return float(table["age"].mean())

    one, other = (release.interval(careless, replicates=10).to_dict() for _ in range(2))
    assert one == other
    assert list(release.tables[0].columns) == ["age", "sex"]


def test_functions_may_give_series_tables_and_mappings(release: indistinct.Release) -> None:
    series = release.interval(lambda table: table.groupby("sex", observed=True).age.mean(), replicates=10)
    assert [one["term"] for one in series.statistics] == ["F", "M"]
    table = release.interval(lambda table: table.groupby("sex", observed=True).age.agg(["mean", "max"]), replicates=10)
    assert [one["term"] for one in table.statistics] == ["F mean", "M mean", "F max", "M max"]
    mapping = release.interval(lambda table: {"rows": len(table)}, replicates=10).statistics[0]
    assert (mapping["term"], mapping["estimate"], mapping["se"]) == ("rows", 600.0, 0.0)
    listed = release.interval(lambda table: table.age.quantile([0.25, 0.75]).to_numpy(), replicates=10)
    assert [one["term"] for one in listed.statistics] == ["0", "1"]


def test_what_fails_in_a_rehearsal_is_counted_and_told(release: indistinct.Release) -> None:
    calls = 0

    def sometimes(table: pd.DataFrame) -> float:
        nonlocal calls
        calls += 1
        # The release comes first, then 50 parts of the model, then two tables for each rehearsal.
        if calls in (20, 55, 59):
            raise KeyError("no such thing")
        return math.nan if calls in (30, 62) else float(table.age.mean())

    with pytest.warns(UserWarning, match="failed in 2 of 14 rehearsals.*KeyError"):
        found = release.interval(sometimes, replicates=14)
    assert found.statistics[0]["undefined"] == 3
    assert "undefined in 3 of 14" in found.notes[0]


def test_random_functions_are_seeded_and_leave_no_trace(release: indistinct.Release) -> None:
    def drawn(table: pd.DataFrame) -> float:
        return float(table.age.mean()) + random.random() + float(np.random.rand())

    state = random.getstate()
    one, other = (release.interval(drawn, replicates=10).to_dict() for _ in range(2))
    assert one == other
    assert random.getstate() == state


def test_other_libraries_and_pages(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("polars")
    release = indistinct.open_release(folder, library="polars")
    found = release.interval(lambda table: table["age"].mean(), replicates=10)
    two = release.interval(lambda table: table["age"].sort().head(2), replicates=10)
    assert [one["term"] for one in two.statistics] == ["0", "1"]
    arrow = indistinct.open_release(folder, library="pyarrow")
    compute = pytest.importorskip("pyarrow.compute")
    same = arrow.interval(lambda table: compute.mean(table["age"]), replicates=10)
    assert same.statistics[0]["low"] == pytest.approx(found.statistics[0]["low"])
    found.to_html(tmp_path / "bars.html")
    assert "give or take" in (tmp_path / "bars.html").read_text()
    with pytest.raises(ValueError, match="exists"):
        found.to_html(tmp_path / "bars.html")


def test_bad_input(release: indistinct.Release, tmp_path: Path) -> None:
    for statistic, options, words in [
        ("mean(agee)", {}, "did you mean `age`"),
        ("mean(sex)", {}, "is a category"),
        ("mean(age)", {"replicates": 1}, "replicates=1 is too few"),
        ("mean(age)", {"level": 95}, "level= must be between 0 and 1"),
        ("mean(age)", {"of": "people"}, "of"),
        (lambda table: "text", {"replicates": 10}, "which is not a number"),
        (lambda table: math.nan, {"replicates": 10}, "no number for the release"),
        (lambda table: {1: 2.0, "1": 3.0}, {"replicates": 10}, "two numbers with the name '1'"),
        ([], {}, "no statistic"),
    ]:
        with pytest.raises(ValueError, match=words):
            release.interval(statistic, **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="does not exist"):
        indistinct.open_release(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="library"):
        indistinct.open_release(tmp_path, library="excel")
    with pytest.raises(ZeroDivisionError):
        release.interval(lambda table: 1 / 0, replicates=10)


def test_combine_rehearses(folder: Path) -> None:
    found = indistinct.combine(folder, "age ~ sex", rehearse=True, replicates=10)
    assert found.rule == "rehearsals" and found.coefficients[1]["std_error"] is not None
