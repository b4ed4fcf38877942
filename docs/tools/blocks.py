"""The code blocks of a page: what they are, what is said about them, and what they are said to print.

A page says how its blocks are run by comments of its own, which readers do not see:

    <!-- before: cp examples/patients.csv private.csv -->    shell commands that make what the page takes for granted
    <!-- file: schema.toml -->      the next block is the content of this file (or `append: NAME`)
    <!-- not run: why -->           the next block is shown only; it is counted, and the reason is told
    <!-- fails: 3 -->               the next block ends with this exit code, or raises this exception
    <!-- needs: arrow -->           the next block, of R, needs this package, and is skipped where it is not installed
    <!-- page needs: NAME -->       the blocks of the page read a file that this environment variable names, and are all
                                    skipped, which is told, where it names none
    <!-- exact -->                  the output below the next block is equal, numbers included

A `text` block right below a block of code is what that prints. Numbers and verdicts in it are examples; a line `...` stands for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PIECE = re.compile(
    r"^<!-- (?P<key>before|file|append|not run|fails|page needs|needs|exact)(?:: ?(?P<value>.*?))? ?-->$"
    r"|^(?P<fence>```+)(?P<language>\w*)\n(?P<code>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
RUN = ("sh", "python", "r")
NUMBER = re.compile(r"<?(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
HASH = re.compile(r"\b[0-9a-f]{12,}\b")
# A release of the same quality can get either of two levels where it is near a threshold.
VERDICT = re.compile(r"^verdict: .*")


@dataclass
class Block:
    """A block of code and what is said about it."""

    language: str
    code: str
    line: int
    said: dict[str, str] = field(default_factory=dict)
    output: str | None = None
    # Where the output is in the page, so that it can be written anew.
    span: tuple[int, int] | None = None


def page_needs(text: str) -> str | None:
    """The environment variable that names a file which the blocks of a page read, if there is one."""
    found = next((piece["value"] for piece in PIECE.finditer(text) if piece["key"] == "page needs"), None)
    return found.strip() if found else None


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page in their order; preparations are blocks of the language `before`."""
    found: list[Block] = []
    said: dict[str, str] = {}
    end = 0
    for piece in PIECE.finditer(text):
        line = text.count("\n", 0, piece.start()) + 1
        if piece["key"] == "before":
            found.append(Block("before", piece["value"], line))
        elif piece["key"] == "page needs":
            continue
        elif piece["key"]:
            said[piece["key"]] = piece["value"] or ""
        elif piece["language"] == "text" and found and found[-1].language in RUN and not text[end : piece.start()].strip():
            found[-1].output, found[-1].span = piece["code"], piece.span("code")
        else:
            found.append(Block(piece["language"], piece["code"], line, said))
            said = {}
        end = piece.end()
    return found


def masked(line: str) -> str:
    """A line without what differs from run to run: numbers, times, hashes, verdicts, and how wide columns are."""
    line = VERDICT.sub("verdict: #", line)
    line = NUMBER.sub("#", HASH.sub("#", TIME.sub("#", line)))
    return re.sub(r"\s+", " ", re.sub("─+", "─", line)).strip()


def agrees(shown: str, printed: str, exact: bool = False) -> bool:
    """Whether what a page shows is what was printed, with `...` for any lines."""
    same = (lambda line: line.rstrip()) if exact else masked
    wanted = [line for line in map(same, shown.strip("\n").split("\n"))]
    given = [line for line in map(same, printed.strip("\n").split("\n"))]
    parts: list[list[str]] = [[]]
    for line in wanted:
        parts.append([]) if line == "..." else parts[-1].append(line)
    if len(parts) == 1:
        return wanted == given
    first, last = parts[0], parts[-1]
    if given[: len(first)] != first or len(given) < len(first) + len(last) or (last and given[-len(last) :] != last):
        return False
    rest = given[len(first) : len(given) - len(last)]
    for part in parts[1:-1]:
        at = next((i for i in range(len(rest) - len(part) + 1) if rest[i : i + len(part)] == part), None)
        if at is None:
            return False
        rest = rest[at + len(part) :]
    return True
