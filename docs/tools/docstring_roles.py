"""Docstrings name each other by roles, as in :class:`Ledger`; the site makes links of them."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|attr|exc):`([\w.]+)`")


class Roles(griffe.Extension):
    """Turns roles into references that the site knows."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for everything that may have a docstring."""
        if obj.docstring is None:
            return
        owner = obj if obj.is_class else obj.parent

        def reference(match: re.Match[str]) -> str:
            name = match.group(1)
            inside = owner is not None and owner.is_class and name in owner.members
            return f"[`{name}`][indistinct.{owner.name + '.' if inside and owner else ''}{name}]"

        obj.docstring.value = ROLE.sub(reference, obj.docstring.value)
