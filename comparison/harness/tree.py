"""How well a tree tells the tables apart, the same for every method."""

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

#: A column is a number to the tree if it has more different values than this; fewer are taken as levels.
FEW_VALUES = 12
DEPTH = 6
SMALLEST_LEAF = 20
#: Stands for missing numbers in the tree: a value below all others.
BELOW_ALL = -1e9


def numbers(real):
    """The columns that the tree sees as numbers."""
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


def _codes(values):
    """Levels as integers; missing is a level of its own. Few-valued numbers are compared as numbers, so 1 is 1.0."""
    return pd.factorize(values.astype(object).where(values.notna(), "NA").map(str))[0]
