"""Regressions over synthetic tables."""

from __future__ import annotations

import os
from typing import Any, Optional, TypedDict, Union

from . import _html, _indistinct
from ._document import PrintedDocument
from ._frames import as_source, failure, is_path, named_tables
from ._schema import Schema, schema_text


class Coefficient(TypedDict):
    """One coefficient of a regression."""

    name: str
    estimate: float
    std_error: Optional[float]
    df: Optional[float]
    t: Optional[float]
    p: Optional[float]
    low: Optional[float]
    high: Optional[float]
    within: float
    between: Optional[float]


class Combination(PrintedDocument):
    """A regression over synthetic tables. Its ``repr`` is what the command prints."""

    @property
    def coefficients(self) -> list[Coefficient]:
        """Estimates with standard errors and intervals; ``pandas.DataFrame`` makes a table of them.

        Where :attr:`no_intervals` is not None, standard errors and what follows from them are None.
        """
        return list(self._document["coefficients"])

    @property
    def formula(self) -> str:
        """The formula."""
        return str(self._document["formula"])

    @property
    def rule(self) -> str:
        """The rule that variances were combined by."""
        return str(self._document["rule"])

    @property
    def no_intervals(self) -> Optional[str]:
        """Why there are estimates without standard errors, where that is so: all tables come from one private draw whose
        noise has no known size. A release of several draws has them."""
        return self._optional_text("no_intervals")

    @property
    def notes(self) -> list[str]:
        """What is to be said about the rule."""
        return list(self._document["notes"])

    def _repr_html_(self) -> str:
        def row(one: Coefficient) -> list[_html.Cell]:
            numbers = (one["estimate"], one["std_error"], one["df"], one["t"], one["p"], one["low"], one["high"])
            return [one["name"], *numbers]

        header = ["", "estimate", "std. error", "df", "t", "p", "low", "high"]
        return _html.block(
            _html.paragraph(f"{self.formula}; rule {self.rule}", strong=True),
            _html.table(header, map(row, self.coefficients)),
            *([_html.paragraph(f"no intervals: {self.no_intervals}")] if self.no_intervals else []),
            *(_html.paragraph(f"note: {note}") for note in self.notes),
        )


def combine(
    synthetic: object,
    formula: str,
    *,
    schema: Union[Schema, str, os.PathLike[str], None] = None,
    rule: Optional[str] = None,
    target: str = "population",
    n: Optional[int] = None,
    draws: Optional[int] = None,
    epsilon: Optional[float] = None,
    efficiency: Optional[float] = None,
    level: float = 0.95,
    rehearse: bool = False,
    replicates: Optional[int] = None,
    seed: Optional[int] = None,
) -> Combination:
    """Regression over synthetic tables, with standard errors that fit how the tables were made.

    Fits the formula to every table by ordinary least squares (R's lm, digit for digit), averages the coefficients, and
    combines their variances by a rule. The options are those of ``indistinct combine``.

    Args:
        synthetic: A list of tables, one table, or a release: the name of the folder that ``indistinct synth`` made, which
            says all that the rule needs.
        formula: R's: ``"y ~ x + z"``, ``.`` for all other columns, ``x:z``, ``x*z``, ``log(x)``, ``C(x)``, ``- 1``.
        schema: What the columns mean.
        rule: How variances are combined: ``"raab"``, ``"raab-posterior"``, ``"reiter"``, ``"private-draws"``,
            ``"private-draw"``, ``"private-counts"`` or ``"none"``. By default what a release was made by, none where that is
            one draw with noise of unknown size (a table of any columns), and raab for other tables.
        target: What the intervals are for: ``"population"`` or ``"original"``, the estimate of the original table.
        n: Rows of the original table.
        draws: private-draws: draws that the tables come from, in order, as many tables from each.
        epsilon: private-draw: epsilon of the draw.
        efficiency: private-draw: information that the mechanism's cells keep (1).
        level: Probability that an interval is to have.
        rehearse: Standard errors by rehearsals of a release, in the place of a rule: they show all of its noise. Also for
            logistic regression, ``"logit(y ~ x)"``.
        replicates: How many rehearsals (100).
        seed: Where random numbers of rehearsals start.

    Raises:
        ValueError: When tables cannot be read, or formula, options and tables do not fit together.

    >>> import pandas as pd, indistinct
    >>> one = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "y": [2.1, 3.9, 6.2, 8.1, 9.8]})
    >>> two = one.assign(y=[1.9, 4.1, 6.0, 7.9, 10.2])
    >>> found = indistinct.combine([one, two], "y ~ x", n=5)
    >>> [(term["name"], round(term["estimate"], 3)) for term in found.coefficients]
    [('(Intercept)', 0.02), ('x', 2.0)]
    >>> indistinct.combine([one, two], "y ~ z")
    Traceback (most recent call last):
        ...
    ValueError: formula, character 5: no column is named `z`
     help: did you mean `x`?
    """
    options = {
        "rule": rule,
        "target": target,
        "n": n,
        "draws": draws,
        "epsilon": epsilon,
        "efficiency": efficiency,
        "level": level,
        "rehearse": rehearse,
        "replicates": replicates,
        "seed": seed,
    }
    if not isinstance(formula, str):
        raise failure("the formula must be text", 'as in "y ~ x + z"')
    declared = schema_text(schema)
    tables = named_tables(synthetic, "table")
    if tables and all(is_path(table) for _, table in tables):
        paths: list[Any] = [table for _, table in tables]
        return Combination(*_indistinct.combine_files(paths, formula, declared, options))
    if rehearse:
        raise failure("rehearse=True is for the folder of one release", "name the folder that a release was saved in")
    sources = [(name, as_source(table, name)) for name, table in tables]
    return Combination(*_indistinct.combine_sources(sources, formula, declared, options))
