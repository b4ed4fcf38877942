"""Spark: the same releases as from memory, whatever partitions, retries and lost workers there are. Needs pyspark and Java."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy
import pandas
import pyarrow
import pyarrow.parquet
import pytest

import indistinct
from indistinct import _indistinct, _spark, _spark_sample

if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)
pytest.importorskip("pyspark", reason="pyspark is not installed")

# Other tests are not modules where pytest looks for them.
sys.path.insert(0, str(Path(__file__).parent))
from test_passes import SCHEMA, model, people, refusal  # noqa: E402

# Spark's own warnings are its own.
pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]

VISITS = indistinct.Schema("""
version = 1
[[column]]
name = "x"
type = "float"
minimum = 0
maximum = 10
[[column]]
name = "level"
type = "nominal"
levels = ["high", "low"]
""")


def session(master: str, **config: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # Workers find the package where the tests do.
    places = [str(Path(indistinct.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    settings = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "3",
        "spark.driver.memory": "512m",
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
    }
    for name, value in {**settings, **config}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    made = session("local[2]")
    yield made
    made.stop()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    table = pyarrow.Table.from_pandas(people(), preserve_index=False)
    for part in range(2):
        pyarrow.parquet.write_table(table.slice(1000 * part, 1000), folder / f"{part}.parquet")
    return folder


def test_the_release_is_that_of_the_table_in_memory(spark: Any, files: Path) -> None:
    expected = model(people())
    frame = spark.read.parquet(str(files))
    for partitions in (None, 1, 5):
        assert model(frame if partitions is None else frame.repartition(partitions)) == expected
    options: dict[str, Any] = {"delta": 1e-5, "neighbours": "add-remove", "rows": 2000}
    assert model(frame, **options) == model(people(), **options)


def test_counts_of_many_partitions_are_added_up_by_the_workers(spark: Any, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = spark.read.parquet(str(files))
    came: list[int] = []
    add = _indistinct.add_counts

    def counted(schema: str, queries: bytes, parts: list[bytes]) -> bytes:
        came.append(len(parts))
        return add(schema, queries, parts)

    monkeypatch.setattr(_spark, "_TOGETHER", 3)
    monkeypatch.setattr(_indistinct, "add_counts", counted)
    assert model(frame.repartition(20)) == model(people())
    # The first pass tells how many tasks there are. Later ones take two steps to three results or fewer.
    assert came[0] == 20 and len(came) > 5 and max(came[1:]) <= 3
    # What is wrong is handed on.
    odd = _spark.SparkPasses(frame.selectExpr("age", "key", "income", "if(key = 1500, 'secret', sex) as sex", "day").repartition(20))
    odd._tasks = 20
    request = indistinct._passes.Request(SCHEMA.to_toml(), "refuse", None, 1, None, None)
    with pytest.raises(indistinct._indistinct.PassFailed, match="column `sex` has a cell that the schema does not allow"):
        odd.count(request, b"[]")


def test_names_that_spark_cannot_tell_apart_are_refused(spark: Any, files: Path) -> None:
    frame = spark.read.parquet(str(files))
    assert "columns 1 and 6 have the same name" in refusal(frame.selectExpr("*", "age"))
    both = indistinct.Schema(SCHEMA.to_toml() + '[[column]]\nname = "AGE"\ntype = "identifier"\n')
    assert "cannot tell the columns `age` and `AGE` apart" in refusal(frame.selectExpr("*", "'secret' as AGE"), schema=both)
    odd = {"age": "a.b", "income": "in`come", "sex": "sex of person"}
    text = SCHEMA.to_toml()
    for old, new in odd.items():
        frame, text = frame.withColumnRenamed(old, new), text.replace(f'"{old}"', f'"{new}"')
    # Others are found whatever they are: `mapInArrow` would take the first for a part of `a`.
    for options in ({}, {"person": "key"}):
        named: dict[str, Any] = {"schema": indistinct.Schema(text), **options}
        assert model(frame, **named) == model(people().rename(columns=odd), **named)


def test_a_streaming_frame_is_refused(spark: Any) -> None:
    stream = spark.readStream.format("rate").load().selectExpr("value as x", "'low' as level")
    assert "a streaming DataFrame, which can be read only once" in refusal(stream, schema=VISITS)


def test_types_are_those_of_arrow(spark: Any) -> None:
    random = numpy.random.default_rng(2)
    cents = random.integers(100, 9900, 1500)
    moments = (numpy.datetime64("2021-03-04T05:06:07") + random.integers(0, 10**6, 1500)).astype("datetime64[us]")
    schema = indistinct.Schema("""
version = 1
[[column]]
name = "price"
type = "float"
minimum = 0
maximum = 100
[[column]]
name = "at"
type = "datetime"
format = "%Y-%m-%d %H:%M:%S"
minimum = "2021-01-01 00:00:00"
maximum = "2021-12-31 00:00:00"
[[column]]
name = "ok"
type = "boolean"
""")
    arrays = {
        "price": pyarrow.array([None if c % 9 == 0 else Decimal(int(c)).scaleb(-2) for c in cents], pyarrow.decimal128(9, 2)),
        "at": pyarrow.array(moments),
        "ok": pyarrow.array([None if c % 7 == 0 else bool(c % 2) for c in cents]),
    }
    table = pyarrow.table(arrays)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    expected = model(table, schema=schema)
    for kind in ("timestamp", "timestamp_ntz"):
        frame = spark.createDataFrame(rows, f"price decimal(9, 2), at {kind}, ok boolean")
        assert model(frame, schema=schema) == expected


def test_what_cannot_be_released_is_refused_before_a_charge(spark: Any, files: Path, tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "ledger.json", epsilon=10)
    frame = spark.read.parquet(str(files))
    nested = frame.selectExpr("age", "key", "income", "array('secret') as sex", "day")
    assert "column `sex` is of type array, which cannot be read" in refusal(nested, ledger=ledger)
    binary = frame.selectExpr("age", "key", "income", "binary('secret') as sex", "day")
    assert "column `sex` is of type binary, which cannot be read" in refusal(binary, ledger=ledger)
    assert "column `day`, which the file does not have" in refusal(frame.drop("day"), ledger=ledger)
    odd = frame.selectExpr("age", "key", "income", "if(key = 1500, 'secret', sex) as sex", "day")
    assert "column `sex` has a cell that the schema does not allow" in refusal(odd, ledger=ledger)
    assert "need a schema" in refusal(frame, schema=None, ledger=ledger, accept_conditional=True)
    assert "not in memory" in refusal(frame, model="normal", ledger=ledger)
    failing = frame.selectExpr("age", "key", "income", "if(key = 7, raise_error('secret'), sex) as sex", "day")
    assert "a pass over the rows failed with" in refusal(failing, ledger=ledger)
    assert not indistinct.Ledger(ledger.file).charges
    with pytest.raises(ValueError, match=r"this is a Spark DataFrame.*\n help: take a sample"):
        indistinct.schema(frame)


def test_a_frame_that_changes_between_passes_is_not_released(spark: Any, files: Path, tmp_path: Path) -> None:
    ledger = indistinct.Ledger.init(tmp_path / "ledger.json", epsilon=10)
    frame = spark.read.parquet(str(files))
    synthesizer = indistinct.Synthesizer(epsilon=4, schema=SCHEMA, ledger=ledger)
    passes = indistinct._passes.passes_of(frame)
    assert passes is not None
    prepared = synthesizer._prepared(frame, passes, 1)
    passes.table = frame.where("key > 3")
    with pytest.raises(ValueError, match="the private table changed while it was read"):
        prepared.release(synthesizer._ledger(), {"threads": None}, None)
    # It was charged before the rows were counted, and stays so.
    assert len(indistinct.Ledger(ledger.file).charges) == 1


def test_a_worker_without_the_package_says_what_to_install(spark: Any, files: Path) -> None:
    task = _spark._count_task(indistinct._passes.Request(SCHEMA.to_toml(), "refuse", None, 1, None, None), b"[]")

    def without(batches: Any) -> Iterator[Any]:
        import sys

        # An import of it fails where it is said to be nothing.
        hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "indistinct"}
        sys.modules["indistinct"] = None  # type: ignore[assignment]
        try:
            yield from task(batches)
        finally:
            del sys.modules["indistinct"]
            sys.modules.update(hidden)

    counted = spark.read.parquet(str(files)).mapInArrow(without, "counts binary, problem string, remedy string").collect()
    for counts, problem, remedy in counted:
        assert counts is None and problem == "a worker of the cluster does not have indistinct"
        assert f"pip install 'indistinct[spark]=={indistinct.__version__}'" in remedy


def test_rows_of_persons_are_the_same_in_every_pass(spark: Any) -> None:
    random = numpy.random.default_rng(4)
    person = random.integers(0, 400, 1500)
    visits = pandas.DataFrame({"id": person, "x": random.integers(0, 10, 1500) / 1.0, "level": random.choice(["low", "high"], 1500)})
    frame = spark.createDataFrame(visits)
    options: dict[str, Any] = {"schema": VISITS, "person": "id", "rows_per_person": 2}
    first = model(frame, **options)
    assert first[1]["rows"] == visits.groupby("id").size().clip(upper=2).sum()
    assert first[1]["person"]["column"] == "id"
    # Neither the partitions nor the order of the rows decide on who is kept.
    assert model(frame.orderBy("x").repartition(4), **options) == first
    # The same rows are kept of a table in memory, and persons are told apart by value there and here.
    assert model(visits, **options) == first
    spelled = frame.selectExpr("if(x > 4, concat(' ', id, '.0 '), cast(id as string)) as id", "x", "level")
    assert model(spelled, **options) == first
    passes = _spark.SparkPasses(frame)
    for seed in (None, 8):
        request = indistinct._passes.Request(VISITS.to_toml(), "refuse", "id", 1, seed, None)
        kept = [sorted(map(tuple, passes._rows(request, b"[]").collect())) for _ in range(2)]
        assert kept[0] == kept[1] and len(kept[0]) == len(set(person.tolist()))
    assert "no column `who` to tell persons by" in refusal(frame, schema=VISITS, person="who")
    hole = frame.selectExpr("if(id = 7, null, id) as id", "x", "level")
    assert "the person is missing" in refusal(hole, schema=VISITS, person="id")
    kept_rows = model(hole, **options, invalid="missing")[1]["rows"]
    assert kept_rows == visits[visits.id != 7].groupby("id").size().clip(upper=2).sum()


def test_workers_write_any_number_of_rows(spark: Any, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synthesizer = indistinct.Synthesizer(epsilon=4, schema=SCHEMA).fit(people())
    monkeypatch.setattr(_spark_sample, "_PIECE", 400)
    for name, options in {"a": {"seed": 1}, "b": {"seed": 1}, "c": {"seed": 2}, "d": {"partitions": 2}}.items():
        synthesizer.sample_to(spark, 1001, str(tmp_path / name), **options)  # type: ignore[arg-type]
    written = {name: spark.read.parquet(str(tmp_path / name)).toPandas() for name in "abcd"}
    assert {len(rows) for rows in written.values()} == {1001}
    ordered = {name: rows.sort_values(list(rows)).reset_index(drop=True) for name, rows in written.items()}
    assert ordered["a"].equals(ordered["b"]) and not ordered["a"].equals(ordered["c"])
    assert len(ordered["a"].drop_duplicates()) > 800
    assert list(ordered["a"]) == ["income", "sex", "age", "day"]
    assert set(ordered["a"]["sex"]) == {"f", "m"}
    # What is there is not replaced unasked.
    with pytest.raises(Exception, match="already exists"):
        synthesizer.sample_to(spark, 10, str(tmp_path / "a"))
    synthesizer.sample_to(spark, 10, str(tmp_path / "a"), force=True, where="sex == 'f'")
    assert [row.sex for row in spark.read.parquet(str(tmp_path / "a")).collect()] == ["f"] * 10
    with pytest.raises(ValueError, match="rows must be"):
        synthesizer.sample_to(spark, 0, str(tmp_path / "e"))
    # A release in a folder does the same.
    synthesizer.save_release(tmp_path / "release")
    indistinct.open_release(tmp_path / "release").sample_to(spark, 1001, tmp_path / "f", seed=1)
    again = spark.read.parquet(str(tmp_path / "f")).toPandas()
    assert again.sort_values(list(again)).reset_index(drop=True).equals(ordered["a"])


LOST = """
import sys
sys.path.insert(0, sys.argv[3])
import test_passes, test_spark
spark = test_spark.session(sys.argv[1], **{"spark.executor.memory": "512m", "spark.cores.max": "2", "spark.executor.cores": "1"})
frame = spark.read.parquet(sys.argv[2]).repartition(8)
print("begin", flush=True)
same = test_passes.model(frame) == test_passes.model(test_passes.people())
print("same", same, flush=True)
spark.stop()
"""


@pytest.mark.skipif(os.environ.get("INDISTINCT_LONG_TESTS") is None, reason="a cluster: set INDISTINCT_LONG_TESTS")
def test_a_lost_worker_changes_nothing(files: Path, tmp_path: Path) -> None:
    import pyspark

    home = Path(pyspark.__file__).parent
    started: list[subprocess.Popen[bytes]] = []
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}

    def start(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        log = (tmp_path / f"{kind}{len(started)}.log").open("wb")
        called = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *arguments]
        started.append(subprocess.Popen(called, env=environment, stdout=log, stderr=log, start_new_session=True))
        return started[-1]

    address = "spark://127.0.0.1:17077"
    try:
        start("master.Master", "--host", "127.0.0.1", "--port", "17077", "--webui-port", "0")
        for number in range(2):
            workers = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", str(tmp_path / f"work{number}")]
            start("worker.Worker", "--host", "127.0.0.1", *workers, address)
        time.sleep(12)
        here = str(Path(__file__).parent)
        driver = subprocess.Popen(
            [sys.executable, "-c", LOST, address, str(files), here], env=environment, stdout=subprocess.PIPE, text=True
        )
        assert driver.stdout is not None
        assert driver.stdout.readline().strip() == "begin"
        lost = threading.Timer(8, lambda: _end(started[-1]))
        lost.start()
        said = driver.stdout.read().split()
        assert driver.wait(timeout=300) == 0
        assert not lost.is_alive(), "the release was done before the worker was lost"
        assert said == ["same", "True"]
    finally:
        for process in started:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kills a process and those that it started, executors included."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
