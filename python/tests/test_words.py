"""No message speaks of the command: options are keyword arguments, and other commands are functions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from indistinct._indistinct import in_keywords

CRATES = Path(__file__).parents[2] / "crates"
SOURCES = sorted(
    path
    for crate in ("indistinct", "indistinct-io", "indistinct-python")
    for path in (CRATES / crate / "src").rglob("*.rs")
    if "tests" not in path.parts and path.name != "tests.rs"
)
# Words about the command itself, which Python has no part in: what its help and its own files of commands say.
OF_THE_COMMAND = ("help-normal",)


def literals(text: str) -> list[str]:
    """The texts in a file of Rust, without comments and tests, lines joined as the compiler joins them."""
    text = text.split("#[cfg(test)]")[0]
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("//"))
    found = re.findall(r'"((?:[^"\\]|\\.)*)"', "\n".join(lines), re.S)
    return [re.sub(r"\\\n\s*", "", literal).replace('\\"', '"') for literal in found]


def test_there_are_messages_to_look_at() -> None:
    assert sum("--" in literal for path in SOURCES for literal in literals(path.read_text(encoding="utf-8"))) > 40


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CRATES)))
def test_no_message_has_a_flag_or_a_command(path: Path) -> None:
    if path.name == "keywords.rs":
        return
    for literal in literals(path.read_text(encoding="utf-8")):
        if any(word in literal for word in OF_THE_COMMAND):
            continue
        said = in_keywords(literal.replace("{}", "--draws"))
        assert not re.search(r"(?<![\w-])--[a-z]", said), said
        assert not re.search(r"`indistinct [a-z]", said), said


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("choose another name for --out, or say --force to replace it", "choose another name, or say force=True to replace it"),
        ("to see what is in it, `indistinct ledger show`", "to see what is in it, indistinct.Ledger.open"),
        ("leave --delta out, or use --sampler zoom", 'leave delta= out, or use sampler="zoom"'),
        ("name it in the header, or say --no-header if", "name it in the header, or read it with pandas and header=None if"),
    ],
)
def test_words(command: str, python: str) -> None:
    assert in_keywords(command) == python
