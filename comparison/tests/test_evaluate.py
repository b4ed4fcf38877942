"""The measures, against values worked out by hand."""

import unittest

import numpy as np
import pandas as pd

from harness.catalogue import Table
from harness.distances import distances
from harness.forest import predict
from harness.regressions import Regression, regression_error
from harness.schema import Column, Schema
from harness.scores import score
from harness.tables import independent_columns
from harness.tree import pmse


def table(rows, seed):
    random = np.random.default_rng(seed)
    x = random.normal(size=rows)
    return pd.DataFrame(
        {"x": x, "y": 2 * x + random.normal(size=rows), "g": random.choice(["a", "b"], rows).astype(object)}
    )


SCHEMA = Schema((Column("x", "float"), Column("y", "float"), Column("g", "nominal", ("a", "b"))))


class Distances(unittest.TestCase):
    def test_a_copy_has_none(self):
        real = table(500, 1)
        self.assertEqual(distances(real, real.copy()), {"one_way": 0.0, "two_way": 0.0, "three_way": 0.0})

    def test_levels_by_hand(self):
        real = pd.DataFrame({"a": ["p", "p", "q", "q"], "b": ["u", "v", "u", "v"]}, dtype=object)
        synthetic = pd.DataFrame({"a": ["p", "p", "p", "q"], "b": ["u", "u", "v", "v"]}, dtype=object)
        found = distances(real, synthetic)
        # a: (1/2, 1/2) against (3/4, 1/4), b: the same; pairs: 1/4 each against pu 1/2, pv 1/4, qu 0, qv 1/4.
        self.assertAlmostEqual(found["one_way"], (0.25 + 0) / 2)
        self.assertAlmostEqual(found["two_way"], 0.25)
        self.assertNotIn("three_way", found)

    def test_three_columns_show_what_pairs_do_not(self):
        a, b = np.tile([0, 1], 40), np.tile([0, 0, 1, 1], 20)
        real = pd.DataFrame({"a": a, "b": b, "c": a ^ b})
        synthetic = real.assign(c=np.tile([0, 0, 0, 0, 1, 1, 1, 1], 10))
        self.assertEqual(distances(real, synthetic), {"one_way": 0.0, "two_way": 0.0, "three_way": 0.5})

    def test_missing_is_a_value(self):
        real = pd.DataFrame({"x": np.arange(100.0), "a": ["p"] * 50 + [None] * 50})
        synthetic = real.assign(x=real.x.where(real.x < 80), a="p")
        self.assertAlmostEqual(distances(real, synthetic)["one_way"], (0.2 + 0.5) / 2)

    def test_few_valued_numbers_are_levels_and_1_is_1_0(self):
        real = pd.DataFrame({"n": [0.0, 1.0, 1.0, np.nan], "m": [0, 1, 1, 0]})
        synthetic = pd.DataFrame({"n": [0, 1, 1, np.nan], "m": [0.0, 1.0, 1.0, 0.0]})
        self.assertEqual(distances(real, synthetic)["two_way"], 0.0)
        real = pd.DataFrame({"n": np.arange(45.0)})
        self.assertEqual(distances(real, real + 0.1)["one_way"], 1.0)

    def test_classes_are_quantiles_of_the_real_column(self):
        real = pd.DataFrame({"x": np.arange(1000.0), "y": np.arange(1000.0)})
        synthetic = real.assign(x=real.x.where(real.x >= 50, 50.0))  # the lowest of 20 classes moves into the next
        found = distances(real, synthetic)
        self.assertAlmostEqual(found["one_way"], 0.05 / 2)
        self.assertAlmostEqual(found["two_way"], 0.05)

    def test_many_cells_are_counted_too(self):
        codes = np.arange(2000)
        real = pd.DataFrame({name: codes.astype(str) for name in "abc"}, dtype=object)
        synthetic = real.assign(c=np.roll(codes, 1).astype(str))
        found = distances(real, synthetic)
        self.assertEqual(found["one_way"], 0.0)
        self.assertAlmostEqual(found["three_way"], 1.0)
        self.assertAlmostEqual(found["two_way"], 2 / 3)

    def test_the_control_has_exact_margins_and_no_dependence(self):
        real = table(2000, 2)
        found = distances(real, independent_columns(real, 1))
        self.assertEqual(found["one_way"], 0)
        self.assertGreater(found["two_way"], 0.1)


class Pmse(unittest.TestCase):
    def test_extremes(self):
        real = table(500, 1)
        self.assertAlmostEqual(pmse(real, real.copy()), 0, places=10)
        self.assertAlmostEqual(pmse(real, real.assign(x=real.x + 100)), 0.25)

    def test_missing_numbers_are_seen(self):
        real = table(500, 1)
        self.assertAlmostEqual(pmse(real, real.assign(x=np.nan)), 0.25)

    def test_a_mean_square_by_hand(self):
        # Half of the synthetic rows are beyond all real ones; no other difference is in the single column.
        real = pd.DataFrame({"x": np.tile(np.arange(20.0), 10)})
        synthetic = pd.DataFrame({"x": np.r_[np.tile(np.arange(20.0), 5), np.full(100, 99.0)]})
        # A leaf of 100 synthetic rows (p = 1), and leaves with 200 real and 100 synthetic in like shares (p = 1/3).
        self.assertAlmostEqual(pmse(real, synthetic), (100 * 0.25 + 300 * (1 / 6) ** 2) / 400)


class Regressions(unittest.TestCase):
    def test_no_error_on_a_copy_and_the_difference_otherwise(self):
        real = table(2000, 3)
        regressions = (Regression("y", ("x", "g")),)
        self.assertEqual(regression_error(regressions, real, real.copy(), SCHEMA), (0.0, 0))
        # Adding x to y adds 1 to its coefficient and nothing to that of g.
        error, failed = regression_error(regressions, real, real.assign(y=real.y + real.x), SCHEMA)
        self.assertAlmostEqual(error, real.x.std(ddof=0) / real.y.std(ddof=0) / 2)
        self.assertEqual(failed, 0)

    def test_one_that_cannot_be_computed_counts_as_zero_coefficients(self):
        real = table(2000, 3)
        regression = (Regression("y", ("x",)),)
        slope = np.polyfit(real.x, real.y, 1)[0]
        for broken in (real.assign(x=1.0), real.assign(y=np.nan), real.head(3)):
            error, failed = regression_error(regression, real, broken, SCHEMA)
            self.assertEqual(failed, 1)
            self.assertAlmostEqual(error, abs(slope) * real.x.std(ddof=0) / real.y.std(ddof=0))

    def test_a_level_that_is_gone_and_columns_that_are_the_same_cannot_be_computed(self):
        real = table(2000, 3)
        self.assertEqual(regression_error((Regression("y", ("x", "g")),), real, real.assign(g="a"), SCHEMA)[1], 1)
        schema = Schema((*SCHEMA.columns, Column("z", "float")))
        real = real.assign(z=np.random.default_rng(1).normal(size=len(real)))
        self.assertEqual(regression_error((Regression("y", ("x", "z")),), real, real.assign(z=real.x), schema)[1], 1)

    def test_codes_logarithms_and_indicators(self):
        real = pd.DataFrame({"x": np.exp(np.linspace(0, 1, 50)), "y": np.linspace(0, 3, 50), "g": ["a", "b"] * 25})
        coded = pd.concat([real, pd.DataFrame({"x": [5.0] * 9, "y": [-8.0] * 9, "g": ["a"] * 9})], ignore_index=True)
        error, _ = regression_error((Regression("y", ("log(x)",), codes=(-8,)),), real, coded, SCHEMA)
        self.assertAlmostEqual(error, 0)
        error, failed = regression_error((Regression("g=b", ("y",)),), real, real.assign(x=-1.0), SCHEMA)
        self.assertEqual((error, failed), (0.0, 0))
        self.assertEqual(regression_error((Regression("y", ("log(x)",)),), real, real.assign(x=-1.0), SCHEMA)[1], 1)


class All(unittest.TestCase):
    def test_columns_may_come_in_another_order(self):
        real = table(500, 4)
        regressions = (Regression("y", ("x",)),)
        found = score(Table("t", "t.csv", "g", True), real, real[["g", "y", "x"]], SCHEMA, None, regressions)
        self.assertEqual(found["two_way"], 0)
        names = {"one_way", "two_way", "three_way", "pmse", "regression", "regressions_failed", "predict"}
        self.assertEqual(set(found), names)


class Predictions(unittest.TestCase):
    def test_classes_and_numbers(self):
        real, good = table(600, 1), table(600, 2)
        found = predict(real, good, "y")
        self.assertEqual(found["metric"], "R2")
        self.assertGreater(min(found["real"], found["synthetic"]), 0.5)
        self.assertLess(predict(real, independent_columns(good, 1), "y")["synthetic"], 0.1)
        real, good = (t.assign(g=np.where(t.x > 0, "a", "b")) for t in (real, good))
        found = predict(real, good.assign(y=np.nan), "g", test=table(50, 3).assign(g="a"))
        self.assertEqual(found["metric"], "accuracy")

    def test_a_level_that_only_one_table_has_is_fine(self):
        real = table(300, 1)
        self.assertGreater(predict(real, real.assign(g="c"), "y")["synthetic"], 0.5)


if __name__ == "__main__":
    unittest.main()
