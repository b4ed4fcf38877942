"""Tables for notebooks. Names of columns are hostile: everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Union


# Text as it is, and numbers to four digits.
Cell = Union[str, float, None]


def shown(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return "-" if cell is None else f"{cell:.4g}"


def table(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(shown(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(text: str, strong: bool = False) -> str:
    inner = f"<strong>{escape(text)}</strong>" if strong else escape(text)
    return f"<p>{inner}</p>"


def block(*parts: str) -> str:
    return "<div>" + "".join(parts) + "</div>"
