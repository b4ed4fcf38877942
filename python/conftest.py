"""What tests and examples share: the built command, and a release that it made."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

ROOT = Path(__file__).resolve().parent.parent


def _binary() -> str:
    named = os.environ.get("INDISTINCT_COMMAND")
    places = [Path(named)] if named else [ROOT / "target" / profile / "indistinct" for profile in ("debug", "release")]
    found = [place for place in places if place.exists()]
    if not found:
        raise RuntimeError("the command is not built: cargo build -p indistinct-cli")
    return str(max(found, key=lambda place: place.stat().st_mtime))


@pytest.fixture(scope="session")
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command, and gives back what it printed."""
    binary = _binary()

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([binary, *map(str, arguments)], capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="session")
def document(command: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., Any]:
    """Runs the command with --json, and gives back its document."""

    def run(*arguments: object) -> Any:
        done = command(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def people() -> Callable[..., pandas.DataFrame]:
    """Invented people: numbers, whole numbers, categories, truths and dates, some missing."""

    def make(seed: int, rows: int = 300) -> Any:
        random = numpy.random.default_rng(seed)
        height = random.normal(170, 10, rows)
        weight = height - 100 + random.normal(0, 8, rows)
        weight[random.random(rows) < 0.1] = numpy.nan
        days = numpy.datetime64("2020-01-01") + 30 * random.integers(0, 12, rows)
        return pandas.DataFrame(
            {
                "height": height,
                "weight": weight,
                "children": random.poisson(1.3, rows),
                "region": pandas.Categorical(random.choice(["north", "south", "west"], rows)),
                "smoker": random.random(rows) < 0.3,
                "seen": days.astype("datetime64[us]"),
            }
        )

    return make


@pytest.fixture(scope="session")
def release(
    tmp_path_factory: pytest.TempPathFactory, command: Callable[..., subprocess.CompletedProcess[str]]
) -> Path:
    """A release of a table of numbers, seeded and so without a guarantee, of two tables."""
    folder = tmp_path_factory.mktemp("work")
    random = numpy.random.default_rng(7)
    x = random.normal(0, 1, 400)
    pandas.DataFrame({"x": x, "y": 2 * x + random.normal(0, 1, 400)}).to_csv(folder / "private.csv", index=False)
    out = folder / "release"
    done = command("synth", folder / "private.csv", "--epsilon", 1, "--seed", 3, "--tables", 2, "--out", out)
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(autouse=True)
def examples_find_a_release(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples in docstrings run where a folder `release` is."""
    if isinstance(request.node, pytest.DoctestItem):
        monkeypatch.chdir(request.getfixturevalue("release").parent)
