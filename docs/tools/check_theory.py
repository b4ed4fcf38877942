#!/usr/bin/env python3
"""Checks that the theory pages and the code agree on names.

    python3 docs/tools/check_theory.py

Every statement is followed by a paragraph `*In the code:*`. What stands in it as code must be a function, type or module of the
crates; statements are numbered without gaps; and every proof page of the library is linked from some theory page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATEMENT = re.compile(r"^### (?:Theorem|Proposition) (\d+) ", re.MULTILINE)
PARAGRAPH = re.compile(r"^\*In the code:\*(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
ORDER = ["index", "distinguishing", "drawing", "composing", "tables", "combining"]


def main() -> int:
    """Prints what does not agree."""
    code = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "crates").rglob("*.rs")))
    defined = set(re.findall(r"\b(?:fn|struct|enum|mod|trait|type) (\w+)", code))
    defined.update(file.stem for file in (ROOT / "crates").rglob("*.rs"))
    wrong, numbers, linked, names = [], [], set(), 0
    for name in ORDER:
        text = (ROOT / "docs" / "theory" / f"{name}.md").read_text(encoding="utf-8")
        linked.update(re.findall(r"indistinct/proofs/(\w+)\.md", text))
        parts = re.split(r"^##+ ", text, flags=re.MULTILINE)
        for part in parts:
            if re.match(r"(?:Theorem|Proposition) \d+", part) and not PARAGRAPH.search(part):
                wrong.append(f"{name}.md: nothing is said about the code of {part.splitlines()[0]}")
        numbers += [int(number) for number in STATEMENT.findall(text)]
        for paragraph in PARAGRAPH.findall(text):
            for quoted in re.findall(r"`([^`]+)`", paragraph):
                names += 1
                for word in quoted.split("::"):
                    if word not in defined:
                        wrong.append(f"{name}.md: the code has no `{quoted}`")
    if numbers != list(range(1, len(numbers) + 1)):
        wrong.append(f"statements are numbered {numbers}")
    pages = {page.stem for page in (ROOT / "crates" / "indistinct" / "proofs").glob("*.md")} - {"README"}
    wrong += [f"no theory page links the proof page {page}" for page in sorted(pages - linked)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"theory: {len(numbers)} statements, {names} names of functions and tests, {len(pages)} proof pages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
