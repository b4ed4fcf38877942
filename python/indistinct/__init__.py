"""Differentially private synthetic data that a classifier cannot tell from the real table.

Tables of pandas, polars and pyarrow, and of anything else that has the Arrow PyCapsule interface
(``__arrow_c_stream__``), go in as they are; so do names of CSV, Parquet and Arrow files. Functions have the options and
the defaults of the ``indistinct`` command, give the same numbers, and say the same when something is wrong: bad input is
a :class:`ValueError` that says in one line what is wrong and in the next what to do.

>>> import pandas as pd
>>> import indistinct
>>> real = pd.DataFrame({"height": [160.5, 172.0, 181.2, 168.9] * 25, "smoker": [True, False, False, True] * 25})
>>> fake = pd.DataFrame({"height": [161.0, 175.5, 179.0, 166.1] * 25, "smoker": [False, False, True, True] * 25})
>>> round(indistinct.pmse(real, fake), 3)
0.25
>>> indistinct.evaluate(real, real).s_pmse
0.0

:class:`Synthesizer` makes private synthetic tables, with a certificate of what is promised and why.

:func:`open_release` opens a release for analyses with error bars.

What ``evaluate``, ``pmse`` and ``pmae`` tell is computed from the private table: it is for the data holder, and not
differentially private.
"""

from __future__ import annotations

from . import metrics
from ._certificate import Certificate, Verification, VerificationFailed, verify
from ._combine import Coefficient, Combination, combine
from ._evaluation import ColumnScore, Distances, Evaluation, PairScore, Prediction, Verdict, evaluate, pmae, pmse
from ._indistinct import BudgetExceeded, NoGuarantee, __version__
from ._ledger import Charge, Ledger, LedgerPlan, Together
from ._release import Intervals, Release, StatisticInterval, open_release
from ._schema import ColumnDescription, Schema, schema
from ._synthesizer import Split, Synthesizer, load

__all__ = [
    "BudgetExceeded",
    "Certificate",
    "Charge",
    "Coefficient",
    "ColumnDescription",
    "ColumnScore",
    "Combination",
    "Distances",
    "Evaluation",
    "Intervals",
    "Ledger",
    "LedgerPlan",
    "NoGuarantee",
    "PairScore",
    "Prediction",
    "Release",
    "Schema",
    "Split",
    "StatisticInterval",
    "Synthesizer",
    "Together",
    "Verdict",
    "Verification",
    "VerificationFailed",
    "__version__",
    "combine",
    "evaluate",
    "load",
    "metrics",
    "open_release",
    "pmae",
    "pmse",
    "schema",
    "verify",
]
