"""Everything that a fitted synthesizer shows of a table: run by ``test_replay.py``, in a process of its own."""

from __future__ import annotations

import pickle
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import test_surface as surface

import pyarrow.dataset

import indistinct
from indistinct import _frames, _pandas

# Values that no other row has: beyond limits, at the ends of what doubles hold, levels that nobody else has.
STRANGE: dict[str, Any] = {"score": 1e300, "age": 500, "job": "pilot", "grade": "mid", "code": 3, "smoker": None}


# How private tables are handed over: those of libraries, and rows that are read again for every pass.
HANDED: dict[str, Any] = {
    **{library: dressed for library, (_, dressed) in surface.LIBRARIES.items()},
    "pandas by numpy": surface.pandas_dressed,
    "lazy": lambda rows: surface.polars_dressed(rows).lazy(),
    "dataset": lambda rows: pyarrow.dataset.dataset(surface.pyarrow_dressed(rows)),
}
# Those that cannot tell persons apart.
IN_PASSES = ("lazy", "dataset")
KINDS: dict[str, dict[str, Any]] = {"row": {}, "person": {"person": "who"}, "row more": {"neighbours": "add-remove"}}


def neighbour(which: int, kind: str) -> dict[str, list[Any]]:
    """The table, or one in which a row, or a person's rows, are missing everywhere or strange, or are not there."""
    rows = surface.values(holes=True)
    one = 7
    person = kind == "person"
    if kind == "row more":
        gone = [one, one + 100][:which]
        return {name: [value for row, value in enumerate(column) if row not in gone] for name, column in rows.items()}
    replaced = [row for row, who in enumerate(rows["who"]) if who == rows["who"][one]] if person else [one]
    for row in replaced:
        for name in surface.RELEASED:
            if which == 1:
                rows[name][row] = None
            elif which == 2:
                rows[name][row] = STRANGE.get(name, rows[name][row])
        if which:
            rows["who"][row] = f"somebody else {which}"
            rows["key"][row] = f"another key {which}"
    return rows


def show(name: str, content: object) -> None:
    """Prints one thing that is shown, without times of day and the hashes that follow from them."""
    content = content if isinstance(content, bytes) else repr(content).encode()
    print(name, re.sub(rb"[0-9a-f]{64}", b"hash", surface.timeless(content)).hex())


def main(library: str, kind: str, which: int) -> None:
    if library == "pandas by numpy":
        _frames._of_pandas = lambda frame, name: _pandas.source_of(frame, name, _frames._unsupported)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        synthesizer = indistinct.Synthesizer(epsilon=20.0, schema=surface.SCHEMA, **KINDS[kind])
        synthesizer.fit(HANDED[library](neighbour(which, kind)))
        show("warnings", [str(warning.message) for warning in caught])
    show("repr", synthesizer)
    show("markup", getattr(synthesizer, "_repr_html_", str)())
    show("certificate", synthesizer.certificate)
    show("attributes", sorted(vars(synthesizer)))
    show("pickle", pickle.dumps(synthesizer))
    for rows in (None, 50):
        sample = synthesizer.sample() if rows is None else synthesizer.sample(rows)
        show(f"types of {rows}", surface.described(sample))
        show(f"sample of {rows}", sample.to_pydict() if hasattr(sample, "to_pydict") else sample.to_dict())
    with tempfile.TemporaryDirectory() as folder:
        synthesizer.save_release(Path(folder) / "release")
        synthesizer.save(Path(folder) / "model.json")
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                show(str(path.relative_to(folder)), path.read_bytes())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
