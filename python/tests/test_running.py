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
import time
import numpy, pandas, indistinct

def threads():
    return int(open("/proc/self/status").read().split("Threads:")[1].split()[0])

random = numpy.random.default_rng(1)
real, fake = (pandas.DataFrame(random.normal(size=(4000, 12))).rename(columns=str) for _ in range(2))
indistinct.pmse(real, fake)
before = threads()
print("ready", flush=True)
try:
    indistinct.evaluate(real, fake, replicates=1_000_000, cp=0.0001, progress=False)
except KeyboardInterrupt:
    # The worker sees it at its next unit of work, and its threads go away.
    began = time.monotonic()
    while threads() > before:
        assert time.monotonic() - began < 20, "the work goes on"
        time.sleep(0.05)
    print("stopped", flush=True)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="counts threads as Linux shows them")
def test_an_interrupt_stops_the_work() -> None:
    process = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    assert process.poll() is None, "the work is too short to be interrupted"
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "stopped\n"
    assert process.returncode == 0
    assert time.monotonic() - began < 30


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
    assert {expected for _, expected in told} == {1 + 1 + 20 + 6 + 15}
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
