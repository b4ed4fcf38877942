"""Schema files (docs/schema.md) as far as the comparison needs them, and the domains that other libraries are given.

Everything that any method is told about a table beyond its rows comes from here, so that all are told the same.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

NUMBERS = ("integer", "float")
DEFAULT_MISSING = ("", "NA", "NaN", "?")


@dataclass(frozen=True)
class Column:
    """What a schema says about one column."""

    name: str
    kind: str
    levels: tuple = ()
    missing: tuple = DEFAULT_MISSING
    minimum: float | None = None
    maximum: float | None = None
    decimals: int | None = None
    atoms: tuple = ()

    @property
    def is_number(self):
        return self.kind in NUMBERS

    @property
    def limits(self):
        """The range of all values: limits hold for values other than atoms, so atoms may widen it."""
        if self.minimum is None or self.maximum is None:
            raise ValueError(f"column {self.name} has no limits, which the compared libraries need")
        return min((self.minimum, *self.atoms)), max((self.maximum, *self.atoms))


@dataclass(frozen=True)
class Schema:
    """All columns in the order of the file."""

    columns: tuple = field(default_factory=tuple)
    #: How the table's file spells missing values.
    missing: str = ""

    @property
    def names(self):
        return [column.name for column in self.columns]

    def __getitem__(self, name):
        return next(column for column in self.columns if column.name == name)


def read_schema(path):
    """The schema in a TOML file."""
    document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    everywhere = tuple(document.get("missing", DEFAULT_MISSING))
    return Schema(tuple(_column(entry, everywhere) for entry in document["column"]), everywhere[0])


def _column(entry, everywhere):
    kind = entry["type"]
    levels = tuple(entry.get("levels", ()))
    if kind == "boolean":
        levels = (entry.get("false", "false"), entry.get("true", "true"))
    if kind not in (*NUMBERS, "nominal", "ordered", "boolean"):
        raise ValueError(f"the comparison has no columns of type {kind}: {entry['name']}")
    return Column(
        name=entry["name"],
        kind=kind,
        levels=levels,
        missing=everywhere + tuple(entry.get("missing", ())),
        minimum=entry.get("minimum"),
        maximum=entry.get("maximum"),
        decimals=0 if kind == "integer" else entry.get("decimals"),
        atoms=tuple(entry.get("atoms", ())),
    )


def without_limits(text):
    """The text of a schema file without the lines that give limits: `indistinct` needs none."""
    return "".join(
        line for line in text.splitlines(keepends=True) if line.split("=")[0].strip() not in ("minimum", "maximum")
    )


def dpmm_domain(schema, limits=True):
    """Bounds and categories in the form that dpmm's pipelines take. Without limits it finds bounds by itself, privately."""
    domain = {}
    for column in schema.columns:
        if column.is_number:
            if not limits:
                continue
            lower, upper = column.limits
            domain[column.name] = {"lower": lower, "upper": upper}
        else:
            domain[column.name] = {"categories": list(column.levels)}
    return domain


def datasynthesizer_domain(schema):
    """Types, categories and ranges in the form that DataSynthesizer's describer takes.

    It reads files with pandas, so levels that look like whole numbers must be declared as such.
    """
    types, categories = {}, {}
    for column in schema.columns:
        types[column.name] = {"integer": "Integer", "float": "Float"}.get(column.kind, "String")
        if not column.is_number:
            categories[column.name] = list(column.levels)
            if all(level.isdecimal() for level in column.levels):
                types[column.name], categories[column.name] = "Integer", [int(level) for level in column.levels]
    return {
        "attribute_to_datatype": types,
        "attribute_to_is_categorical": {c.name: not c.is_number for c in schema.columns},
        "attribute_to_is_candidate_key": {c.name: False for c in schema.columns},
        "categorical_domains": categories,
        "numerical_attribute_ranges": {c.name: list(c.limits) for c in schema.columns if c.is_number},
    }
