"""The privacy budget of one data set, across releases."""

from __future__ import annotations

import json
import os
import warnings
from decimal import Decimal
from typing import Any, Optional, TypedDict, Union

from . import _html, _indistinct
from ._frames import failure

Number = Union[int, float, str, Decimal]


class Charge(TypedDict):
    """One charge to a ledger."""

    entry: int
    time: str
    epsilon: float
    delta: float
    what: str
    schema: str
    provided: list[str]
    remaining: float


class Ledger:
    """A ledger as it was when it was read: open it again to see later charges.

    Every release of a table reveals something, and the epsilons (and deltas) of all its releases add up. A ledger is a
    small text file that keeps the sum; a charge that does not fit is refused with :class:`BudgetExceeded`.

    >>> import indistinct, os, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "patients.ledger")
    >>> ledger = indistinct.Ledger.init(file, epsilon=3, id="patients-2026")
    >>> ledger.epsilon, ledger.spent, ledger.remaining, ledger.charges
    (3.0, 0.0, 3.0, [])
    >>> indistinct.Ledger.open(file) == ledger
    True
    >>> ledger.verify(head=ledger.head)
    >>> indistinct.Ledger.init(file, epsilon=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: ...patients.ledger: the file exists, and a ledger never replaces a file
     help: choose another name; to see what is in it, `indistinct ledger show`
    """

    _document: dict[str, Any]
    _text: str

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        document, text = _indistinct.read_ledger(path)
        self._document = json.loads(document)
        self._text = text

    @classmethod
    def init(
        cls, path: Union[str, os.PathLike[str]], epsilon: Number, *, delta: Number = 0, id: Optional[str] = None
    ) -> Ledger:
        """Opens a ledger with the total that may ever be spent on a data set. An existing file is never replaced."""
        document, text, doubt = _indistinct.init_ledger(path, spelled(epsilon, "epsilon"), spelled(delta, "delta"), id)
        if doubt is not None:
            warnings.warn(doubt, UserWarning, stacklevel=2)
        made = cls.__new__(cls)
        made._document, made._text = json.loads(document), text
        return made

    @classmethod
    def open(cls, path: Union[str, os.PathLike[str]]) -> Ledger:
        """Reads a ledger and checks its chain."""
        return cls(path)

    def show(self) -> str:
        """What was charged and what is left, as the command prints it."""
        return self._text

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
        found = self._document["id"]
        return None if found is None else str(found)

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
        """All deltas that may be spent."""
        return float(self._document["delta"])

    @property
    def spent(self) -> float:
        """What was spent."""
        return float(self._document["spent"])

    @property
    def remaining(self) -> float:
        """What is left."""
        return float(self._document["remaining"])

    @property
    def charges(self) -> list[Charge]:
        """The charges, in order."""
        return list(self._document["charges"])

    @property
    def head(self) -> str:
        """The head of the chain: kept elsewhere, it shows whether the ledger was rewritten."""
        return str(self._document["head"])

    def to_dict(self) -> dict[str, Any]:
        """The document that ``indistinct ledger show --json`` prints."""
        return json.loads(json.dumps(self._document))  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and self._document == other._document

    def __hash__(self) -> int:
        return hash(self.head)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        rows = [
            [str(one["entry"]), one["time"], f"{one['epsilon']}", one["what"], f"{one['remaining']}"]
            for one in self.charges
        ]
        return _html.block(
            _html.paragraph(f"{self.spent} of {self.epsilon} spent, {self.remaining} left", strong=True),
            _html.table(["entry", "time", "epsilon", "what", "remaining"], rows),
        )


def spelled(value: Number, name: str) -> str:
    """A number as the command takes it: the shortest digits that mean it."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise failure(f"{name} must be a number", f"as in {name}=1.0")
    return repr(float(value)) if isinstance(value, float) else str(value)
