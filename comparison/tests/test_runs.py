"""Running commands, the order of runs, results and their file."""

import sys
import tempfile
import unittest
from pathlib import Path

from harness.catalogue import Table
from harness.execute import execute
from harness.methods import BY_NAME, EPSILONS, METHODS, command
from harness.plan import is_too_long, planned, wanted
from harness.privacy import rho
from harness.results import Run, add_result, read_results
from harness.runner import Paths, Runner


class Execute(unittest.TestCase):
    def python(self, code, time_limit=60):
        with tempfile.TemporaryDirectory() as folder:
            return execute([sys.executable, "-c", code], time_limit, Path(folder) / "log.txt", folder)

    def test_what_a_process_takes(self):
        outcome = self.python("import time; b = bytearray(300_000_000); time.sleep(0.3)")
        self.assertEqual((outcome.status, outcome.reason), ("ok", None))
        self.assertGreater(outcome.peak_mb, 280)
        self.assertGreater(outcome.seconds, 0.3)

    def test_memory_is_that_of_the_process_and_not_of_the_harness(self):
        large = bytearray(300_000_000)
        self.assertLess(self.python("pass").peak_mb, 50)
        del large

    def test_failures_have_a_reason(self):
        outcome = self.python("raise ValueError('too small')")
        self.assertEqual((outcome.status, outcome.reason), ("failed", "exit code 1: ValueError: too small"))
        self.assertEqual(self.python("import sys; sys.exit(3)").reason, "exit code 3: it said nothing")

    def test_the_time_limit_ends_children_too(self):
        code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
        outcome = self.python(code, time_limit=0.5)
        self.assertEqual(outcome.status, "timeout")
        self.assertIn("stopped after 0.5 seconds", outcome.reason)
        self.assertLess(outcome.seconds, 10)


class Plan(unittest.TestCase):
    def test_order_and_count(self):
        runs = planned(["t", "u"], EPSILONS, 3)
        references = sum(method.is_reference for method in METHODS)
        private = sum(not method.is_reference and not method.rules for method in METHODS)
        self.assertEqual(len(runs), 2 * 3 * (references + len(EPSILONS) * private))
        self.assertEqual(len(set(runs)), len(runs))
        order = [
            runs.index(Run("t", "dpmm-mst", 1.0, 1)),
            runs.index(Run("u", "dpmm-mst", 1.0, 1)),
            runs.index(Run("t", "dpmm-mst", 0.5, 1)),
        ]
        order += [
            runs.index(Run("t", "dpmm-mst", 4.0, 1)),
            runs.index(Run("t", "dpmm-aim", 1.0, 1)),
            runs.index(Run("t", "dpmm-mst", 1.0, 2)),
        ]
        self.assertEqual(order, sorted(order))

    def test_rules_are_for_tables_that_have_some(self):
        runs = planned(["t", "u"], EPSILONS, 1, with_rules=["u"])
        self.assertEqual({run.table for run in runs if run.method == "indistinct-rules"}, {"u"})

    def test_long_runs_are_not_repeated(self):
        first = Run("t", "dpmm-aim", 1.0, 1)
        done = {first: {"process_seconds": 900.0}}
        self.assertTrue(is_too_long(Run("t", "dpmm-aim", 1.0, 2), done))
        self.assertFalse(is_too_long(first, done))
        self.assertFalse(is_too_long(Run("t", "dpmm-mst", 1.0, 2), done))
        self.assertFalse(is_too_long(Run("t", "dpmm-aim", 1.0, 2), {first: {"process_seconds": 100.0}}))

    def test_filters(self):
        run = Run("adult", "dpmm-mst", 1.0, 2)
        for text in ("adult", "adult/dpmm-mst", "adult/dpmm-mst/1", "//1.0", "/dpmm-mst"):
            self.assertTrue(wanted(run, [text]), text)
        for text in ("hmeq", "/dpmm-aim", "//4"):
            self.assertFalse(wanted(run, [text]), text)
        self.assertTrue(wanted(run, []))
        self.assertTrue(wanted(run, ["hmeq", "adult"]))
        self.assertFalse(wanted(Run("adult", "halves", None, 1), ["//1"]))


class Results(unittest.TestCase):
    def test_the_later_line_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "r.jsonl"
            self.assertEqual(read_results(path), {})
            for seed, status in ((1, "failed"), (2, "ok"), (1, "ok")):
                add_result(path, {"table": "t", "method": "m", "epsilon": 1.0, "seed": seed, "status": status})
            results = read_results(path)
        self.assertEqual([line["status"] for line in results.values()], ["ok", "ok"])
        self.assertEqual(len(results), 2)


class Budgets(unittest.TestCase):
    def test_rho_is_what_certificates_of_indistinct_say(self):
        # The `composition` of a certificate for epsilon 1 and delta 1e-5.
        self.assertAlmostEqual(rho(1.0, 1e-5), 0.030556595197639, places=9)
        self.assertGreater(rho(4.0, 1e-5), rho(1.0, 1e-5))


class Commands(unittest.TestCase):
    def test_ours(self):
        paths = Paths(Path("t.csv"), Path("s.toml"), Path("n.toml"), Path("f"))
        said = command(BY_NAME["indistinct"], Run("t", "indistinct", 1.0, 2), paths, "bin")
        self.assertEqual(
            said, "bin synth t.csv --schema s.toml --epsilon 1.0 --delta 1e-05 --seed 2 --out f/release".split()
        )
        self.assertEqual(command(BY_NAME["dpmm-mst"], Run("t", "", 1.0, 2), paths, "bin")[0], sys.executable)
        self.assertIn("dpsynth", command(BY_NAME["dpsynth-mst"], Run("t", "", 1.0, 2), paths, "bin")[0])
        self.assertIn("n.toml", command(BY_NAME["indistinct-no-limits"], Run("t", "", 1.0, 2), paths, "bin"))
        ruled = Paths(Path("t.csv"), Path("s.toml"), Path("n.toml"), Path("f"), Path("r.toml"))
        self.assertIn("r.toml", command(BY_NAME["indistinct-rules"], Run("t", "", 1.0, 2), ruled, "bin"))
        self.assertIn("0.0", command(BY_NAME["indistinct-pure"], Run("t", "", 1.0, 2), paths, "bin"))

    def test_a_table_that_cannot_be_read_is_a_failed_run(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "t.csv").write_text("x,y\n" + "1,2\n3,4\n" * 20)
            (folder / "t.toml").write_text(
                "version = 1\n"
                + "".join(f'[[column]]\nname = "{c}"\ntype = "float"\nminimum = 0\nmaximum = 9\n' for c in "xy")
            )
            fake = folder / "fake"
            fake.write_text(
                '#!/bin/sh\n[ "$1" = --version ] && { echo fake 9; exit; }\nfor last; do :; done\nmkdir -p "$last"; echo x > "$last/synthetic.csv"\n'
            )
            fake.chmod(0o755)
            runner = Runner(folder, folder, folder / "work", fake, 60, folder / "r.jsonl", {"t": Table("t", "t.csv", "x", True)}, {"t": ()})
            self.assertIn("failed: its synthetic table cannot be read", runner.run(Run("t", "indistinct", 1.0, 1)))
            (line,) = read_results(folder / "r.jsonl").values()
        self.assertEqual((line["status"], line["versions"]), ("failed", {"indistinct": "9"}))


if __name__ == "__main__":
    unittest.main()
