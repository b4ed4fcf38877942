#!/usr/bin/env python3
"""Looks up doc comments in Rust that begin with a question instead of what a thing is or does, and says where they are.

"The seed of random numbers", not "Where random numbers start"; "The discriminator that judges the tables", not "Who judges". "Whether
..." says what a boolean is. Help texts of the command are for its users, and those of tests may state what is to hold: of these, only
the first lines of files are looked at.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("crates/*.rs", "r/src/rust/*.rs")
HELP = "crates/indistinct-cli/src/args"
FIRST_WORD = re.compile(r"\s*(//[/!])\s*(What|Who|Whose|How|Which|Why|That|Where|It|They|As)\b")


def questions(text: str, marks: tuple[str, ...] = ("//!", "///")) -> list[int]:
    """The lines of a source, counted from 1, on which a doc comment with one of these marks begins so."""
    found, before = [], ""
    for place, line in enumerate(text.splitlines(), 1):
        match = FIRST_WORD.match(line)
        if match and match[1] in marks and not before.startswith(match[1]):
            found.append(place)
        before = line.lstrip()
    return found


def marks_of(file: str) -> tuple[str, ...]:
    """The marks of doc comments that are looked at in a file."""
    of_items = "/src/" in file and not file.startswith(HELP) and not file.endswith("/tests.rs") and "/tests/" not in file
    return ("//!", "///") if of_items else ("//!",)


def main() -> int:
    files = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    found = [
        f"{file}:{line}"
        for file in files
        for line in questions((ROOT / file).read_text(encoding="utf-8"), marks_of(file))
    ]
    for place in found:
        print(f"{place}: begin the doc comment with what the thing is or does", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
