"""What the tools of the site say yes and no to."""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOOLS), str(TOOLS / "hooks")]
import page_text as hook  # noqa: E402
import mathematics  # noqa: E402
import pages  # noqa: E402
import check_comments  # noqa: E402
import check_paths  # noqa: E402
import check_site  # noqa: E402
import run_blocks  # noqa: E402
from blocks import agrees, blocks_of  # noqa: E402

PAGE = """
<!-- before: touch made -->
<!-- fails: 3 -->
```sh
exit 3
```
```text
...
```
Words.
```text
not an output
```
<!-- not run: it would take a day -->
```python
forever()
```
"""


class Blocks(unittest.TestCase):
    def test_what_is_said_belongs_to_the_next_block(self) -> None:
        before, sh, words, python = blocks_of(PAGE)
        self.assertEqual((before.language, before.code), ("before", "touch made"))
        self.assertEqual((sh.said, sh.output), ({"fails": "3"}, "...\n"))
        self.assertEqual((words.language, words.output), ("text", None))
        self.assertEqual(python.said, {"not run": "it would take a day"})

    def test_verdicts_may_differ_unless_the_block_is_exact(self) -> None:
        self.assertTrue(agrees("verdict: usable. Large patterns.", "verdict: close. It can stand."))
        self.assertFalse(agrees("verdict: usable.", "verdict: close.", exact=True))
        self.assertFalse(agrees("verdict: usable.", "no verdict"))

    def test_numbers_times_and_widths_may_differ_and_words_may_not(self) -> None:
        self.assertTrue(agrees("a  0.25 <2.2e-16\n────", "a 3.1 1e-4 \n──\n"))
        self.assertTrue(agrees("at 2026-11-15T22:04:52Z", "at 2027-01-02T03:04:05Z"))
        self.assertFalse(agrees("pure 1", "none 1"))
        self.assertFalse(agrees("x1 = 2", "x2 = 2"))
        self.assertFalse(agrees("0.25", "0.26", exact=True))
        self.assertTrue(agrees("0.25", "0.25", exact=True))

    def test_dots_stand_for_any_lines(self) -> None:
        printed = "one\ntwo\nthree\nfour\n"
        for shown in ("one\n...", "...\nfour", "one\n...\nthree\n...", "...", "one\ntwo\n...\nthree\nfour"):
            self.assertTrue(agrees(shown, printed), shown)
        for shown in ("two\n...", "...\nthree", "one\n...\nfive\n...", "one\ntwo\nthree\n...\nthree\nfour"):
            self.assertFalse(agrees(shown, printed), shown)

    def test_a_page_that_needs_a_file_is_skipped_and_said_to_be(self) -> None:
        with tempfile.TemporaryDirectory(dir=run_blocks.ROOT / "target") as folder:
            page = Path(folder) / "page.md"
            page.write_text("<!-- page needs: INDISTINCT_NO_SUCH -->\n```sh\ntest -f $INDISTINCT_NO_SUCH\n```\n", encoding="utf-8")
            ran, skipped, wrong = run_blocks.try_page(page, write=False)
            self.assertEqual((ran, wrong), (0, []))
            self.assertIn("INDISTINCT_NO_SUCH names no file", skipped[0])
            with unittest.mock.patch.dict(os.environ, {"INDISTINCT_NO_SUCH": str(page)}):
                self.assertEqual(run_blocks.try_page(page, write=False), (1, [], []))

    def test_a_block_that_fails_or_prints_something_else_is_found(self) -> None:
        with tempfile.TemporaryDirectory(dir=run_blocks.ROOT / "target") as folder:
            page = Path(folder) / "page.md"
            cases = {
                "```sh\nfalse\n```\n": 1,
                "```sh\necho yes\n```\n```text\nno\n```\n": 1,
                "```sh\necho yes\n```\n```text\nyes\n```\n": 0,
                "<!-- fails: KeyError -->\n```python\n{}[1]\n```\n": 0,
                "```python\nx = 1\n```\n```python\nx + 1\n```\n```text\n2\n```\n": 0,
                "<!-- file: f.txt -->\n```toml\na\n```\n```sh\ncat f.txt\n```\n```text\nb\n```\n": 1,
                "<!-- before: false -->\n```sh\ntrue\n```\n": 1,
            }
            for text, faults in cases.items():
                page.write_text(text, encoding="utf-8")
                self.assertEqual(len(run_blocks.try_page(page, write=False)[2]), faults, text)


class Hooks(unittest.TestCase):
    def test_links_out_of_docs_lead_to_pages_of_the_site(self) -> None:
        text = "[a](../crates/indistinct/proofs/zcdp.md#x) [b](../CONTRIBUTING.md) [c](../examples/patients.toml) [d](r.md)"
        wanted = "[a](proofs/zcdp.md#x) [b](CONTRIBUTING.md) [c](source/examples/patients.toml.md) [d](r.md)"
        self.assertEqual(pages.turned(text, "guide.md"), wanted)
        self.assertEqual(pages.turned("[a](docs/ledger.md)", "CONTRIBUTING.md"), "[a](ledger.md)")
        self.assertEqual(pages.turned("```\n[a](../nowhere)\n```\n", "guide.md"), "```\n[a](../nowhere)\n```\n")

    def test_a_link_to_nowhere_stops_the_build(self) -> None:
        with self.assertRaises(Exception):
            pages.turned("[a](../nowhere.rs)", "guide.md")

    def test_blocks_become_tabs_and_lists_lists(self) -> None:
        text = "<!-- tabs -->\n```sh\na\n```\n```text\nb\n```\n```python\nc\n```\n<!-- end of tabs -->\n"
        made = hook.TABS.sub(hook.tabs, text)
        self.assertLess(made.index('=== "Command"'), made.index("    b\n"))
        self.assertLess(made.index("    b\n"), made.index('=== "Python"'))
        self.assertEqual(hook.lists("words\n- one\n- two"), "words\n\n- one\n- two")
        self.assertEqual(hook.lists("```\nwords\n- one\n```"), "```\nwords\n- one\n```")

    def test_formulas_become_mathml(self) -> None:
        made = mathematics.on_page_content('<span class="arithmatex">\\(a &lt; b\\)</span>', None, None, None)
        self.assertTrue(made.startswith("<math") and "arithmatex" not in made, made)


class Site(unittest.TestCase):
    def test_the_python_page_has_every_public_name(self) -> None:
        text = (run_blocks.ROOT / "python" / "indistinct" / "__init__.py").read_text(encoding="utf-8")
        module = ast.parse(text)
        names = next(ast.literal_eval(node.value) for node in module.body
                     if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__")  # fmt: skip
        page = (run_blocks.ROOT / "docs" / "api" / "python.md").read_text(encoding="utf-8")
        shown = re.findall(r"^::: indistinct\.(\w+)$", page, re.MULTILINE)
        self.assertEqual(sorted(shown), sorted(set(names) - {"__version__"}))

    def test_what_a_browser_would_fetch_is_seen(self) -> None:
        page = check_site.Page('<a href="https://a"></a><script src="https://b"></script><img src="c.png"><p id="d">')
        self.assertEqual((page.links, page.fetched, page.places), (["https://a"], ["https://b", "c.png"], {"d"}))
        self.assertTrue(check_site.is_elsewhere("//cdn") and not check_site.is_elsewhere("c.png"))


class Paths(unittest.TestCase):
    def test_files_that_are_not_there_are_named(self) -> None:
        text = "`core/src/a.rs`, `b/c.rs`, `c.rs`, `b/`, `x.rs`, `corpus/NAME/`, [there](docs/d.md#e), `cargo run`\n```sh\ngone.rs\n```\n"
        words = check_paths.named(text)
        self.assertEqual(words, {"core/src/a.rs", "b/c.rs", "c.rs", "b/", "x.rs", "docs/d.md"})
        files = ["crates/indistinct/src/a.rs", "crates/indistinct-io/src/b/c.rs", "docs/d.md"]
        self.assertEqual(check_paths.missing(words, files), ["x.rs"])
        self.assertEqual(check_paths.missing({"a/c.rs", "src/a"}, files), ["a/c.rs", "src/a"])


class Comments(unittest.TestCase):
    def test_a_comment_that_begins_with_a_question_is_found(self) -> None:
        text = "/// The seed.\n/// What it is for.\na: u8,\n    /// Who judges.\nb: u8,\n// What is private.\n"
        self.assertEqual(check_comments.questions(text), [4])
        text = "//! What goes wrong.\n//! Why it does.\n\n/// As typed.\na: u8,\n/// Whether it is.\n/// That it is.\n/// Assets.\n"
        self.assertEqual(check_comments.questions(text), [1, 4])
        self.assertEqual(check_comments.questions(text, ("//!",)), [1])

    def test_help_and_tests_are_asked_less(self) -> None:
        files = ["crates/a/src/b.rs", "crates/a/src/b/tests.rs", "crates/a/tests/b.rs", "crates/indistinct-cli/src/args/b.rs"]
        self.assertEqual([len(check_comments.marks_of(file)) for file in files], [2, 1, 1, 1])


if __name__ == "__main__":
    unittest.main()
