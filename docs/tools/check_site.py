#!/usr/bin/env python3
"""Checks the built site as a reader without network would meet it.

    python3 docs/tools/check_site.py [SITE]

Every link and every picture leads to a file that is there, and to a place in it; nothing is fetched from elsewhere, neither by
pages nor by style sheets; all formulas became MathML, no comment of the page sources is left over, and pictures are small.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
# What a browser fetches by itself when it opens a page.
FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("object", "data")}
LARGEST = 150_000
LEFT_OVER = re.compile(r"arithmatex|\\\(|<!-- (?:tabs|end of|file|before|not run|needs|fails|exact)")


class Page(HTMLParser):
    """The links, places and fetched addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for every element."""
        given = {name: value or "" for name, value in attrs}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        for name, value in given.items():
            if (tag, name) in FETCHED and not (tag == "link" and given.get("rel") in ("canonical", "prev", "next")):
                self.fetched.append(value)


def is_elsewhere(address: str) -> bool:
    """Whether an address leaves the site."""
    return address.startswith("//") or urlsplit(address).scheme in ("http", "https", "ftp")


def main() -> int:
    """Prints what is wrong."""
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target" / "site"
    rust = site / "api" / "rust"
    wrong: list[str] = []
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html")) if rust not in file.parents}
    links = 0
    for file, page in pages.items():
        name = file.relative_to(site)
        wrong += [f"{name}: fetches {address}" for address in page.fetched if is_elsewhere(address)]
        if file.name == "404.html":
            continue
        body = re.sub(r"<(pre|code|script)\b.*?</\1>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        wrong += [f"{name}: {left!r} is left over" for left in LEFT_OVER.findall(body)]
        for address in page.links + page.fetched:
            parts = urlsplit(address)
            if parts.scheme or address.startswith("//") or address.startswith("data:"):
                continue
            links += 1
            there = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            there = there / "index.html" if there.is_dir() else there
            if not there.exists():
                wrong.append(f"{name}: {address} leads nowhere")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].places:
                wrong.append(f"{name}: there is no place {address}")
    for file in site.rglob("*.css"):
        for address in re.findall(r"(?:url\(|@import\s+)['\"]?([^'\")\s;]+)", file.read_text(encoding="utf-8")):
            wrong += [f"{file.relative_to(site)}: fetches {address}"] if is_elsewhere(address) else []
    large = [file for file in (site / "images").iterdir() if file.stat().st_size > LARGEST]
    wrong += [f"{file.relative_to(site)} is larger than {LARGEST:,} bytes" for file in large]
    if not (rust / "indistinct" / "index.html").exists():
        wrong.append("the Rust reference is not there")
    for file in rust.rglob("*.html"):
        fetched = re.findall(r"<(?:script|img|link)\b[^>]*?\b(?:src|href)=\"(https?:[^\"]+)", file.read_text(encoding="utf-8"))
        wrong += [f"{file.relative_to(site)}: fetches {address}" for address in fetched]
    for line in wrong[:40]:
        print(line, file=sys.stderr)
    print(f"site: {len(pages)} pages, {links} links within it, {len(wrong)} faults")
    return 1 if wrong or links == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
