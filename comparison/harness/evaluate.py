"""The measures, the same for every method: how well a tree tells the tables apart, and how far apart their margins are."""

from itertools import combinations

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from .regressions import regression_error

#: A column is a number to the measures if it has more different values than this; fewer are taken as levels.
FEW_VALUES = 12
#: Quantile bins of the real column, for distances between margins of numbers.
BINS = 20
DEPTH = 6
SMALLEST_LEAF = 20
#: Stands for missing numbers in the tree: a value below all others.
BELOW_ALL = -1e9


def evaluate(real, synthetic, schema, regressions):
    """All measures of one synthetic table."""
    synthetic = synthetic[list(real.columns)]
    one_way, two_way = distances(real, synthetic)
    error, failed = regression_error(regressions, real, synthetic, schema)
    return {
        "pmse": pmse(real, synthetic),
        "tvd1": one_way,
        "tvd2": two_way,
        "regression": error,
        "regressions_failed": failed,
    }


def numbers(real):
    """The columns that are measured as numbers."""
    return {name for name in real if pd.api.types.is_numeric_dtype(real[name]) and real[name].nunique() > FEW_VALUES}


def pmse(real, synthetic):
    """Mean of (p - 1/2)^2, p from a tree of depth 6 that was grown on both tables stacked."""
    as_numbers = numbers(real)
    both = pd.concat([real, synthetic], ignore_index=True)
    features = pd.DataFrame(
        {name: both[name].fillna(BELOW_ALL) if name in as_numbers else _codes(both[name]) for name in real}
    )
    labels = np.r_[np.zeros(len(real)), np.ones(len(synthetic))]
    tree = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=SMALLEST_LEAF, random_state=0).fit(features, labels)
    return float(np.mean((tree.predict_proba(features)[:, 1] - 0.5) ** 2))


def distances(real, synthetic):
    """Mean total variation distance of all one-way margins, and of all two-way ones."""
    as_numbers = numbers(real)
    both = pd.concat([real, synthetic], ignore_index=True)
    cells = {name: _bins(real[name], both[name]) if name in as_numbers else _codes(both[name]) for name in real}
    rows = len(real)
    one_way = [_distance(cell, rows) for cell in cells.values()]
    two_way = [_distance(a * (int(b.max()) + 1) + b, rows) for a, b in combinations(cells.values(), 2)]
    return float(np.mean(one_way)), float(np.mean(two_way))


def _bins(real, both):
    """Indices of quantile bins of the real column; missing values have a bin of their own."""
    edges = np.unique(np.nanquantile(real, np.arange(1, BINS) / BINS))
    index = np.searchsorted(edges, both.to_numpy(dtype=float), side="right")
    index[both.isna().to_numpy()] = BINS + 1
    return index


def _codes(values):
    """Levels as integers; missing is a level of its own. Few-valued numbers are compared as numbers, so 1 is 1.0."""
    return pd.factorize(values.astype(object).where(values.notna(), "NA").map(str))[0]


def _distance(cells, rows):
    """Total variation distance between the first `rows` cells and the rest."""
    values, index = np.unique(cells, return_inverse=True)
    first = np.bincount(index[:rows], minlength=len(values)) / rows
    rest = np.bincount(index[rows:], minlength=len(values)) / (len(cells) - rows)
    return float(0.5 * np.abs(first - rest).sum())
