"""Clopper-Pearson bounds by scipy: hits, releases, alpha of each side, lower and upper bound.

    python3 make_clopper_pearson.py > clopper_pearson.csv
"""

import random

from scipy.stats import beta

random.seed(20261115)
cases = [(0, 10), (10, 10), (1, 10), (0, 100000), (100000, 100000), (3, 250000), (249990, 250000), (1, 1), (0, 1)]
cases += [(random.randint(0, n), n) for n in (5, 50, 500, 5000, 50000) for _ in range(10)]
for hits, n in cases:
    for alpha in (0.05, 0.025, 0.0005):
        low = 0.0 if hits == 0 else beta.ppf(alpha, hits, n - hits + 1)
        high = 1.0 if hits == n else beta.isf(alpha, hits + 1, n - hits)
        print(f"{hits},{n},{alpha},{low:.17g},{high:.17g}")
