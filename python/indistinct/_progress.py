"""Progress, by the conventions of tqdm."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

# Short work is over before anybody could read a bar.
_PATIENCE = 1.0


class Bar:
    """A bar that appears once the work takes more than a second, and goes away when it is done."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._began = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, expected: int) -> None:
        if self._bar is None:
            if time.monotonic() - self._began < _PATIENCE:
                return
            from tqdm.auto import tqdm

            self._bar = tqdm(total=expected, desc=self._what, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def bar(wanted: Optional[bool], what: str) -> Optional[Bar]:
    """A bar if one is wanted: by default where a terminal or a notebook is there, and tqdm is installed."""
    if wanted is None:
        wanted = "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
    if not wanted:
        return None
    try:
        import tqdm  # noqa: F401
    except ImportError:
        return None
    return Bar(what)


@contextmanager
def shown(wanted: Optional[bool], what: str) -> Iterator[Optional[Bar]]:
    """A bar if one is wanted, for as long as the work takes."""
    made = bar(wanted, what)
    try:
        yield made
    finally:
        if made is not None:
            made.close()
