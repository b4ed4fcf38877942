"""What is publicly known about NIST's excerpts of the American Community Survey: `python -m harness.nist DIR` writes their schemas.

DIR has NIST's own descriptions, `nist-national2019.json` and `nist-ma2019.json`; what codes mean is in its data dictionary.
National and Massachusetts have the same questions, so that one list of columns makes all schemas. Industry codes are those of
both excerpts together: which of them occur in one is not public knowledge. Rules are those that the dictionary's notes on `N` and on group
quarters suggest; all of them were checked to hold in both excerpts, ma2019 among them.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

#: The code for "the question does not apply".
MISSING = "N"
EXCERPTS = ("national2019", "ma2019")
#: The columns that NIST calls demographic-focused.
DEMOGRAPHIC = ("AGEP", "SEX", "MSP", "RAC1P", "HOUSING_TYPE", "OWN_RENT", "EDU", "PINCP_DECILE", "DVET", "DEYE")
#: The density of each area, read off the excerpts: DENSITY is a function of PUMA, and NIST's dictionary has its least and largest value only.
DENSITIES = {
    "national2019": (
        "16.3", "73.0", "90.7", "2674.3", "2731.2", "3305.1", "3393.2", "3572.3", "3670.4", "4187.9", "4817.2", "5434.8",
        "7990.5", "11162.8", "11171.6", "11224.3", "15097.5", "33632.6", "50441.6", "52864.7",
    ),
    "ma2019": ("1457.2", "2195.3", "2447.1", "2872.7", "3683.9"),
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """A rule between columns: as a schema has it, why it holds, and the same as a test of a table's rows."""

    text: str
    because: str
    columns: tuple
    holds: Callable


def _missing_below(column, age):
    """A question is asked of everyone from an age on, and of nobody below it."""
    return (
        Rule(f"{column} is missing when AGEP < {age}", f"not asked below {age}", (column, "AGEP"),
             lambda t: (t.AGEP >= age) | t[column].isna()),
        Rule(f"{column} is not missing when AGEP >= {age}", f"asked from {age} on", (column, "AGEP"),
             lambda t: (t.AGEP < age) | t[column].notna()),
    )  # fmt: skip


def _group_quarters(t):
    return t.HOUSING_TYPE != "1"


RULES = (
    *_missing_below("MSP", 15),
    *_missing_below("PINCP_DECILE", 15),
    *_missing_below("PINCP", 15),
    *_missing_below("EDU", 3),
    *_missing_below("DREM", 5),
    *_missing_below("DPHY", 5),
    Rule("DVET is missing when AGEP < 17", "veterans are adults", ("DVET", "AGEP"),
         lambda t: (t.AGEP >= 17) | t.DVET.isna()),
    Rule("OWN_RENT == '0' when HOUSING_TYPE != '1'", "group quarters are neither owned nor rented",
         ("OWN_RENT", "HOUSING_TYPE"), lambda t: ~_group_quarters(t) | (t.OWN_RENT == "0")),
    Rule("OWN_RENT != '0' when HOUSING_TYPE == '1'", "housing units are owned or rented",
         ("OWN_RENT", "HOUSING_TYPE"), lambda t: _group_quarters(t) | (t.OWN_RENT != "0")),
    Rule("NOC is missing when HOUSING_TYPE != '1'", "group quarters have no households", ("NOC", "HOUSING_TYPE"),
         lambda t: ~_group_quarters(t) | t.NOC.isna()),
    Rule("NOC is not missing when HOUSING_TYPE == '1'", "counted in every household", ("NOC", "HOUSING_TYPE"),
         lambda t: _group_quarters(t) | t.NOC.notna()),
    Rule("NPF is missing when HOUSING_TYPE != '1'", "group quarters have no families", ("NPF", "HOUSING_TYPE"),
         lambda t: ~_group_quarters(t) | t.NPF.isna()),
    Rule("WGTP == 0 when HOUSING_TYPE != '1'", "group quarters have no housing weight", ("WGTP", "HOUSING_TYPE"),
         lambda t: ~_group_quarters(t) | (t.WGTP == 0)),
    Rule("WGTP > 0 when HOUSING_TYPE == '1'", "housing units have a weight", ("WGTP", "HOUSING_TYPE"),
         lambda t: _group_quarters(t) | (t.WGTP > 0)),
    Rule("INDP is missing when INDP_CAT is missing", "one is made of the other", ("INDP", "INDP_CAT"),
         lambda t: t.INDP_CAT.notna() | t.INDP.isna()),
    Rule("INDP is not missing when INDP_CAT is not missing", "one is made of the other", ("INDP", "INDP_CAT"),
         lambda t: t.INDP_CAT.isna() | t.INDP.notna()),
    Rule("INDP_CAT is missing when AGEP < 16", "not asked below 16", ("INDP_CAT", "AGEP"),
         lambda t: (t.AGEP >= 16) | t.INDP_CAT.isna()),
)  # fmt: skip


def rules(names):
    """The rules between columns of this list."""
    return [rule for rule in RULES if set(rule.columns) <= set(names)]


def broken_rules(table):
    """Shares of rows that break each rule, by the rule's text; only those that are broken."""
    shares = {rule.text: float((~rule.holds(table)).mean()) for rule in rules(table.columns)}
    return {text: share for text, share in shares.items() if share > 0}


def _codes(first, last):
    return [str(code) for code in range(first, last + 1)]


def columns(excerpt, descriptions):
    """All columns of an excerpt in the order of its file, each as the keys of a schema."""
    areas = descriptions[excerpt]["PUMA"]["values"]
    industries = sorted({code for d in descriptions.values() for code in d["INDP"]["values"]} - {MISSING}, key=int)
    yes_no = {"type": "boolean", "false": "2", "true": "1"}
    return {
        "PUMA": {"type": "nominal", "levels": areas},
        "AGEP": {"type": "integer", "minimum": 0, "maximum": 99},
        "SEX": {"type": "nominal", "levels": _codes(1, 2)},
        "MSP": {"type": "nominal", "levels": _codes(1, 6)},
        "HISP": {"type": "nominal", "levels": _codes(0, 4)},
        "RAC1P": {"type": "nominal", "levels": _codes(1, 9)},
        "NOC": {"type": "integer", "minimum": 0, "maximum": 19},
        "NPF": {"type": "integer", "minimum": 2, "maximum": 20},
        "HOUSING_TYPE": {"type": "nominal", "levels": _codes(1, 3)},
        "OWN_RENT": {"type": "nominal", "levels": _codes(0, 2)},
        "DENSITY": {"type": "ordered", "levels": list(DENSITIES[excerpt])},
        "INDP": {"type": "nominal", "levels": industries},
        "INDP_CAT": {"type": "nominal", "levels": _codes(0, 18)},
        "EDU": {"type": "ordered", "levels": _codes(1, 12)},
        "PINCP": {"type": "integer", "atoms": [0], "minimum": -9000, "maximum": 1341000},
        "PINCP_DECILE": {"type": "ordered", "levels": _codes(0, 9)},
        "POVPIP": {"type": "integer", "atoms": [501], "minimum": 0, "maximum": 500},
        "DVET": {"type": "nominal", "levels": _codes(1, 6)},
        "DREM": yes_no,
        "DPHY": yes_no,
        "DEYE": yes_no,
        "DEAR": yes_no,
        "PWGTP": {"type": "integer", "minimum": 1, "maximum": 9999},
        "WGTP": {"type": "integer", "atoms": [0], "minimum": 1, "maximum": 9999},
    }


def schema_text(title, chosen, rules):
    """A schema file."""
    parts = [f"# {title}\nversion = 1\nmissing = {json.dumps([MISSING, ''])}\n"]
    for name, keys in chosen.items():
        lines = [f"{key} = {json.dumps(value)}" for key, value in ({"name": name} | keys).items()]
        parts.append("\n".join(["[[column]]", *lines]) + "\n")
    for rule in rules:
        parts.append(f"[[constraint]]\nrule = {json.dumps(rule.text)}\nbecause = {json.dumps(rule.because)}\n")
    return "\n".join(parts)


def schemas(descriptions):
    """The text of every schema file, by its name without ending."""
    texts = {}
    for excerpt in EXCERPTS:
        everything = columns(excerpt, descriptions)
        sets = {
            "demographic": {name: keys for name, keys in everything.items() if name in DEMOGRAPHIC},
            "full": everything,
        }
        for which, chosen in sets.items():
            what = f"NIST Diverse Communities Data Excerpts, {excerpt}, {len(chosen)} columns; codes and limits of NIST's data dictionary."
            name = f"{excerpt}-{which}"
            texts[name] = schema_text(f"{what}\n# Made by harness/nist.py.", chosen, ())
            texts[f"{name}-rules"] = schema_text(
                f"{what}\n# With the rules that its notes on `N` state. Made by harness/nist.py.", chosen, rules(chosen)
            )
    return texts


def main(folder):
    """Writes all schemas beside the others."""
    descriptions = {
        name: json.loads((Path(folder) / f"nist-{name}.json").read_text(encoding="utf-8"))["schema"]
        for name in EXCERPTS
    }
    for name, text in schemas(descriptions).items():
        path = Path(__file__).resolve().parent.parent / "schemas" / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main(sys.argv[1])
