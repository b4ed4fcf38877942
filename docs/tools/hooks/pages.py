"""Which pages the site has beyond those in docs/: the proofs, the pages at the root, and every file that a page links to.

On GitHub a link out of docs/ shows the file. The site has no such files, so each of them becomes a page here, and links are
turned to it. A link to a file that does not exist fails the build.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[3]
PROOFS = "crates/indistinct/proofs"
# Markdown of the repository that is a page of the site under another name.
PLACES = {"CONTRIBUTING.md": "CONTRIBUTING.md", "ARCHITECTURE.md": "ARCHITECTURE.md", "CHANGELOG.md": "CHANGELOG.md", "SECURITY.md": "SECURITY.md",
          "README.md": "index.md", "comparison/README.md": "comparison/README.md"}
LONGEST = 60_000
LANGUAGES = {".rs": "rust", ".py": "python", ".toml": "toml", ".R": "r", ".jsonl": "json", ".json": "json", ".ipynb": "json", ".yml": "yaml"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^(```+|~~~+).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def place_of(path: str) -> str | None:
    """Where the site has a file of the repository; nothing, if it is not there."""
    if path == PROOFS:
        return "proofs/README.md"
    if path.startswith(PROOFS + "/"):
        return "proofs/" + path[len(PROOFS) + 1 :]
    if path in PLACES:
        return PLACES[path]
    if path.startswith("docs/") and not path.startswith("docs/tools/"):
        return path[len("docs/") :]
    return f"source/{path}.md" if (ROOT / path).exists() else None


def origin_of(place: str) -> str:
    """The file of the repository that a page of the site is made from."""
    if place.startswith("proofs/"):
        return f"{PROOFS}/{place[len('proofs/') :]}"
    for path, other in PLACES.items():
        if other == place and path != "README.md":
            return path
    return f"docs/{place}"


def linked(text: str, origin: str) -> list[tuple[str, str]]:
    """The relative links of a page: as written, and the path in the repository that they mean."""
    found = []
    for match in LINK.finditer(FENCE.sub("", text)):
        target = match.group(2).partition("#")[0]
        if target and not re.match(r"[a-z]+:|/", target):
            found.append((match.group(2), os.path.normpath(os.path.join(os.path.dirname(origin), target))))
    return found


def turned(text: str, place: str) -> str:
    """The text of a page with the links out of docs/ turned to the pages that the site has in their place."""
    origin = origin_of(place)

    def turn(match: re.Match[str]) -> str:
        target, mark, anchor = match.group(2).partition("#")
        if not target or re.match(r"[a-z]+:|/", target):
            return match.group(0)
        path = os.path.normpath(os.path.join(os.path.dirname(origin), target))
        there = place_of(path)
        if there is None:
            raise PluginError(f"{origin} links to {target}, which does not exist")
        return f"{match.group(1)}{os.path.relpath(there, os.path.dirname(place) or '.')}{mark}{anchor}{match.group(3)}"

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(turn, text[end : fence.start()]), fence.group(0)]
        end = fence.end()
    return "".join([*parts, LINK.sub(turn, text[end:])])


def _source_page(path: str) -> str:
    file = ROOT / path
    if file.is_dir():
        inside = sorted(child.name for child in file.iterdir() if child.is_file() and not child.name.startswith("."))
        return f"# {path}\n\n" + "".join(f"- [{name}]({file.name}/{name}.md)\n" for name in inside)
    text = file.read_text(encoding="utf-8")
    cut = text if len(text) <= LONGEST else text[: text.rindex("\n", 0, LONGEST) + 1]
    note = "" if cut == text else f"\nThe first {len(cut):,} of {len(text):,} characters.\n"
    return f"# {path}\n{note}\n````{LANGUAGES.get(file.suffix, 'text')}\n{cut}````\n"


def on_config(config):
    """Completes the navigation: proofs, and pages that no section names."""
    names = sorted(page.name for page in (ROOT / PROOFS).glob("*.md") if page.name != "README.md")
    sections = {next(iter(entry)): next(iter(entry.values())) for entry in config.nav}
    sections["Theory"].append({"Proofs": ["proofs/README.md", *(f"proofs/{name}" for name in names)]})
    named = re.findall(r"[\w/.-]+\.md", str(config.nav))
    unnamed = sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name not in named)
    sections["Assurance"].extend(unnamed)
    return config


def on_files(files: Files, config) -> Files:
    """Adds the pages that come from outside docs/."""
    outside = {f"proofs/{page.name}": page for page in (ROOT / PROOFS).glob("*.md")}
    outside.update({place: ROOT / path for path, place in PLACES.items() if path != "README.md"})
    for place, path in outside.items():
        files.append(File.generated(config, place, abs_src_path=str(path)))
    texts = [(file.src_uri, Path(file.abs_src_path)) for file in files.documentation_pages()]
    wanted = [path for place, page in texts for _, path in linked(page.read_text(encoding="utf-8"), origin_of(place))]
    while wanted:
        path = wanted.pop()
        place = place_of(path)
        if place is None or not place.startswith("source/") or files.get_file_from_path(place):
            continue
        files.append(File.generated(config, place, content=_source_page(path)))
        if (ROOT / path).is_dir():
            wanted += [f"{path}/{child.name}" for child in (ROOT / path).iterdir() if child.is_file() and child.name[0] != "."]
    return files
