#!/usr/bin/env python3
"""Opens the built site in chromium, from the disk: nothing is complained about, nothing is wider than the window, tabs can be
chosen, formulas have an extent, pictures are there, and the search finds something. Leaves pictures in target/tmp.

    python3 docs/tools/browse_site.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "target" / "site"
PICTURES = ROOT / "target" / "tmp"
# Narrow windows are where pages break.
VIEWS = [("guide.html", 1280), ("guide.html", 390), ("choosing-epsilon.html", 390), ("theory/distinguishing.html", 390),
         ("api/python.html", 390)]  # fmt: skip
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--v=0",
            "--virtual-time-budget=6000"]  # fmt: skip
# Asks a page what a reader would see, and puts the answer into its title.
QUESTIONS = """<script>
window.addEventListener("load", () => setTimeout(() => {
  const wrong = [];
  const say = (holds, what) => { if (!holds) wrong.push(what); };
  say(document.documentElement.scrollWidth <= window.innerWidth, "wider than the window");
  for (const image of document.images) say(image.naturalWidth > 0, "a picture that is not there");
  for (const formula of document.querySelectorAll("article math")) {
    say(formula.getBoundingClientRect().width > 0, "a formula without an extent");
  }
  const label = document.querySelector(".tabbed-labels label:nth-child(2)");
  if (label) {
    label.click();
    say(document.getElementById(label.htmlFor).checked, "a tab that cannot be chosen");
  }
  const box = document.querySelector(".md-search__input");
  box.focus();
  box.value = "epsilon";
  box.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  setTimeout(() => {
    const found = document.querySelectorAll(".md-search-result__item").length;
    say(found > 2, "a search without results");
    document.title = wrong.length ? "WRONG: " + [...new Set(wrong)].join("; ") : "SOUND, found " + found;
  }, 2500);
}, 500));
</script></body>"""


def browse(page: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Runs the browser on a page, with a profile of its own."""
    with tempfile.TemporaryDirectory() as profile:
        asked = [*CHROMIUM, f"--user-data-dir={profile}", *more, f"file://{page}"]
        return subprocess.run(asked, capture_output=True, text=True, check=False, timeout=120)


def main() -> int:
    """Asks every page at two widths, and takes pictures in light and dark."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    wrong = []
    for name, width in VIEWS:
        page = SITE / name
        copy = page.with_suffix(".asked.html")
        copy.write_text(page.read_text(encoding="utf-8").replace("</body>", QUESTIONS), encoding="utf-8")
        done = browse(copy, f"--window-size={width},900", "--dump-dom")
        copy.unlink()
        title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
        answer = title.group(1) if title else "no answer"
        wrong += [] if answer.startswith("SOUND") else [f"{name} at {width}: {answer}"]
        wrong += [f"{name}: {line}" for line in done.stderr.splitlines() if "CONSOLE" in line]
    for look, setting in (("light", 1), ("dark", 0)):
        for width in (1280, 390):
            picture = PICTURES / f"site-{look}-{width}.png"
            browse(SITE / "guide.html", f"--window-size={width},1600", f"--screenshot={picture}",
                   f"--blink-settings=preferredColorScheme={setting}")  # fmt: skip
            wrong += [] if picture.exists() and picture.stat().st_size > 20_000 else [f"no picture {picture.name}"]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"site in a browser: {len(VIEWS)} views, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
