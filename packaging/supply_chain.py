"""What the program is made of: checks every dependency, and lists them all.

    python packaging/supply_chain.py check                 reasons, licences, sources and duplicates
    python packaging/supply_chain.py sbom OUT.cdx.json     a bill of materials (CycloneDX 1.5) of the command

Needs cargo and Python 3.11, no network and nothing else. `cargo deny check` asks more (advisories) of the same `deny.toml`, where it
is installed and has its data.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REASONS = ROOT / "docs" / "dependencies.md"
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def metadata(rules):
    """The graph of dependencies, as cargo resolves it for the systems that `deny.toml` lists."""
    systems = [word for system in rules["graph"]["targets"] for word in ("--filter-platform", system)]
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features", *systems]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def direct(graph):
    """Names of what the workspace's own crates ask for."""
    members, names = set(graph["workspace_members"]), {package["id"]: package["name"] for package in graph["packages"]}
    nodes = (node for node in graph["resolve"]["nodes"] if node["id"] in members)
    return {names[needed["pkg"]] for node in nodes for needed in node["deps"] if needed["pkg"] not in members}


def reasons(page):
    """Names in the first column of the page's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))


def allows(expression, allowed):
    """Whether an SPDX expression can be satisfied by the allowed licences; the old `MIT/Apache-2.0` means OR."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def either():
        result = both()
        while words and words[0] == "OR":
            words.pop(0)
            result = both() or result
        return result

    def both():
        result = one()
        while words and words[0] == "AND":
            words.pop(0)
            result = one() and result
        return result

    def one():
        word = words.pop(0)
        if word == "(":
            result = either()
            words.pop(0)
            return result
        if words and words[0] == "WITH":
            word = f"{word} WITH {words[1]}"
            del words[:2]
        return word in allowed

    return either()


def problems(graph, rules, page):
    """Everything that is wrong, in words."""
    asked, explained = direct(graph), reasons(page)
    yield from (f"{name} has no reason in {REASONS.name}" for name in sorted(asked - explained))
    yield from (f"{REASONS.name} explains {name}, which nobody asks for" for name in sorted(explained - asked))
    foreign = [package for package in graph["packages"] if package["source"] is not None]
    allowed = set(rules["licenses"]["allow"])
    for package in foreign:
        name = f"{package['name']} {package['version']}"
        if package["source"] != CRATES_IO:
            yield f"{name} is from {package['source']}"
        if not allows(package["license"] or "none", allowed):
            yield f"{name} has the licence {package['license']}"
    tolerated = {entry["crate"].split("@")[0].split(":")[0] for entry in rules["bans"].get("skip", [])}
    versions = Counter(package["name"] for package in foreign)
    yield from (f"{count} versions of {name}" for name, count in versions.items() if count > 1 and name not in tolerated)


def components(graph, root):
    """Packages that the crate `root` is built from, without tools of tests."""
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    found, waiting = set(), [next(p["id"] for p in graph["packages"] if p["name"] == root)]
    while waiting:
        package = waiting.pop()
        if package not in found:
            found.add(package)
            waiting += [d["pkg"] for d in nodes[package]["deps"] if any(kind["kind"] is None for kind in d["dep_kinds"])]
    return found


def sbom(graph, lock, root="indistinct-cli"):
    """The bill of materials: the same text for the same lock file."""
    hashes = {(p["name"], p["version"]): p.get("checksum") for p in lock["package"]}
    parts = components(graph, root)
    packages = {package["id"]: package for package in graph["packages"] if package["id"] in parts}
    reference = {key: f"pkg:cargo/{p['name']}@{p['version']}" for key, p in packages.items()}

    def component(package):
        entry = {
            "type": "library", "bom-ref": reference[package["id"]], "purl": reference[package["id"]],
            "name": package["name"], "version": package["version"],
            "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        }  # fmt: skip
        checksum = hashes[package["name"], package["version"]]
        return entry | ({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {})

    listed = sorted((component(package) for package in packages.values()), key=lambda entry: entry["bom-ref"])
    own = next(entry for entry in listed if entry["name"] == root)
    graph_of = {
        reference[node["id"]]: sorted({reference[d["pkg"]] for d in node["deps"] if d["pkg"] in parts})
        for node in graph["resolve"]["nodes"]
        if node["id"] in parts
    }
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": own | {"type": "application", "name": "indistinct"}},
        "components": [entry for entry in listed if entry is not own],
        "dependencies": [{"ref": ref, "dependsOn": needed} for ref, needed in sorted(graph_of.items())],
    }  # fmt: skip


def main(arguments):
    rules = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))
    match arguments:
        case ["check"]:
            graph = metadata(rules)
            found = list(problems(graph, rules, REASONS.read_text(encoding="utf-8")))
            print("\n".join(found) or f"{len(direct(graph))} direct dependencies, {len(graph['packages'])} packages: all as declared")
            return 1 if found else 0
        case ["sbom", out]:
            lock = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))
            Path(out).write_text(json.dumps(sbom(metadata(rules), lock), indent=1) + "\n", encoding="utf-8", newline="\n")
            return 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
