"""Everything that leaves the Python package, on neighbouring tables: with all that was charged replayed, nothing may differ.

Needs a module that was built with the recorder (feature ``broken``), and is therefore not among the other tests:

    cargo build --workspace --features indistinct-python/broken
    cp target/debug/lib_indistinct.so python/indistinct/_indistinct.abi3.so
    PYTHONPATH=python:python/tests:python/replay python -m pytest python/replay

``crates/indistinct-cli/tests/surface`` does the same for the command.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import shown as program

SHOWN = Path(__file__).with_name("shown.py")


def shown(library: str, kind: str, which: int, tape: Path | None) -> dict[str, str]:
    """What is shown of a table, by name."""
    environment = {**os.environ, **({} if tape is None else {"INDISTINCT_REPLAY": str(tape)})}
    arguments = [sys.executable, str(SHOWN), library, kind, str(which)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())


def differences(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """The names of what differs."""
    return [name for name in {**first, **second} if first.get(name) != second.get(name)]


@pytest.mark.parametrize("kind", program.KINDS)
@pytest.mark.parametrize("library", program.HANDED)
def test_only_what_was_charged_depends_on_a_row(library: str, kind: str, tmp_path: Path) -> None:
    if kind == "person" and library in program.IN_PASSES:
        pytest.skip("streams do not tell persons apart")
    tape = tmp_path / "tape"
    first = shown(library, kind, 0, tape)
    assert tape.stat().st_size > 0, "the module has no recorder"
    assert "pickle" in first and "release/certificate.json" in first
    for which in (1, 2):
        assert differences(first, shown(library, kind, which, tape)) == []


def test_without_the_recorder_fits_differ() -> None:
    assert "pickle" in differences(shown("pandas", "row", 0, None), shown("pandas", "row", 0, None))
