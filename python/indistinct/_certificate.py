"""Certificates of releases, and whether they hold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Optional, Union

from . import _html, _indistinct
from ._document import PrintedDocument
from ._frames import failure


class Certificate(dict[str, Any]):
    """The certificate of a release: a dictionary with the fields of ``certificate.json``.

    >>> import indistinct
    >>> certificate = indistinct.Certificate.load("release")  # a release folder, or its certificate.json
    >>> certificate.epsilon, certificate.guarantee["kind"]
    (1.0, 'none')
    >>> certificate.check()  # does its arithmetic again: nothing to object
    []
    >>> certificate["guarantee"] = {"kind": "pure", "epsilon": 1.0}
    >>> certificate.check()[0]
    'it states the guarantee `pure`, but its steps support `none`'
    """

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Certificate:
        """The certificate in a file, or in the folder of a release."""
        name = os.fspath(path)
        if os.path.isdir(name):
            name = os.path.join(name, "certificate.json")
        try:
            with open(name, encoding="utf-8") as file:
                document = json.load(file)
        except FileNotFoundError:
            raise failure(f"{name}: there is no such file", "name the folder of a release") from None
        except (OSError, ValueError):
            raise failure(f"{name}: this is not a certificate", "name the folder of a release") from None
        if not isinstance(document, dict):
            raise failure(f"{name}: this is not a certificate", "name the folder of a release")
        return cls.from_dict(document)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Certificate:
        """The certificate that a dictionary holds."""
        made = cls(document)
        made.check()
        return made

    @property
    def guarantee(self) -> dict[str, Any]:
        """What is promised: ``kind`` is ``pure``, ``approximate``, ``conditional``, ``at-stationarity`` or ``none``.

        A conditional guarantee holds ``provided`` that what was learned from the rows outside the budget, which it lists, is
        public anyway: a schema that was drafted from them, above all.
        """
        return dict(self["guarantee"])

    @property
    def epsilon(self) -> float:
        """The budget of everything that was released."""
        return float(self["epsilon"])

    @property
    def spent(self) -> list[dict[str, Any]]:
        """The steps that were paid for."""
        return list(self["spent"])

    @property
    def rows(self) -> int:
        """Rows of the private table."""
        return int(self["rows"])

    @property
    def columns(self) -> int:
        """Columns of the private table."""
        return int(self["columns"])

    @property
    def seeded(self) -> bool:
        """Whether the run was seeded, and so promises nothing."""
        return bool(self["seeded"])

    @property
    def outside_the_guarantee(self) -> list[str]:
        """What no guarantee speaks of."""
        return list(self["outside_the_guarantee"])

    @property
    def files(self) -> dict[str, str]:
        """The released files with their SHA-256."""
        return dict(self["files"])

    def check(self) -> list[str]:
        """Does its arithmetic again: what does not follow from its own parts. Empty if all of it follows.

        It cannot tell that a step was left out: who writes a certificate by hand can write anything consistent. Whether the
        files of a release are those that it lists, :func:`verify` tells.
        """
        try:
            text = json.dumps(self)
        except (TypeError, ValueError):
            raise failure("this is not a certificate: it holds what JSON cannot", "load it from a file") from None
        return [found["problem"] for found in json.loads(_indistinct.certificate_problems(text))]

    def _repr_html_(self) -> str:
        guarantee = self.guarantee
        numbers = ", ".join(f"{key} {guarantee[key]}" for key in ("epsilon", "delta") if key in guarantee)
        headline = f"Guarantee: {guarantee['kind']}" + (f", {numbers}" if numbers else "")
        if guarantee.get("provided"):
            headline += ", provided that what was learned from the rows outside the budget is public anyway: "
            headline += "; ".join(guarantee["provided"])
        parts = [_html.paragraph(headline, strong=True)]
        parts += [_html.paragraph(f"because: {why}") for why in guarantee.get("because", [])]
        problems = self.check()
        parts += [_html.paragraph(f"does not hold: {problem}", strong=True) for problem in problems]
        # With a delta steps add up by rho, and their epsilons say nothing.
        unit = "rho" if self.get("composition") else "epsilon"
        steps = [[one["step"], f"{one[unit]}", one["sensitivity"], one["proof"] or "none"] for one in self.spent]
        parts.append(_html.table(["step", unit, "one row moves at most", "proof"], steps))
        parts += [_html.paragraph(f"outside the guarantee: {what}") for what in self.outside_the_guarantee]
        return _html.block(*parts)


class Verification(PrintedDocument):
    """What :func:`verify` found out about a release. Its ``repr`` is what the command prints."""

    @property
    def valid(self) -> bool:
        """Whether the files are those that were released, and the guarantee follows from the steps it lists."""
        return bool(self._document["valid"])

    @property
    def guarantee(self) -> dict[str, Any]:
        """What the certificate promises."""
        return dict(self._document["guarantee"])

    @property
    def problems(self) -> list[dict[str, Any]]:
        """What in the certificate does not follow: ``problem``, and whether it is an ``overclaim``."""
        return list(self._document["problems"])

    @property
    def files(self) -> dict[str, str]:
        """Every file with what became of it: ``same``, ``changed``, ``missing``, ``extra`` and so on."""
        return {file["name"]: file["state"] for file in self._document["files"]}


class VerificationFailed(ValueError):
    """A release is not what its certificate says; ``verification`` has all that was found."""

    verification: Optional[Verification] = None

    def __init__(self, message: str, verification: Optional[Verification] = None) -> None:
        super().__init__(message)
        self.verification = verification


def verify(folder: Union[str, os.PathLike[str]], *, require: Optional[str] = None) -> Verification:
    """Checks a release: its files against the certificate, and the certificate against its own arithmetic.

    Args:
        folder: The folder of the release.
        require: The weakest guarantee that will do: ``"pure"`` or ``"approximate"``. One that is conditional or of a chain
            at stationarity never does.

    Raises:
        VerificationFailed: When anything is wrong, or the release promises nothing, or less than is required, as the
            command's exit code says.
        ValueError: When there is no release to check.

    >>> import indistinct
    >>> indistinct.verify("release")
    Traceback (most recent call last):
        ...
    indistinct._certificate.VerificationFailed: release: the release is whole, and promises nothing: seeded: who knows the ...
     help: handle it as you would handle the private data
    """
    document, text, problem = _indistinct.verify(folder, {"require": require})
    found = Verification(document, text)
    if problem is not None:
        raise VerificationFailed(problem, found)
    return found
