#!/usr/bin/env python3
"""Takes the pictures of README and guide: releases of the example tables and an evaluation, seen in chromium.

    python3 docs/tools/pictures.py

The release has no seed, so that its page shows a guarantee; pictures differ in their numbers from run to run.
Needs target/debug/indistinct and chromium. Look at what it made before committing it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from blocks import blocks_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
# A browser without a head takes the top of a page: the page is moved up to where the picture begins. (A page's own policy lets
# no script run, so it is taken out of the copy.)
MOVE = """<script>window.addEventListener("load", () => {
  document.body.style.marginTop = `${70 - document.getElementById("ID").getBoundingClientRect().top}px`;
});</script></body>"""
# The page, where in it the picture begins, the picture, and how high it is, in pixels.
PICTURES = [
    ("first/report.html", "h-columns", "first.png", 640),
    ("release/report.html", "h-guarantee", "report.png", 580),
    ("release/report.html", "h-columns", "report-columns.png", 820),
    ("look.private.html", "table-1-columns", "evaluation.png", 860),
]
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--disable-background-networking", "--blink-settings=preferredColorScheme=1"]  # fmt: skip


def main() -> None:
    """Makes releases as README and guide do, and takes the pictures."""
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    schema = next(block.code for block in blocks_of(guide) if block.said.get("file") == "schema.toml")
    environment = {**os.environ, "PATH": f"{ROOT / 'target' / 'debug'}:{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "schema.toml").write_text(schema, encoding="utf-8")
        private = ROOT / "examples" / "patients.csv"
        first = ROOT / "examples" / "measurements"
        for line in (
            f"indistinct synth {first}.csv --epsilon 1 --schema {first}.toml --out first",
            f"indistinct synth {private} --schema schema.toml --epsilon 2 --delta 1e-6 --out release",
            f"indistinct evaluate {private} release/synthetic.csv --schema schema.toml --html look.private.html",
        ):
            subprocess.run(line.split(), cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        for page, begin, picture, height in PICTURES:
            text = (folder / page).read_text(encoding="utf-8")
            policy = next(line for line in text.splitlines() if "Content-Security-Policy" in line)
            copy = folder / "copy.html"
            copy.write_text(text.replace(policy, "").replace("</body>", MOVE.replace("ID", begin)), encoding="utf-8")
            out = IMAGES / picture
            taken = [*CHROMIUM, f"--user-data-dir={folder / 'profile'}", f"--window-size=960,{height}", f"--screenshot={out}"]
            subprocess.run([*taken, f"file://{copy}"], check=True, capture_output=True, timeout=120)
            size = out.stat().st_size
            print(f"{out.relative_to(ROOT)}: {size:,} bytes")
            if size > LARGEST:
                sys.exit(f"{picture} is larger than {LARGEST:,} bytes: make it lower")


if __name__ == "__main__":
    main()
