"""The reference of the command, from what it says about itself, and of the Rust crates, from what `cargo doc` wrote."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOC = ROOT / "target" / "doc"
MARK = "[help of every command]"
log = logging.getLogger("mkdocs.hooks.reference")


def command() -> Path | None:
    """The built command: the one that is named, or the newest."""
    named = os.environ.get("INDISTINCT_COMMAND")
    places = [Path(named)] if named else [ROOT / "target" / profile / "indistinct" for profile in ("debug", "release")]
    built = [place for place in places if place.exists()]
    return max(built, key=lambda place: place.stat().st_mtime) if built else None


def help_pages(binary: Path) -> str:
    """What every command and its commands say about themselves, under headings."""

    def told(*words: str) -> str:
        environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
        done = subprocess.run([binary, *words, "--help"], capture_output=True, text=True, check=True, env=environment)
        text = done.stdout.rstrip()
        title = "indistinct " + " ".join(words)
        made = f"{'#' * (2 + len(words[:-1]))} {title.strip()}\n\n````text\n{text}\n````\n"
        below = re.search(r"^Commands:\n((?: .*\n)+)", text + "\n", re.MULTILINE)
        names = re.findall(r"^  (\w+)", below.group(1), re.MULTILINE) if below else []
        return made + "".join(told(*words, name) for name in names if name != "help")

    return told()


def crate_links(markdown: str) -> str:
    """Crates that `cargo doc` wrote about become links, which GitHub could not follow."""

    def link(match: re.Match[str]) -> str:
        there = DOC / match.group(1) / "index.html"
        return f'<a href="rust/{match.group(1)}/index.html">{match.group(0)}</a>' if there.exists() else match.group(0)

    return re.sub(r"`(indistinct\w*)`", link, markdown)


def on_page_markdown(markdown: str, page, config, files) -> str:
    """Puts the help of every command where the page asks for it, and links to the crates."""
    if page.file.src_uri == "api/index.md":
        return crate_links(markdown)
    if MARK not in markdown:
        return markdown
    binary = command()
    if binary is None:
        log.warning("the command is not built: cargo build -p indistinct-cli")
        return markdown
    return markdown.replace(MARK, help_pages(binary))


def on_post_build(config) -> None:
    """Copies what `cargo doc` wrote about the crates into the site."""
    if not (DOC / "indistinct" / "index.html").exists():
        log.warning("the Rust reference is not built: cargo doc --workspace --no-deps")
        return
    shutil.copytree(DOC, Path(config.site_dir) / "api" / "rust", dirs_exist_ok=True, ignore=shutil.ignore_patterns(".lock"))
