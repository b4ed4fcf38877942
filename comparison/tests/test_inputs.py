"""Schemas, tables and the domains that other libraries get."""

import tempfile
import tomllib
import unittest
from pathlib import Path

import numpy as np
import pandas as pd

from harness.regressions import REGRESSIONS
from harness.schema import Column, Schema, datasynthesizer_domain, dpmm_domain, read_schema, without_limits
from harness.catalogue import TABLES
from harness.nist import DEMOGRAPHIC, RULES, broken_rules, rules
from harness.tables import halves, independent_columns, read_table, within_limits, write_table

SCHEMAS = Path(__file__).resolve().parent.parent / "schemas"
SCHEMA = Schema(
    (
        Column("n", "integer", minimum=0, maximum=9, decimals=0, missing=("", "-8")),
        Column("x", "float", minimum=0.5, maximum=2.0, decimals=2, atoms=(-1,)),
        Column("b", "boolean", ("0", "1")),
        Column("g", "nominal", ("a", "b")),
    )
)


class Schemas(unittest.TestCase):
    def test_every_table_has_a_schema_with_limits_and_regressions_on_its_columns(self):
        for name in (table.name for table in TABLES):
            schema = read_schema(SCHEMAS / f"{name}.toml")
            self.assertGreaterEqual(len(schema.columns), 8)
            for column in schema.columns:
                if column.is_number:
                    self.assertLess(*column.limits)
                else:
                    self.assertEqual(len(set(column.levels)), len(column.levels))
            self.assertIn(next(table.predict for table in TABLES if table.name == name), schema.names)
            for regression in REGRESSIONS[name]:
                for term in (regression.outcome, *regression.predictors):
                    column, _, level = term.removeprefix("log(").removesuffix(")").partition("=")
                    self.assertIn(column, schema.names)
                    self.assertTrue(not level or level in schema[column].levels)

    def test_schemas_with_rules_differ_by_these_only(self):
        for name in (table.name for table in TABLES if table.has_rules):
            plain, ruled = (tomllib.loads((SCHEMAS / f"{name}{end}.toml").read_text()) for end in ("", "-rules"))
            constraints = [constraint["rule"] for constraint in ruled.pop("constraint")]
            self.assertEqual(plain, ruled)
            names = [column["name"] for column in plain["column"]]
            self.assertEqual(constraints, [rule.text for rule in rules(names)])
            self.assertEqual(len(names), len(DEMOGRAPHIC) if name.endswith("demographic") else 24)

    def test_without_limits_nothing_but_limits_is_gone(self):
        for name in (table.name for table in TABLES):
            text = (SCHEMAS / f"{name}.toml").read_text(encoding="utf-8")
            given, left = tomllib.loads(text), tomllib.loads(without_limits(text))
            for column in given["column"]:
                column.pop("minimum", None), column.pop("maximum", None)
            self.assertEqual(given, left)

    def test_atoms_widen_the_range(self):
        self.assertEqual(SCHEMA["x"].limits, (-1, 2.0))
        with self.assertRaises(ValueError):
            Column("y", "float", minimum=1).limits

    def test_domains(self):
        self.assertEqual(
            dpmm_domain(SCHEMA),
            {
                "n": {"lower": 0, "upper": 9},
                "x": {"lower": -1, "upper": 2.0},
                "b": {"categories": ["0", "1"]},
                "g": {"categories": ["a", "b"]},
            },
        )
        self.assertEqual(list(dpmm_domain(SCHEMA, limits=False)), ["b", "g"])
        domain = datasynthesizer_domain(SCHEMA)
        self.assertEqual(domain["attribute_to_datatype"], {"n": "Integer", "x": "Float", "b": "Integer", "g": "String"})
        self.assertEqual(domain["categorical_domains"], {"b": [0, 1], "g": ["a", "b"]})
        self.assertEqual(domain["numerical_attribute_ranges"], {"n": [0, 9], "x": [-1, 2.0]})


class Tables(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            path.write_text(text)
            return read_table(path, SCHEMA)

    def test_missing_values_and_codes(self):
        table = self.read("g,b,x,n\na,1,0.5,-8\n?,,NA,3\n b, 0,2,-8.0\n")
        self.assertEqual(list(table), ["n", "x", "b", "g"])
        self.assertEqual(list(table.n.isna()), [True, False, True])
        self.assertEqual(list(table.x.isna()), [False, True, False])
        self.assertEqual(list(table.b), ["1", None, "0"])
        self.assertEqual(list(table.g), ["a", None, "b"])

    def test_a_column_that_is_not_there_and_text_among_numbers_are_errors(self):
        for text in ("g,b,x\na,1,1\n", "g,b,x,n\na,1,much,1\n"):
            with self.assertRaises(ValueError):
                self.read(text)

    def test_what_is_written_reads_the_same_up_to_decimals(self):
        table = pd.DataFrame({"n": [1.0, np.nan], "x": [1.2345, -0.001], "b": ["1", None], "g": [np.nan, "b"]})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.csv"
            write_table(table, path, SCHEMA)
            self.assertEqual(path.read_text(), "n,x,b,g\n1,1.23,1,\n,0.00,,b\n")
            again = read_table(path, SCHEMA)
        self.assertEqual(list(again.x), [1.23, 0.0])

    def test_limits(self):
        table = pd.DataFrame({"n": [-5.0, 3.0, np.nan], "x": [-1.0, 7.0, 1.0], "b": ["0"] * 3, "g": ["a"] * 3})
        limited, outside = within_limits(table, SCHEMA)
        self.assertEqual(outside, 2)
        self.assertEqual(list(limited.x), [-1.0, 2.0, 1.0])
        self.assertEqual(limited.n[0], 0)
        self.assertTrue(np.isnan(limited.n[2]))

    def test_control_and_halves_are_the_same_rows_by_seed(self):
        table = pd.DataFrame({"a": np.arange(101), "b": np.arange(101)})
        control = independent_columns(table, 1)
        self.assertEqual(sorted(control.a), list(table.a))
        self.assertFalse((control.a == control.b).all())
        self.assertTrue(control.equals(independent_columns(table, 1)))
        first, second = halves(table, 1)
        self.assertEqual(sorted([*first.a, *second.a]), list(table.a))
        self.assertEqual((len(first), len(second)), (50, 51))


class NistRules(unittest.TestCase):
    """A child and an adult, each as the survey has them, and what is wrong with other rows."""

    TABLE = pd.DataFrame(
        {
            "AGEP": [2.0, 40.0], "MSP": [None, "1"], "EDU": [None, "9"], "PINCP_DECILE": [None, "5"], "DVET": [None, None],
            "HOUSING_TYPE": ["1", "2"], "OWN_RENT": ["1", "0"], "NOC": [1.0, np.nan], "NPF": [3.0, np.nan],
            "WGTP": [9.0, 0.0], "INDP": [None, "170"], "INDP_CAT": [None, "0"], "DREM": [None, "1"], "DPHY": [None, "2"],
            "PINCP": [np.nan, 100.0],
        }
    )  # fmt: skip

    def test_rows_of_the_survey_break_none(self):
        self.assertEqual(broken_rules(self.TABLE), {})
        self.assertEqual(len(rules(self.TABLE.columns)), len(RULES), "the table has every column that a rule is about")

    def test_each_rule_can_be_broken(self):
        other = self.TABLE.iloc[[1, 0]].reset_index(drop=True)
        for column in self.TABLE.columns:
            mixed = self.TABLE.assign(**{column: other[column]})
            broken = set(broken_rules(mixed))
            concerned = {rule.text for rule in RULES if column in rule.columns}
            self.assertLessEqual(broken, concerned, column)
            if column != "DVET":  # it is missing in both
                self.assertTrue(broken, column)


if __name__ == "__main__":
    unittest.main()
