"""The page says what the results say, and no more."""

import re
import unittest
from pathlib import Path

from harness import prose
from harness.methods import METHODS
from harness.page import page, peer
from harness.scores import is_complete
from harness.summary import QUALITY, SHARES, Summary

HERE = Path(__file__).resolve().parent.parent


def line(method, epsilon, seed=1, status="ok", table="adult", **metrics):
    metrics = {"pmse": 0.1, "one_way": 0.1, "two_way": 0.2, "three_way": 0.3, "regression": 0.3, "regressions_failed": 0, **metrics}
    metrics.setdefault("predict", {"column": "income", "metric": "accuracy", "real": 0.9, "synthetic": 0.8})
    found = {
        "table": table,
        "method": method,
        "epsilon": epsilon,
        "seed": seed,
        "status": status,
        "reason": None,
        "rows": 10,
        "columns": 2,
        "outside_limits": 0,
    }
    if status == "ok":
        found["metrics"] = metrics
    if epsilon is not None:
        found |= {"seconds": 1.0, "cpu_seconds": 2.0, "peak_mb": 3.0, "machine": {"cores": 2, "load": 1.5}}
    return found


REFERENCES = [line("halves", None, two_way=0.01, pmse=0.01), line("independent", None, two_way=0.4, pmse=0.2)]


def flat(text):
    return re.sub(r"\s+", " ", text)


class Page(unittest.TestCase):
    def test_losses_are_told_as_wins_are(self):
        ahead = page(Summary([*REFERENCES, line("indistinct", 1.0, two_way=0.1), line("dpmm-mst", 1.0, two_way=0.2)]))
        self.assertIn("**Two-way distance at epsilon 1.** Best: on adult `indistinct` (0.1000).", flat(ahead))
        behind = page(Summary([*REFERENCES, line("indistinct", 1.0, two_way=0.3), line("dpmm-mst", 1.0, two_way=0.2)]))
        self.assertIn("Best: on adult dpmm MST (0.2000), `indistinct` second of 2 (0.3000).", flat(behind))
        self.assertIn("| `indistinct` against dpmm MST | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 | 0 of 1 | no case | no case | 0 of 1 |", behind)
        self.assertIn("| dpmm MST | not run yet | **0.2000** | not run yet |", behind)

    def test_test_tables_are_told_from_development_tables(self):
        lines = [line(method, 1.0, table=table) for method in ("indistinct", "dpmm-mst") for table in ("adult", "nltcs")]
        text = flat(page(Summary(lines)))
        self.assertIn("**adult** |", text)
        self.assertIn("**nltcs** (test table) |", text)
        self.assertIn("on nltcs (test) ", text)

    def test_published_figures_stand_beside_ours_only(self):
        ours = line("indistinct", 1.0, table="ma2019-full", sdnist={"k_marginal": 812.3, "pmse": 0.0123, "left_out": []})
        text = page(Summary([ours]))
        self.assertIn("| `indistinct` | not run yet | 812 | not run yet |", text)
        self.assertIn("NIST publishes", text)
        self.assertNotIn("NIST publishes", page(Summary([line("indistinct", 1.0)])))

    def test_lines_from_before_a_measure_are_not_shown_for_it(self):
        old = line("dpmm-mst", 1.0)
        old["metrics"] = {"pmse": 0.1, "tvd1": 0.1, "tvd2": 0.2, "regression": 0.3, "regressions_failed": 0}
        self.assertFalse(is_complete(old))
        self.assertTrue(is_complete(line("dpmm-mst", 1.0)) and is_complete(line("dpmm-mst", 1.0, status="failed")))
        text = page(Summary([*REFERENCES, old, line("dpmm-aim", 1.0)]))
        sections = dict(part.partition("\n")[::2] for part in text.split("\n## "))
        self.assertIn("dpmm MST", sections["pMSE of a tree"])
        self.assertNotIn("dpmm MST", sections["Two-way distance"])

    def test_without_ours_nothing_is_said_about_it(self):
        text = page(Summary([*REFERENCES, line("dpmm-mst", 1.0), line("dpmm-privbayes", 1.0)]))
        self.assertIn("There are no results of `indistinct` yet", text)
        self.assertNotIn("against dpmm", text)

    def test_a_run_that_waited_for_a_processor_has_no_time(self):
        usual, waited = line("dpmm-mst", 1.0), line("dpmm-privbayes", 1.0) | {"seconds": 77.7, "process_seconds": 78.0}
        text = page(Summary([*REFERENCES, usual, waited]))
        self.assertNotIn("77.7", text)

    def test_failures_and_limits_of_time_are_shown(self):
        text = page(
            Summary(
                [
                    *REFERENCES,
                    line("dpmm-aim", 1.0, status="timeout"),
                    line("dpmm-mst", 1.0),
                    line("dpmm-mst", 1.0, 2, status="failed"),
                ]
            )
        )
        self.assertIn("| dpmm AIM | not run yet | over the time limit | not run yet |", text)
        self.assertIn("**0.2000**, 1 failed".replace("**", ""), text.replace("**", ""))
        self.assertIn("1 runs that failed, 1 that were stopped at the time limit", flat(text))
        self.assertIn("| adult | dpmm AIM | 1 | 1 | timeout: None |", text)
        self.assertIn("None so far.", page(Summary(REFERENCES)))

    def test_median_range_and_regressions_that_were_lost(self):
        runs = [
            line("dpmm-mst", 1.0, seed, two_way=value, regressions_failed=1)
            for seed, value in ((1, 0.1), (2, 0.4), (3, 0.2))
        ]
        text = page(Summary([*REFERENCES, *runs]))
        self.assertIn("0.2000 (0.1000 to 0.4000)", text)
        self.assertIn("3 not computable", text)

    def test_shares(self):
        run = line("dpmm-mst", 1.0, two_way=0.1, pmse=0.1)
        summary = Summary([*REFERENCES, run])
        self.assertAlmostEqual(SHARES[0].of(summary, run), 0.75)
        self.assertAlmostEqual(SHARES[1].of(summary, run), 0.5)

    def test_a_tree_that_does_not_see_the_control_gives_no_share(self):
        references = [line("halves", None, pmse=0.01), line("independent", None, pmse=0.001)]
        run = line("dpmm-mst", 1.0)
        summary = Summary([*references, run])
        self.assertIsNone(SHARES[1].of(summary, run))
        self.assertIn("On adult the tree does not see the control", page(summary))
        self.assertNotIn("does not see the control", page(Summary([*REFERENCES, run])))

    def test_cases_where_only_one_gave_a_table_are_counted_apart(self):
        lines = [
            line("indistinct", 1.0, two_way=0.1),
            line("dpmm-mst", 1.0, status="failed"),
            line("indistinct", 4.0, status="failed"),
            line("dpmm-mst", 4.0),
        ]
        self.assertEqual(Summary(lines).ahead("indistinct", "dpmm-mst", QUALITY[2]), (0, 0, 1, 1))

    def test_a_busy_machine_is_told(self):
        run = line("dpmm-mst", 1.0)
        self.assertIn("The machine was busy", page(Summary([run])))
        run["machine"]["load"] = 0.1
        self.assertNotIn("The machine was busy", page(Summary([run])))

    def test_like_is_set_against_like(self):
        peers = {method.name: peer(method) for method in METHODS if method.library in ("dpmm", "DataSynthesizer")}
        self.assertEqual(peers["dpmm-mst"], "indistinct")
        self.assertEqual(peers["dpmm-mst-no-limits"], "indistinct-no-limits")
        self.assertEqual(peers["datasynthesizer"], "indistinct-pure")


    def test_libraries_are_named_where_there_are_results_of_them(self):
        two = page(Summary([*REFERENCES, line("indistinct", 1.0), line("dpmm-mst", 1.0), line("datasynthesizer", 1.0)]))
        self.assertTrue(two.startswith("# Comparison with dpmm and DataSynthesizer\n"))
        self.assertNotIn("dpsynth", two)
        self.assertNotIn("**MST, no limits**", two)
        more = page(Summary([line("dpmm-mst-no-limits", 1.0), line("dpsynth-mst", 1.0)]))
        self.assertTrue(more.startswith("# Comparison with dpmm and dpsynth\n"))
        self.assertTrue("**dpsynth** 0.3.0" in more and "**MST, no limits**" in more and "DataSynthesizer**" not in more)
        self.assertTrue(page(Summary(REFERENCES)).startswith("# Comparison with other libraries\n"))

    def test_every_library_and_method_that_is_told_of_is_compared(self):
        self.assertEqual(set(prose.TOLD_OF), {m.library for m in METHODS if not m.is_ours and not m.is_reference})
        self.assertLessEqual(set(prose.TOLD_OF_METHOD), {m.name for m in METHODS})


class Prose(unittest.TestCase):
    def test_versions_are_those_that_are_installed(self):
        pinned = dict(re.findall(r"^([A-Za-z-]+)==(\S+)$", (HERE / "requirements.txt").read_text(), re.M))
        self.assertIn("**dpsynth** 0.3.0", prose.TOLD_OF["dpsynth"])
        self.assertIn("google/dpsynth) 0.3.0", (HERE / "README.md").read_text())
        for name in ("dpmm", "DataSynthesizer"):
            self.assertIn(f"**{name}** {pinned[name]}", prose.TOLD_OF[name])


if __name__ == "__main__":
    unittest.main()
