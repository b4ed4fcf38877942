"""Private synthetic tables."""

from __future__ import annotations

import inspect
import json
import numbers
import os
import warnings
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, Optional, TypeVar, Union

from . import _html, _indistinct, _progress, _written
from ._certificate import Certificate, Verification
from ._document import PrintedDocument
from ._frames import PANDAS, as_source, failure, give_back, is_path, library_of
from ._ledger import Ledger
from ._passes import Passes, Request, passes_of
from ._schema import Schema, schema_text
from ._spark_sample import write_sample

S = TypeVar("S", bound="Synthesizer")
Path = Union[str, os.PathLike[str]]

# What the command's parser refuses, for what is no number at all.
_NO_NUMBER = "not a number"


class Split(PrintedDocument):
    """How the budget of a release would be divided. Its ``repr`` is what ``indistinct synth --dry-run`` prints."""

    @property
    def model(self) -> str:
        """The model that the table would get: ``normal`` or ``mixed``."""
        return str(self._document["model"])

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Every step with its ``share`` of the budget, and the standard deviation of its noise where it adds some."""
        return list(self._document["split"])

    @property
    def predicted(self) -> list[dict[str, Optional[float]]]:
        """Predicted mean distances of one, two and three columns (``one_way``, ``two_way``, ``three_way``) at half the epsilon, at
        the epsilon and at twice the epsilon. They rest on an assumption about dependence; none for plain numbers."""
        return list(self._document.get("predicted", []))

    @property
    def fits(self) -> Optional[bool]:
        """Whether the ledger would take the charge; None where there is none."""
        ledger = self._document.get("ledger")
        return None if ledger is None else bool(ledger["fits"])

    @property
    def refusal(self) -> Optional[str]:
        """Why the ledger would refuse the charge, if it would."""
        because = self._document.get("ledger", {}).get("because")
        return None if because is None else str(because)

    def _repr_html_(self) -> str:
        rows = [[f"{100 * one['share']:.2f} %", one["step"], one["noise_sd"]] for one in self.parts]
        heading = f"model {self.model}: nothing was charged, drawn or written"
        return _html.block(
            _html.paragraph(heading, strong=True), _html.table(["share", "step", "noise of each count"], rows)
        )


class Synthesizer:
    """Makes private synthetic tables, with a certificate that says which guarantee holds and why.

    The options and their defaults are those of ``indistinct synth``, and so are the results: with the same seed, bit for
    bit. Nothing is checked before :meth:`fit`. Options may be read and set as scikit-learn has it (``get_params``,
    ``set_params``, ``sklearn.base.clone``).

    Args:
        epsilon: Total privacy budget of everything that is released.
        delta: Probability with which the guarantee may fail, such as 1e-6; 0 is pure differential privacy.
        schema: What the columns mean: a :class:`Schema` or the name of its file. Without it types are read from the
            data, outside the guarantee, with a warning.
        invalid: What becomes of cells that the schema does not allow (undeclared levels, and what is no number or date):
            ``"refuse"``, an error that says where the first one is, or ``"missing"``, a missing value, which nothing
            tells of. Numbers beyond declared limits are taken as the limit in either case.
        neighbours: Between which tables the guarantee holds: ``"substitute"``, those in which one row is another, or
            ``"add-remove"``, those of which one has a row more; the number of rows is then private.
        model: What the columns are modelled by: ``"auto"``, ``"normal"`` (numbers, by the pMSE mechanism) or ``"mixed"``
            (columns of any type).
        quality: Quality function that candidates are compared by: ``"pmae"`` or ``"pmse"``.
        discriminator: What finds the cells that candidates are judged by: ``"partition"``, ``"optimal"``,
            ``"private-tree"`` or ``"cart"``, which carries no guarantee.
        sampler: What draws the parameters: ``"zoom"`` or ``"metropolis"``.
        measure_share: Least part of the budget for noisy cell counts (0.6; 0 with metropolis).
        sensitivity: ``"tight"`` or ``"paper"``.
        candidates: zoom: candidates of a joint stage (2000; 500 with trees).
        steps: metropolis: steps of each chain (30000; 3000 with trees).
        chains: metropolis: chains (4).
        prior_sd: metropolis: standard deviation of the prior of every parameter (316.2).
        prior_scale: metropolis: what the prior of a standard deviation is normal in, ``"sd"`` or ``"log-sd"`` (sd).
        fresh_tables: metropolis with trees: new synthetic tables at every step; carries no guarantee.
        sets: optimal and cart: synthetic tables over which the quality of a candidate is averaged (1).
        depth: optimal and cart: deepest level of a leaf.
        cp: cart: complexity that a split must exceed (0.01).
        minsplit: cart: fewest rows of a node that may be split.
        minbucket: cart: fewest rows of a leaf.
        person: The column that says whose row it is: the guarantee then is for persons, however many rows they have. Of
            each person at most ``rows_per_person`` rows are kept, chosen at random before anything else looks at the
            table. The column is not released; a schema declares it an identifier, or not at all. A row that does not say
            whose it is is an error, or left out with ``invalid="missing"``.
        rows_per_person: The most rows that one person owns, or, with ``person``, that are kept of each: the guarantee then
            is for persons.
        method: ``"pmse"``, or a method that it is compared with.
        bounds: Comparison methods: the interval that each column lies in, as ``"-40:40"`` or ``"a=0:1,b=0:9"``.
        bins: smooth-histogram: intervals of each column (50).
        draws: Private draws of the parameters, epsilon/draws each.
        tables: Synthetic tables of each draw that :meth:`save_release` writes.
        rows: Rows of a table (as many as the private table has, or as the noisy count of them says).
        score_epsilon: Part of epsilon to spend on releasing the quality score.
        seed: Where random numbers start; a release made with it can be repeated, and carries no guarantee.
        ledger: A :class:`Ledger` or its file, charged before anything is released.
        ledger_id: The name that the ledger must have been opened with.
        accept_conditional: Whether the ledger may be charged where the guarantee is conditional, because the schema was
            drafted from the data.
        threads: Threads to use (all cores); results do not depend on it.
        progress: Whether to show a bar; by default where a terminal or a notebook is there.

    >>> import numpy as np, pandas as pd, indistinct
    >>> random = np.random.default_rng(1)
    >>> private = pd.DataFrame({"x": random.normal(size=500)}).assign(y=lambda t: 2 * t.x + random.normal(size=500))
    >>> declared = indistinct.Schema('''
    ... version = 1
    ... [[column]]
    ... name = "x"
    ... type = "float"
    ... [[column]]
    ... name = "y"
    ... type = "float"
    ... ''')
    >>> synthesizer = indistinct.Synthesizer(epsilon=2.0, schema=declared).fit(private)
    >>> synthesizer.certificate.guarantee
    {'kind': 'pure', 'epsilon': 2.0}
    >>> synthesizer.sample(3).columns.tolist()
    ['x', 'y']
    >>> synthesizer.sample(200, where="x > 0 and y < 5")["x"].min() > 0
    np.True_
    >>> indistinct.Synthesizer(epsilon=-1).fit(private)
    Traceback (most recent call last):
        ...
    ValueError: epsilon: epsilon must be greater than zero, not negative
     help: give a positive number, as in epsilon=1
    """

    _fitted: Optional[_indistinct.Fitted]
    _library: str

    def __init__(
        self,
        epsilon: Union[float, Decimal, None] = 1.0,
        *,
        delta: Union[float, Decimal] = 0,
        schema: Union[Schema, Path, None] = None,
        invalid: str = "refuse",
        neighbours: str = "substitute",
        model: str = "auto",
        quality: Optional[str] = None,
        discriminator: Optional[str] = None,
        sampler: Optional[str] = None,
        measure_share: Optional[float] = None,
        sensitivity: Optional[str] = None,
        candidates: Optional[int] = None,
        steps: Optional[int] = None,
        chains: Optional[int] = None,
        prior_sd: Optional[float] = None,
        prior_scale: Optional[str] = None,
        fresh_tables: bool = False,
        sets: Optional[int] = None,
        depth: Optional[int] = None,
        cp: Optional[float] = None,
        minsplit: Optional[int] = None,
        minbucket: Optional[int] = None,
        person: Optional[str] = None,
        rows_per_person: int = 1,
        method: str = "pmse",
        bounds: Optional[str] = None,
        bins: Optional[int] = None,
        draws: int = 1,
        tables: int = 1,
        rows: Optional[int] = None,
        score_epsilon: Union[float, Decimal] = 0,
        seed: Optional[int] = None,
        ledger: Union[Ledger, Path, None] = None,
        ledger_id: Optional[str] = None,
        accept_conditional: bool = False,
        threads: Optional[int] = None,
        progress: Optional[bool] = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.schema = schema
        self.invalid = invalid
        self.neighbours = neighbours
        self.model = model
        self.quality = quality
        self.discriminator = discriminator
        self.sampler = sampler
        self.measure_share = measure_share
        self.sensitivity = sensitivity
        self.candidates = candidates
        self.steps = steps
        self.chains = chains
        self.prior_sd = prior_sd
        self.prior_scale = prior_scale
        self.fresh_tables = fresh_tables
        self.sets = sets
        self.depth = depth
        self.cp = cp
        self.minsplit = minsplit
        self.minbucket = minbucket
        self.person = person
        self.rows_per_person = rows_per_person
        self.method = method
        self.bounds = bounds
        self.bins = bins
        self.draws = draws
        self.tables = tables
        self.rows = rows
        self.score_epsilon = score_epsilon
        self.seed = seed
        self.ledger = ledger
        self.ledger_id = ledger_id
        self.accept_conditional = accept_conditional
        self.threads = threads
        self.progress = progress
        self._fitted = None
        self._library = PANDAS

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        parameters = inspect.signature(cls.__init__).parameters
        return {name: one.default for name, one in parameters.items() if name != "self"}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options, as scikit-learn has it."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self: S, **params: Any) -> S:
        """Sets options, as scikit-learn has it."""
        known = self._defaults()
        for name in params:
            if name not in known:
                raise failure(f"there is no option `{name}`", f"the options are {', '.join(known)}")
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator: it needs no target."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def __repr__(self) -> str:
        given = [
            f"{name}={_shown(getattr(self, name))}"
            for name, default in self._defaults().items()
            if name == "epsilon" or not _same(getattr(self, name), default)
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _prepared(
        self, table: object, passes: Optional[Passes], stacklevel: int, *, dry_run: bool = False
    ) -> _indistinct.Preparation:
        ledger = self._ledger()
        declared = schema_text(self.schema)
        drafted = isinstance(self.schema, Schema) and self.schema.is_draft
        options = self.get_params()
        for name in ("schema", "ledger", "ledger_id", "accept_conditional", "progress"):
            del options[name]
        for name in ("epsilon", "delta", "score_epsilon"):
            options[name] = _typed(options[name])
        if passes is None:
            prepared = _indistinct.prepare(as_source(table, "table"), declared, drafted, options, ledger, dry_run)
        else:
            count, text = self._counting(passes, declared)
            prepared = _indistinct.prepare_passes(count, text, drafted, options, ledger, dry_run)
        for warning in prepared.warnings:
            warnings.warn(warning, UserWarning, stacklevel=stacklevel + 1)
        return prepared

    def _counting(self, passes: Passes, declared: Optional[str]) -> tuple[Callable[[bytes], bytes], str]:
        """What counts rows that are not in memory, and the schema that it reads them by."""
        if declared is None:
            raise failure(
                "rows that are not in memory need a schema: none is drafted from them",
                "draft one from a sample with indistinct.schema(sample), review it, and give it with schema=",
            )
        request = Request(declared, self.invalid, self.person, self.rows_per_person, self.seed, self.threads)
        passes.check(request)
        return partial(passes.count, request), declared

    def split(self, table: object) -> Split:
        """How the budget would be divided for this table: nothing is charged, drawn or written.

        >>> import pandas as pd, indistinct
        >>> table = pd.DataFrame({"x": [float(i % 97) for i in range(1000)]})
        >>> split = indistinct.Synthesizer(epsilon=1.0, schema=indistinct.Schema('''
        ... version = 1
        ... [[column]]
        ... name = "x"
        ... type = "float"
        ... ''')).split(table)
        >>> split.model, round(sum(part["share"] for part in split.parts), 6)
        ('mixed', 1.0)
        """
        prepared = self._prepared(table, passes_of(table), 2, dry_run=True)
        return Split(prepared.split, prepared.split_text)

    def fit(self: S, X: object, y: None = None) -> S:
        """Charges the ledger, if there is one, and draws a private model of the table.

        Everything that can fail is tried before the ledger is charged, and the ledger is charged before anything is
        drawn. An interrupt (Ctrl-C) is raised at once, and the work ends soon after; it does not give a charge back. Of
        the private table nothing is kept but which library it is of: not even its types, which may depend on its rows.

        Args:
            X: The private table: of pandas, polars, pyarrow or anything else with ``__arrow_c_stream__``, or the name
                of a file, which must name its columns in its first line (read others with pandas, ``header=None``). The
                index of a pandas table is not one of its columns and is ignored. Rows that are not in memory are read
                again for every pass, and only counts of them are kept: a ``pyarrow.dataset``, a polars ``LazyFrame``, a
                DuckDB relation, a function without arguments that opens a new stream of Arrow batches, or a Spark
                DataFrame, whose rows are counted by the workers. They need a schema, and get the model of any columns.
            y: Nothing; there for scikit-learn.

        Raises:
            ValueError: When the table cannot be read, or options do not fit together or do not fit it.
            NoGuarantee: When there is a ledger and the release would have no guarantee that it can add up: with a seed, by
                a method that has none, or a conditional one unless ``accept_conditional`` is set. It is a ValueError.
            BudgetExceeded: When the ledger refuses otherwise. Nothing is charged in either case.

        Every call charges the ledger. A charge like an earlier one, which is what a cell of a notebook makes that is run again,
        is a warning: :meth:`fit_once` does not charge again.
        """
        ledger = self._ledger()
        passes = passes_of(X)
        library = library_of(X, "table") if passes is None else passes.library
        prepared = self._prepared(X, passes, 2)
        if prepared.warning_of_delta is not None:
            warnings.warn(prepared.warning_of_delta, UserWarning, stacklevel=2)
        with _progress.shown(self.progress, "drawing parameters") as bar:
            fitted, heard = prepared.release(ledger, {"threads": self.threads}, bar)
        for warning in heard:
            warnings.warn(warning, UserWarning, stacklevel=2)
        self._fitted, self._library = fitted, library
        if ledger is not None:
            again = Ledger.open(ledger[0])._charged_again
            if again is not None:
                warnings.warn(again, UserWarning, stacklevel=2)
        return self

    def _ledger(self) -> Optional[tuple[Path, Optional[str], bool]]:
        if self.ledger_id is not None and not isinstance(self.ledger_id, str):
            raise failure("ledger_id must be text", "give the name that the ledger was opened with")
        if not isinstance(self.accept_conditional, bool):
            raise failure("accept_conditional must be True or False", "leave it out to refuse conditional guarantees")
        if self.ledger is None:
            if self.ledger_id is not None:
                raise failure("ledger_id is given without a ledger", "give the ledger too, or leave ledger_id out")
            return None
        if isinstance(self.ledger, Ledger):
            return self.ledger.file, self.ledger_id, self.accept_conditional
        if isinstance(self.ledger, (str, os.PathLike)):
            return self.ledger, self.ledger_id, self.accept_conditional
        raise failure("ledger must be a Ledger or the name of its file", "open one with indistinct.Ledger.init")

    @property
    def _release(self) -> _indistinct.Fitted:
        if self._fitted is None:
            raise _NotFitted("this Synthesizer is not fitted\n help: call fit(table) first, or indistinct.load a model")
        return self._fitted

    def sample(
        self,
        rows: Optional[int] = None,
        *,
        where: Optional[str] = None,
        seed: Optional[int] = None,
        draw: int = 1,
    ) -> Any:
        """Synthetic rows, as the kind of table that was fitted: post-processing, which costs nothing.

        Args:
            rows: How many; by default what the option ``rows`` says, or as many as the private table has.
            where: Only rows that pass this condition, as in ``"age > 60 and sex == 'F'"``.
            seed: Where random numbers start, as for ``indistinct sample``. Without it rows are new every time; those of
                a seeded fit are those of the first table of the draw, which ``indistinct synth --seed`` writes.
            draw: Which private draw to use, counted from 1.

        Returns:
            A table of the library whose table was fitted; of pandas where a file was fitted, or a model was loaded. Its
            columns have the names, the order and the types that the schema declares, never those of the private table,
            which may depend on its rows: ``float64`` where somebody's value is missing, a category for everybody who is
            there. Types do not depend on the rows that come out either:

            ================  ===========================  ====================  =================================
            declared          pandas                       polars                pyarrow, Parquet and Arrow files
            ================  ===========================  ====================  =================================
            float             ``float64``                  ``Float64``           ``double``
            integer           ``Int64``                    ``Int64``             ``int64``
            nominal, ordered  ``category``                 ``Enum``              ``dictionary<string>``
            boolean           ``boolean``                  ``Boolean``           ``bool``
            date              ``datetime64[us]``           ``Date``              ``date32``
            datetime          ``datetime64[us]``           ``Datetime("us")``    ``timestamp[us]``
            ================  ===========================  ====================  =================================

            Categories have all declared levels, in their order, whether or not they occur; levels that are all spelled
            as whole numbers come as integers. Booleans that are not spelled ``false`` and ``true`` come as the two
            categories. Date-times are those of UTC. Fields of Arrow are nullable and have no metadata.
        """
        options = {"rows": rows, "where": where, "seed": seed, "draw": draw, "threads": self.threads}
        with _progress.shown(self.progress, "making rows") as bar:
            table = self._release.sample(options, bar)
        return give_back(self._library, table, self.schema_.columns)

    def sample_to(
        self,
        spark: Any,
        rows: int,
        path: Path,
        *,
        format: str = "parquet",
        partitions: Optional[int] = None,
        where: Optional[str] = None,
        seed: Optional[int] = None,
        draw: int = 1,
        force: bool = False,
    ) -> None:
        """Has the workers of Spark make any number of synthetic rows and write them: post-processing, which costs nothing.

        Each partition has random numbers of its own, so that a task that is tried again makes the same rows. Categories are
        written as text, date-times without a time zone.

        Args:
            spark: The session, classic or Connect.
            rows: How many rows, in all.
            path: Where Spark writes them.
            format: What Spark writes: ``"parquet"``, ``"csv"``, ``"orc"``, ``"delta"`` where it is installed, and so on.
            partitions: In how many parts; by default one for every 250,000 rows.
            where: Only rows that pass this condition, as for :meth:`sample`.
            seed: Where random numbers start. Without it rows are new every time. With the same seed, rows and partitions
                they are the same.
            draw: Which private draw to use, counted from 1.
            force: Whether something that is there already is replaced.
        """
        options = {"rows": rows, "where": where, "seed": seed, "draw": draw}
        write_sample(
            spark, self._release, os.fspath(path), options, format=format, partitions=partitions, force=force
        )

    @property
    def certificate(self) -> Certificate:
        """What the release promises, and from which steps that follows. Without files: those are in a release folder."""
        text = self._release.certificate
        if text is None:
            raise failure(
                "the model came without the certificate of its release",
                "load the model.json in the folder of its release, as it was made",
            )
        return Certificate(json.loads(text))

    @property
    def schema_(self) -> Schema:
        """What the released columns mean: those of the schema without identifiers, or of the draft."""
        return Schema._of(*self._release.schema)

    def save(self, path: Path, *, force: Optional[bool] = None) -> None:
        """Writes the model, for :func:`load` and ``indistinct sample``: completely or not at all.

        A file that exists is replaced with ``force=True``, and without it if this session wrote it and nobody changed it
        since, so that a cell can be run again; with ``force=False`` never.
        """
        self._release.save(path, _written.may_replace(path, force))
        _written.note(path)

    def save_release(
        self,
        folder: Path,
        *,
        tables: Optional[int] = None,
        format: str = "csv",
        force: Optional[bool] = None,
        rehearsals: Optional[int] = None,
    ) -> Certificate:
        """Writes the folder that ``indistinct synth --out`` writes: tables, model, page and certificate.

        It appears complete or not at all. With the same seed the tables and the model are those of the command, byte for
        byte; without one, tables are new ones of the same model, other than those of :meth:`sample`.

        Args:
            folder: The folder.
            tables: Tables of each draw, at no cost (those of the option ``tables``).
            format: ``"csv"``, ``"csv.gz"``, ``"tsv"``, ``"parquet"`` or ``"arrow"``.
            force: Whether a release that is there is replaced. By default only one that this session wrote and nobody
                changed since, so that a cell can be run again; False never.
            rehearsals: Rehearsals of the release, at no cost to privacy, by which its page shows error bars; 50, say.

        Returns:
            The certificate with the files.
        """
        options = {"tables": tables, "format": format, "rehearsals": rehearsals, "threads": self.threads}
        replace = _written.may_replace(folder, force)
        with _progress.shown(self.progress, "making rows") as bar:
            certificate = Certificate(json.loads(self._release.save_release(folder, options, replace, bar)))
        _written.note(folder)
        return certificate

    def fit_once(self: S, X: object, folder: Path, *, tables: Optional[int] = None, format: str = "csv") -> S:
        """Fits and writes a release, or takes the one that is there: privacy is paid for once, however often a cell is run.

        Where the folder does not exist this is :meth:`fit` and then :meth:`save_release`. Where it holds a release that
        promises the same, of columns declared the same, that is loaded: neither the table nor the ledger is looked at, and
        nothing is charged.

        Args:
            X: The private table, as for :meth:`fit`.
            folder: The folder of the release.
            tables: Tables of each draw, as for :meth:`save_release`.
            format: As for :meth:`save_release`.

        Raises:
            ValueError: When what is there is no release, its files are not those that were certified, or it was made with
                other options.

        >>> import indistinct, pandas as pd, tempfile, os
        >>> folder = os.path.join(tempfile.mkdtemp(), "release")
        >>> table = pd.DataFrame({"x": [float(i % 97) for i in range(1000)]})
        >>> declared = indistinct.Schema('version = 1\\n[[column]]\\nname = "x"\\ntype = "float"\\n')
        >>> first = indistinct.Synthesizer(epsilon=1.0, schema=declared).fit_once(table, folder)
        >>> again = indistinct.Synthesizer(epsilon=1.0, schema=declared).fit_once(table, folder)
        >>> first.certificate["created"] == again.certificate["created"]
        True
        >>> indistinct.Synthesizer(epsilon=2.0, schema=declared).fit_once(table, folder)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        ValueError: ...release: the release there was made with epsilon=1, not epsilon=2
         help: choose another folder, or load this one with indistinct.load
        """
        if not os.path.lexists(folder):
            self.fit(X)
            self.save_release(folder, tables=tables, format=format)
            return self
        if not Verification(*_indistinct.verify(folder, {"require": None})[:2]).valid:
            raise failure(
                f"{os.fspath(folder)}: this is not a release as it was certified",
                "choose another folder; indistinct.verify says what is wrong with this one",
            )
        made = load(os.path.join(folder, "model.json"))
        difference = self._difference(made)
        if difference is not None:
            name, was, asked = difference
            raise failure(
                f"{os.fspath(folder)}: the release there was made with {name}={was}, not {name}={asked}",
                "choose another folder, or load this one with indistinct.load",
            )
        passes = passes_of(X)
        self._library = library_of(X, "table") if passes is None else passes.library
        self._fitted = made._fitted
        return self

    def _difference(self, made: Synthesizer) -> Optional[tuple[str, object, object]]:
        """An option that a release was not made with: its name, what it was, and what it is to be."""
        certificate = made.certificate
        pairs: list[tuple[str, object, object]] = [
            ("epsilon", certificate.epsilon, None if self.epsilon is None else float(self.epsilon)),
            ("delta", float((certificate.get("composition") or certificate.guarantee).get("delta", 0)), float(self.delta)),
            ("neighbours", _RELATIONS.get(certificate["neighbours"].split()[0]), self.neighbours),
            ("rows_per_person", int(certificate["rows_per_person"]), self.rows_per_person),
            ("draws", int(certificate["draws"]), self.draws),
            # What it promises: a seed takes the promise away, and persons have one of their own.
            ("seed", "<a seed>" if certificate.seeded else None, None if self.seed is None else "<a seed>"),
            ("person", (certificate.get("person") or {}).get("column"), self.person),
        ]
        if self.model != "auto":
            pairs.append(("model", certificate["model"], self.model))
        if self.schema is not None:
            declared = Schema(schema_text(self.schema) or "")
            columns = [column for column in declared.columns if column["type"] != "identifier" and column["name"] != self.person]
            released = made.schema_.columns
            pairs.append(("schema", [column["name"] for column in released], [column["name"] for column in columns]))
            same = released == columns and certificate["schema_source"] == ("drafted from the data" if self._is_drafted else "user")
            pairs.append(("schema", "<this one>" if same else "<one that says something else>", "<this one>"))
        for name, was, asked in pairs:
            if was != asked:
                return name, _brief(was), _brief(asked)
        return None

    @property
    def _is_drafted(self) -> bool:
        """Whether the schema that was given is a draft."""
        given = self.schema
        return (given if isinstance(given, Schema) else Schema(schema_text(given) or "")).is_draft

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if self._fitted is not None:
            state["_fitted"] = self._fitted.state()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        fitted = state["_fitted"]
        if isinstance(fitted, tuple):
            raise failure(
                "this was pickled by version 0.1.0, whose pickles hold categories and types of the private table",
                "delete it, and load the model.json of the release",
            )
        self.__dict__.update(state)
        if fitted is not None:
            self._fitted = _indistinct.Fitted.of_state(fitted)


# The first word of a certificate's relation between neighbours, and the option.
_RELATIONS = {"substitute": "substitute", "add": "add-remove"}


def _brief(value: object) -> object:
    """A value in a message: names of columns are not told, which may be long."""
    if isinstance(value, list):
        return f"<{len(value)} columns>"
    return f"{value:g}" if isinstance(value, float) else value


class _NotFitted(ValueError, AttributeError):
    """As scikit-learn has it: both."""


def load(path: Path, *, like: object = None) -> Synthesizer:
    """A fitted :class:`Synthesizer` from a released ``model.json``.

    The certificate comes along where it lies beside the model and lists it. What the release was made with is not in the
    model: the options are the usual ones, and ``epsilon`` is that of the certificate.

    Args:
        path: The file.
        like: A table of the library whose kind of table samples are to be, whatever else it is; pandas by default.

    >>> import indistinct
    >>> synthesizer = indistinct.load("release/model.json")
    >>> len(synthesizer.sample()), synthesizer.certificate.rows
    (400, 400)
    >>> indistinct.load("release/certificate.json")
    Traceback (most recent call last):
        ...
    ValueError: release/certificate.json: this is not a model file
     help: name the model.json of a release
    """
    if not isinstance(path, (str, os.PathLike)):
        raise failure("a model is loaded from a file", "name the model.json of a release")
    fitted = _indistinct.Fitted.load(path)
    certificate = fitted.certificate
    made = Synthesizer(epsilon=None if certificate is None else float(json.loads(certificate)["epsilon"]))
    if is_path(like):
        raise failure("like must be a table, not the name of one", "read it first, or leave it out for pandas")
    if like is not None:
        made._library = library_of(like, "like")
    made._fitted = fitted
    return made


def _typed(value: object) -> Optional[str]:
    """A number as the command takes it; what is none, as something that it refuses."""
    if value is None:
        return None
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return _NO_NUMBER
    return str(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))


def _same(value: object, default: object) -> bool:
    try:
        return bool(value is default or (type(value) is type(default) and value == default))
    except Exception:  # Somebody's `==` may do anything.
        return False


def _shown(value: object) -> str:
    # A ledger shows all of its charges.
    return f"<Ledger {value.file}>" if isinstance(value, Ledger) else repr(value)
