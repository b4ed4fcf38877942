"""Rows that are not in memory: the same releases as from tables, and what is refused."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import indistinct

SCHEMA = indistinct.Schema("""
version = 1
[[column]]
name = "key"
type = "identifier"
[[column]]
name = "income"
type = "float"
minimum = 0
maximum = 300
[[column]]
name = "sex"
type = "nominal"
levels = ["f", "m"]
[[column]]
name = "age"
type = "integer"
minimum = 0
maximum = 120
[[column]]
name = "day"
type = "date"
format = "%Y-%m-%d"
""")


def people(rows: int = 2000) -> pandas.DataFrame:
    """Invented people, in another order of columns than the schema has; some incomes are missing."""
    random = numpy.random.default_rng(11)
    frame = pandas.DataFrame(
        {
            "age": random.integers(18, 95, rows),
            "key": numpy.arange(rows),
            "income": random.normal(100, 20, rows).round(2),
            "sex": random.choice(["f", "m"], rows),
            "day": (numpy.datetime64("2020-01-01") + random.integers(0, 300, rows)).astype("datetime64[us]"),
        }
    )
    frame.loc[random.random(rows) < 0.1, "income"] = numpy.nan
    return frame


def model(table: object, **options: Any) -> tuple[str, dict[str, Any]]:
    """The model of a seeded release, as it is written, and its certificate without the time of day."""
    synthesizer = indistinct.Synthesizer(**{"epsilon": 4, "schema": SCHEMA, "seed": 5, **options}).fit(table)
    certificate = dict(synthesizer.certificate)
    del certificate["created"]
    return str(json.loads(synthesizer._release.state())["model"]), certificate


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    table = pyarrow.Table.from_pandas(people(), preserve_index=False)
    for part, begin in enumerate([0, 900, 950]):
        end = [900, 950, 2000][part]
        pyarrow.parquet.write_table(table.slice(begin, end - begin), folder / f"{part}.parquet", row_group_size=300)
    return folder


def _relation(files: Path) -> Any:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    return duckdb.sql(f"select * from '{files}/*.parquet'")


KINDS: dict[str, Callable[[Path], Any]] = {
    "pyarrow.dataset": lambda files: pyarrow.dataset.dataset(files),
    "polars LazyFrame": lambda files: polars.scan_parquet(files / "*.parquet"),
    "DuckDB relation": _relation,
    "function": lambda files: lambda: pyarrow.dataset.dataset(files).scanner(batch_size=77).to_reader(),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"delta": 1e-5, "neighbours": "add-remove", "rows": 2000, "threads": 1}])
def test_the_release_is_that_of_the_table_in_memory(kind: str, options: dict[str, Any], files: Path) -> None:
    rows = KINDS[kind](files)
    assert model(rows, **options) == model(people(), **options)
    split = indistinct.Synthesizer(epsilon=4, schema=SCHEMA, **options)
    assert split.split(rows).to_dict() == split.split(people()).to_dict()


def visits(rows: int = 2000) -> pandas.DataFrame:
    """The people, who came several times."""
    frame = people(rows)
    frame["who"] = numpy.random.default_rng(3).integers(0, rows // 3, rows)
    # Some rows are there twice.
    places = numpy.arange(rows)
    places[1::7] = places[1::7] - 1
    return frame.iloc[places].reset_index(drop=True)


@pytest.mark.parametrize("memory", [1 << 30, 1 << 12])
def test_rows_of_persons_are_those_of_the_table_in_memory(
    memory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So little that persons are chosen by several passes.
    monkeypatch.setattr(indistinct._passes, "_PERSONS", memory)
    frame = visits()
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=300)
    random = numpy.random.default_rng(5)

    def shuffled() -> Any:
        """Another order in every pass, as of a query."""
        return table.take(random.permutation(table.num_rows)).to_reader(max_chunksize=77)

    for options in ({"rows_per_person": 1}, {"rows_per_person": 2, "delta": 1e-5, "neighbours": "add-remove", "rows": 900}):
        expected = model(frame, person="who", **options)
        for kind in KINDS:
            assert model(KINDS[kind](tmp_path), person="who", **options) == expected, kind
        assert model(shuffled, person="who", **options) == expected
    kept = indistinct.Synthesizer(epsilon=4, schema=SCHEMA, person="who", rows_per_person=2).fit(shuffled).certificate
    assert kept["rows"] == frame.groupby("who").size().clip(upper=2).sum()
    assert kept["person"]["column"] == "who" and kept.guarantee["kind"] == "pure"


def test_rows_of_persons_that_change_or_are_nobodys_are_not_released(tmp_path: Path) -> None:
    frame = visits()
    frame["who"] = frame["who"].astype("Int64")
    nobody = frame.copy()
    nobody.loc[77, "who"] = None
    ledger = indistinct.Ledger.init(tmp_path / "ledger.json", epsilon=10)
    arrow = pyarrow.Table.from_pandas(nobody, preserve_index=False)
    assert "the person is missing" in refusal(pyarrow.dataset.dataset(arrow), person="who", ledger=ledger)
    options: dict[str, Any] = {"person": "who", "invalid": "missing"}
    assert model(pyarrow.dataset.dataset(arrow), **options) == model(nobody, **options)
    few = refusal(pyarrow.dataset.dataset(arrow), person="who", rows_per_person=0, ledger=ledger)
    assert "rows of a person must be at least 1" in few
    # Somebody else comes after rows were chosen: in the pass of the plan, before the charge.
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    more = pyarrow.concat_tables([table, table.slice(0, 1).set_column(5, "who", pyarrow.array([10**6]))])
    passes = [0]

    def opened() -> Any:
        passes[0] += 1
        return (table if passes[0] < 3 else more).to_reader()

    assert "the private table changed while it was read" in refusal(opened, person="who", ledger=ledger)
    assert not indistinct.Ledger(ledger.file).charges


def test_a_pass_reads_the_columns_that_it_asks_about(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[str]] = []
    streams = indistinct._passes._Dataset.streams

    def watched(self: Any, columns: list[str]) -> Iterator[object]:
        read.append(columns)
        return streams(self, columns)

    monkeypatch.setattr(indistinct._passes._Dataset, "streams", watched)
    assert model(pyarrow.dataset.dataset(files)) == model(people())
    # Every cell is checked first, in the order of the schema; the range of a column without limits is searched for by itself.
    assert read[0] == ["income", "sex", "age", "day"]
    assert ["day"] in read


def test_samples_are_tables_of_the_library(files: Path) -> None:
    kinds = {"pyarrow.dataset": pyarrow.Table, "polars LazyFrame": polars.DataFrame, "function": pyarrow.Table}
    for kind, library in kinds.items():
        synthesizer = indistinct.Synthesizer(epsilon=4, schema=SCHEMA).fit(KINDS[kind](files))
        assert isinstance(synthesizer.sample(10), library)
        assert synthesizer.certificate.guarantee == {"kind": "pure", "epsilon": 4.0}


@pytest.mark.parametrize("kind", ["pyarrow.RecordBatchReader", "generator"])
def test_a_stream_that_can_be_read_once_is_refused(kind: str) -> None:
    table = pyarrow.Table.from_pandas(people(50), preserve_index=False)
    once = table.to_reader() if kind != "generator" else (batch for batch in table.to_batches())
    with pytest.raises(ValueError, match=r"can be read only once[^\n]*\n help: read it into memory"):
        indistinct.Synthesizer(epsilon=4, schema=SCHEMA).fit(once)


def test_a_function_that_gives_the_same_stream_again_is_refused_before_a_charge(tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "ledger.json", epsilon=10)
    once = pyarrow.Table.from_pandas(people(50), preserve_index=False).to_reader()
    assert "returned the same RecordBatchReader twice" in refusal(lambda: once, ledger=ledger)
    assert not indistinct.Ledger(ledger.file).charges
    # A new reader of the same batches is another object, and has no rows either.
    table = pyarrow.Table.from_pandas(people(), preserve_index=False)
    batches = iter(table.to_batches(max_chunksize=100))
    told = refusal(lambda: pyarrow.RecordBatchReader.from_batches(table.schema, batches), ledger=ledger)
    assert "gave none when it was called again" in told
    assert not indistinct.Ledger(ledger.file).charges
    # A table without rows is not taken for one.
    assert "the table has 0 rows" in refusal(lambda: table.slice(0, 0), ledger=ledger)
    # A table is the same, too, and can be read again.
    assert model(lambda: table) == model(people())


def refusal(table: object, **options: Any) -> str:
    with pytest.raises(ValueError) as caught:
        indistinct.Synthesizer(**{"epsilon": 4, "schema": SCHEMA, **options}).fit(table)
    shown = "".join(traceback.format_exception(caught.value))
    assert "secret" not in shown
    return str(caught.value)


def test_what_cannot_be_released_is_refused_before_a_charge(files: Path, tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "ledger.json", epsilon=10)
    rows = pyarrow.dataset.dataset(files)
    refused: dict[str, dict[str, Any]] = {
        "need a schema": {"schema": None, "accept_conditional": True},
        "not in memory": {"model": "normal"},
        "no column `who` to tell persons by": {"person": "who"},
        "declares column `sex` as nominal, and person= names it": {"person": "sex"},
    }
    for text, options in refused.items():
        assert text in refusal(rows, ledger=ledger, **options)
    nested = pyarrow.table({**{name: people(9)[name] for name in ["age", "key", "income", "day"]}, "sex": [["secret"]] * 9})
    assert "column `sex` is of type List, which cannot be read" in refusal(pyarrow.dataset.dataset(nested), ledger=ledger)
    struct = polars.from_pandas(people()).lazy().with_columns(polars.struct("sex").alias("sex"))
    assert "column 4 is of type Struct, which cannot be read" in refusal(struct, ledger=ledger)
    odd = people()
    odd.loc[40, "sex"] = "secret"
    odd_rows = pyarrow.dataset.dataset(pyarrow.Table.from_pandas(odd, preserve_index=False))
    assert "column `sex` has a cell that the schema does not allow" in refusal(odd_rows, ledger=ledger)
    less = pyarrow.dataset.dataset(pyarrow.table({"age": [1], "secret": [2]}))
    assert "`income`, `sex`, `day`, which the file does not have" in refusal(less, ledger=ledger)
    assert not indistinct.Ledger(ledger.file).charges
    # A cell that is not allowed is a missing value where that is asked for.
    assert model(odd_rows, invalid="missing") == model(odd, invalid="missing")


def test_rows_that_change_between_passes_are_not_released(tmp_path: Path) -> None:
    table = pyarrow.Table.from_pandas(people(), preserve_index=False)
    for grown_from in (2, 5):
        passes = [0]

        def opened() -> Any:
            # The first stream is that of the columns, the second that of the plan.
            passes[0] += 1
            return table.slice(0, 2000 - (passes[0] > grown_from)).to_reader()

        ledger = indistinct.Ledger.init(tmp_path / f"{grown_from}.json", epsilon=10)
        assert "the private table changed while it was read" in refusal(opened, ledger=ledger)
        # It was charged before the rows were counted, and stays so.
        assert len(indistinct.Ledger(ledger.file).charges) == 1


def test_errors_of_others_are_told_by_their_class() -> None:
    table = pyarrow.Table.from_pandas(people(), preserve_index=False)
    passes = [0]

    def fails() -> Any:
        passes[0] += 1
        if passes[0] > 3:
            raise KeyError("secret")
        return table.to_reader()

    assert refusal(fails).startswith("a pass over the rows failed with KeyError, whose text is not shown")

    def breaks() -> Any:
        def batches() -> Iterator[Any]:
            yield table.to_batches()[0]
            raise RuntimeError("secret")

        return pyarrow.RecordBatchReader.from_batches(table.schema, batches())

    assert "their stream broke off" in refusal(breaks)
    assert "returned a int, which is no stream" in refusal(lambda: 3)


INTERRUPTED = """
import os, signal, threading, time
import test_passes, indistinct, pyarrow
table = pyarrow.Table.from_pandas(test_passes.people(), preserve_index=False)
passes = [0]
def opened():
    passes[0] += 1
    if passes[0] == 4:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        time.sleep(60)
    return table.to_reader()
begun = time.monotonic()
try:
    indistinct.Synthesizer(epsilon=4, schema=test_passes.SCHEMA).fit(opened)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - begun < 30)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="signals are those of Unix")
def test_an_interrupt_during_a_pass_is_raised_at_once() -> None:
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {here!r})\n{INTERRUPTED}"],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["interrupted", "True"], done.stderr
