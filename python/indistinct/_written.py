"""What this session wrote, it may write again: a cell of a notebook can be run twice.

A file that somebody else made, or changed since, is replaced only where ``force=True`` says so: a draft that was reviewed, or
a release that was paid for with privacy.
"""

from __future__ import annotations

import os
from typing import Optional, Union

Path = Union[str, os.PathLike[str]]

# By the file that tells: of a release its certificate, which lists the others.
_written: dict[str, tuple[int, int, int]] = {}
_pages: dict[str, str] = {}


def _told(path: Path) -> str:
    name = os.path.realpath(path)
    return os.path.join(name, "certificate.json") if os.path.isdir(name) else name


def _state(path: Path) -> Optional[tuple[int, int, int]]:
    try:
        found = os.stat(_told(path))
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def may_replace(path: Path, force: Optional[bool]) -> bool:
    """Whether what is at this place may be replaced; ``force=None`` allows what this session wrote and nobody touched."""
    if force is not None:
        return bool(force)
    state = _state(path)
    return state is not None and _written.get(_told(path)) == state


def note(path: Path) -> None:
    """Remembers that this session wrote it."""
    state = _state(path)
    if state is not None:
        _written[_told(path)] = state


def page_of(typed: Path) -> str:
    """The name that a page got when this session was given this one: pages of private data say so in their names."""
    return _pages.get(os.path.realpath(typed), os.fspath(typed))


def note_page(typed: Path, page: str) -> None:
    """Remembers that this session wrote a page, and the name that was given for it."""
    _pages[os.path.realpath(typed)] = page
    note(page)
