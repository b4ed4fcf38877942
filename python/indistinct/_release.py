"""Releases in folders, and error bars for any analysis of them."""

from __future__ import annotations

import json
import math
import os
import random
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Optional, TypedDict, Union

from . import _html, _indistinct, _progress
from ._certificate import Certificate
from ._document import PrintedDocument
from ._frames import PANDAS, POLARS, failure, give_back
from ._schema import Schema
from ._spark_sample import write_sample

Path = Union[str, os.PathLike[str]]

#: Rehearsals that are made at once: more would only take memory.
_AT_ONCE = 8


class StatisticInterval(TypedDict, total=False):
    """One number with its error bar. ``term`` is there where a statistic has several numbers."""

    statistic: str
    term: str
    estimate: Optional[float]
    se: Optional[float]
    low: Optional[float]
    high: Optional[float]
    level: float
    undefined: int


class Intervals(PrintedDocument):
    """Numbers with their error bars. Its ``repr`` is what the command prints."""

    _page: str

    def __init__(self, document: str, text: str, page: str) -> None:
        super().__init__(document, text)
        self._page = page

    @property
    def statistics(self) -> list[StatisticInterval]:
        """The numbers in order; ``pandas.DataFrame`` makes a table of them."""
        return list(self._document["statistics"])

    @property
    def replicates(self) -> int:
        """How many rehearsals there were."""
        return int(self._document["replicates"])

    @property
    def of(self) -> str:
        """What the intervals are for: ``"population"`` or ``"table"``."""
        return str(self._document["of"])

    @property
    def notes(self) -> list[str]:
        """What to know about the numbers."""
        return list(self._document["notes"])

    def to_html(self, path: Path, *, force: bool = False) -> None:
        """Writes a page with bars, in plain words. A file that exists is replaced only with ``force=True``."""
        if os.path.exists(path) and not force:
            raise failure(f"{os.fspath(path)} exists", "choose another name, or say force=True to replace it")
        with open(path, "w", encoding="utf-8") as out:
            out.write(self._page)

    def _repr_html_(self) -> str:
        def row(one: StatisticInterval) -> list[_html.Cell]:
            name = f"{one['statistic']}: {one['term']}" if "term" in one else one["statistic"]
            return [name, one["estimate"], one["se"], one["low"], one["high"]]

        return _html.block(
            _html.paragraph(f"intervals for the {self.of}, by {self.replicates} rehearsals", strong=True),
            _html.table(["", "estimate", "std. error", "low", "high"], map(row, self.statistics)),
            *(_html.paragraph(f"note: {note}") for note in self.notes),
        )


class Release:
    """The folder of a release, opened for analyses by :func:`open_release`."""

    def __init__(self, opened: _indistinct.OpenedRelease, library: str) -> None:
        self._opened = opened
        self._library = library

    @property
    def certificate(self) -> Certificate:
        """What the release promises, and from which steps that follows."""
        return Certificate(json.loads(self._opened.certificate or "{}"))

    @property
    def schema(self) -> Schema:
        """What the columns mean."""
        return Schema._of(*self._opened.schema)

    @property
    def tables(self) -> list[Any]:
        """The synthetic tables as they were released."""
        return [self._frame(table) for table in self._opened.tables()]

    def sample_to(
        self,
        spark: Any,
        rows: int,
        path: Path,
        *,
        format: str = "parquet",
        partitions: Optional[int] = None,
        where: Optional[str] = None,
        seed: Optional[int] = None,
        draw: int = 1,
        force: bool = False,
    ) -> None:
        """Has the workers of Spark make any number of rows of the released model and write them, as
        :meth:`Synthesizer.sample_to` does: post-processing, which costs nothing."""
        options = {"rows": rows, "where": where, "seed": seed, "draw": draw}
        write_sample(
            spark, self._opened.model(), os.fspath(path), options, format=format, partitions=partitions, force=force
        )

    def _frame(self, table: _indistinct.ArrowTable) -> Any:
        return give_back(self._library, table, self.schema.columns)

    def interval(
        self,
        statistic: Union[str, Sequence[str], Callable[[Any], Any]],
        *,
        replicates: int = 100,
        level: float = 0.95,
        of: str = "population",
        seed: int = 0,
        rehearsed: Optional[Path] = None,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> Intervals:
        """How wrong may a number of this release be? At no cost to privacy.

        The release is rehearsed: rows are drawn from its published model, the same program is run on them with noise of
        its own, and the statistic is computed on what comes out. How far that goes astray is how far the released number
        may be from the truth.

        Args:
            statistic: ``"mean(income)"``, ``"income ~ age + sex"`` and so on, as ``indistinct interval`` has them; several
                of these; or a function that takes a table and gives a number, a Series, a mapping, or a table of numbers.
                It may count and sum: its bars are for as many rows as the release has.
            replicates: How many rehearsals.
            level: Probability that an interval is to have.
            of: ``"population"``, which the private rows were drawn from, or the private ``"table"`` itself.
            seed: Where random numbers start. The same release has the same bars, also of functions that draw random
                numbers by ``random`` or NumPy's old global generator: these are seeded for every call.
            rehearsed: Use the rehearsals that ``indistinct rehearse`` has written into this folder; not for functions.
            threads: How many threads; by default all cores.
            progress: Whether there is a bar; by default on a terminal or in a notebook.
        """
        options = {"replicates": replicates, "level": level, "of": of, "seed": seed, "threads": threads}
        if callable(statistic):
            if rehearsed is not None:
                raise failure("rehearsed= is for statistics in words", "leave it out for a function")
            return self._of_function(statistic, options, progress)
        texts = [statistic] if isinstance(statistic, str) else list(statistic)
        with _progress.shown(progress, "rehearsing") as bar:
            return Intervals(*self._opened.intervals(texts, options, rehearsed, bar))

    def _of_function(self, function: Callable[[Any], Any], options: dict[str, Any], progress: Optional[bool]) -> Intervals:
        rehearsing = self._opened.rehearsing(options)
        seed, replicates = int(options["seed"]), int(options["replicates"])
        released = _means([_numbers(_called(function, table, seed)) for table in self.tables])
        if not any(math.isfinite(value) for value in released.values()):
            raise failure("the function gives no number for the release", "check what it returns for release.tables[0]")
        names = list(released)

        def values(tables: Sequence[Any], call: int) -> list[float]:
            found = _means([_numbers(_called(function, table, call)) for table in tables])
            return [found.get(name, math.nan) for name in names]

        # In tables of as many rows as the release has, so that counts and sums are comparable.
        parts = [self._frame(part) for part in rehearsing.population()]
        in_model = _in_model(lambda part: values([part], seed), parts)
        rehearsed: list[tuple[list[float], list[float]]] = []
        raised: list[Exception] = []
        with _progress.shown(progress, "rehearsing") as bar:
            for first in range(0, replicates, _AT_ONCE):
                count = min(_AT_ONCE, replicates - first)
                for place, made in enumerate(rehearsing.rehearse(first, count, options["threads"]), first):
                    pair = ([math.nan], [math.nan])
                    if made is not None:
                        tables, drawn = made
                        try:
                            pair = (
                                values([self._frame(table) for table in tables], seed + place + 1),
                                values([self._frame(drawn)], seed + place + 1),
                            )
                        except Exception as error:  # Any error of the function counts as undefined.
                            raised.append(error)
                    rehearsed.append(pair)
                if bar is not None:
                    bar(len(rehearsed), replicates)
        if raised:
            warnings.warn(
                f"the function failed in {len(raised)} of {replicates} rehearsals, which were left out; "
                f"the first time with {type(raised[0]).__name__}: {raised[0]}",
                stacklevel=3,
            )
        name = getattr(function, "__name__", type(function).__name__)
        terms = [None] if names == [""] else names
        numbers = ([released[name] for name in names], in_model)
        return Intervals(*self._opened.intervals_of(name, terms, numbers, rehearsed, options))

    def __repr__(self) -> str:
        rows = len(self._opened.tables()[0])
        return f"Release of {rows} rows and {len(self.schema.columns)} columns; {self.certificate.guarantee['kind']}"


def open_release(folder: Path, *, library: str = "pandas") -> Release:
    """Opens the folder of a release, for analyses with error bars.

    Args:
        folder: What ``indistinct synth --out`` or ``Synthesizer.save_release`` has made.
        library: What functions get their tables as: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    """
    libraries = {"pandas": PANDAS, "polars": POLARS, "pyarrow": "pyarrow"}
    if library not in libraries:
        raise failure(f"library is not {library!r}", 'use "pandas", "polars" or "pyarrow"')
    return Release(_indistinct.OpenedRelease.open(folder), libraries[library])


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Random numbers that start at ``seed``, and go on afterwards as if nothing had been drawn."""
    state = random.getstate()
    random.seed(seed)
    try:
        import numpy
    except ImportError:
        numpy = None  # type: ignore[assignment]
    drawn = numpy.random.get_state() if numpy is not None else None
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
    try:
        yield
    finally:
        random.setstate(state)
        if numpy is not None and drawn is not None:
            numpy.random.set_state(drawn)


def _called(function: Callable[[Any], Any], table: Any, seed: int) -> Any:
    with _seeded(seed):
        return function(table)


def _means(found: list[dict[str, float]]) -> dict[str, float]:
    """The mean over tables, by the names of the first."""
    return {
        name: math.fsum(numbers.get(name, math.nan) for numbers in found) / len(found) for name in found[0]
    }


def _in_model(values: Callable[[Any], list[float]], parts: Sequence[Any]) -> list[float]:
    """The means over parts of the model in which the function works and a number is defined."""
    found: list[list[float]] = []
    problem: Optional[Exception] = None
    for part in parts:
        try:
            found.append(values(part))
        except Exception as error:  # Fatal only if it always fails.
            problem = problem or error
    if problem is not None and not found:
        raise problem
    defined = [[part[place] for part in found if not math.isnan(part[place])] for place in range(len(found[0]))]
    return [math.fsum(each) / len(each) if each else math.nan for each in defined]


def _numbers(result: Any) -> dict[str, float]:
    """What a function returned, as numbers by name; a single number has none."""
    found: dict[str, float] = {}
    for name, value in _named(result):
        if name in found:
            raise failure(f"the function returned two numbers with the name {name!r}", "give every number a name of its own")
        found[name] = _number(value)
    return found


def _named(result: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(result, "columns") and hasattr(result, "to_dict"):
        yield from _of_table(result)
    elif isinstance(result, Mapping) or hasattr(result, "items"):
        yield from ((_label(key), value) for key, value in result.items())
    else:
        # NumPy, polars and pyarrow have lists of their own.
        listed = [getattr(result, name) for name in ("tolist", "to_list", "to_pylist") if hasattr(result, name)]
        if isinstance(result, (list, tuple)):
            yield from ((str(place), value) for place, value in enumerate(result))
        elif listed and getattr(result, "ndim", 1) > 0:
            yield from ((str(place), value) for place, value in enumerate(listed[0]()))
        else:
            yield "", result


def _of_table(table: Any) -> Iterator[tuple[str, Any]]:
    """A table of numbers: by row and column, where columns without numbers name the rows."""
    if hasattr(table, "iter_rows"):  # polars
        names = [column for column in table.columns if not table.schema[column].is_numeric()]
        for row in table.iter_rows(named=True):
            for column in table.columns:
                if column not in names:
                    yield " ".join([*(str(row[name]) for name in names), column]), row[column]
    else:
        for column, values in table.items():
            for index, value in values.items():
                yield f"{_label(index)} {_label(column)}", value


def _label(key: Any) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _number(value: Any) -> float:
    if hasattr(value, "as_py"):  # a scalar of pyarrow
        value = value.as_py()
    try:
        return float(value)
    except (TypeError, ValueError):
        if value is None or type(value).__name__ == "NAType":
            return math.nan
        raise failure(
            f"the function returned {type(value).__name__}, which is not a number",
            "return a number, a Series, a mapping, or a table of numbers",
        ) from None
