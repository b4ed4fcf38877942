"""Mean total variation distance over all sets of one, two and three columns, as `indistinct evaluate` defines it.

Computed here by itself, in numpy, so that the program does not judge itself: docs/evaluation.md has the definition.
"""

from itertools import combinations

import numpy as np
import pandas as pd

#: Numbers with more different real values than this are compared in classes, others value by value.
MANY_VALUES = 45
CLASSES = 20
#: Sets of columns whose tables have at most so many cells are counted in an array of cells; others by sorting.
DENSE_CELLS = 1 << 20


def distances(real, synthetic, largest=3):
    """The distances by name, over sets of up to `largest` columns."""
    codes = [_codes(real[name], synthetic[name]) for name in real]
    names = ("one_way", "two_way", "three_way")[:largest]
    return {name: _mean_distance(codes, len(real), k) for k, name in enumerate(names, 1) if len(codes) >= k}


def _codes(real, synthetic):
    """The classes of both tables' rows, real ones first, as whole numbers from 0 on; 0 is missing."""
    both = pd.concat([real, synthetic], ignore_index=True)
    if pd.api.types.is_numeric_dtype(real) and real.nunique() > MANY_VALUES:
        cuts = np.unique(np.nanquantile(real, np.arange(1, CLASSES) / CLASSES))
        return np.where(both.isna(), 0, 1 + np.searchsorted(cuts, both.fillna(0), side="right")).astype(np.int64)
    return pd.factorize(both)[0].astype(np.int64) + 1


def _mean_distance(codes, rows, k):
    total, sets = 0.0, 0
    for first in combinations(range(len(codes)), k - 1):
        start = first[-1] + 1 if first else 0
        shared, cells = np.zeros(len(codes[0]), np.int64), 1
        for place in first:
            shared, cells = _joined(shared, cells, codes[place])
        if k > 1:
            shared, cells = _compact(shared, cells)
        for last in codes[start:]:
            total += _distance(*_joined(shared, cells, last), rows)
            sets += 1
    return total / sets


def _joined(cell, cells, code):
    width = int(code.max()) + 1
    return cell * width + code, cells * width


def _compact(cell, cells):
    """The same cells numbered without gaps."""
    if cells <= DENSE_CELLS:
        used = np.flatnonzero(np.bincount(cell, minlength=cells))
        place = np.zeros(cells, np.int64)
        place[used] = np.arange(len(used))
        return place[cell], len(used)
    used, cell = np.unique(cell, return_inverse=True)
    return cell, len(used)


def _distance(cell, cells, rows):
    if cells > DENSE_CELLS:
        cell, cells = _compact(cell, cells)
    real = np.bincount(cell[:rows], minlength=cells) / rows
    synthetic = np.bincount(cell[rows:], minlength=cells) / (len(cell) - rows)
    return float(0.5 * np.abs(real - synthetic).sum())
