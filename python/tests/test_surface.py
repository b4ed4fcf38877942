"""Nothing that is made from a private table tells more of it than its release: types, categories, metadata, pickles, files.

Private tables come in pairs that a declared schema does not tell apart: one as plain as can be, one that differs in all
that rows may decide about a table (see ``dressed`` and ``holed``), with marks in every place that is not released.
"""

from __future__ import annotations

import gc
import json
import pickle
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import indistinct

pytestmark = pytest.mark.filterwarnings("ignore:epsilon times rows is small")

MARK = "MARK-7f3a"
NUMBER = 918273645
ROWS = 600
PERSONS = 400

COLUMNS = {
    "score": 'type = "float"',
    "age": 'type = "integer"\nminimum = 0\nmaximum = 120',
    "job": 'type = "nominal"\nlevels = ["pilot", "nurse", "clerk", "baker"]',
    "grade": 'type = "ordered"\nlevels = ["low", "mid", "high"]',
    "code": 'type = "nominal"\nlevels = ["3", "1", "2"]',
    "smoker": 'type = "boolean"',
    "member": 'type = "boolean"\nfalse = "no"\ntrue = "yes"',
    "born": 'type = "date"',
    "seen": 'type = "datetime"',
    "key": 'type = "identifier"',
    "who": 'type = "identifier"',
}
RELEASED = list(COLUMNS)[:9]
SCHEMA = indistinct.Schema(
    "version = 1\n" + "\n".join(f'[[column]]\nname = "{name}"\n{said}' for name, said in COLUMNS.items())
)
# Levels that are declared and that nobody has.
NOBODY = {"job": "pilot", "grade": "mid", "code": "3", "member": "yes"}


def values(holes: bool) -> dict[str, list[Any]]:
    """Rows of every type; with ``holes`` every tenth value is missing, and there are levels that nobody has."""
    random = numpy.random.default_rng(11)
    day, moment = numpy.datetime64("1990-01-01"), numpy.datetime64("2020-05-04T03:02:01.000000")
    rows: dict[str, list[Any]] = {
        "score": random.normal(size=ROWS).round(3).tolist(),
        "age": random.integers(18, 90, ROWS).tolist(),
        "job": random.choice(["nurse", "clerk", "baker", "pilot"], ROWS).tolist(),
        "grade": random.choice(["high", "low", "mid"], ROWS).tolist(),
        "code": random.choice([1, 2, 3], ROWS).tolist(),
        "smoker": (random.random(ROWS) < 0.4).tolist(),
        "member": random.choice(["no", "yes"], ROWS).tolist(),
        "born": (day + random.integers(0, 9000, ROWS)).tolist(),
        "seen": (moment + random.integers(0, 10**15, ROWS)).tolist(),
        "key": [f"{row}" for row in range(ROWS)],
        "who": [f"{MARK}-{person}" for person in random.integers(0, PERSONS, ROWS)],
    }
    if holes:
        for place, name in enumerate(RELEASED):
            absent = NOBODY.get(name)
            rows[name] = [
                None if row % 10 == place or str(value) == absent else value for row, value in enumerate(rows[name])
            ]
    return rows


def marked(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Row names that are marks, as those of persons are anyway: which of their rows are kept follows from them."""
    return {**rows, **{name: [f"{MARK}-{value}" for value in rows[name]] for name in ("key",)}}


def pandas_plain(rows: dict[str, list[Any]]) -> pandas.DataFrame:
    return pandas.DataFrame(rows)


def pandas_dressed(rows: dict[str, list[Any]]) -> pandas.DataFrame:
    frame = pandas.DataFrame(marked(rows), index=pandas.Index([f"{MARK}-{row}" for row in range(len(rows["key"]))], name=MARK))
    frame["score"] = frame["score"].astype("Float64")
    frame["age"] = frame["age"].astype("float64")
    for name in ("job", "grade", "member", "key", "who"):
        seen = sorted(frame[name].dropna().unique(), reverse=True)
        frame[name] = pandas.Categorical(frame[name], [f"{MARK}-{name}", *seen], ordered=name != "grade")
    frame["code"] = pandas.Categorical(frame["code"], [NUMBER, 2, 3, 1])
    frame["smoker"] = frame["smoker"].astype("boolean")
    frame["born"] = pandas.to_datetime(frame["born"]).astype("datetime64[s]")
    frame["seen"] = frame["seen"].astype("datetime64[ns]")
    frame.attrs = {"note": MARK, "maximum": NUMBER}
    return frame


def polars_plain(rows: dict[str, list[Any]]) -> polars.DataFrame:
    return polars.DataFrame(rows)


def polars_dressed(rows: dict[str, list[Any]]) -> polars.DataFrame:
    rows = marked(rows)
    enum = {
        name: polars.Enum([f"{MARK}-{name}", *sorted({value for value in rows[name] if value}, reverse=True)])
        for name in ("job", "grade", "member", "key", "who")
    }
    kinds = {**enum, "age": polars.Float64, "code": polars.Int8, "seen": polars.Datetime("ns")}
    return polars.DataFrame(rows).cast(kinds)  # type: ignore[arg-type]


def pyarrow_plain(rows: dict[str, list[Any]]) -> pyarrow.Table:
    return pyarrow.table(rows)


def pyarrow_dressed(rows: dict[str, list[Any]]) -> pyarrow.Table:
    rows = marked(rows)
    arrays, fields = [], []
    for name, column in rows.items():
        array = pyarrow.array(column)
        if name in ("job", "grade", "member", "key", "who"):
            levels = [f"{MARK}-{name}", *sorted({value for value in column if value}, reverse=True)]
            codes = [None if value is None else levels.index(value) for value in column]
            array = pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes, pyarrow.int16()), levels, ordered=True)
        elif name in ("age", "code"):
            array = array.cast(pyarrow.float64())
        elif name == "seen":
            array = array.cast(pyarrow.timestamp("ns"))
        metadata = {"maximum": str(NUMBER), "note": f"{MARK}-{name}"}
        fields.append(pyarrow.field(name, array.type, nullable=array.null_count > 0, metadata=metadata))
        arrays.append(array)
    return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, metadata={"note": MARK}))


Make = Callable[[dict[str, list[Any]]], Any]
LIBRARIES: dict[str, tuple[Make, Make]] = {
    "pandas": (pandas_plain, pandas_dressed),
    "polars": (polars_plain, polars_dressed),
    "pyarrow": (pyarrow_plain, pyarrow_dressed),
    "pyarrow.RecordBatch": (
        lambda rows: pyarrow_plain(rows).to_batches()[0],
        lambda rows: pyarrow_dressed(rows).to_batches()[0],
    ),
}


def fitted(table: Any, person: bool) -> indistinct.Synthesizer:
    options: dict[str, Any] = {"person": "who"} if person else {}
    return indistinct.Synthesizer(epsilon=10, schema=SCHEMA, seed=5, rows=200, **options).fit(table)


@pytest.fixture(scope="module")
def fits() -> Callable[[str, bool], list[indistinct.Synthesizer]]:
    """By library: fitted to rows as they are, to the same rows in other clothes, and to rows with holes."""
    known: dict[tuple[str, bool], list[indistinct.Synthesizer]] = {}

    def make(library: str, person: bool) -> list[indistinct.Synthesizer]:
        if (library, person) not in known:
            plain, dressed = LIBRARIES[library]
            tables = [plain(values(False)), dressed(values(False)), dressed(values(True))]
            known[library, person] = [fitted(table, person) for table in tables]
        return known[library, person]

    return make


def described(table: Any) -> Any:
    """All that a table says besides its values."""
    if isinstance(table, pandas.DataFrame):
        columns = [(name, repr(dtype), categories(dtype)) for name, dtype in table.dtypes.items()]
        return columns, repr(table.columns), repr(table.index), table.attrs, repr(table.flags)
    if isinstance(table, polars.DataFrame):
        return [(name, repr(kind), categories(kind)) for name, kind in table.schema.items()]
    fields = [(field.name, str(field.type), field.nullable, field.metadata) for field in table.schema]
    return fields, table.schema.metadata, [categories(table.column(name)) for name in table.schema.names]


def categories(kind: Any) -> Any:
    if isinstance(kind, (pandas.CategoricalDtype, polars.Enum)):
        return list(kind.categories), getattr(kind, "ordered", None)
    chunk = kind.chunk(0) if isinstance(kind, pyarrow.ChunkedArray) else kind
    return chunk.dictionary.to_pylist() if isinstance(chunk, pyarrow.DictionaryArray) else None


def reachable(start: object) -> list[object]:
    """Everything that an object holds on to, but for code."""
    code = (types.ModuleType, type, types.FunctionType, types.BuiltinFunctionType, types.FrameType)
    seen, left, found = {id(start)}, [start], []
    while left:
        one = left.pop()
        found.append(one)
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, code):
                seen.add(id(other))
                left.append(other)
    return found


def marks(content: bytes) -> bool:
    numbers = [str(NUMBER).encode(), NUMBER.to_bytes(4, "little"), numpy.float64(NUMBER).tobytes()]
    return any(mark in content for mark in [MARK.encode(), MARK.encode("utf-16-le"), *numbers])


def timeless(content: bytes) -> bytes:
    """Without the time at which a certificate was written."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"then", content)


@pytest.mark.parametrize("person", [False, True])
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_same_rows_in_other_clothes_are_the_same_release(library: str, person: bool, fits: Any) -> None:
    plain, dressed, _ = fits(library, person)
    assert timeless(pickle.dumps(dressed)) == timeless(pickle.dumps(plain))
    assert repr(dressed) == repr(plain)
    of_pandas = fits("pandas", person)[0]
    assert timeless(dressed._release.state().encode()) == timeless(of_pandas._release.state().encode())


@pytest.mark.parametrize("person", [False, True])
@pytest.mark.parametrize("library", LIBRARIES)
def test_types_follow_from_the_schema_alone(library: str, person: bool, fits: Any) -> None:
    plain, *others = fits(library, person)
    expected = described(plain.sample(50))
    for one in others:
        assert described(one.sample(50)) == expected
        assert described(one.sample(1, seed=3)) == described(plain.sample(1, seed=4))
        assert described(pickle.loads(pickle.dumps(one)).sample(50)) == expected
        assert one.schema_.to_toml() == plain.schema_.to_toml()
    dressed = LIBRARIES[library][1]
    assert described(SCHEMA.read(dressed(values(True)))) == described(SCHEMA.read(dressed(values(False))))


@pytest.mark.parametrize("person", [False, True])
@pytest.mark.parametrize("library", LIBRARIES)
def test_nothing_private_is_kept_or_written(library: str, person: bool, fits: Any, tmp_path: Path) -> None:
    for number, one in enumerate(fits(library, person)[1:]):
        assert not marks(pickle.dumps(one))
        assert not marks(repr(one).encode() + repr(vars(one)).encode())
        held = reachable(one)
        tables = (pandas.DataFrame, pandas.Index, polars.DataFrame, pyarrow.Table, pyarrow.Schema, pyarrow.RecordBatch)
        assert not [thing for thing in held if isinstance(thing, tables)]
        assert not [thing for thing in held if isinstance(thing, (str, bytes)) and marks(repr(thing).encode())]
        folder = tmp_path / f"{number}"
        folder.mkdir()
        one.save(folder / "model.json")
        for ending in ("csv", "parquet", "arrow"):
            one.save_release(folder / ending, format=ending)
        sample = one.sample(100)
        if isinstance(sample, pandas.DataFrame):
            sample.to_csv(folder / "sample.csv")
            sample.to_parquet(folder / "sample.parquet", compression=None)
            sample.to_pickle(folder / "sample.pickle")
        elif isinstance(sample, polars.DataFrame):
            sample.write_csv(folder / "sample.csv")
            sample.write_parquet(folder / "sample.parquet", compression="uncompressed")
            sample.write_ipc(folder / "sample.arrow")
        else:
            table = sample if isinstance(sample, pyarrow.Table) else pyarrow.Table.from_batches([sample])
            pyarrow.parquet.write_table(table, folder / "sample.parquet", compression="NONE")
            pyarrow.feather.write_feather(table, folder / "sample.feather", compression="uncompressed")
        written = [path for path in folder.rglob("*") if path.is_file()]
        assert len(written) > 13
        for path in written:
            assert not marks(path.read_bytes()), path
            assert b'"who"' not in path.read_bytes() or path.name in ("certificate.json", "report.html"), path


def test_types_are_those_that_are_documented(fits: Any) -> None:
    found = fits("pandas", False)[2].sample(20)
    assert list(found.columns) == RELEASED
    assert {name: str(dtype) for name, dtype in found.dtypes.items()} == {
        "score": "float64", "age": "Int64", "job": "category", "grade": "category", "code": "Int64",
        "smoker": "boolean", "member": "category", "born": "datetime64[us]", "seen": "datetime64[us]",
    }  # fmt: skip
    assert found["job"].cat.categories.tolist() == ["pilot", "nurse", "clerk", "baker"]
    assert found["grade"].cat.categories.tolist() == ["low", "mid", "high"]
    assert found["member"].cat.categories.tolist() == ["no", "yes"]
    assert [found[name].cat.ordered for name in ("job", "grade", "member")] == [False, True, False]
    assert fits("polars", False)[2].sample(20).schema == {
        "score": polars.Float64, "age": polars.Int64, "job": polars.Enum(["pilot", "nurse", "clerk", "baker"]),
        "grade": polars.Enum(["low", "mid", "high"]), "code": polars.Int64, "smoker": polars.Boolean,
        "member": polars.Enum(["no", "yes"]), "born": polars.Date, "seen": polars.Datetime("us"),
    }  # fmt: skip
    levels = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    kinds = [
        pyarrow.float64(), pyarrow.int64(), levels, pyarrow.dictionary(pyarrow.int32(), pyarrow.string(), ordered=True),
        pyarrow.int64(), pyarrow.bool_(), levels, pyarrow.date32(), pyarrow.timestamp("us"),
    ]  # fmt: skip
    schema = fits("pyarrow", False)[2].sample(20).schema
    assert schema.equals(pyarrow.schema(list(zip(RELEASED, kinds))), check_metadata=True)
    assert all(field.nullable and field.metadata is None for field in schema)


@pytest.mark.parametrize("library", LIBRARIES)
def test_levels_that_nobody_has_are_levels_and_not_missing(library: str, tmp_path: Path) -> None:
    levels = [f"level {number}" for number in range(60)]
    kinds = {"plain": 'type = "nominal"', "ranked": 'type = "ordered"'}
    columns = [f'[[column]]\nname = "{name}"\n{kind}\nlevels = {levels}' for name, kind in kinds.items()]
    table = LIBRARIES[library][0]({name: [levels[7], levels[3]] * 200 for name in kinds})
    if library == "pandas":
        table = table.astype("category")
    schema = indistinct.Schema("version = 1\n" + "\n".join(columns))
    one = indistinct.Synthesizer(epsilon=1, schema=schema, seed=1).fit(table)
    one.save_release(tmp_path / "release")
    expected = pandas.read_csv(tmp_path / "release" / "synthetic.csv", dtype=str)
    sample = one.sample()
    found = sample if isinstance(sample, pandas.DataFrame) else sample.to_pandas()
    for name in kinds:
        assert found[name].cat.categories.tolist() == levels
        assert found[name].tolist() == expected[name].tolist()
        assert set(found[name]) > {levels[7], levels[3]}, "no other level came up: nothing is tested"


@pytest.mark.parametrize("person", [False, True])
@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_of_the_command_follow_from_the_schema_alone(
    ending: str, person: bool, tmp_path: Path, command: Callable[..., Any]
) -> None:
    SCHEMA.save(tmp_path / "schema.toml")
    tables = [pyarrow_plain(values(False)), pyarrow_dressed(values(False)), pyarrow_dressed(values(True))]
    described_as, contents = [], []
    for number, table in enumerate(tables):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        private, out = folder / f"private.{ending}", folder / "release"
        if ending == "parquet":
            pyarrow.parquet.write_table(table, private)
        else:
            pyarrow.feather.write_feather(table, private, compression="uncompressed")
        done = command(
            "synth", private, "--schema", tmp_path / "schema.toml", "--epsilon", 10, "--seed", 5, "--rows", 200,
            "--out", out, *(["--person", "who"] if person else []),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not marks((done.stdout + done.stderr).encode())
        synthetic = out / f"synthetic.{ending}"
        read = pyarrow.parquet.read_table if ending == "parquet" else pyarrow.feather.read_table
        fields, metadata, categories_of_columns = described(read(synthetic))
        # Parquet keeps the levels that occur, which are those of synthetic rows.
        described_as.append((fields, metadata, categories_of_columns if ending == "arrow" else None))
        written = {path.name: path.read_bytes() for path in out.iterdir()}
        assert synthetic.name in written and not [name for name, content in written.items() if marks(content)]
        # Hashes are of files that have the time in them.
        certificate = json.loads(timeless(written.pop("certificate.json")))
        assert set(certificate.pop("files")) == set(written)
        contents.append(({name: timeless(content) for name, content in written.items()}, certificate))
    plain, *others = described_as
    assert others == [plain, plain]
    assert contents[0] == contents[1]


def test_old_pickles_are_refused() -> None:
    made = indistinct.Synthesizer()
    state = {**made.__getstate__(), "_fitted": ("{}", b"")}
    with pytest.raises(ValueError, match=r"pickled by version 0\.1\.0.*\n help: delete it"):
        made.__setstate__(state)
