"""A quick try of everything on a generated table: no data, no network, and without the other libraries where they are absent."""

import importlib.util
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from . import page
from .catalogue import Table
from .methods import METHODS
from .regressions import Regression
from .results import Run, read_results
from .runner import Runner

ROWS = 1000
SCHEMA = """version = 1

[[column]]
name = "height"
type = "float"
decimals = 1
minimum = 100
maximum = 250

[[column]]
name = "weight"
type = "integer"
minimum = 20
maximum = 250

[[column]]
name = "group"
type = "nominal"
levels = ["a", "b", "c"]

[[column]]
name = "flag"
type = "boolean"
false = "0"
true = "1"
"""


def generated_table(seed=1):
    """Invented persons: weight depends on height, the group on nothing, and some values are missing."""
    random = np.random.default_rng(seed)
    height = random.normal(170, 10, ROWS).round(1)
    weight = (height - 100 + random.normal(0, 10, ROWS)).round().astype(int)
    return pd.DataFrame(
        {
            "height": np.where(random.random(ROWS) < 0.05, "", height.astype(str)),
            "weight": weight,
            "group": random.choice(["a", "b", "c"], ROWS, p=[0.6, 0.3, 0.1]),
            "flag": (random.random(ROWS) < 0.2).astype(int),
        }
    )


def smoke(binary, time_limit=300):
    """Runs the references, `indistinct` where it is built, and the quickest other library where it is installed."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        generated_table().to_csv(folder / "smoke.csv", index=False)
        (folder / "smoke.toml").write_text(SCHEMA, encoding="utf-8")
        results = folder / "results.jsonl"
        table = Table("smoke", "smoke.csv", "group", True)
        regressions = {"smoke": (Regression("weight", ("height", "group")),)}
        runner = Runner(
            folder, folder, folder / "work", binary, time_limit, results, {"smoke": table}, regressions
        )
        for method in METHODS:
            if method.rules:
                continue
            if method.is_ours and not Path(binary).is_file():
                print(f"SKIPPED {method.name}: {binary} is not built")
            elif method.library == "DataSynthesizer" and importlib.util.find_spec("DataSynthesizer") is None:
                print(f"SKIPPED {method.name}: it is not installed")
            elif method.library not in ("dpmm", "dpsynth"):
                run = Run("smoke", method.name, None if method.is_reference else 1.0, 1)
                print(f"{run} ... {runner.run(run)}", flush=True)
        page.write(results, folder / "page.md")
        failed = [line for line in read_results(results).values() if line["status"] != "ok"]
    return 1 if failed else 0
