"""The real tables: where each is, what is predicted in it, and whether anything was ever tuned on it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """One table of the page. None is part of this repository: `file` is a name in the folder of `--data`."""

    name: str
    file: str
    #: The column that a forest predicts from all others, chosen before any result was seen.
    predict: str
    #: Whether methods were developed with this table in sight. The others are test tables: reported on, never tuned on.
    development: bool
    #: Real rows that no method sees, where the table comes with some; else a third of its own rows is the test.
    test_file: str | None = None
    #: The name that NIST's own evaluation knows it by.
    excerpt: str | None = None

    @property
    def has_rules(self):
        """Whether there is a schema with rules between columns too."""
        return self.excerpt is not None


TABLES = (
    Table("adult", "adult.csv.gz", "income", True),
    Table("hmeq", "hmeq.csv", "BAD", True),
    Table("diamonds", "diamonds.csv.gz", "price", True),
    Table("sd2011", "sd2011.csv.gz", "smoke", True),
    Table("national2019-demographic", "national2019.csv.gz", "OWN_RENT", True, excerpt="national2019"),
    Table("national2019-full", "national2019.csv.gz", "PINCP", True, excerpt="national2019"),
    Table(
        "artificial-characters", "artificial-characters-train.csv", "Class", True,
        test_file="artificial-characters-test.csv",
    ),
    Table("ma2019-demographic", "ma2019.csv.gz", "OWN_RENT", False, excerpt="ma2019"),
    Table("ma2019-full", "ma2019.csv.gz", "PINCP", False, excerpt="ma2019"),
    Table("nltcs", "nltcs.csv.gz", "managing money", False),
    Table("randhie", "randhie.csv", "mdvis", False),
)  # fmt: skip
BY_NAME = {table.name: table for table in TABLES}
