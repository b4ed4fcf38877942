#!/usr/bin/env python3
"""Looks up doc comments in Rust that begin with a question instead of what a thing is or does, and says where they are.

"The seed of random numbers", not "Where random numbers start"; "The discriminator that judges the tables", not "Who judges". Help
texts of the command are for its users, and are not looked at.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("crates/*/src/*.rs", "r/src/rust/src/*.rs")
HELP = "crates/indistinct-cli/src/args"
FIRST_WORD = re.compile(r"\s*///\s*(What|Who|Whose|How|Which|It|They)\b")


def questions(text: str) -> list[int]:
    """The lines of a source, counted from 1, on which a doc comment begins so."""
    lines = text.splitlines()
    begins = [not before.lstrip().startswith("///") for before in ["", *lines]]
    return [place for place, line in enumerate(lines, 1) if begins[place - 1] and FIRST_WORD.match(line)]


def main() -> int:
    files = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    found = [
        f"{file}:{line}"
        for file in files
        if not file.startswith(HELP)
        for line in questions((ROOT / file).read_text(encoding="utf-8"))
    ]
    for place in found:
        print(f"{place}: begin the doc comment with what the thing is or does", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
