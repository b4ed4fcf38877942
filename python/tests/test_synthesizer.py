"""Synthesizer: the same releases as the command makes, in the kind of table that was fitted."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
import sklearn.base

import indistinct
from indistinct import _indistinct
from indistinct._frames import as_source

People = Callable[..., pandas.DataFrame]
Command = Callable[..., subprocess.CompletedProcess[str]]

DRAFTED = (
    "column types and levels were read from the private data, and the guarantee is conditional on that: give them with "
    "--schema"
)


def reviewed(draft: indistinct.Schema) -> indistinct.Schema:
    """The draft as somebody leaves it who agrees with all of it."""
    return indistinct.Schema(re.sub(" *# learned from the private data:.*", "", draft.to_toml()))


@pytest.fixture(scope="module")
def measures() -> pandas.DataFrame:
    random = numpy.random.default_rng(11)
    x = random.normal(3, 2, 1500)
    return pandas.DataFrame({"x": x, "y": 2 * x + random.normal(0, 1, 1500)})


@pytest.fixture(scope="module")
def declared(measures: pandas.DataFrame) -> indistinct.Schema:
    columns = "\n".join(f'[[column]]\nname = "{name}"\ntype = "float"' for name in measures.columns)
    return indistinct.Schema(f"version = 1\n{columns}\n")


@pytest.fixture(scope="module")
def patients(people: People) -> tuple[pandas.DataFrame, indistinct.Schema]:
    frame = people(5, 800)
    return frame, reviewed(indistinct.schema(frame))


@pytest.fixture(scope="module")
def fitted(measures: pandas.DataFrame, declared: indistinct.Schema) -> indistinct.Synthesizer:
    return indistinct.Synthesizer(epsilon=1.0, schema=declared, seed=8).fit(measures)


def flags(options: dict[str, Any]) -> list[str]:
    return [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]


NUMERIC: list[dict[str, Any]] = [
    {"seed": 1},
    {"seed": 2, "delta": 1e-6, "score_epsilon": 0.05, "quality": "pmse", "tables": 2},
    {"seed": 3, "draws": 2, "tables": 2, "rows": 50},
    {"seed": 4, "sampler": "metropolis", "steps": 300, "chains": 2, "prior_sd": 10.0, "sensitivity": "paper"},
    {"seed": 4, "sampler": "metropolis", "steps": 300, "chains": 2, "prior_sd": 10.0, "prior_scale": "log-sd"},
    {"seed": 8, "discriminator": "optimal", "sets": 3, "candidates": 30},
    {"seed": 5, "model": "mixed"},
    {"seed": 6, "method": "noisy-bayes", "bounds": "-20:20"},
    {"seed": 7, "method": "smooth-histogram", "bounds": "-20:20", "bins": 10, "draws": 2},
]


# The dtypes that follow from the types of the schema of patients.
DTYPES = {
    "height": "float64", "weight": "float64", "children": "Int64", "region": "category", "smoker": "boolean",
    "seen": "datetime64[us]",
}  # fmt: skip


def whole(folder: Path) -> bool:
    """Whether a release is whole; those of tests are seeded, and promise nothing."""
    with pytest.raises(indistinct.VerificationFailed, match="promises nothing: seeded") as raised:
        indistinct.verify(folder)
    return raised.value.verification is not None and raised.value.verification.valid


def folders_agree(ours: Path, theirs: Path) -> None:
    """All files are the same, but for the time that certificate and page name."""
    names = sorted(path.name for path in theirs.iterdir())
    assert sorted(path.name for path in ours.iterdir()) == names
    documents = [json.loads((folder / "certificate.json").read_text()) for folder in (ours, theirs)]
    times = [document.pop("created") for document in documents]
    for document in documents:
        document["files"].pop("report.html")
    assert documents[0] == documents[1]
    pages = [
        (folder / "report.html").read_text().replace(when, "") for folder, when in zip((ours, theirs), times)
    ]
    if times[0] == times[1]:
        assert pages[0] == pages[1]
    for name in names:
        if name not in ("certificate.json", "report.html"):
            assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name


@pytest.mark.parametrize("options", NUMERIC, ids=lambda options: " ".join(flags(options)))
def test_numbers_are_those_of_the_command(
    options: dict[str, Any], measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path, command: Command
) -> None:
    measures.to_csv(tmp_path / "private.csv", index=False)
    declared.save(tmp_path / "schema.toml")
    arguments = ["--epsilon", "2", "--schema", tmp_path / "schema.toml", "--out", tmp_path / "theirs", *flags(options)]
    words: list[Any] = ["synth"]
    if "method" in options:
        at = arguments.index("--method")
        words, arguments = ["baseline", arguments[at + 1]], arguments[:at] + arguments[at + 2 :]
    done = command(*words, tmp_path / "private.csv", *arguments)
    assert done.returncode == 0, done.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = indistinct.Synthesizer(2, schema=declared, **options).fit(measures)
    ours.save_release(tmp_path / "ours")
    folders_agree(tmp_path / "ours", tmp_path / "theirs")
    assert whole(tmp_path / "ours")
    tables = sorted((tmp_path / "theirs").glob("synthetic*.csv"))
    per_draw = options.get("tables", 1)
    for draw in range(options.get("draws", 1)):
        written = pyarrow.csv.read_csv(tables[draw * per_draw]).to_pandas()
        pandas.testing.assert_frame_equal(ours.sample(draw=draw + 1), written, check_exact=True)
    assert ours.certificate["spent"] == json.loads((tmp_path / "theirs" / "certificate.json").read_text())["spent"]


@pytest.mark.parametrize("options", [{"seed": 1}, {"seed": 2, "delta": 1e-6, "tables": 2, "score_epsilon": 0.1}])
def test_columns_of_any_type_are_those_of_the_command(
    options: dict[str, Any], patients: tuple[pandas.DataFrame, indistinct.Schema], tmp_path: Path, command: Command
) -> None:
    frame, schema = patients
    frame.to_parquet(tmp_path / "private.parquet")
    schema.save(tmp_path / "schema.toml")
    arguments = ["--epsilon", "3", "--schema", tmp_path / "schema.toml", "--out", tmp_path / "theirs", *flags(options)]
    done = command("synth", tmp_path / "private.parquet", *arguments)
    assert done.returncode == 0, done.stderr
    ours = indistinct.Synthesizer(3, schema=schema, **options).fit(frame)
    ours.save_release(tmp_path / "ours", format="parquet")
    folders_agree(tmp_path / "ours", tmp_path / "theirs")
    written = indistinct.load(tmp_path / "theirs" / "model.json", like=frame)
    assert written.schema_ == ours.schema_
    sampled, table = ours.sample(), pyarrow.parquet.read_table(sorted((tmp_path / "theirs").glob("synth*"))[0])
    assert len(sampled) == len(frame)
    for name in frame.columns:
        assert sampled[name].dtype == DTYPES[name]
        there = table.column(name).to_pandas(date_as_object=False)
        assert sampled[name].isna().tolist() == there.isna().tolist()
        values = [column.dropna().astype(frame[name].dtype).tolist() for column in (sampled[name], there)]
        assert values[0] == values[1]


def test_a_draft_is_that_of_the_command(people: People, tmp_path: Path, command: Command) -> None:
    frame = people(6, 1000)
    frame.to_parquet(tmp_path / "private.parquet")
    done = command("synth", tmp_path / "private.parquet", "--epsilon", 3, "--seed", 4, "--out", tmp_path / "theirs")
    assert f"warning: {DRAFTED}\n" in done.stderr
    with pytest.warns(UserWarning) as heard:
        ours = indistinct.Synthesizer(3, seed=4).fit(frame)
    assert [str(one.message) for one in heard] == re.findall("warning: (.*)", _indistinct.in_keywords(done.stderr))
    assert heard[0].filename == __file__
    ours.save_release(tmp_path / "ours", format="parquet")
    folders_agree(tmp_path / "ours", tmp_path / "theirs")
    assert ours.certificate["schema_source"] == "drafted from the data"
    assert ours.schema_.is_draft
    draft = indistinct.schema(frame)
    draft.save(tmp_path / "draft.toml")
    # What a release has learned is a draft, too, wherever it is kept.
    ours.schema_.save(tmp_path / "learned.toml")
    learned = (ours.schema_, indistinct.Schema(ours.schema_.to_toml()), tmp_path / "learned.toml")
    for unreviewed in (draft, indistinct.Schema.load(tmp_path / "draft.toml"), tmp_path / "draft.toml", *learned):
        with pytest.warns(UserWarning, match="^the schema has lines that are marked as learned from the private data"):
            given = indistinct.Synthesizer(3, seed=4, schema=unreviewed).fit(frame)
        assert given.certificate["schema_source"] == "drafted from the data", "a draft that nobody reviewed stays one"
    given = indistinct.Synthesizer(3, seed=4, schema=reviewed(draft)).fit(frame)
    assert draft.is_draft and not reviewed(draft).is_draft and given.certificate["schema_source"] == "user"


def test_splits_are_those_of_the_command(
    patients: tuple[pandas.DataFrame, indistinct.Schema], tmp_path: Path, command: Command, document: Callable[..., Any]
) -> None:
    frame, schema = patients
    frame.to_parquet(tmp_path / "private.parquet")
    schema.save(tmp_path / "schema.toml")
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 2.5)
    arguments = ["synth", tmp_path / "private.parquet", "--epsilon", 3, "--schema", tmp_path / "schema.toml", "--dry-run"]
    split = indistinct.Synthesizer(3, schema=tmp_path / "schema.toml").split(frame)
    assert split.to_dict() == document(*arguments)
    assert repr(split) + "\n" == command(*arguments).stdout
    assert (split.fits, split.refusal) == (None, None)
    assert [predicted["epsilon"] for predicted in split.predicted] == [1.5, 3, 6]
    # With a ledger it says whether the charge fits.
    arguments += ["--ledger", ledger.file]
    synthesizer = indistinct.Synthesizer(3, schema=tmp_path / "schema.toml", ledger=ledger)
    split = synthesizer.split(frame)
    done = command(*arguments, "--json")
    assert (done.returncode, json.loads(done.stdout)) == (3, split.to_dict())
    assert repr(split) + "\n" == command(*arguments).stdout
    assert split.fits is False and split.refusal is not None and "epsilon 2.5 left" in split.refusal
    assert synthesizer.set_params(epsilon=2.5).split(frame).fits is True
    assert split.model == "mixed"
    assert "margin of" in split._repr_html_()
    assert indistinct.Ledger.open(ledger.file).charges == [], "nothing is charged"
    with pytest.raises(ValueError, match="not fitted"):
        synthesizer.sample()


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        (["--epsilon", "0"], {"epsilon": 0}),
        (["--epsilon", "nan"], {"epsilon": float("nan")}),
        (["--epsilon", "much"], {"epsilon": "much"}),
        (["--epsilon", "much"], {"epsilon": "1.0"}),
        (["--epsilon", "much"], {"epsilon": [1]}),
        (["--epsilon", "much"], {"epsilon": True}),
        ([], {"epsilon": None}),
        (["--epsilon", "1", "--delta", "2"], {"delta": 2}),
        (["--epsilon", "1", "--delta", "1e-20"], {"delta": 1e-20}),
        (["--epsilon", "1", "--score-epsilon", "1"], {"score_epsilon": 1}),
        (["--epsilon", "1", "--depth", "3"], {"depth": 3}),
        (["--epsilon", "1", "--steps", "3"], {"steps": 3}),
        (["--epsilon", "1", "--sets", "3"], {"sets": 3}),
        (["--epsilon", "1", "--prior-scale", "sd"], {"prior_scale": "sd"}),
        (["--epsilon", "1", "--draws", "0"], {"draws": 0}),
        (["--epsilon", "1", "--model", "mixed", "--cp", "0.1"], {"model": "mixed", "cp": 0.1}),
        (["--epsilon", "1", "--method", "noisy-bayes"], {"method": "noisy-bayes"}),
        (["--epsilon", "1", "--method", "k-norm"], {"method": "k-norm"}),
        (["--epsilon", "1", "--bounds", "1:2"], {"bounds": "1:2"}),
        (["--epsilon", "1", "--measure-share", "7"], {"measure_share": 7}),
        (["--epsilon", "1", "--threads", "0"], {"threads": 0}),
        (["--epsilon", "0.0001"], {"epsilon": 0.0001}),
    ],
)
def test_errors_say_what_the_command_says_in_keywords(
    typed: list[str],
    options: dict[str, Any],
    measures: pandas.DataFrame,
    declared: indistinct.Schema,
    tmp_path: Path,
    command: Command,
) -> None:
    measures.to_csv(tmp_path / "private.csv", index=False)
    declared.save(tmp_path / "schema.toml")
    out = tmp_path / "out"
    words = ["synth"]
    if "--method" in typed:
        at = typed.index("--method")
        words, typed = ["baseline", typed[at + 1]], typed[:at] + typed[at + 2 :]
    done = command(*words, tmp_path / "private.csv", "--schema", tmp_path / "schema.toml", "--out", out, *typed)
    assert done.returncode in (1, 2)
    synthesizer = indistinct.Synthesizer(**{"epsilon": 1, "schema": declared, **options})
    for work in (synthesizer.fit, synthesizer.split):
        with pytest.raises(ValueError) as raised:
            work(measures)
        assert f"error: {raised.value}\n" == _indistinct.in_keywords(done.stderr)


SMALL = pandas.DataFrame({"x": [1.0, 2.0] * 50})


@pytest.mark.parametrize(
    ("table", "pattern"),
    [
        (pandas.DataFrame({"good": [1, 2], "bad": ["a", 1]}), "^table: column 2 is of type object with values of several"),
        (pandas.DataFrame({"good": [1, 2], "bad": [1j, 2j]}), "^table: column 2 is of type complex128, which cannot"),
        (pandas.DataFrame({"good": [1, 2], "bad": [[1], [2]]}), "^table: column 2 is of type "),
        (polars.DataFrame({"good": [1, 2], "bad": [[1], [2]]}), "^table: column 2 is of type List"),
        (SMALL.iloc[:0], "^table: the table has column names but no rows"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "^table: columns 1 and 2 have the same name"),
        (pandas.DataFrame(), "^table: the table has no columns"),
        (SMALL["x"], "^table: this is a pandas Series, not a table"),
        (None, "^table: a NoneType is not a table"),
        ("gone.csv", "^gone.csv: "),
        (pandas.DataFrame({"y": [1.0, 2.0]}), "^table: .*`x`"),
    ],
)
def test_tables_that_cannot_be_fitted(table: Any, pattern: str, tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 1)
    schema = indistinct.Schema('version = 1\n[[column]]\nname = "x"\ntype = "float"\n')
    declared = None if "`x`" not in pattern else schema
    synthesizer = indistinct.Synthesizer(1, schema=declared, ledger=ledger, accept_conditional=True)
    with pytest.raises(ValueError, match=pattern), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        synthesizer.fit(table)
    assert indistinct.Ledger.open(ledger.file).charges == []


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        ({"model": "magic"}, "^model must be one of auto, normal, mixed$"),
        ({"draws": 1.5}, "^draws must be a whole number"),
        ({"seed": -1}, "^seed must be a whole number"),
        ({"bounds": 3}, "^bounds must be text$"),
        ({"fresh_tables": "yes"}, "^fresh_tables must be True or False$"),
        ({"schema": 3}, "^schema must be a Schema or the name of a schema file"),
        ({"ledger": 3}, "^ledger must be a Ledger or the name of its file"),
        ({"ledger_id": "people"}, "^ledger_id is given without a ledger"),
        ({"ledger_id": 3}, "^ledger_id must be text"),
        ({"ledger": "gone.ledger"}, "^gone.ledger: "),
    ],
)
def test_options_that_cannot_be(
    options: dict[str, Any], pattern: str, measures: pandas.DataFrame, declared: indistinct.Schema
) -> None:
    synthesizer = indistinct.Synthesizer(**{"schema": declared, **options})
    with pytest.raises(ValueError, match=pattern):
        synthesizer.fit(measures)
    with pytest.raises(ValueError, match="^this Synthesizer is not fitted\n help: "):
        synthesizer.sample()


def test_samples(fitted: indistinct.Synthesizer, measures: pandas.DataFrame, tmp_path: Path, command: Command) -> None:
    fitted.save(tmp_path / "model.json")
    arguments = ["sample", tmp_path / "model.json", "--rows", 70, "--seed", 3, "--where", "x > 2 and y < 9"]
    assert command(*arguments, "--out", tmp_path / "more.csv").returncode == 0
    expected = pyarrow.csv.read_csv(tmp_path / "more.csv").to_pandas()
    for synthesizer in (fitted, indistinct.load(tmp_path / "model.json")):
        more = synthesizer.sample(70, seed=3, where="x > 2 and y < 9")
        pandas.testing.assert_frame_equal(more, expected, check_exact=True)
    with pytest.raises(ValueError, match=re.escape("model.json exists\n help: choose another name")):
        fitted.save(tmp_path / "model.json", force=False)
    fitted.save(tmp_path / "model.json", force=True)
    assert fitted.sample(5).equals(fitted.sample(5)), "a seeded fit can be repeated"
    assert not fitted.sample(5).equals(fitted.sample(5, seed=1))
    loaded = indistinct.load(tmp_path / "model.json")
    assert not loaded.sample(5).equals(loaded.sample(5)), "new rows every time"
    assert len(loaded.sample()) == len(measures)
    for options, pattern in [
        ({"rows": 0}, "^rows= must be at least 1\n"),
        ({"rows": -1}, "^rows must be a whole number"),
        ({"draw": 2}, "^the model has 1 draw, counted from 1\n"),
        ({"draw": 0}, "^the model has 1 draw, counted from 1\n"),
        ({"where": "z > 1"}, "^where, "),
        ({"where": "x > 1 and x < 0"}, "^where: no row can pass"),
        ({"where": 3}, "^where must be text$"),
    ]:
        with pytest.raises(ValueError, match=pattern):
            fitted.sample(**options)  # type: ignore[arg-type]


def test_a_histogram_has_its_tables_only(measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path) -> None:
    made = indistinct.Synthesizer(1, schema=declared, method="smooth-histogram", bounds="-20:20", bins=8).fit(measures)
    assert made.sample().equals(made.sample())
    for call in (lambda: made.sample(5), lambda: made.save(tmp_path / "m"), lambda: pickle.dumps(made)):
        with pytest.raises(ValueError, match="^a smooth histogram has no model to make rows from"):
            call()


def test_release_folders(fitted: indistinct.Synthesizer, declared: indistinct.Schema, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    certificate = fitted.save_release(folder, tables=3, format="tsv")
    assert sorted(certificate.files) == ["model.json", "report.html", *(f"synthetic-0{n}.tsv" for n in (1, 2, 3))]
    assert certificate["tables"] == 3
    assert whole(folder)
    with pytest.raises(ValueError, match="exists"):
        fitted.save_release(folder, force=False)
    loaded = indistinct.load(folder / "model.json")
    assert loaded.certificate == {**certificate, "files": {}}
    assert loaded.epsilon == 1.0
    assert loaded.schema_.columns == declared.columns
    again = loaded.save_release(tmp_path / "again", tables=1)
    assert sorted(again.files) == ["model.json", "report.html", "synthetic.csv"]
    assert again.files["model.json"] == certificate.files["model.json"]
    assert whole(tmp_path / "again")
    fitted.save_release(folder, force=True)
    assert not (folder / "synthetic-01.tsv").exists()
    for options, pattern in [({"tables": 0}, "at least 1"), ({"format": "xls"}, "^format= is not a known format")]:
        with pytest.raises(ValueError, match=pattern):
            fitted.save_release(tmp_path / "other", **options)  # type: ignore[arg-type]
    (folder / "model.json").write_text((folder / "model.json").read_text() + "\n")
    changed = indistinct.load(folder / "model.json")
    with pytest.raises(ValueError, match="^the model came without the certificate of its release"):
        changed.save_release(tmp_path / "other")
    with pytest.raises(ValueError, match="^the model came without the certificate of its release"):
        changed.certificate  # noqa: B018
    assert not (tmp_path / "other").exists()


def test_model_files_that_are_not_ours(tmp_path: Path) -> None:
    other = tmp_path / "model.json"
    with pytest.raises(ValueError, match="model.json: cannot be read: "):
        indistinct.load(other)
    for text in ["{", "[]", "{}", '{"tool": "another", "format": 1}', "\x00"]:
        other.write_text(text)
        with pytest.raises(ValueError, match="model.json: this is not a model file\n help: name the model.json"):
            indistinct.load(other)
    other.write_text('{"tool": "indistinct", "format": 99}')
    with pytest.raises(ValueError, match="the file has format 99"):
        indistinct.load(other)
    with pytest.raises(ValueError, match="^a model is loaded from a file"):
        indistinct.load(3)  # type: ignore[arg-type]


def test_scikit_learn(measures: pandas.DataFrame, declared: indistinct.Schema) -> None:
    synthesizer = indistinct.Synthesizer(0.5, delta=1e-6, schema=declared, seed=3)
    twin = sklearn.base.clone(synthesizer)
    assert twin is not synthesizer
    assert twin.get_params() == synthesizer.get_params()
    assert twin.set_params(epsilon=2, model="normal") is twin
    assert (twin.epsilon, twin.model, synthesizer.epsilon) == (2, "normal", 0.5)
    assert repr(twin) == f"Synthesizer(epsilon=2, delta=1e-06, schema={declared!r}, model='normal', seed=3)"
    assert repr(indistinct.Synthesizer()) == "Synthesizer(epsilon=1.0)"
    with pytest.raises(ValueError, match="^there is no option `alpha`\n help: the options are epsilon, "):
        twin.set_params(alpha=1)
    bad = indistinct.Synthesizer("much", draws="many")  # type: ignore[arg-type]
    assert sklearn.base.clone(bad).get_params()["draws"] == "many", "nothing is checked before fit"
    made = twin.fit(measures, None)
    assert made is twin
    unfitted = sklearn.base.clone(twin)
    with pytest.raises(AttributeError, match="not fitted"):
        unfitted.sample()
    for epsilon in (1, 1.0, Decimal("1"), numpy.float32(1), numpy.int64(1)):
        split = indistinct.Synthesizer(epsilon, schema=declared).split(measures)
        assert split.to_dict()["epsilon"] == 1.0


def test_the_command_has_no_option_that_is_missing_here(command: Command) -> None:
    helps = [("synth", "--help"), ("synth", "--help-normal"), ("baseline", "--help")]
    said = {"method"}.union(*(re.findall(r"^\s+--([a-z-]+)", command(*words).stdout, re.MULTILINE) for words in helps))
    # Tables of Python are in memory already, or have sources of their own.
    files = {"out", "force", "dry-run", "format", "no-header", "json", "quiet", "help-normal", "memory", "encoding"}
    # Bars on the page of a release; `open_release` has them for any statistic.
    files |= {"rehearsals"}
    ours = {name.replace("_", "-") for name in indistinct.Synthesizer().get_params()} - {"progress"}
    assert said - files - {"help", "version"} == ours


@pytest.mark.parametrize("again", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_pickling(again: Callable[[Any], Any], patients: tuple[pandas.DataFrame, indistinct.Schema], tmp_path: Path) -> None:
    frame, schema = patients
    made = indistinct.Synthesizer(3, schema=schema, seed=5, tables=2).fit(polars.from_pandas(frame))
    back = again(made)
    assert back.get_params() == made.get_params()
    assert back.certificate == made.certificate
    assert back.schema_ == made.schema_
    assert back.sample().equals(made.sample())
    assert back.sample().schema == made.sample().schema
    made.save_release(tmp_path / "one")
    back.save_release(tmp_path / "two")
    folders_agree(tmp_path / "one", tmp_path / "two")
    unfitted = again(indistinct.Synthesizer(2))
    with pytest.raises(ValueError, match="not fitted"):
        unfitted.sample()


def test_nothing_private_is_pickled(declared: indistinct.Schema) -> None:
    secret = 123456.78125
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0, secret] * 500, "y": numpy.arange(2000.0)})
    frame.index = pandas.Index([f"Ms Secret {row}" for row in range(2000)], name="who")
    frame.attrs["note"] = "Ms Secret"
    made = indistinct.Synthesizer(1, schema=declared).fit(frame)
    state = pickle.dumps(made)
    assert b"Secret" not in state
    assert numpy.float64(secret).tobytes() not in state
    assert made.sample(5).index.tolist() == [0, 1, 2, 3, 4]


FRAMES: dict[str, Callable[[pandas.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": polars.from_pandas,
    "pyarrow": pyarrow.Table.from_pandas,
    "record batch": lambda frame: pyarrow.RecordBatch.from_pandas(frame),
}


@pytest.mark.parametrize("library", FRAMES)
def test_tables_come_back_as_the_same_kind(library: str, patients: tuple[pandas.DataFrame, indistinct.Schema]) -> None:
    frame, schema = patients
    table = FRAMES[library](frame)
    made = indistinct.Synthesizer(9, schema=schema, seed=1).fit(table)
    back = made.sample(40)
    assert type(back) is type(table)
    names = back.schema.names if library in ("pyarrow", "record batch") else list(back.columns)
    assert names == list(DTYPES)
    if library == "pandas":
        assert {name: str(dtype) for name, dtype in back.dtypes.items()} == DTYPES
    whole = made.sample()
    holes = whole["weight"].isna().mean() if library == "pandas" else None
    if holes is not None:
        assert 0.02 < holes < 0.3, "weights are missing as often as they were"


def test_a_loaded_model_gives_pandas_or_what_it_is_told(
    patients: tuple[pandas.DataFrame, indistinct.Schema], tmp_path: Path
) -> None:
    frame, schema = patients
    frame.to_parquet(tmp_path / "private.parquet")
    made = indistinct.Synthesizer(3, schema=schema, seed=1).fit(tmp_path / "private.parquet")
    made.save(tmp_path / "model.json")
    loaded = indistinct.load(tmp_path / "model.json")
    table = loaded.sample(30)
    assert isinstance(table, pandas.DataFrame)
    assert {name: str(dtype) for name, dtype in table.dtypes.items()} == DTYPES
    assert type(made.sample(3)) is pandas.DataFrame
    assert type(indistinct.load(tmp_path / "model.json", like=polars.from_pandas(frame)).sample(3)) is polars.DataFrame
    with pytest.raises(ValueError, match="^like must be a table"):
        indistinct.load(tmp_path / "model.json", like="private.parquet")
    with pytest.raises(ValueError, match="^epsilon= is missing"):
        loaded.fit(frame)


def test_ledgers(measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path, command: Command) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 1.5, delta=1e-5, id="people")
    options: dict[str, Any] = {"schema": declared, "ledger": ledger, "ledger_id": "people"}
    indistinct.Synthesizer(1, delta=1e-6, **options).fit(measures)
    charges = indistinct.Ledger.open(ledger.file).charges
    assert [(one["epsilon"], one["delta"], one["what"]) for one in charges] == [(1.0, 1e-6, "fit in Python")]
    assert [round(one["rho"] or 0.0, 5) for one in charges] == [0.02436]
    measures.to_csv(tmp_path / "private.csv", index=False)
    declared.save(tmp_path / "schema.toml")
    arguments = ["--epsilon", 1, "--schema", tmp_path / "schema.toml", "--ledger", ledger.file, "--out", tmp_path / "out"]
    for named in ("people", "others"):
        done = command("synth", tmp_path / "private.csv", *arguments, "--ledger-id", named)
        assert done.returncode == 3
        refused = indistinct.Synthesizer(1, schema=declared, ledger=ledger.file, ledger_id=named)
        with pytest.raises(indistinct.BudgetExceeded) as raised:
            refused.fit(measures)
        assert _indistinct.in_keywords(done.stderr).endswith(f"error: {raised.value}\n")
        with pytest.raises(ValueError, match="not fitted"):
            refused.sample()
    assert len(indistinct.Ledger.open(ledger.file).charges) == 1


def test_a_ledger_takes_only_what_has_a_guarantee(
    measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path
) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 5)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"seed": 1}, "seeded"),
        ({"sampler": "metropolis"}, "at-stationarity"),
        ({"method": "posterior-predictive"}, "without noise"),
        ({"schema": None}, "the schema was drafted from these rows"),
        ({"schema": indistinct.schema(measures)}, "the schema was drafted from these rows"),
    ]
    for options, words in cases:
        refused = indistinct.Synthesizer(**{"epsilon": 1, "schema": declared, "ledger": ledger, **options})
        with pytest.raises(indistinct.NoGuarantee, match=words) as raised:
            refused.fit(measures)
        assert isinstance(raised.value, ValueError) and "\n help: " in str(raised.value)
    unnamed = indistinct.Synthesizer(1, schema=declared, ledger=ledger, ledger_id="people")
    with pytest.raises(indistinct.BudgetExceeded, match="the ledger has no name"):
        unnamed.fit(measures)
    with pytest.raises(ValueError, match="^accept_conditional must be True or False"):
        indistinct.Synthesizer(1, ledger=ledger, accept_conditional=1).fit(measures)  # type: ignore[arg-type]
    assert indistinct.Ledger.open(ledger.file).charges == []
    with pytest.warns(UserWarning, match="the guarantee is conditional on that"):
        made = indistinct.Synthesizer(1, ledger=ledger, accept_conditional=True).fit(measures)
    guarantee = made.certificate.guarantee
    assert guarantee["kind"] == "conditional" and guarantee["epsilon"] == 1.0
    assert guarantee["provided"][0] == "the schema was drafted from these rows"
    assert made.certificate.check() == []
    shown = made.certificate._repr_html_()
    assert "epsilon 1.0, provided that" in shown and "the schema was drafted from these rows" in shown
    assert [one["provided"] for one in indistinct.Ledger.open(ledger.file).charges] == [guarantee["provided"]]


def test_what_is_required_of_a_release(
    measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path
) -> None:
    indistinct.Synthesizer(2, schema=declared).fit(measures).save_release(tmp_path / "pure")
    indistinct.Synthesizer(2, delta=1e-6, schema=declared).fit(measures).save_release(tmp_path / "approximate")
    with pytest.warns(UserWarning, match="conditional"):
        indistinct.Synthesizer(2).fit(measures).save_release(tmp_path / "conditional")
    for kind in ("pure", "approximate", "conditional"):
        found = indistinct.verify(tmp_path / kind)
        assert found.valid and found.guarantee["kind"] == kind
        for required, met in (("pure", kind == "pure"), ("approximate", kind != "conditional")):
            if met:
                assert indistinct.verify(tmp_path / kind, require=required).valid
            else:
                with pytest.raises(indistinct.VerificationFailed, match=f"the guarantee is {kind}, which is weaker"):
                    indistinct.verify(tmp_path / kind, require=required)
    with pytest.raises(ValueError, match="^require must be one of pure, approximate"):
        indistinct.verify(tmp_path / "pure", require="none")


LONG = """
import sys, time, warnings
import numpy, pandas, indistinct

def threads():
    return int(open("/proc/self/status").read().split("Threads:")[1].split()[0])

random = numpy.random.default_rng(1)
rows, columns, options = int(sys.argv[3]), int(sys.argv[4]), eval(sys.argv[5])
frame = pandas.DataFrame({f"x{column}": random.normal(size=rows) for column in range(columns)})
warnings.simplefilter("ignore")
indistinct.pmse(frame.head(100), frame.head(100))
before = threads()
print("ready", flush=True)
try:
    indistinct.Synthesizer(1, ledger=sys.argv[1], accept_conditional=True, **options).fit(frame).save_release(sys.argv[2])
except KeyboardInterrupt:
    # The worker is unwound where it next tells its progress.
    began = time.monotonic()
    while threads() > before and time.monotonic() - began < 20:
        time.sleep(0.05)
    print("stopped" if threads() <= before else "goes on", flush=True)
"""


@pytest.mark.parametrize(
    ("by", "rows", "columns", "options"),
    [
        (signal.SIGKILL, 20_000, 6, {"discriminator": "optimal", "candidates": 100_000, "measure_share": 0.1}),
        (signal.SIGINT, 30_000, 30, {"model": "mixed"}),
    ],
)
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="counts threads as Linux shows them")
def test_a_fit_that_is_ended_has_been_charged_and_leaves_nothing(
    by: signal.Signals, rows: int, columns: int, options: dict[str, Any], tmp_path: Path
) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 3)
    arguments = [ledger.file, str(tmp_path / "release"), str(rows), str(columns), repr(options)]
    process = subprocess.Popen([sys.executable, "-c", LONG, *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        began = time.monotonic()
        while not indistinct.Ledger.open(ledger.file).charges:
            assert time.monotonic() - began < 60
            assert process.poll() is None, "the fit is too short to be ended"
            time.sleep(0.02)
        time.sleep(0.3)
        assert process.poll() is None, "the fit is too short to be ended"
        process.send_signal(by)
        out, _ = process.communicate(timeout=60)
        assert out == ("stopped\n" if by == signal.SIGINT else "")
    finally:
        process.kill()
        process.wait()
    after = indistinct.Ledger.open(ledger.file)
    after.verify()
    assert [(one["epsilon"], one["what"]) for one in after.charges] == [(1.0, "fit in Python")]
    assert after.remaining == 2.0
    assert [path.name for path in tmp_path.iterdir()] == ["budget.ledger"]
    # And it can be charged again, for a table with the same columns.
    random = numpy.random.default_rng(1)
    frame = pandas.DataFrame({f"x{column}": random.normal(size=8000) for column in range(columns)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        indistinct.Synthesizer(1, ledger=ledger, accept_conditional=True).fit(frame)
    assert indistinct.Ledger.open(ledger.file).remaining == 1.0


def test_threads(measures: pandas.DataFrame, declared: indistinct.Schema) -> None:
    def made(seed: int) -> Any:
        return indistinct.Synthesizer(1, schema=declared, seed=seed).fit(measures).sample()

    expected = [made(seed) for seed in range(3)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for seed, found in enumerate(pool.map(made, [0, 1, 2] * 2)):
            assert found.equals(expected[seed % 3])
    one = indistinct.Synthesizer(1, schema=declared, seed=0, threads=1).fit(measures)
    assert one.sample().equals(expected[0]), "threads do not matter"


def test_progress_is_told(patients: tuple[pandas.DataFrame, indistinct.Schema]) -> None:
    frame, schema = patients
    long = pandas.concat([frame] * 40, ignore_index=True)
    prepared = _indistinct.prepare(as_source(long, "table"), schema.to_toml(), False, {"epsilon": "3"}, None, False)
    told: list[tuple[int, int]] = []
    fitted, _ = prepared.release(None, {}, lambda done, expected: told.append((done, expected)))
    assert told, "it took too short to be told"
    assert len({expected for _, expected in told}) == 1
    assert all(done <= expected for done, expected in told)
    with pytest.raises(ValueError, match="^this was released already$"):
        prepared.release(None, {}, None)
    rows: list[tuple[int, int]] = []
    fitted.sample({"rows": 400_000}, lambda done, expected: rows.append((done, expected)))
    assert rows
    assert {expected for _, expected in rows} == {400_000}

    def broken(done: int, expected: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fitted.sample({"rows": 4_000_000}, broken)


def test_warnings_come_before_anything_is_charged(
    measures: pandas.DataFrame, declared: indistinct.Schema, tmp_path: Path
) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "budget.ledger", 9.5, delta=0.5)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"epsilon": 20}, "epsilon 20 promises very little"),
        ({"delta": 0.1}, "delta is not below one over the number of rows"),
        ({"schema": None, "accept_conditional": True}, "column types and levels were read from the private data"),
    ]
    for options, words in cases:
        with pytest.raises(UserWarning, match=words):
            indistinct.Synthesizer(**{"schema": declared, "ledger": ledger, **options}).fit(measures)
    assert indistinct.Ledger.open(ledger.file).charges == []


def test_certificates(fitted: indistinct.Synthesizer) -> None:
    certificate = fitted.certificate
    assert certificate.check() == []
    assert certificate.guarantee["kind"] == "none"
    assert certificate.seeded
    certificate["guarantee"] = {"kind": "pure", "epsilon": 1.0}
    assert fitted.certificate.guarantee["kind"] == "none", "what is shown is a copy"
    assert "Guarantee: none" in fitted.certificate._repr_html_()
