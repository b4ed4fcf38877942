"""The same numbers as the command, bit for bit, and the same words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow.csv
import pytest

import indistinct
from indistinct._indistinct import in_keywords

OPTIONS: list[dict[str, Any]] = [
    {},
    {"cp": 0.001, "minbucket": 5, "seed": 9},
    {"method": "anova", "depth": 3, "null": "permutation", "replicates": 7, "null_reference": "synthpop"},
    {"discriminator": "optimal", "depth": 1, "thresholds": "all", "objective": "pmae", "null": "none"},
    {"discriminator": "partition", "depth": 3, "replicates": 5},
    {"discriminator": "logistic"},
    {"discriminator": "logistic", "null": "bootstrap", "replicates": 5, "null_reference": "sample"},
]


def flags(options: dict[str, Any]) -> list[str]:
    return [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]


@pytest.fixture(scope="module")
def tables(people: Callable[[int], pandas.DataFrame], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tables")
    paths = folder / "real.parquet", folder / "synthetic.parquet"
    for seed, path in enumerate(paths):
        people(seed).to_parquet(path)
    return paths


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(flags(options)) or "defaults")
def test_evaluations(options: dict[str, Any], tables: tuple[Path, Path], document: Callable[..., Any]) -> None:
    real, synthetic = tables
    expected = document("evaluate", real, synthetic, *flags(options))
    by_frames = indistinct.evaluate(pandas.read_parquet(real), polars.read_parquet(synthetic), **options)
    by_files = indistinct.evaluate(real, str(synthetic), **options)
    assert by_files.to_dict() == expected
    expected["tables"][0]["file"] = "synthetic"
    assert by_frames.to_dict() == expected
    judged = {name: value for name, value in options.items() if name not in ("null", "null_reference", "replicates", "seed")}
    assert indistinct.pmse(real, synthetic, **judged) == by_files.pmse
    assert indistinct.pmae(real, synthetic, **judged) == by_files.pmae


@pytest.mark.parametrize(("column", "metric"), [("weight", "R2"), ("region", "accuracy"), ("smoker", "accuracy")])
def test_predictions_and_samples(
    column: str, metric: str, tables: tuple[Path, Path], document: Callable[..., Any]
) -> None:
    real, synthetic = tables
    options: dict[str, Any] = {"null": "none", "predict": column, "sample": 150, "seed": 3}
    expected = document("evaluate", real, synthetic, *flags(options))
    found = indistinct.evaluate(real, str(synthetic), **options)
    assert found.to_dict() == expected
    table = expected["tables"][0]
    assert (table["n_real"], table["sampled"]) == (300, {"real": 150, "synthetic": 150})
    assert "come from a random sample: 150 real rows and 150 synthetic rows." in found._repr_html_()
    assert "come from a random sample: 150 real rows and 150 synthetic rows." in repr(found)
    whole = {**options, "sample": "all"}
    assert indistinct.evaluate(real, str(synthetic), **whole).to_dict() == document(
        "evaluate", real, synthetic, *flags(whole)
    )
    assert found.prediction == {name: table["predict"][name] for name in ("column", "metric", "real", "synthetic")}
    assert found.prediction["metric"] == metric
    assert found.distances == {name: table["distances"][name] for name in ("one_way", "two_way", "three_way")}
    assert indistinct.evaluate(real, str(synthetic), null="none").prediction is None


def test_the_text_is_that_of_the_command(tables: tuple[Path, Path], command: Callable[..., Any]) -> None:
    real, synthetic = tables
    assert repr(indistinct.evaluate(real, synthetic)) + "\n" == command("evaluate", real, synthetic).stdout


def test_several_tables_and_a_schema(
    people: Callable[[int], pandas.DataFrame], tmp_path: Path, document: Callable[..., Any]
) -> None:
    frames = [people(seed) for seed in range(3)]
    paths = [tmp_path / f"{seed}.parquet" for seed in range(3)]
    for frame, path in zip(frames, paths):
        frame.to_parquet(path)
    drafted = indistinct.schema(pandas.concat(frames))
    drafted.save(tmp_path / "schema.toml")
    expected = document("evaluate", *paths, "--schema", tmp_path / "schema.toml", "--null", "none")
    named = {str(path): frame for path, frame in zip(paths[1:], frames[1:])}
    found = indistinct.evaluate(frames[0], named, schema=drafted, null="none")
    assert found.to_dict() == expected
    assert found.pmse == expected["mean"]["pmse"]
    by_file = indistinct.evaluate(frames[0], named, schema=tmp_path / "schema.toml", null="none", threads=1)
    assert by_file.to_dict() == expected, "threads do not matter"
    assert [table["file"] for table in indistinct.evaluate(frames[0], frames[1:], null="none").tables] == [
        "synthetic 1",
        "synthetic 2",
    ]


def test_schemas(people: Callable[[int], pandas.DataFrame], tmp_path: Path, command: Callable[..., Any]) -> None:
    people(0).to_parquet(tmp_path / "people.parquet")
    printed = command("schema", tmp_path / "people.parquet").stdout
    of_file = indistinct.schema(tmp_path / "people.parquet")
    assert of_file.to_toml() == printed
    of_frame = indistinct.schema(people(0))
    assert of_frame.to_dict() == of_file.to_dict()


def test_combinations(release: Path, document: Callable[..., Any], command: Callable[..., Any]) -> None:
    expected = document("combine", release, "--formula", "y ~ x")
    assert indistinct.combine(release, "y ~ x").to_dict() == expected
    assert repr(indistinct.combine(release, "y ~ x")) + "\n" == command("combine", release, "--formula", "y ~ x").stdout
    files = sorted(release.glob("synthetic-*.csv"))
    assert indistinct.combine(files, "y ~ x").to_dict() == expected, "files of a release are known as such"
    frames = [pyarrow.csv.read_csv(file) for file in files]
    found = indistinct.combine(frames, "y ~ x", rule="raab", n=400, target="original", level=0.9)
    options = ["--rule", "raab", "--n", 400, "--target", "original", "--level", 0.9]
    expected = document("combine", *files, "--formula", "y ~ x", *options)
    assert found.coefficients == expected["coefficients"]
    assert found.rule == "raab"


def test_estimates_without_intervals(
    people: Callable[..., pandas.DataFrame], tmp_path: Path, document: Callable[..., Any]
) -> None:
    table = people(0, 1000)
    schema = indistinct.schema(table)
    with pytest.warns(UserWarning):
        synthesizer = indistinct.Synthesizer(epsilon=8.0, schema=schema, seed=1).fit(table)
    synthesizer.save_release(tmp_path / "one")
    formula = "weight ~ height + smoker"
    found = indistinct.combine(tmp_path / "one", formula)
    assert found.to_dict() == document("combine", tmp_path / "one", "--formula", formula)
    assert found.rule == "none" and found.no_intervals is not None and "several draws" in found.no_intervals
    assert all(term["std_error"] is None and term["low"] is None for term in found.coefficients)
    assert "no intervals" in repr(found) and "no intervals" in found._repr_html_()
    chosen = indistinct.combine(tmp_path / "one", formula, rule="raab")
    assert chosen.no_intervals is None and chosen.coefficients[0]["std_error"] is not None


def test_verification(release: Path, command: Callable[..., Any]) -> None:
    with pytest.raises(indistinct.VerificationFailed, match="promises nothing: seeded") as raised:
        indistinct.verify(release)
    found = raised.value.verification
    assert found is not None
    done = command("verify", release, "--json")
    assert (done.returncode, json.loads(done.stdout)) == (3, found.to_dict())
    done = command("verify", release)
    assert (done.returncode, done.stdout) == (3, repr(found) + "\n")
    assert done.stderr == f"error: {raised.value}\n"
    assert found.valid, "it is whole"
    assert set(found.files.values()) == {"same"}


def test_ledgers(tmp_path: Path, document: Callable[..., Any], command: Callable[..., Any]) -> None:
    path = tmp_path / "budget.ledger"
    ledger = indistinct.Ledger.init(path, 2.5, delta=1e-6, id="people")
    assert ledger.to_dict() == document("ledger", "show", path)
    assert ledger.show() == command("ledger", "show", path).stdout
    assert (ledger.epsilon, ledger.delta, ledger.id) == (2.5, 1e-6, "people")
    plan = ledger.plan(3)
    assert plan.to_dict() == document("ledger", "plan", path, "--releases", 3)
    assert repr(plan) + "\n" == command("ledger", "plan", path, "--releases", 3).stdout
    assert ledger.plan(3, delta=0).to_dict() == document("ledger", "plan", path, "--releases", 3, "--delta", 0)


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        (["--null", "analytic"], {"null": "analytic"}),
        (["--replicates", "1"], {"replicates": 1}),
        (["--discriminator", "logistic", "--cp", "0.1"], {"discriminator": "logistic", "cp": 0.1}),
        (["--minbucket", "0"], {"minbucket": 0}),
        (["--depth", "31"], {"depth": 31}),
        (["--discriminator", "optimal", "--depth", "9"], {"discriminator": "optimal", "depth": 9}),
        (["--discriminator", "optimal", "--thresholds", "some"], {"discriminator": "optimal", "thresholds": "some"}),
        (["--threads", "0"], {"threads": 0}),
    ],
)
def test_errors_say_what_the_command_says(
    typed: list[str], options: dict[str, Any], tables: tuple[Path, Path], command: Callable[..., Any]
) -> None:
    done = command("evaluate", *tables, *typed)
    assert done.returncode == 2
    with pytest.raises(ValueError) as raised:
        indistinct.evaluate(*tables, **options)
    assert f"error: {raised.value}\n" == in_keywords(done.stderr)


def test_errors_about_files_say_what_the_command_says(tmp_path: Path, command: Callable[..., Any]) -> None:
    (tmp_path / "ragged.csv").write_text("a,b\n1\n")
    (tmp_path / "one.csv").write_text("a\n1\n2\n")
    (tmp_path / "other.csv").write_text("b\n1\n2\n")
    (tmp_path / "schema.toml").write_text("version = 9\n")
    cases: list[tuple[list[Any], Callable[[], Any]]] = [
        (["evaluate", "gone.csv", "gone.csv"], lambda: indistinct.evaluate("gone.csv", "gone.csv")),
        (
            ["evaluate", tmp_path / "ragged.csv", tmp_path / "one.csv"],
            lambda: indistinct.evaluate(tmp_path / "ragged.csv", tmp_path / "one.csv"),
        ),
        (
            ["evaluate", tmp_path / "one.csv", tmp_path / "other.csv"],
            lambda: indistinct.evaluate(tmp_path / "one.csv", tmp_path / "other.csv"),
        ),
        (
            ["evaluate", tmp_path / "one.csv", tmp_path / "one.csv", "--schema", tmp_path / "schema.toml"],
            lambda: indistinct.evaluate(tmp_path / "one.csv", tmp_path / "one.csv", schema=tmp_path / "schema.toml"),
        ),
        (["combine", tmp_path / "one.csv", "--formula", "a ~"], lambda: indistinct.combine(tmp_path / "one.csv", "a ~")),
        (["combine", tmp_path, "--formula", "a ~ b"], lambda: indistinct.combine(tmp_path, "a ~ b")),
        (["verify", tmp_path], lambda: indistinct.verify(tmp_path)),
        (["ledger", "show", tmp_path / "one.csv"], lambda: indistinct.Ledger.open(tmp_path / "one.csv")),
        (["ledger", "init", "x", "--epsilon", "-1"], lambda: indistinct.Ledger.init("x", -1)),
        (
            ["ledger", "plan", tmp_path / "one.csv", "--releases", "2"],
            lambda: indistinct._indistinct.plan_ledger(tmp_path / "one.csv", 2, None),
        ),
    ]
    for arguments, call in cases:
        done = command(*arguments)
        assert done.returncode in (1, 2), arguments
        with pytest.raises(ValueError) as raised:
            call()
        assert f"error: {raised.value}\n" == in_keywords(done.stderr), arguments


@pytest.mark.parametrize(
    ("command", "keywords"),
    [
        ("--epsilon is missing", "epsilon= is missing"),
        ("--epsilon: not a number", "epsilon: not a number"),
        ("--where, at character 1: what", "where, at character 1: what"),
        ("as in --epsilon 1", "as in epsilon=1"),
        ("give --delta 1e-6, or less", "give delta=1e-6, or less"),
        ("leave --delta out, or use --sampler zoom", 'leave delta= out, or use sampler="zoom"'),
        ("use at most --draws 3.", "use at most draws=3."),
        ("--rows-per-person and --fresh-tables", "rows_per_person= and fresh_tables=True"),
        ("(--neighbours add-remove)", '(neighbours="add-remove")'),
        ("a -- b, a--b and --", "a -- b, a--b and --"),
        ("nothing to say", "nothing to say"),
    ],
)
def test_options_become_keywords(command: str, keywords: str) -> None:
    assert in_keywords(command) == keywords
