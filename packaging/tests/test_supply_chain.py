"""The checks of the supply chain find what they are for: `python -m unittest discover packaging/tests`."""

import importlib.util
import unittest
from pathlib import Path

spec = importlib.util.spec_from_file_location("supply_chain", Path(__file__).parent.parent / "supply_chain.py")
chain = importlib.util.module_from_spec(spec)
spec.loader.exec_module(chain)

OWN = {"id": "own", "name": "indistinct-cli", "version": "1.0.0", "source": None, "license": "MIT"}


def foreign(name, version="1.0.0", source=chain.CRATES_IO, license="MIT"):
    return {"id": f"{name} {version}", "name": name, "version": version, "source": source, "license": license}


def graph(*packages, dev=()):
    def needed(package):
        return {"pkg": package["id"], "dep_kinds": [{"kind": "dev" if package["name"] in dev else None}]}

    nodes = [{"id": "own", "deps": [needed(package) for package in packages]}]
    nodes += [{"id": package["id"], "deps": []} for package in packages]
    return {"workspace_members": ["own"], "packages": [OWN, *packages], "resolve": {"nodes": nodes}}


def problems(*packages, page="| `good` | why |", rules=None):
    rules = rules or {"licenses": {"allow": ["MIT", "Apache-2.0"]}, "bans": {}}
    return list(chain.problems(graph(*packages), rules, page))


class SupplyChain(unittest.TestCase):
    def test_what_is_declared_passes(self):
        self.assertEqual(problems(foreign("good")), [])

    def test_reasons(self):
        self.assertIn("other has no reason", problems(foreign("good"), foreign("other"))[0])
        self.assertIn("which nobody asks for", problems(page="| `good` | why |")[0])

    def test_sources(self):
        self.assertIn("is from git+", problems(foreign("good", source="git+https://example.org"))[0])

    def test_licences(self):
        for text, fine in [
            ("MIT/Apache-2.0", True),
            ("GPL-3.0 OR MIT", True),
            ("GPL-3.0 AND MIT", False),
            ("(GPL-3.0 OR MIT) AND Apache-2.0", True),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", False),
            ("Apache-2.0 WITH LLVM-exception", False),
            ("Apache-2.0 WITH LLVM-exception OR MIT", True),
            (None, False),
        ]:
            self.assertEqual(problems(foreign("good", license=text)) == [], fine, text)

    def test_duplicates(self):
        two = foreign("good"), foreign("good", "2.0.0")
        self.assertIn("2 versions of good", problems(*two)[0])
        rules = {"licenses": {"allow": ["MIT"]}, "bans": {"skip": [{"crate": "good@1.0.0", "reason": "why"}]}}
        self.assertEqual(problems(*two, rules=rules), [])

    def test_bill_of_materials(self):
        lock = {"package": [OWN, {"name": "good", "version": "1.0.0", "checksum": "ab"}, {"name": "test", "version": "1.0.0"}]}
        bill = chain.sbom(graph(foreign("good"), foreign("test"), dev=("test",)), lock)
        self.assertEqual([part["purl"] for part in bill["components"]], ["pkg:cargo/good@1.0.0"])
        self.assertEqual(bill["components"][0]["hashes"], [{"alg": "SHA-256", "content": "ab"}])
        self.assertEqual(bill["metadata"]["component"]["name"], "indistinct")
        self.assertIn({"ref": "pkg:cargo/indistinct-cli@1.0.0", "dependsOn": ["pkg:cargo/good@1.0.0"]}, bill["dependencies"])


if __name__ == "__main__":
    unittest.main()
