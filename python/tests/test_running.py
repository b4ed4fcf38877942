"""While it works: other threads run, Ctrl-C stops it, progress is told, forked processes can work."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pandas
import pytest

import indistinct
from indistinct import _indistinct, _progress
from indistinct._frames import as_source

People = Callable[..., pandas.DataFrame]


def test_threads_get_the_same_results(people: People) -> None:
    tables = [people(seed) for seed in range(4)]
    expected = [indistinct.evaluate(tables[0], table, replicates=4).to_dict() for table in tables]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(indistinct.evaluate, tables[0], table, replicates=4) for table in tables * 3]
        found = [job.result().to_dict() for job in jobs]
    assert found == expected * 3


def test_the_interpreter_is_free_meanwhile(people: People) -> None:
    real, fake = people(0, 20_000), people(1, 20_000)
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.005)

    clock = threading.Thread(target=tick)
    clock.start()
    began = time.monotonic()
    indistinct.evaluate(real, fake, replicates=5, cp=0.0001)
    lasted = time.monotonic() - began
    done.set()
    clock.join()
    assert ticks > lasted / 0.005 / 20, f"{ticks} ticks in {lasted:.2f} s"


LONG = """
import atexit, glob, os, shutil, tempfile, time
import numpy, pandas, pyarrow, indistinct

def name_of(task):
    # A thread may end between being listed and being looked at.
    try:
        return open(task).read().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""

def working():
    return [name_of(task) for task in glob.glob("/proc/self/task/*/comm")].count("indistinct")

def frame(rows, columns):
    return pandas.DataFrame(random.normal(size=(rows, columns)), columns=[f"c{number}" for number in range(columns)])

def schema(columns):
    floats = [f'[[column]]\\nname = "c{number}"\\ntype = "float"' for number in range(columns)]
    return indistinct.Schema("version = 1\\n" + "\\n".join(floats))

def synthesizer(columns, **options):
    return indistinct.Synthesizer(5, schema=schema(columns), progress=False, **options)

folder = tempfile.mkdtemp() + "/release"
atexit.register(shutil.rmtree, os.path.dirname(folder))

def released():
    if not os.path.exists(folder):
        synthesizer(3, seed=1, model="mixed").fit(frame(2000, 3)).save_release(folder)
    return indistinct.open_release(folder)

random = numpy.random.default_rng(1)
%s
print("ready", flush=True)
try:
    work()
except KeyboardInterrupt:
    # The worker sees it where it next asks, and its threads go away.
    began = time.monotonic()
    while working():
        assert time.monotonic() - began < 20, "the work goes on"
        time.sleep(0.05)
    print("stopped", flush=True)
"""

STAGES = {
    "reading a stream": """
table = pyarrow.table({"c0": [1.5] * 1000})
def batches():
    while True:
        time.sleep(0.01)
        yield table.to_batches()[0]
stream = pyarrow.RecordBatchReader.from_batches(table.schema, batches())
work = lambda: indistinct.schema(stream)
""",
    "drafting": """
table = (frame(300_000, 40) * 3).round().astype(int).astype(str)
work = lambda: indistinct.schema(table)
""",
    "a pass over a stream": """
table = pyarrow.table({"c0": [1.5] * 1000})
def batches():
    while True:
        time.sleep(0.01)
        yield table.to_batches()[0]
work = lambda: synthesizer(1).fit(lambda: pyarrow.RecordBatchReader.from_batches(table.schema, batches()))
""",
    "metropolis": """
table = frame(2000, 3)
work = lambda: synthesizer(3, sampler="metropolis", steps=1_000_000_000, chains=2).fit(table)
""",
    "metropolis with trees": """
table = frame(2000, 3)
work = lambda: synthesizer(3, sampler="metropolis", discriminator="cart", steps=1_000_000_000, chains=2).fit(table)
""",
    "zoom": """
table = frame(100_000, 6)
work = lambda: synthesizer(6, measure_share=0, candidates=1_000_000).fit(table)
""",
    "zoom with optimal trees": """
table = frame(20_000, 6)
work = lambda: synthesizer(6, discriminator="optimal", candidates=1_000_000).fit(table)
""",
    "margins and pairs": """
table = frame(60_000, 90)
work = lambda: synthesizer(90, model="mixed").fit(table)
""",
    "sampling rare rows": """
fitted = synthesizer(3, seed=1).fit(frame(2000, 3))
work = lambda: fitted.sample(10_000_000, where="c0 > 3 and c1 > 1")
""",
    "sampling representative rows": """
fitted = synthesizer(40, seed=1, model="mixed").fit(frame(4000, 40))
work = lambda: [fitted.sample(500_000) for _ in range(50)]
""",
    "evaluating": """
real, fake = frame(4000, 12), frame(4000, 12)
work = lambda: indistinct.evaluate(real, fake, replicates=1_000_000, cp=0.0001, progress=False)
""",
    "evaluating by one optimal tree": """
real, fake = frame(20_000, 60), frame(20_000, 60)
work = lambda: indistinct.pmse(real, fake, discriminator="optimal", depth=3)
""",
    "evaluating by one regression": """
real, fake = frame(20_000, 40), frame(20_000, 40)
work = lambda: indistinct.pmse(real, fake, discriminator="logistic", interactions=True)
""",
    "combining": """
tables = [frame(60_000, 120) for _ in range(4)]
work = lambda: indistinct.combine(tables, "c0 ~ " + " + ".join(tables[0].columns[1:]))
""",
    "predicting": """
real, fake = frame(60_000, 40), frame(60_000, 40)
work = lambda: indistinct.evaluate(real, fake, predict="c0", progress=False)
""",
    "intervals": """
released()
work = lambda: released().interval("mean(c0)", replicates=1_000_000, progress=False)
""",
    "intervals of a function": """
work = lambda: released().interval(lambda table: table["c0"].mean(), replicates=1_000_000, progress=False)
""",
    "rehearsals of a combination": """
released()
work = lambda: indistinct.combine(folder, "c0 ~ c1", rehearse=True, replicates=1_000_000)
""",
    "rehearsals for a page": """
work = lambda: synthesizer(3, seed=1, model="mixed").fit(frame(2000, 3)).save_release(folder, rehearsals=1_000_000)
""",
}


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="looks at threads as Linux shows them")
@pytest.mark.parametrize("stage", STAGES)
def test_an_interrupt_stops_the_work(stage: str) -> None:
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", LONG % STAGES[stage]], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    assert process.poll() is None, "the work is too short to be interrupted"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "stopped\n"
    assert process.returncode == 0


def _pmse_of(tables: tuple[pandas.DataFrame, pandas.DataFrame]) -> float:
    return indistinct.pmse(*tables)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_can_work(people: People) -> None:
    tables = people(0), people(1)
    expected = indistinct.pmse(*tables)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_pmse_of, [tables] * 4).get(timeout=60) == [expected] * 4


def test_progress_is_told(people: People) -> None:
    told: list[tuple[int, int]] = []
    real, fake = as_source(people(0, 20_000), "real"), as_source(people(1, 20_000), "fake")
    options = {"replicates": 20, "cp": 0.0001}
    _indistinct.evaluate(real, [("fake", fake)], None, options, lambda done, expected: told.append((done, expected)))
    assert told, "it took too short to be told"
    # The distances of the table and of its control are those of 6 columns, 15 pairs and 20 triples each.
    # Both have 15 resampled trees.
    assert {expected for _, expected in told} == {1 + 1 + 20 + 6 + 15 + 2 * (6 + 15 + 20 + 15)}
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_an_error_in_progress_stops_the_work(people: People) -> None:
    def broken(done: int, expected: int) -> None:
        raise ZeroDivisionError

    real, fake = as_source(people(0, 20_000), "real"), as_source(people(1, 20_000), "fake")
    with pytest.raises(ZeroDivisionError):
        _indistinct.evaluate(real, [("fake", fake)], None, {"replicates": 500, "cp": 0.0001}, broken)


def test_a_bar_appears_where_it_is_wanted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert _progress.bar(False, "evaluating") is None
    assert _progress.bar(None, "evaluating") is None, "standard error is no terminal here"
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    bar = _progress.bar(True, "evaluating")
    assert bar is not None
    bar(3, 10)
    bar.close()
    assert "evaluating" in capsys.readouterr().err
