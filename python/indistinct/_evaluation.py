"""How well a classifier tells synthetic tables from the real one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional, TypedDict, Union

from . import _html, _indistinct, _progress, _written
from ._document import PrintedDocument
from ._frames import as_source, failure, named_tables
from ._schema import Schema, schema_text

_WARNING = "Computed from the private data, without differential privacy: do not publish."
_SHOWN = 8


class ColumnScore(TypedDict):
    """One column by itself."""

    name: str
    pmse: float
    pmae: float
    tvd: float


class PairScore(TypedDict):
    """Two columns by themselves."""

    a: str
    b: str
    pmse: float
    tvd: float


class Distances(TypedDict):
    """Mean total variation distances over sets of columns."""

    one_way: float
    two_way: Optional[float]
    three_way: Optional[float]


class Prediction(TypedDict):
    """How well forests predict a column of real test rows: one trained on real rows, one on synthetic rows."""

    column: str
    metric: str
    real: float
    synthetic: float


class Verdict(TypedDict):
    """What a synthetic table is good for: ``"close"``, ``"usable"``, ``"poor"`` or ``"broken"``, and why."""

    level: str
    because: list[str]


class Evaluation(PrintedDocument):
    """What :func:`evaluate` found, computed **from the private data**: do not publish it.

    Its ``repr`` is what the command prints. It can be pickled; the tables, which :meth:`to_html` needs, stay behind.

    >>> import pandas as pd, pickle, indistinct
    >>> table = pd.DataFrame({"x": range(100), "y": ["a", "b"] * 50})
    >>> found = indistinct.evaluate(table, table)
    >>> found.pmse, found.pmae, [pair["tvd"] for pair in found.pairs]
    (0.0, 0.0, [0.0])
    >>> pd.DataFrame(found.columns)[["name", "pmse"]]
      name  pmse
    0    x   0.0
    1    y   0.0
    >>> pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()
    True
    """

    _evaluated: Optional[_indistinct.Evaluated]

    def __init__(self, evaluated: _indistinct.Evaluated) -> None:
        super().__init__(evaluated.document, evaluated.text)
        self._evaluated = evaluated

    @property
    def verdict(self) -> Verdict:
        """What the synthetic table is good for: a ``level`` (``"close"``, ``"usable"``, ``"poor"`` or ``"broken"``) and sentences
        that say ``because`` of what. Of several tables, that of the worst. It rests on :attr:`told_apart` and on distances, and
        does not depend on the discriminator."""
        found = self._document["verdict"]
        return Verdict(level=str(found["level"]), because=[str(reason) for reason in found["because"]])

    @property
    def told_apart(self) -> float:
        """The share of rows whose table trees guess right that have not seen them: 1/2 is guessing.

        The median over resampled trees, which does not jump as the pMSE of one tree does; the mean over several tables.
        """
        return _mean([table["resampled"] for table in self.tables], "told_apart")

    @property
    def pmse(self) -> float:
        """Mean squared distance of the propensity scores from 1/2: from 0 (cannot tell) to 1/4 (always can).

        The mean over the synthetic tables, if there are several; so are the other numbers.
        """
        return float(self._document["mean"]["pmse"])

    @property
    def pmae(self) -> float:
        """Mean absolute distance of the propensity scores from 1/2, from 0 to 1/2."""
        return float(self._document["mean"]["pmae"])

    @property
    def s_pmse(self) -> Optional[float]:
        """pMSE relative to that of the table that :attr:`null_reference` names, which has 1 in expectation."""
        found = self._document["mean"]["s_pmse"]
        return None if found is None else float(found)

    @property
    def null_reference(self) -> Optional[str]:
        """Which table has S_pMSE 1: ``"sample"``, another sample of the same population (trees and partitions);
        ``"fitted-model"``, rows of a correct model fitted to the real table (logistic regression); or ``"synthpop"``."""
        found = self._document["tables"][0]["null"]["reference"]
        return None if found is None else str(found)

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Everything that was found about each synthetic table, as the command's JSON has it."""
        return list(self._document["tables"])

    @property
    def columns(self) -> list[ColumnScore]:
        """Each column by itself: ``name``, ``pmse``, ``pmae`` and ``tvd``, the total variation distance."""
        return [
            ColumnScore(name=same[0]["name"], pmse=_mean(same, "pmse"), pmae=_mean(same, "pmae"), tvd=_mean(same, "tvd"))
            for same in zip(*(table["columns"] for table in self.tables))
        ]

    @property
    def pairs(self) -> list[PairScore]:
        """Each pair of columns: ``a``, ``b``, ``pmse`` and ``tvd``."""
        return [
            PairScore(a=same[0]["a"], b=same[0]["b"], pmse=_mean(same, "pmse"), tvd=_mean(same, "tvd"))
            for same in zip(*(table["pairs"] for table in self.tables))
        ]

    @property
    def distances(self) -> Distances:
        """Mean total variation distances over all sets of columns: ``one_way``, ``two_way`` and ``three_way``.

        Those of more columns than the tables have are None. Of very many triples a fixed random choice is measured:
        ``tables[0]["distances"]["triples"]`` says how many of how many.
        """
        found = [table["distances"] for table in self.tables]
        return Distances(
            one_way=_mean(found, "one_way"),
            two_way=None if found[0]["two_way"] is None else _mean(found, "two_way"),
            three_way=None if found[0]["three_way"] is None else _mean(found, "three_way"),
        )

    @property
    def prediction(self) -> Optional[Prediction]:
        """What forests make of the column named by ``predict``: ``column``, ``metric`` (``"accuracy"`` or ``"R2"``), and the
        metric on real test rows of a forest trained on ``real`` rows and of one trained on ``synthetic`` rows."""
        found = [table["predict"] for table in self.tables]
        if found[0] is None:
            return None
        return Prediction(
            column=found[0]["column"],
            metric=found[0]["metric"],
            real=_mean(found, "real"),
            synthetic=_mean(found, "synthetic"),
        )

    def to_html(self, path: Union[str, os.PathLike[str]], *, force: Optional[bool] = None) -> str:
        """Writes a page with plots, computed **from the private data**.

        A name without ``private`` in it gets it: ``look.html`` becomes ``look.private.html``. The name that the page has
        is returned. A file that exists is replaced with ``force=True``, and without it if this session wrote it and nobody
        changed it since, so that a cell can be run again; with ``force=False`` never.
        """
        if self._evaluated is None:
            raise failure(
                "an evaluation that was pickled has no tables to draw", "evaluate again, and write the page then"
            )
        page = os.fspath(self._evaluated.write_page(path, _written.may_replace(_written.page_of(path), force)))
        _written.note_page(path, page)
        return page

    def _repr_html_(self) -> str:
        verdicts: list[list[_html.Cell]] = [
            [table["file"], table["verdict"]["level"], " ".join(table["verdict"]["because"])] for table in self.tables
        ]
        measures = [
            [table["file"], table["pmse"], table["pmae"], table["s_pmse"], table["independent_control"]["pmse"]]
            for table in self.tables
        ]
        distances = [
            [table["file"], *(table["distances"][name] for name in ("one_way", "two_way", "three_way"))]
            for table in self.tables
        ]
        columns = sorted(self.columns, key=lambda column: (-column["pmse"], -column["tvd"]))[:_SHOWN]
        easiest: list[list[_html.Cell]] = [[column["name"], column["pmse"], column["tvd"]] for column in columns]
        pairs = sorted(self.pairs, key=lambda pair: (-pair["tvd"], -pair["pmse"]))[:_SHOWN]
        different: list[list[_html.Cell]] = [[pair["a"], pair["b"], pair["pmse"], pair["tvd"]] for pair in pairs]
        sampled = {_sample_sentence(table) for table in self.tables if table["sampled"] is not None}
        parts = [
            _html.paragraph(_WARNING, strong=True),
            *(_html.paragraph(sentence) for sentence in sorted(sampled)),
            _html.table(["table", "verdict", "because"], verdicts),
            _html.table(["table", "pMSE", "pMAE", "S_pMSE", "pMSE of a shuffled control"], measures),
            _html.table(["mean distance", "one column", "two columns", "three columns"], distances),
            _html.table(["easiest columns to tell", "pMSE", "distance"], easiest),
        ]
        if different:
            parts.append(_html.table(["most different pairs", "", "pMSE", "distance"], different))
        if self.tables[0]["predict"] is not None:
            found = [(table["file"], table["predict"]) for table in self.tables]
            rows = [[name, one["real"], one["synthetic"]] for name, one in found]
            heading = f"predicting {found[0][1]['column']}, {found[0][1]['metric']}"
            parts.append(_html.table([heading, "trained on real rows", "trained on synthetic rows"], rows))
        return _html.block(*parts)

    def __getstate__(self) -> dict[str, Any]:
        return {"_document": self._document, "_text": self._text, "_evaluated": None}


def _sample_sentence(table: dict[str, Any]) -> str:
    real, synthetic = (
        f"{'all ' if table['sampled'][name] == table[f'n_{name}'] else ''}{table['sampled'][name]:,} {name} rows"
        for name in ("real", "synthetic")
    )
    return f"All numbers but one-way and two-way distances come from a random sample: {real} and {synthetic}."


def _mean(same: Sequence[dict[str, Any]], key: str) -> float:
    return float(sum(one[key] for one in same) / len(same))


def evaluate(
    real: object,
    synthetic: object,
    *,
    schema: Union[Schema, str, os.PathLike[str], None] = None,
    discriminator: str = "cart",
    depth: Optional[int] = None,
    cp: Optional[float] = None,
    minsplit: Optional[int] = None,
    minbucket: Optional[int] = None,
    method: Optional[str] = None,
    thresholds: Union[int, str, None] = None,
    objective: Optional[str] = None,
    leaf_penalty: Optional[float] = None,
    min_synthetic: Optional[int] = None,
    interactions: bool = False,
    null: Optional[str] = None,
    null_reference: Optional[str] = None,
    replicates: Optional[int] = None,
    predict: Optional[str] = None,
    sample: Union[int, str, None] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Optional[bool] = None,
) -> Evaluation:
    """How well can a classifier tell synthetic tables from the real one? For the data holder's eyes.

    The options are those of ``indistinct evaluate``, and so are the numbers, bit for bit.

    Args:
        real: The private table: of pandas, polars, pyarrow or anything else with ``__arrow_c_stream__``, or the name of
            a file. The index of a pandas table is not one of its columns and is ignored: ``reset_index()`` makes it one.
        synthetic: A synthetic table, several in a list, or several with names in a dictionary.
        schema: What the columns mean; without it a column whose values are all numbers in all tables is numeric, any
            other categorical.
        discriminator: The judge of the tables: ``"cart"`` (R's rpart), ``"optimal"``, ``"partition"`` or ``"logistic"``.
        depth: Deepest level of a leaf (30 for cart, 2 for optimal, 6 halvings for partition).
        cp: cart: complexity that a split must exceed (0.01).
        minsplit: cart: fewest rows of a node that may be split (20, or 3 times ``minbucket`` if that is given).
        minbucket: cart: fewest rows of a leaf (a third of ``minsplit``).
        method: cart: ``"class"`` or ``"anova"``.
        thresholds: optimal: thresholds per column, or ``"all"`` (32, or 16 at depth 3).
        objective: optimal: ``"pmse"`` or ``"pmae"``.
        leaf_penalty: optimal: what each leaf costs (0).
        min_synthetic: optimal: fewest synthetic rows of a leaf (0).
        interactions: logistic: add all pairwise interactions.
        null: How the pMSE of tables that are alike is found: ``"permutation"``, ``"bootstrap"`` (not for cart),
            ``"analytic"`` (logistic only) or ``"none"``.
        null_reference: Which table has S_pMSE 1: ``"sample"`` (another sample of the same population), ``"fitted-model"``
            (rows of a correct model fitted to the real table; logistic only, and its default) or ``"synthpop"``
            (half the permutation null whatever the discriminator, to compare with R's synthpop).
        replicates: Replicates of the null (50).
        predict: A column to predict from all others: a forest trained on the synthetic rows and one trained on two thirds of
            the real rows are tested on the other third. Accuracy for classes, R2 for numbers.
        sample: Of tables with more rows than this (1,000,000), trees, their null, forests and three-way distances see so many,
            drawn at random; ``"all"`` for all rows. One-way and two-way distances always count all rows. ``tables[0]["sampled"]``
            tells the numbers of ``real`` and ``synthetic`` rows of the sample, or is None.
        seed: Where random numbers start (1).
        threads: Threads to use (all cores); results do not depend on it.
        progress: Whether to show a bar; by default where a terminal or a notebook is there.

    Raises:
        ValueError: When tables cannot be read or compared, or options do not fit together.

    >>> import pandas as pd, indistinct
    >>> real = pd.DataFrame({"x": [0, 1, 2, 3] * 30, "y": [0, 1, 2, 3] * 30})
    >>> shuffled = real.assign(y=[3, 0, 1, 2] * 30)
    >>> found = indistinct.evaluate(real, shuffled, null="none")
    >>> found.pmse == indistinct.pmse(real, shuffled)
    True
    >>> found.distances["one_way"], found.distances["two_way"], found.distances["three_way"]
    (0.0, 1.0, None)
    >>> indistinct.evaluate(real, real, null="none", predict="y").prediction["synthetic"]
    1.0
    >>> indistinct.evaluate(real, shuffled, interactions=True)
    Traceback (most recent call last):
        ...
    ValueError: interactions=True means nothing to discriminator="cart"
     help: leave it out, or choose discriminator="logistic"
    """
    options = _options(locals())
    declared = schema_text(schema)
    private = as_source(real, "real")
    tables = [(name, as_source(table, name)) for name, table in named_tables(synthetic, "synthetic")]
    if not tables:
        raise failure("there is no synthetic table to compare", "give one or more")
    with _progress.shown(progress, "evaluating") as bar:
        return Evaluation(_indistinct.evaluate(private, tables, declared, options, bar))


def _options(arguments: dict[str, Any]) -> dict[str, Any]:
    """The options among the arguments of a call."""
    return {name: value for name, value in arguments.items() if name not in ("real", "synthetic", "schema", "progress")}


def _judged(real: object, synthetic: object, schema: Any, options: dict[str, Any]) -> tuple[float, float]:
    return _indistinct.judge(
        as_source(real, "real"), as_source(synthetic, "synthetic"), schema_text(schema), options
    )


def pmse(
    real: object,
    synthetic: object,
    *,
    schema: Union[Schema, str, os.PathLike[str], None] = None,
    discriminator: str = "cart",
    depth: Optional[int] = None,
    cp: Optional[float] = None,
    minsplit: Optional[int] = None,
    minbucket: Optional[int] = None,
    method: Optional[str] = None,
    thresholds: Union[int, str, None] = None,
    objective: Optional[str] = None,
    leaf_penalty: Optional[float] = None,
    min_synthetic: Optional[int] = None,
    interactions: bool = False,
    threads: Optional[int] = None,
) -> float:
    """pMSE of one synthetic table: from 0 (the discriminator cannot tell) to 1/4 (it always can).

    The number that :func:`evaluate` gives with the same options and ``sample="all"``, without the rest of it. Computed from
    the private data.

    >>> import pandas as pd, indistinct
    >>> real, fake = pd.DataFrame({"x": range(100)}), pd.DataFrame({"x": range(100, 200)})
    >>> indistinct.pmse(real, real), indistinct.pmse(real, fake)
    (0.0, 0.25)
    >>> indistinct.pmse(real, fake, discriminator="optimal", depth=1)
    0.25
    """
    options = _options(locals())
    return _judged(real, synthetic, schema, options)[0]


def pmae(
    real: object,
    synthetic: object,
    *,
    schema: Union[Schema, str, os.PathLike[str], None] = None,
    discriminator: str = "cart",
    depth: Optional[int] = None,
    cp: Optional[float] = None,
    minsplit: Optional[int] = None,
    minbucket: Optional[int] = None,
    method: Optional[str] = None,
    thresholds: Union[int, str, None] = None,
    objective: Optional[str] = None,
    leaf_penalty: Optional[float] = None,
    min_synthetic: Optional[int] = None,
    interactions: bool = False,
    threads: Optional[int] = None,
) -> float:
    """pMAE of one synthetic table: from 0 (the discriminator cannot tell) to 1/2 (it always can).

    The number that :func:`evaluate` gives with the same options and ``sample="all"``, without the rest of it. Computed from
    the private data.

    >>> import pandas as pd, indistinct
    >>> indistinct.pmae(pd.DataFrame({"x": range(100)}), pd.DataFrame({"x": range(100, 200)}))
    0.5
    """
    options = _options(locals())
    return _judged(real, synthetic, schema, options)[1]
