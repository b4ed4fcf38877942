"""The notebook in `examples` runs from top to bottom, and every cell can be run again."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import indistinct

EXAMPLES = Path(__file__).parents[2] / "examples"


def cells() -> list[str]:
    notebook = json.loads((EXAMPLES / "patients.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    assert all(not cell.get("outputs") for cell in notebook["cells"]), "outputs are not kept"
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(code: str, space: dict[str, Any]) -> object:
    """Runs a cell as notebooks do: the value of its last expression is what they show."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    if not isinstance(last, ast.Expr):
        return None
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    show = getattr(value, "_repr_html_", None)
    assert show is None or isinstance(show(), (str, type(None)))
    repr(value)
    return value


# The example declares no limits of some columns, and is told so.
pytestmark = pytest.mark.filterwarnings("ignore:not both limits are declared")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "examples"
    shutil.copytree(EXAMPLES, here)
    monkeypatch.chdir(here)
    return here


def test_every_cell_runs_and_runs_again(folder: Path) -> None:
    space: dict[str, Any] = {}
    for code in cells():
        run(code, space)
        run(code, space)
    assert len(indistinct.Ledger.open("patients.ledger").charges) == 1, "paid for once"
    assert (folder / "look.private.html").is_file()


def test_the_whole_notebook_runs_again_in_a_new_session(folder: Path) -> None:
    for _ in range(2):
        space: dict[str, Any] = {}
        for code in cells():
            run(code, space)
    assert len(indistinct.Ledger.open("patients.ledger").charges) == 1, "paid for once"
