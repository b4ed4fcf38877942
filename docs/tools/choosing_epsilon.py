#!/usr/bin/env python3
"""Writes the numbers of docs/choosing-epsilon.md: releases of the example table at several budgets, judged.

    python3 docs/tools/choosing_epsilon.py            # all releases anew (a minute or two), then tables and plot
    python3 docs/tools/choosing_epsilon.py --check    # that the page shows what its files and the program say

Every release has a seed (1 to 10), so that the same program gives the same numbers; a release with a seed carries no
guarantee, which is right for a study. --check makes one release of each kind again, and all tables and the plot.
Needs target/debug/indistinct and nothing but the standard library.
"""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import epsilon_plot  # noqa: E402
from blocks import blocks_of  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "target" / "debug" / "indistinct"
PRIVATE = ROOT / "examples" / "patients.csv"
PAGE = ROOT / "docs" / "choosing-epsilon.md"
RESULTS = ROOT / "docs" / "choosing-epsilon.csv"
PLOT = ROOT / "docs" / "images" / "choosing-epsilon.svg"
EPSILONS = [0.25, 0.5, 1, 2, 4, 8]
DELTAS = ["0", "1e-6"]
SCHEMAS = ["guide", "plain"]
SEEDS = range(1, 11)
FIELDS = ["schema", "delta", "epsilon", "seed", "pmse", "best_tree", "two_way", "slope"]
NAMES = {("guide", "1e-6"): "guide's schema, delta 1e-6", ("guide", "0"): "guide's schema, pure",
         ("plain", "1e-6"): "plain schema, delta 1e-6", ("plain", "0"): "plain schema, pure"}  # fmt: skip


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the command."""
    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False)


def document(*arguments: object) -> dict:
    """What the command says with --json."""
    done = run(*arguments, "--json")
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def schemas(folder: Path) -> dict[str, Path]:
    """The schema of the guide, and the plainer one of the examples."""
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    file = folder / "schema.toml"
    file.write_text(next(block.code for block in blocks_of(guide) if block.said.get("file") == "schema.toml"), encoding="utf-8")
    return {"guide": file, "plain": ROOT / "examples" / "patients.toml"}


def release(folder: Path, schema: Path, kind: str, delta: str, epsilon: float, seed: int) -> dict[str, object]:
    """One release, judged; without numbers if the program refuses the budget."""
    out = folder / "release"
    made = run("synth", PRIVATE, "--schema", schema, "--epsilon", epsilon, "--delta", delta, "--seed", seed, "--out", out, "--force", "--quiet")
    row: dict[str, object] = {"schema": kind, "delta": delta, "epsilon": epsilon, "seed": seed}
    if made.returncode != 0:
        return {**row, "pmse": "", "best_tree": "", "two_way": "", "slope": ""}
    judged = document("evaluate", PRIVATE, out / "synthetic.csv", "--schema", schema, "--null", "none")["tables"][0]
    terms = {term["name"]: term["estimate"] for term in document("combine", out, "--formula", "systolic ~ age")["coefficients"]}
    numbers = [judged["pmse"], judged["optimal_depth_2"]["pmse"], judged["mean_pair_tvd"], terms["age"]]
    return {**row, **{name: f"{number:.6g}" for name, number in zip(FIELDS[4:], numbers)}}


def control(schema: Path) -> tuple[float, float, float, float]:
    """What a copy of the private table with shuffled columns gets, and the slope in the private table itself."""
    judged = document("evaluate", PRIVATE, PRIVATE, "--schema", schema, "--null", "none")["tables"][0]["independent_control"]
    slope = document("combine", PRIVATE, "--formula", "systolic ~ age", "--schema", schema)["coefficients"][1]["estimate"]
    return judged["pmse"], judged["optimal_depth_2"]["pmse"], judged["mean_pair_tvd"], slope


def odds_table() -> str:
    """What a belief can become at most."""
    lines = ["| epsilon | odds grow at most by | 1 in 100 becomes at most | 1 in 10 at most | 1 in 2 at most |", "|---|---|---|---|---|"]
    for epsilon in [0.1, *EPSILONS]:
        factor = math.exp(epsilon)
        beliefs = [100 * p * factor / (1 - p + p * factor) for p in (0.01, 0.1, 0.5)]
        shown = " | ".join(f"{belief:.1f} %" if belief < 99.9 else f"{belief:.2f} %" for belief in beliefs)
        grown = f"{factor:.3g}" if factor < 1000 else f"{factor:,.0f}"
        lines.append(f"| {epsilon:g} | {grown} | {shown} |")
    return "\n".join(lines)


def noise_table(schema: Path) -> str:
    """What `synth --dry-run` says about the noise of counts."""
    head = "| epsilon | a count, pure | of 1000 rows | of 10,000 rows | a count, delta 1e-6 | of 1000 rows | of 10,000 rows |"
    lines = [head, "|---|---|---|---|---|---|---|"]
    for epsilon in EPSILONS:
        cells = []
        for delta in DELTAS:
            done = run("synth", PRIVATE, "--schema", schema, "--epsilon", epsilon, "--delta", delta, "--dry-run", "--json")
            if done.returncode != 0:
                cells += ["refused", "", ""]
                continue
            noise = next(part["noise_sd"] for part in json.loads(done.stdout)["split"] if part["step"] == "margin of sex")
            cells += [f"{noise:.1f}", f"{noise / 10:.1f} %", f"{noise / 100:.2f} %"]
        lines.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def accuracy_table(rows: list[dict[str, str]], limits: tuple[float, float, float, float]) -> str:
    """The median over the seeds, and the lowest and the highest."""
    lines = ["| | epsilon | pMSE of a tree | best tree of depth 2 | two-way distance | slope, error |", "|---|---|---|---|---|---|"]
    for (kind, delta), name in NAMES.items():
        for epsilon in EPSILONS:
            these = [r for r in rows if (r["schema"], r["delta"], float(r["epsilon"])) == (kind, delta, epsilon)]
            if all(row["pmse"] == "" for row in these):
                lines.append(f"| {name} | {epsilon:g} | refused | refused | refused | refused |")
                continue
            cells = []
            for field in FIELDS[4:7]:
                values = [float(row[field]) for row in these]
                digits = 3 if field == "two_way" else 4
                cells.append(f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})")
            errors = [abs(float(row["slope"]) - limits[3]) for row in these]
            lines.append(f"| {name} | {epsilon:g} | {' | '.join(cells)} | {statistics.median(errors):.2f} |")
    lines.append(f"| *shuffled control* | | {limits[0]:.4f} | {limits[1]:.4f} | {limits[2]:.3f} | {limits[3]:.2f} |")
    return "\n".join(lines)


def page_with(text: str, tables: dict[str, str]) -> str:
    """The page with tables between their marks."""
    for name, table in tables.items():
        begin, end = f"<!-- {name}: written by docs/tools/choosing_epsilon.py -->\n", f"<!-- end of {name} -->"
        head, rest = text.split(begin)
        text = head + begin + "\n" + table + "\n\n" + end + rest.split(end, 1)[1]
    return text


def main() -> None:
    """Makes the releases, or checks some of them, and writes or compares page and plot."""
    check = "--check" in sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = schemas(folder)
        if not check:
            made = [release(folder, files[kind], kind, delta, epsilon, seed)
                    for kind in SCHEMAS for delta in DELTAS for epsilon in EPSILONS for seed in SEEDS]  # fmt: skip
            text = io.StringIO()
            writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(made)
            RESULTS.write_text(text.getvalue(), encoding="utf-8")
        rows = list(csv.DictReader(RESULTS.read_text(encoding="utf-8").splitlines()))
        limits = control(files["guide"])
        tables = {"odds": odds_table(), "noise": noise_table(files["guide"]), "accuracy": accuracy_table(rows, limits)}
        page = page_with(PAGE.read_text(encoding="utf-8"), tables)
        plot = epsilon_plot.drawn(rows, NAMES, limits[2])
        if not check:
            PAGE.write_text(page, encoding="utf-8")
            PLOT.write_text(plot, encoding="utf-8")
            return
        for kind, delta in NAMES:
            again = release(folder, files[kind], kind, delta, 4, 1)
            kept = next(r for r in rows if [r[field] for field in FIELDS[:4]] == [kind, delta, "4", "1"])
            if any(not math.isclose(float(str(again[field])), float(kept[field]), rel_tol=1e-4) for field in FIELDS[4:]):
                sys.exit(f"releases are other than those of {RESULTS.name}: run docs/tools/choosing_epsilon.py\n{again}\n{kept}")
        if page != PAGE.read_text(encoding="utf-8") or plot != PLOT.read_text(encoding="utf-8"):
            sys.exit("the page or its plot is not what its files say: run docs/tools/choosing_epsilon.py")
    print("choosing-epsilon.md: four releases made again, all tables and the plot as they were")


if __name__ == "__main__":
    main()
