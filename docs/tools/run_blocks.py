#!/usr/bin/env python3
"""Runs every block of code in the pages, and compares what it prints with what the page shows.

    python3 docs/tools/run_blocks.py [--write] [PAGE...]

With --write, outputs that are no longer true are written anew (not those with `...`: edit these). Blocks of one language run
in one folder, in their order, as a reader would who chose that language: `sh` by bash with the built command in its path,
`python` in one interpreter with the package of this repository, `r` in one R workspace. What comments say about blocks is in
blocks.py. Needs target/debug/indistinct and the Python module (./check builds both).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from blocks import RUN, Block, agrees, blocks_of, page_needs  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120

# Runs blocks that come as lines of JSON, and shows the last expression of a block as notebooks do.
INTERPRETER = """
import ast, contextlib, io, json, sys, traceback
space = {"__name__": "__main__"}
for line in sys.stdin:
    code, heard, raised = json.loads(line), io.StringIO(), None
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
        try:
            tree = ast.parse(code)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "page", "exec"), space)
            value = eval(compile(ast.Expression(last.value), "page", "eval"), space) if last else None
            if value is not None:
                print(repr(value))
        except Exception as error:
            raised = type(error).__name__
            print(f"{raised}: {error}")
    print(json.dumps([heard.getvalue(), raised]), flush=True)
"""


class Track:
    """The folder in which the blocks of one language run."""

    def __init__(self, language: str, folder: Path) -> None:
        self.language, self.folder = language, folder
        folder.mkdir()
        shutil.copytree(ROOT / "examples", folder / "examples")
        here = {"PATH": f"{ROOT / 'target' / 'debug'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "python")}
        self.environment = {**os.environ, **here, "COLUMNS": "110", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        self.interpreter: subprocess.Popen[str] | None = None

    def run(self, block: Block) -> tuple[str, str]:
        """What a block printed, and how it ended: an exit code, or the name of an exception."""
        if self.language == "python" and block.language == "python":
            return self._python(block.code)
        if block.language == "r":
            (self.folder / ".block.R").write_text(block.code, encoding="utf-8")
            arguments = ["R", "--no-echo", "--no-init-file", "--restore", "--save", "-f", ".block.R"]
        else:
            arguments = ["bash", "-euo", "pipefail", "-c", block.code]
        try:
            done = subprocess.run(arguments, cwd=self.folder, env=self.environment, text=True, timeout=SECONDS, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"stopped after {SECONDS} seconds\n", "a timeout"
        return done.stdout, str(done.returncode)

    def _python(self, code: str) -> tuple[str, str]:
        if self.interpreter is None:
            self.interpreter = subprocess.Popen([sys.executable, "-c", INTERPRETER], cwd=self.folder, env=self.environment,
                                                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        assert self.interpreter.stdin and self.interpreter.stdout
        self.interpreter.stdin.write(json.dumps(code) + "\n")
        self.interpreter.stdin.flush()
        heard, raised = json.loads(self.interpreter.stdout.readline())
        return heard, raised or "0"

    def close(self) -> None:
        """Ends the interpreter."""
        if self.interpreter is not None:
            self.interpreter.communicate(timeout=SECONDS)


def has_package(name: str) -> bool:
    """Whether R has a package."""
    asked = ["Rscript", "-e", f'quit(status = !requireNamespace("{name}", quietly = TRUE))']
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def reason_to_skip(block: Block) -> str | None:
    """Why a block is not run here, if so."""
    if "not run" in block.said:
        return block.said["not run"] or "no reason given"
    if block.language == "r" and shutil.which("Rscript") is None:
        return "R is not installed"
    if block.language == "r" and "needs" in block.said and not has_package(block.said["needs"]):
        return f"the R package {block.said['needs']} is not installed"
    return None


def try_page(page: Path, write: bool) -> tuple[int, list[str], list[str]]:
    """Runs the blocks of a page. How many ran, what was skipped and why, and what went wrong."""
    text = page.read_text(encoding="utf-8")
    blocks = blocks_of(text)
    name = page.relative_to(ROOT)
    ran, skipped, wrong, outputs = 0, [], [], []
    needed = page_needs(text)
    if needed is not None and not Path(os.environ.get(needed, "")).is_file():
        why = f"the environment variable {needed} names no file"
        return 0, [f"{name}:{block.line}: {why}" for block in blocks if block.language in RUN], []
    with tempfile.TemporaryDirectory() as folder:
        languages = [one for one in RUN if any(block.language == one for block in blocks)]
        tracks = {one: Track(one, Path(folder) / one) for one in languages}
        for block in blocks:
            place = f"{name}:{block.line}"
            if "file" in block.said or "append" in block.said:
                for track in tracks.values():
                    mode, file = ("w", block.said["file"]) if "file" in block.said else ("a", block.said["append"])
                    with open(track.folder / file, mode, encoding="utf-8") as opened:
                        opened.write(block.code)
            elif block.language == "before":
                for track in tracks.values():
                    heard, ended = track.run(block)
                    wrong += [] if ended == "0" else [f"{place}: a preparation failed:\n{heard}"]
            elif block.language in tracks:
                why = reason_to_skip(block)
                if why is not None:
                    skipped.append(f"{place}: {why}")
                    continue
                heard, ended = tracks[block.language].run(block)
                ran += 1
                if ended != block.said.get("fails", "0"):
                    wrong.append(f"{place}: ended with {ended}:\n{heard}")
                elif block.output is not None and not agrees(block.output, heard, "exact" in block.said):
                    wrong.append(f"{place}: the page shows\n{block.output}\nbut it printed\n{heard}")
                    if block.span and "\n...\n" not in f"\n{block.output}":
                        outputs.append((block.span, "".join(f"{line.rstrip()}\n" for line in heard.strip("\n").split("\n"))))
        for track in tracks.values():
            track.close()
    if write and outputs:
        for (start, end), output in reversed(outputs):
            text = text[:start] + output + text[end:]
        page.write_text(text, encoding="utf-8")
    return ran, skipped, wrong


def main() -> int:
    """Runs the pages that are named, or all."""
    arguments = argparse.ArgumentParser(description="Run the code blocks of the pages.")
    arguments.add_argument("--write", action="store_true", help="write outputs that are no longer true anew")
    arguments.add_argument("pages", nargs="*", type=Path)
    given = arguments.parse_args()
    pages = [page.resolve() for page in given.pages] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    total, failed = 0, False
    for page in pages:
        ran, skipped, wrong = try_page(page, given.write)
        total += ran
        if ran or skipped:
            print(f"{page.relative_to(ROOT)}: {ran} blocks run, {len(skipped)} not run")
        for line in skipped:
            print(f"  not run: {line}")
        for line in wrong:
            print(f"  WRONG {line}", file=sys.stderr)
        failed |= bool(wrong)
    print(f"{total} blocks run in {len(pages)} pages")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
