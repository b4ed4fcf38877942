"""What the site makes of docstrings: links of roles such as :class:`Ledger`, and code of examples."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|attr|exc):`([\w.]+)`")
# From a prompt to the next empty line.
EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Roles(griffe.Extension):
    """Turns roles into references that the site knows, and examples into blocks of code."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Called for everything that may have a docstring."""
        if obj.docstring is None:
            return
        owner = obj if obj.is_class else obj.parent

        def reference(match: re.Match[str]) -> str:
            name = match.group(1)
            inside = owner is not None and owner.is_class and name in owner.members
            return f"[`{name}`][indistinct.{owner.name + '.' if inside and owner else ''}{name}]"

        text = ROLE.sub(reference, obj.docstring.value)
        obj.docstring.value = EXAMPLE.sub(lambda match: f"```pycon\n{match.group(0).rstrip()}\n```", text)
