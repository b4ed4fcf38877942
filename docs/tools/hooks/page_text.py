"""What the site makes of the Markdown that GitHub shows as it is: links out of docs/, tabs, lists."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import pages  # noqa: E402

TABS = re.compile(r"^<!-- tabs -->\n(.*?)^<!-- end of tabs -->\n", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^(```+)(\w+)\n.*?^\1\n", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
NAMES = {"sh": "Command", "python": "Python", "r": "R"}


def tabs(match: re.Match[str]) -> str:
    """Blocks between `<!-- tabs -->` and `<!-- end of tabs -->`, one tab for each language, outputs below their code."""
    made: dict[str, list[str]] = {}
    current = ""
    for block in BLOCK.finditer(match.group(1)):
        current = NAMES.get(block.group(2), current)
        made.setdefault(current, []).append("".join(f"    {line}" for line in block.group(0).splitlines(keepends=True)))
    return "".join(f'=== "{name}"\n\n' + "\n".join(blocks) + "\n" for name, blocks in made.items()) + "\n"


def lists(text: str) -> str:
    """An empty line before a list that follows a paragraph at once: GitHub needs none, this Markdown does."""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        before = lines[-1] if lines else ""
        if not fenced and line.startswith("- ") and before and not before.startswith(("- ", "  ")):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def on_page_markdown(markdown: str, page, config, files) -> str:
    """The page as the site shows it."""
    if page.file.src_uri.startswith("source/"):
        return markdown
    text = pages.turned(markdown, page.file.src_uri)
    text = TABS.sub(tabs, text)
    return lists(COMMENT.sub("", text))
