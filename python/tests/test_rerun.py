"""What a session wrote it may write again; what others wrote, or changed, it replaces only if told to."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pandas
import pytest

import indistinct
from indistinct import _written

SCHEMA = indistinct.Schema('version = 1\n[[column]]\nname = "x"\ntype = "integer"\nminimum = 0\nmaximum = 9\n')
TABLE = pandas.DataFrame({"x": [i % 10 for i in range(500)]})


def fitted(**options: object) -> indistinct.Synthesizer:
    return indistinct.Synthesizer(epsilon=1.0, schema=SCHEMA, **options).fit(TABLE)  # type: ignore[arg-type]


def forget() -> None:
    """As a new session does."""
    _written._written.clear()
    _written._pages.clear()


def test_releases_of_this_session_are_replaced_and_others_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    fitted().save_release(folder)
    second = fitted().save_release(folder)
    assert indistinct.Certificate.load(folder) == second
    with pytest.raises(ValueError, match="exists\n help: choose another name, or say force=True"):
        fitted().save_release(folder, force=False)
    forget()
    with pytest.raises(ValueError, match="exists"):
        fitted().save_release(folder)
    fitted().save_release(folder, force=True)


def test_files_that_somebody_edited_are_kept(tmp_path: Path) -> None:
    draft = tmp_path / "schema.toml"
    SCHEMA.save(draft)
    SCHEMA.save(draft)
    draft.write_text(draft.read_text() + "# reviewed\n")
    with pytest.raises(ValueError, match="exists"):
        SCHEMA.save(draft)
    assert draft.read_text().endswith("# reviewed\n")
    model = tmp_path / "model.json"
    fitted().save(model)
    fitted().save(model)
    model.write_text("{}")
    with pytest.raises(ValueError, match="exists"):
        fitted().save(model)


def test_pages_can_be_written_again(tmp_path: Path) -> None:
    found = indistinct.evaluate(TABLE, TABLE, null="none")
    page = found.to_html(tmp_path / "look.html")
    assert found.to_html(tmp_path / "look.html") == page
    with pytest.raises(ValueError, match="exists"):
        found.to_html(tmp_path / "look.html", force=False)
    forget()
    with pytest.raises(ValueError, match="exists"):
        found.to_html(tmp_path / "look.html")


def test_a_ledger_is_opened_again_only_with_its_own_terms(tmp_path: Path) -> None:
    file = tmp_path / "one.ledger"
    first = indistinct.Ledger.init(file, epsilon=3, id="one")
    fitted(ledger=first)
    again = indistinct.Ledger.init(file, epsilon=3, id="one")
    assert len(again.charges) == 1 and again.remaining == 2
    before = file.read_bytes()
    others: list[dict[str, Any]] = [
        {"epsilon": 4, "id": "one"},
        {"epsilon": 3},
        {"epsilon": 3, "id": "two"},
        {"epsilon": 3, "delta": 1e-6, "id": "one"},
    ]
    for options in others:
        with pytest.raises(ValueError, match="a ledger never replaces a file"):
            indistinct.Ledger.init(file, **options)
    (tmp_path / "text").write_text("no ledger")
    with pytest.raises(ValueError, match="a ledger never replaces a file"):
        indistinct.Ledger.init(tmp_path / "text", epsilon=3)
    assert file.read_bytes() == before


def test_a_second_charge_like_the_first_is_not_silent(tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "one.ledger", epsilon=3)
    fitted(ledger=ledger)
    with pytest.warns(UserWarning, match="charge 3 is like charge 2: the same release was paid for again.*fit_once"):
        fitted(ledger=ledger)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        indistinct.Synthesizer(epsilon=0.5, schema=SCHEMA, ledger=ledger).fit(TABLE)


def test_fit_once_charges_once_and_does_not_look_again(tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "one.ledger", epsilon=1)
    folder = tmp_path / "release"

    def once(**options: object) -> indistinct.Synthesizer:
        made = indistinct.Synthesizer(**{"epsilon": 1.0, "schema": SCHEMA, "ledger": ledger, **options})  # type: ignore[arg-type]
        return made.fit_once(TABLE, folder)

    first = once()
    again = once()
    assert first.certificate["created"] == again.certificate["created"]
    assert again.sample(7).shape == (7, 1)
    assert len(indistinct.Ledger.open(ledger.file).charges) == 1
    other = indistinct.Schema(SCHEMA.to_toml().replace('"x"', '"y"'))
    cases: list[tuple[dict[str, Any], str]] = [
        ({"epsilon": 2.0}, "made with epsilon=1, not epsilon=2"),
        ({"delta": 1e-6}, "made with delta=0, not delta=1e-06"),
        ({"neighbours": "add-remove"}, "made with neighbours=substitute, not neighbours=add-remove"),
        ({"schema": other}, "made with schema="),
        ({"schema": indistinct.Schema(SCHEMA.to_toml().replace("integer", "float"))}, "made with schema=<one that says something else>"),
        ({"seed": 1}, "made with seed=None, not seed=<a seed>"),
        ({"person": "who"}, "made with person=None, not person=who"),
        ({"model": "normal"}, "made with model=mixed, not model=normal"),
    ]
    for options, said in cases:
        with pytest.raises(ValueError, match=said):
            once(**options)
    (folder / "synthetic.csv").write_text("x\n1\n")
    with pytest.raises(ValueError, match="not a release as it was certified"):
        once()
    assert len(indistinct.Ledger.open(ledger.file).charges) == 1


def test_fit_once_does_not_take_a_trial_for_a_release(tmp_path: Path) -> None:
    indistinct.Synthesizer(epsilon=1.0, schema=SCHEMA, seed=1).fit_once(TABLE, tmp_path / "release")
    with pytest.raises(ValueError, match="made with seed=<a seed>, not seed=None"):
        indistinct.Synthesizer(epsilon=1.0, schema=SCHEMA).fit_once(TABLE, tmp_path / "release")


def test_fit_once_refuses_folders_that_are_no_releases(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "diary.txt").write_text("mine")
    with pytest.raises(ValueError):
        indistinct.Synthesizer(epsilon=1.0, schema=SCHEMA).fit_once(TABLE, tmp_path / "notes")
    assert (tmp_path / "notes" / "diary.txt").read_text() == "mine"
