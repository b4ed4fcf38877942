"""The privacy budget of one data set, across releases."""

from __future__ import annotations

import os
import warnings
from decimal import Decimal
from typing import Any, Optional, TypedDict, Union

from . import _html, _indistinct
from ._document import PrintedDocument
from ._frames import failure

Number = Union[int, float, str, Decimal]


class Charge(TypedDict):
    """One charge to a ledger."""

    entry: int
    time: str
    epsilon: float
    delta: float
    rho: Optional[float]
    neighbours: str
    what: str
    schema: str
    provided: list[str]
    spent: float


class Together(TypedDict):
    """What all releases together promise; ``rho`` is None where some charge has none."""

    epsilon: float
    delta: float
    rho: Optional[float]


class LedgerPlan(PrintedDocument):
    """Equal releases that use up what is left of a ledger. Its ``repr`` is what ``indistinct ledger plan`` prints."""

    @property
    def releases(self) -> int:
        """How many there are."""
        return int(self._document["releases"])

    @property
    def epsilon(self) -> float:
        """The epsilon of each."""
        return float(self._document["epsilon"])

    @property
    def delta(self) -> float:
        """The delta of each."""
        return float(self._document["delta"])

    @property
    def pure_epsilon(self) -> float:
        """The epsilon of each if all of them are pure."""
        return float(self._document["pure_epsilon"])


class Ledger(PrintedDocument):
    """A ledger as it was when it was read: open it again to see later charges.

    Every release of a data set reveals something, and what they reveal adds up, whatever columns they have. A ledger is a
    small text file that keeps account, by epsilon of pure releases and by rho of those with a delta; a charge that does not
    fit is refused with :class:`BudgetExceeded`.

    >>> import indistinct, os, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "patients.ledger")
    >>> ledger = indistinct.Ledger.init(file, epsilon=3, id="patients-2026")
    >>> ledger.epsilon, ledger.spent, ledger.remaining, ledger.charges
    (3.0, 0.0, 3.0, [])
    >>> indistinct.Ledger.open(file) == ledger
    True
    >>> ledger.verify(head=ledger.head)
    >>> ledger.plan(releases=4).epsilon
    0.75
    >>> indistinct.Ledger.init(file, epsilon=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: ...patients.ledger: the file exists, and a ledger never replaces a file
     help: choose another name; to see what is in it, indistinct.Ledger.open
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        super().__init__(*_indistinct.read_ledger(path))

    @classmethod
    def init(
        cls,
        path: Union[str, os.PathLike[str]],
        epsilon: Number,
        *,
        delta: Number = 0,
        id: Optional[str] = None,
        neighbours: str = "substitute",
    ) -> Ledger:
        """Opens a ledger with the total that may ever be spent on a data set. An existing file is never replaced.

        A ledger that exists with the same total, id and relation is opened as it is, with all its charges, so that a cell
        can be run again. Any other file is an error.

        Args:
            path: The file to make.
            epsilon: All that may be spent.
            delta: With which probability the promise of all releases together may fail; 0 allows pure releases only.
            id: What the data set is called.
            neighbours: Between which tables the sum holds: ``"substitute"`` (one row is another) or ``"add-remove"``.
        """
        total = (spelled(epsilon, "epsilon"), spelled(delta, "delta"))
        if os.path.exists(path):
            found = cls._same_terms(path, total, id, neighbours)
            if found is not None:
                return found
        document, text, doubt = _indistinct.init_ledger(path, *total, id, neighbours)
        if doubt is not None:
            warnings.warn(doubt, UserWarning, stacklevel=2)
        made = cls.__new__(cls)
        PrintedDocument.__init__(made, document, text)
        return made

    @classmethod
    def _same_terms(
        cls, path: Union[str, os.PathLike[str]], total: tuple[str, str], id: Optional[str], neighbours: str
    ) -> Optional[Ledger]:
        """The ledger there, if it is one and was opened with the same terms."""
        try:
            found = cls(path)
            same = (found.epsilon, found.delta) == (float(total[0]), float(total[1]))
        except ValueError:
            return None
        return found if same and (found.id, found.neighbours) == (id, neighbours) else None

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]]) -> Ledger:
        """Reads a ledger and checks its chain."""
        return cls(path)

    def show(self) -> str:
        """What was charged and what is left, as the command prints it."""
        return self._text

    def plan(self, releases: int, delta: Optional[Number] = None) -> LedgerPlan:
        """Divides what is left over equal releases, as the file is now: each may have the plan's epsilon and delta.

        Args:
            releases: How many are still to come.
            delta: The delta of each; an equal part of the ledger's if none is given.

        Raises:
            BudgetExceeded: When nothing is left for so many.
        """
        typed = None if delta is None else spelled(delta, "delta")
        return LedgerPlan(*_indistinct.plan_ledger(self.file, releases, typed))

    def verify(self, head: Optional[str] = None) -> None:
        """Reads the file again and checks its chain, and that a head that was noted earlier is still in it.

        Raises:
            ValueError: When the ledger was changed, cut or rewritten.
        """
        _indistinct.verify_ledger(self.file, head)

    @property
    def file(self) -> str:
        """Where it is."""
        return str(self._document["file"])

    @property
    def id(self) -> Optional[str]:
        """What the data set is called."""
        return self._optional_text("id")

    @property
    def opened(self) -> str:
        """When it was opened."""
        return str(self._document["opened"])

    @property
    def epsilon(self) -> float:
        """All that may be spent."""
        return float(self._document["epsilon"])

    @property
    def delta(self) -> float:
        """With which probability the promise of all releases together may fail."""
        return float(self._document["delta"])

    @property
    def neighbours(self) -> str:
        """Between which tables the sum holds: ``"substitute"`` or ``"add-remove"``."""
        return str(self._document["neighbours"])

    @property
    def together(self) -> Together:
        """The epsilon and delta that all releases together have, at the sum of their deltas or the ledger's if that is less."""
        found: Together = dict(self._document["together"])  # type: ignore[assignment]
        return found

    @property
    def spent(self) -> float:
        """What was spent: the epsilon that all releases together have at the ledger's delta."""
        return float(self._document["spent"])

    @property
    def remaining(self) -> float:
        """What is left: the largest epsilon of one more pure release."""
        return float(self._document["remaining"])

    @property
    def charges(self) -> list[Charge]:
        """The charges, in order."""
        return list(self._document["charges"])

    @property
    def _charged_again(self) -> Optional[str]:
        """What to say of a ledger with charges if the last one is like an earlier one: a release may have been paid for twice."""
        *earlier, last = self.charges
        like = [one for one in earlier if _terms(one) == _terms(last)]
        if not like:
            return None
        return (
            f"{self.file}: charge {last['entry']} is like charge {like[-1]['entry']}: the same release was paid for again, and "
            f"epsilon {self.remaining:.4g} is left; to run a cell again without a charge, use fit_once(table, folder)"
        )

    @property
    def head(self) -> str:
        """The head of the chain: kept elsewhere, it shows whether the ledger was rewritten."""
        return str(self._document["head"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and self._document == other._document

    def __hash__(self) -> int:
        return hash(self.head)

    def _repr_html_(self) -> str:
        columns = ["entry", "time", "what", "epsilon", "delta", "rho", "neighbours"]
        rows = [["" if cell is None else str(cell) for cell in (one.get(name) for name in columns)] for one in self.charges]
        at = f" at delta {self.delta}" if self.delta else ""
        return _html.block(
            _html.paragraph(f"epsilon {self.spent:.4g} of {self.epsilon} is spent{at}", strong=True),
            _html.table(columns, rows),
        )


def _terms(charge: Charge) -> tuple[object, ...]:
    return tuple(charge[key] for key in ("epsilon", "delta", "rho", "neighbours", "what", "schema"))


def spelled(value: Number, name: str) -> str:
    """A number as the command takes it: the shortest digits that mean it."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise failure(f"{name} must be a number", f"as in {name}=1.0")
    return repr(float(value)) if isinstance(value, float) else str(value)
