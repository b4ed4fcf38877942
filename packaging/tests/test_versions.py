"""What is released together has one version."""

import re
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Versions(unittest.TestCase):
    def test_crates_packages_and_citation_agree(self) -> None:
        def told(path: str, line: str) -> str:
            found = re.search(line, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
            self.assertIsNotNone(found, path)
            return found.group(1)

        manifest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
        version = manifest["package"]["version"]
        own = {name: one["version"] for name, one in manifest["dependencies"].items() if "path" in one}
        self.assertEqual(set(own.values()), {version}, own)
        self.assertEqual(told("r/src/rust/Cargo.toml", r'^version = "(.*)"'), version)
        self.assertEqual(told("r/DESCRIPTION", r"^Version: (.*)"), version)
        self.assertEqual(told("CITATION.cff", r"^version: (.*)"), version)
        self.assertEqual(told("CHANGELOG.md", r"^## (\S+),"), version, "the newest section of the changelog")
        for lock in ("Cargo.lock", "r/src/rust/Cargo.lock", "fuzz/Cargo.lock"):
            packages = tomllib.loads((ROOT / lock).read_text(encoding="utf-8"))["package"]
            locked = {one["version"] for one in packages if one["name"] in own}
            self.assertEqual(locked, {version}, lock)

    def test_rust_that_is_needed_is_told_alike(self) -> None:
        def oldest(path: str) -> str:
            return tomllib.loads((ROOT / path).read_text(encoding="utf-8")).get("package", {}).get("rust-version", "")

        needed = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["rust-version"]
        self.assertEqual(oldest("r/src/rust/Cargo.toml"), needed)
        self.assertIn(f"rustc >= {needed}", (ROOT / "r/DESCRIPTION").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
