"""What the columns of a table mean."""

from __future__ import annotations

import os
import warnings
from typing import Any, Optional, TypeVar, TypedDict, Union

from . import _html, _indistinct, _written
from ._document import Document
from ._frames import as_source, failure, give_back, is_path, library_of

T = TypeVar("T")


class _Named(TypedDict):
    name: str
    type: str


class ColumnDescription(_Named, total=False):
    """What a schema says about a column; a draft also says what it learned from the private data."""

    levels: list[str]
    false: str
    true: str
    format: str
    decimals: int
    atoms: list[Any]
    family: str
    focus: float
    weight: bool
    derive: str
    lookup: dict[str, Any]
    learned: list[str]
    check: list[str]
    warning: Union[str, None]


class Schema(Document):
    """What the columns of a table mean: types, levels and their order, missing codes.

    Made by :func:`schema` as a draft to review, by :meth:`load` from a file, or from the text of one.

    >>> import indistinct
    >>> text = '''
    ... version = 1
    ... [[column]]
    ... name = "answer"
    ... type = "ordered"
    ... levels = ["no", "maybe", "yes"]
    ... '''
    >>> declared = indistinct.Schema(text)
    >>> declared
    <Schema of 1 column: answer (ordered)>
    >>> declared.columns[0]["levels"]
    ['no', 'maybe', 'yes']
    >>> declared.to_toml() == text
    True
    >>> indistinct.Schema("version = 1")
    Traceback (most recent call last):
        ...
    ValueError: schema: the schema declares no columns
     help: ...
    """

    _toml: str

    def __init__(self, toml: str) -> None:
        if not isinstance(toml, str):
            raise failure("a Schema is made from the text of a schema file", "use Schema.load for a file")
        super().__init__(_indistinct.parse_schema(toml))
        self._toml = toml

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Schema:
        """The schema in a file."""
        return cls._of(*_indistinct.read_schema(path))

    @classmethod
    def _of(cls, toml: str, document: str) -> Schema:
        made = cls.__new__(cls)
        Document.__init__(made, document)
        made._toml = toml
        return made

    @property
    def columns(self) -> list[ColumnDescription]:
        """What it says about each column."""
        return list(self._document["columns"])

    @property
    def missing(self) -> list[str]:
        """Spellings that mean a missing value in every column."""
        return list(self._document["missing"])

    @property
    def is_draft(self) -> bool:
        """Whether it was drafted from the private data and has a draft's marks left, which a release says on its certificate."""
        return bool(self._document["source"] != "user")

    def to_toml(self) -> str:
        """The text of its file; of a draft with comments that mark all that was learned from the private data."""
        return self._toml

    def save(self, path: Union[str, os.PathLike[str]], *, force: Optional[bool] = None) -> None:
        """Writes its file, completely or not at all.

        A file that exists is replaced with ``force=True``, and without it if this session wrote it and nobody changed it
        since, so that a cell can be run again; with ``force=False`` never.
        """
        _indistinct.save_schema(self._toml, path, _written.may_replace(path, force))
        _written.note(path)

    def read(self, table: T) -> T:
        """The table as this schema reads it, as the kind of table that it is.

        Declared missing codes become missing values, identifiers are left out, and values that the schema does not know
        are an error that says where. Names, order and types of columns are those that the schema declares, as
        :meth:`Synthesizer.sample` has them, so that a table and its synthetic ones can be compared and put together. A
        pandas table comes back with a new ``RangeIndex``: what is read, and what is synthesised, are columns.

        >>> import pandas as pd, indistinct
        >>> declared = indistinct.Schema('''
        ... version = 1
        ... missing = ["", "unknown"]
        ... [[column]]
        ... name = "colour"
        ... type = "nominal"
        ... levels = ["blue", "red"]
        ... ''')
        >>> declared.read(pd.DataFrame({"colour": ["red", "unknown"]}, dtype="category"))["colour"].isna().tolist()
        [False, True]
        >>> declared.read(pd.DataFrame({"colour": ["red", "green"]}))
        Traceback (most recent call last):
            ...
        ValueError: table: row 2, column `colour`: the value is not one of the declared levels
         help: add the level to the schema, or its spelling to `missing`
        """
        if is_path(table):
            raise failure("Schema.read gives back the kind of table that it gets, which a file name is not", "read it first")
        read = _indistinct.read_table(as_source(table, "table"), self._toml)
        return give_back(library_of(table, "table"), read, self.columns)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._toml == other._toml

    def __hash__(self) -> int:
        return hash(self._toml)

    def __repr__(self) -> str:
        columns = [f"{column['name']} ({column['type']})" for column in self.columns]
        plural = "column" if len(columns) == 1 else "columns"
        draft = " drafted from the data" if self.is_draft else ""
        shown = ", ".join(columns[:8]) + (", ..." if len(columns) > 8 else "")
        return f"<Schema{draft} of {len(columns)} {plural}: {shown}>"

    def _repr_html_(self) -> str:
        def told(column: ColumnDescription) -> str:
            known: dict[str, Any] = {**column}
            keys = ("levels", "false", "true", "format", "decimals", "atoms", "family", "focus", "derive", "lookup")
            said = [f"{key}: {known[key]}" for key in keys if key in known]
            return "; ".join(said)[:200]

        rows = [[column["name"], column["type"], told(column)] for column in self.columns]
        heading = "A draft, learned from the private data: check it." if self.is_draft else "A schema."
        return _html.block(_html.paragraph(heading, strong=True), _html.table(["column", "type", ""], rows))


def schema(table: object) -> Schema:
    """Drafts a schema for a private table, to review and edit.

    The draft is made by looking at the private data, and every line of it that was learned from them is marked: check
    those lines against public documentation of the data before others see it. What is likely to be wrong is a warning.

    >>> import pandas as pd, indistinct
    >>> draft = indistinct.schema(pd.DataFrame({"age": [31, 64, 18], "sex": ["f", "m", "f"]}))
    >>> draft
    <Schema drafted from the data of 2 columns: age (integer), sex (nominal)>
    >>> draft.columns[1]["levels"]
    ['f', 'm']
    """
    toml, document, doubts = _indistinct.draft_schema(as_source(table, "table"))
    for doubt in doubts:
        warnings.warn(doubt, UserWarning, stacklevel=2)
    return Schema._of(toml, document)


def schema_text(given: Union[Schema, str, os.PathLike[str], None]) -> Union[str, None]:
    """The text of a schema that was given as such, or as a file."""
    if given is None:
        return None
    if isinstance(given, Schema):
        return given.to_toml()
    if isinstance(given, (str, os.PathLike)):
        return Schema.load(given).to_toml()
    raise failure("schema must be a Schema or the name of a schema file", "draft one with indistinct.schema(table)")
