#!/usr/bin/env python3
"""Looks up every file and folder that the pages for contributors name, and says which are not there.

ARCHITECTURE.md names files of crates as `core/src/margin/measure.rs`, or by their ends, as `margin/measure.rs` or `measure.rs`: a name
counts as found if a file of the project ends so.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
# Crates as ARCHITECTURE.md shortens them.
CRATES = {"core": "indistinct"} | {name: f"indistinct-{name}" for name in ("io", "report", "cli", "python", "paper", "audit", "fuzz")}


def named(text: str) -> set[str]:
    """The files and folders that a page names, in code or as targets of links."""
    prose = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)
    words = set(re.findall(r"`([\w./-]+)`", prose)) | set(re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", prose))
    files = (".rs", ".py", ".md", ".toml", ".txt", ".yml")
    # In capitals stands what a contributor names.
    return {word for word in words if (word.endswith((*files, "/")) or "/src/" in word) and not re.search(r"\b[A-Z]+/", word)}


def missing(words: set[str], files: list[str]) -> list[str]:
    """Those of the names that are neither a file nor a folder of the project, nor the end of one's name."""
    folders = {str(parent) for file in files for parent in Path(file).parents}
    places = [f"/{place}" for place in (*files, *folders)]

    def is_there(word: str) -> bool:
        first, _, rest = word.partition("/")
        written = [word] + ([f"crates/{CRATES[first]}/{rest}"] if first in CRATES else [])
        ends = tuple("/" + one.removeprefix("./").rstrip("/") for one in written)
        return any(place.endswith(ends) for place in places)

    return sorted(word for word in words if not is_there(word))


def main() -> int:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    lost = [f"{page}: {word}" for page in PAGES for word in missing(named((ROOT / page).read_text(encoding="utf-8")), files)]
    for line in lost:
        print(f"{line} is not there", file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
