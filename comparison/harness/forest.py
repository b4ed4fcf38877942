"""What a forest that was trained on a synthetic table knows about the real one, by scikit-learn's forest."""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

TREES = 100
#: Stands for missing numbers: a value below all others.
BELOW_ALL = -1e9


def predict(real, synthetic, column, test=None, seed=1):
    """Accuracy, or R2 of a column of numbers, on real test rows: of a forest of real rows and of one of synthetic rows.

    Test rows are `test`, or a third of the real rows, and the forest of real rows is then grown on the other two thirds.
    """
    if test is None:
        order = np.random.default_rng(seed).permutation(len(real))
        third = len(real) // 3
        real, test = real.iloc[order[third:]], real.iloc[order[:third]]
    number = pd.api.types.is_numeric_dtype(real[column])
    scores = [_score(train, test, column, number, seed) for train in (real, synthetic)]
    return {"column": column, "metric": "R2" if number else "accuracy", "real": scores[0], "synthetic": scores[1]}


def _score(train, test, column, number, seed):
    train, test = (t[t[column].notna()] for t in (train, test))
    x_train, x_test = _features(train.drop(columns=column), test.drop(columns=column))
    kind = RandomForestRegressor if number else RandomForestClassifier
    # A third of the columns at each split of a regression tree, their square root for classes: Breiman's choices.
    forest = kind(TREES, max_features=1 / 3 if number else "sqrt", min_samples_leaf=5 if number else 1, random_state=seed)
    forest.fit(x_train, train[column])
    return float(forest.score(x_test, test[column]))


def _features(train, test):
    """Numbers as they are; categories as indicators of their levels, of which missing is one."""
    both = pd.concat([train, test], ignore_index=True)
    numbers = [name for name in both if pd.api.types.is_numeric_dtype(both[name])]
    levels = both.drop(columns=numbers)
    parts = [both[numbers].fillna(BELOW_ALL)]
    if len(levels.columns):
        parts.append(pd.get_dummies(levels.astype(object), dummy_na=True, dtype=np.int8))
    x = pd.concat(parts, axis=1).to_numpy(dtype=np.float32)
    return x[: len(train)], x[len(train) :]
