"""What calls give back: pickled, shown, saved."""

from __future__ import annotations

import copy
import json
import os
import pickle
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas
import pytest

import indistinct

People = Callable[..., pandas.DataFrame]


def well_formed(markup: str) -> None:
    """Every tag is closed in order."""
    open_tags: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    parser = Parser()
    parser.feed(markup)
    parser.close()
    assert not open_tags


def test_evaluations_are_pickled_without_the_tables(people: People, tmp_path: Path) -> None:
    found = indistinct.evaluate(people(0), people(1), replicates=3)
    packed = pickle.dumps(found)
    back = pickle.loads(packed)
    assert back.to_dict() == found.to_dict()
    assert repr(back) == repr(found)
    assert len(packed) < 20_000, "the private table is not in it"
    with pytest.raises(ValueError, match="no tables to draw"):
        back.to_html(tmp_path / "look.html")
    assert copy.copy(found).pmse == found.pmse


def test_pages_say_that_they_are_private(people: People, tmp_path: Path) -> None:
    found = indistinct.evaluate(people(0), people(1), replicates=3)
    name = found.to_html(tmp_path / "look.html")
    assert name == str(tmp_path / "look.private.html")
    assert "do not publish" in Path(name).read_text().lower()
    with pytest.raises(ValueError, match="exists\n help: choose another name"):
        found.to_html(tmp_path / "look.html", force=False)
    found.to_html(tmp_path / "look.html", force=True)


def test_documents_are_copies(people: People) -> None:
    found = indistinct.evaluate(people(0), people(1), null="none")
    found.to_dict()["mean"]["pmse"] = 7
    assert found.pmse < 1
    assert found.s_pmse is None and found.null_reference is None


def test_markup_for_notebooks_escapes_names() -> None:
    hostile = "<script>alert(1)</script>"
    table = pandas.DataFrame({hostile: [1, 2, 3, 4] * 9, "y": [1, 1, 2, 2] * 9})
    found = indistinct.evaluate(table, table, null="none", predict=hostile)
    combined = indistinct.combine([table], f"y ~ `{hostile}`")
    for markup in [found._repr_html_(), combined._repr_html_(), indistinct.schema(table)._repr_html_()]:
        well_formed(markup)
        assert "<script>" not in markup
    assert "do not publish" in found._repr_html_()


def test_schemas_are_saved_loaded_and_pickled(people: People, tmp_path: Path) -> None:
    draft = indistinct.schema(people(0))
    assert draft.is_draft
    draft.save(tmp_path / "schema.toml")
    loaded = indistinct.Schema.load(tmp_path / "schema.toml")
    assert loaded == draft == pickle.loads(pickle.dumps(draft))
    assert hash(loaded) == hash(draft)
    assert loaded.is_draft, "its marks are left, so nobody has reviewed it"
    assert [column["name"] for column in loaded.columns] == list(people(0).columns)
    with pytest.raises(ValueError, match="exists"):
        draft.save(tmp_path / "schema.toml", force=False)
    draft.save(tmp_path / "schema.toml", force=True)
    assert loaded.to_toml().startswith("#") or "version" in loaded.to_toml()


def test_doubts_of_a_draft_are_warnings() -> None:
    names = pandas.DataFrame({"name": [f"person {number}" for number in range(60)]})
    with pytest.warns(UserWarning, match="column `name`"):
        indistinct.schema(names)


def test_certificates(release: Path) -> None:
    certificate = indistinct.Certificate.load(release)
    assert isinstance(certificate, dict)
    assert certificate == json.loads((release / "certificate.json").read_text())
    assert certificate == indistinct.Certificate.load(release / "certificate.json")
    assert certificate == indistinct.Certificate.from_dict(dict(certificate))
    assert certificate.check() == []
    assert (certificate.rows, certificate.columns, certificate.epsilon, certificate.seeded) == (400, 2, 1.0, True)
    assert set(certificate.files) >= {"synthetic-01.csv", "model.json"}
    assert 0.5 < sum(step["epsilon"] for step in certificate.spent) <= 1
    well_formed(certificate._repr_html_())
    back = pickle.loads(pickle.dumps(certificate))
    assert back == certificate
    assert type(back) is indistinct.Certificate
    forged = indistinct.Certificate(certificate)
    forged["epsilon"] = 0.1
    assert any("cost epsilon" in problem for problem in forged.check())
    assert "does not hold" in forged._repr_html_()


def test_a_release_that_was_changed(release: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(release, changed)
    (changed / "synthetic-01.csv").write_text("x,y\n1,2\n")
    with pytest.raises(indistinct.VerificationFailed, match="not what was released: synthetic-01.csv") as raised:
        indistinct.verify(changed)
    assert raised.value.verification is not None
    assert raised.value.verification.files["synthetic-01.csv"] == "changed"
    assert not raised.value.verification.valid
    certificate = json.loads((release / "certificate.json").read_text())
    certificate["guarantee"] = {"kind": "pure", "epsilon": 1.0}
    (changed / "certificate.json").write_text(json.dumps(certificate))
    with pytest.raises(indistinct.VerificationFailed, match="claims more than its parts carry"):
        indistinct.verify(changed)


def test_ledgers(tmp_path: Path) -> None:
    path = tmp_path / "budget.ledger"
    ledger = indistinct.Ledger.init(path, "0.3")
    assert ledger == indistinct.Ledger(path) == pickle.loads(pickle.dumps(ledger))
    assert repr(ledger) == ledger.show().rstrip("\n")
    assert (ledger.epsilon, ledger.charges, ledger.id, ledger.file) == (0.3, [], None, os.fspath(path))
    well_formed(ledger._repr_html_())
    ledger.verify(ledger.head)
    with pytest.raises(ValueError, match="the ledger was rewritten"):
        ledger.verify("0" * 64)
    text = path.read_text()
    path.write_text(text.replace("0.3", "3.0"))
    with pytest.raises(ValueError, match="help: "):
        ledger.verify()
    with pytest.warns(UserWarning, match="protects little"):
        indistinct.Ledger.init(tmp_path / "large.ledger", 20)
    other = indistinct.Ledger.init(tmp_path / "other.ledger", 3, delta=3e-6, neighbours="add-remove")
    assert (ledger.neighbours, other.neighbours) == ("substitute", "add-remove")
    assert other.together == {"epsilon": 0.0, "delta": 0.0, "rho": 0.0}
    plan = other.plan(3)
    assert (plan.releases, plan.delta, plan.pure_epsilon) == (3, 1e-6, 1.0)
    assert 1.0 < plan.epsilon < 3.0 and "--neighbours add-remove" in repr(plan)
    with pytest.raises(ValueError, match='neighbours must be "substitute" or "add-remove"'):
        indistinct.Ledger.init(tmp_path / "none.ledger", 3, neighbours="few")
    with pytest.raises(ValueError, match="^releases= must be from 1"):
        other.plan(0)
    with pytest.raises(indistinct.BudgetExceeded, match="no delta left"):
        indistinct.Ledger.init(tmp_path / "pure.ledger", 3).plan(2, delta="1e-6")


def test_charges_of_the_command_are_seen(
    release: Path, tmp_path: Path, command: Callable[..., Any]
) -> None:
    path = tmp_path / "budget.ledger"
    indistinct.Ledger.init(path, 1.5)
    private = release.parent / "private.csv"
    arguments = ["synth", private, "--epsilon", 1, "--ledger", path, "--out", tmp_path / "out"]
    assert command(*arguments).returncode == 3, "its schema would be drafted"
    done = command(*arguments, "--accept-conditional")
    assert done.returncode == 0, done.stderr
    ledger = indistinct.Ledger.open(path)
    assert (ledger.spent, ledger.remaining) == (1.0, 0.5)
    assert [charge["epsilon"] for charge in ledger.charges] == [1.0]
    assert ledger.charges[0]["provided"][0] == "the schema was drafted from these rows"
    assert issubclass(indistinct.BudgetExceeded, Exception)
    assert not issubclass(indistinct.BudgetExceeded, ValueError)
    assert pickle.loads(pickle.dumps(indistinct.BudgetExceeded("no"))).args == ("no",)
