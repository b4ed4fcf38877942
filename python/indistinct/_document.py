"""What a command prints, in its two forms: the document of ``--json``, and text."""

from __future__ import annotations

import json
from typing import Any, Optional


class Document:
    """The JSON document of a command, as attributes."""

    _document: dict[str, Any]

    def __init__(self, document: str) -> None:
        self._document = json.loads(document)

    def to_dict(self) -> dict[str, Any]:
        """The document that the command prints with ``--json``, as a copy."""
        return json.loads(json.dumps(self._document))  # type: ignore[no-any-return]

    def _optional_text(self, key: str) -> Optional[str]:
        found = self._document[key]
        return None if found is None else str(found)


class PrintedDocument(Document):
    """A document with the text that the command prints without ``--json``, which is its ``repr``."""

    _text: str

    def __init__(self, document: str, text: str) -> None:
        super().__init__(document)
        self._text = text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")
