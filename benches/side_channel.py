#!/usr/bin/env python3
"""How the work of `synth` and `sample` depends on the private rows, at a fixed number of rows and a fixed schema.

Counts the instructions of one thread with valgrind's callgrind, which do not depend on what else a machine does, for tables of
several kinds and several seeds. The figures in docs/threat-model.md come from here:

    cargo build --release -p indistinct-cli
    python3 benches/side_channel.py target/release/indistinct
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS = 1000
SEEDS = range(1, 6)
MIXED = """version = 1
[[column]]
name = "amount"
type = "float"
decimals = 2
[[column]]
name = "visits"
type = "integer"
[[column]]
name = "seen"
type = "date"
format = "%Y-%m-%d"
[[column]]
name = "flag"
type = "boolean"
false = "no"
true = "yes"
[[column]]
name = "group"
type = "nominal"
levels = ["a", "b", "c", "d", "e"]
"""
NORMAL = "version = 1\n" + "".join(f'[[column]]\nname = "x{j}"\ntype = "float"\n' for j in range(5))


def usual(draw):
    day = f"20{draw.randrange(10, 24):02d}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 29):02d}"
    return [f"{draw.lognormvariate(3, 1):.2f}", str(draw.randrange(12)), day, draw.choice(["no", "yes"]), draw.choice("abcde")]


def table(kind, mixed):
    """All tables of a kind have as many rows; columns of numbers only are those of a model that knows nothing else."""
    draw = random.Random(7)
    rows = []
    for row in range(ROWS):
        if mixed:
            cells = usual(draw)
            if kind == "all rows equal":
                cells = ["12.50", "3", "2020-05-05", "no", "a"]
            elif kind == "all values different":
                cells = [f"{row * 7.31:.2f}", str(row * 3), f"{1950 + row % 70}-{row % 12 + 1:02d}-{row % 28 + 1:02d}", cells[3], cells[4]]
            elif kind == "a few far out" and row % 100 == 0:
                cells[:3] = [f"{10.0 ** (row // 100 + 3):.2f}", str(10 ** (row // 100)), "1801-01-01"]
            elif kind == "half missing":
                cells = ["" if draw.random() < 0.5 else cell for cell in cells]
        else:
            centre = draw.gauss(0, 1)
            values = [centre + draw.gauss(0, 1) for _ in range(5)]
            if kind == "all rows equal":
                values = [1.5] * 5
            elif kind == "all values different":
                values = [row * (j + 1.1) for j in range(5)]
            elif kind == "a few far out" and row % 100 == 0:
                values = [value * 10.0 ** (row // 100 + 2) for value in values]
            cells = [f"{value:.4f}" for value in values]
        rows.append(",".join(cells))
    names = "amount,visits,seen,flag,group" if mixed else ",".join(f"x{j}" for j in range(5))
    return names + "\n" + "\n".join(rows) + "\n"


def instructions(folder, *command):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)]
    done = subprocess.run(valgrind, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main(binary):
    binary = Path(binary).resolve()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for mixed, schema in [(True, MIXED), (False, NORMAL)]:
            (folder / "schema.toml").write_text(schema)
            kinds = ["as usual", "all rows equal", "all values different", "a few far out"] + ["half missing"] * mixed
            first = None
            for kind in kinds:
                (folder / "private.csv").write_text(table(kind, mixed))
                synth, sample = [], []
                for seed in SEEDS:
                    common = ["--quiet", "--threads", "1", "--seed", str(seed)]
                    synth.append(
                        instructions(
                            folder, binary, "synth", "private.csv", "--model", "mixed" if mixed else "normal", "--schema", "schema.toml", "--epsilon", "8", "--force", *common
                        )
                    )
                    sample.append(
                        instructions(
                            folder, binary, "sample", "release/model.json", "--rows", ROWS, "--out", "more.csv", "--force", *common
                        )
                    )
                mean = sum(synth) / len(synth)
                first = first or (mean, sum(sample) / len(sample))
                print(
                    f"{'mixed' if mixed else 'normal'}, {kind}: synth {mean / 1e6:.0f} million ({100 * mean / first[0]:.0f} %; "
                    f"seeds {100 * min(synth) / mean - 100:+.0f} to {100 * max(synth) / mean - 100:+.0f} %), "
                    f"sample {100 * sum(sample) / len(sample) / first[1]:.0f} %",
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1])
