"""Runs NIST's own evaluation beside ours, where its environment is there (`comparison/score.py --install-sdnist`)."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .nist import MISSING
from .tables import write_table

HERE = Path(__file__).resolve().parent.parent
ENVIRONMENT = Path(os.environ.get("SDNIST_VENV", HERE / ".venv-sdnist"))
#: Where SDNist looks for each excerpt.
FOLDERS = {"national2019": "national", "ma2019": "massachusetts"}


def installed():
    return (ENVIRONMENT / "bin/python").exists()


def install():
    """Makes the environment. SDNist 2.4 names exact versions, which have wheels for Python 3.11 but not for later ones."""
    subprocess.run([shutil.which("python3.11") or sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    requirements = HERE / "requirements-sdnist.txt"
    subprocess.run(
        [str(ENVIRONMENT / "bin/python"), "-m", "pip", "install", "--quiet", "-r", str(requirements)], check=True
    )


def evaluate(excerpt, synthetic, schema, data):
    """SDNist's scores of a synthetic table, or None where it is not installed."""
    if not installed():
        return None
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        _lay_out(excerpt, Path(data), folder / "root")
        write_table(synthetic, folder / "synthetic.csv", schema, missing=MISSING)
        run = subprocess.run(
            [ENVIRONMENT / "bin/python", "-I", HERE / "harness/sdnist_child.py", excerpt, folder / "synthetic.csv", folder / "root"],
            capture_output=True, text=True, cwd=folder,
        )  # fmt: skip
        if run.returncode != 0:
            raise RuntimeError(f"SDNist failed: {run.stderr.strip()[-500:]}")
        return json.loads(run.stdout.splitlines()[-1])


def _lay_out(excerpt, data, root):
    """The files of an excerpt as SDNist expects them, from the folder with the tables."""
    folder = root / FOLDERS[excerpt]
    folder.mkdir(parents=True)
    with gzip.open(data / f"{excerpt}.csv.gz") as packed, open(folder / f"{excerpt}.csv", "wb") as plain:
        shutil.copyfileobj(packed, plain)
    shutil.copy(data / f"nist-{excerpt}.json", folder / f"{excerpt}.json")
    shutil.copy(data / "nist-config.json", root / "config.json")
    dictionary = json.loads((data / "nist-data-dictionary.json").read_text(encoding="utf-8"))
    (root / "data_dictionary.json").write_text(json.dumps(dictionary), encoding="utf-8")
    # Names of areas for its figures, which are not drawn here but looked up all the same.
    areas = {code: {"name": name} for code, name in dictionary["PUMA"]["values"].items()}
    (root / "mappings.json").write_text(json.dumps({"PUMA": areas}), encoding="utf-8")
