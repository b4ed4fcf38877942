"""Times scikit-learn's tree as `time_rpart.R` times rpart: python time_sklearn.py FILE REPEATS.

scikit-learn has no cp: the tree is grown to the same depth with the same smallest node and leaf.
"""

import json
import statistics
import sys
import time

import numpy
from sklearn.tree import DecisionTreeClassifier

table = numpy.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
# The type and layout that scikit-learn works on, so that it converts nothing while the clock runs.
x, y = numpy.asfortranarray(table[:, :-1], dtype=numpy.float32), table[:, -1].astype(int)
for depth in (1, 2, 5, 30):
    times = []
    for _ in range(int(sys.argv[2])):
        tree = DecisionTreeClassifier(max_depth=depth, min_samples_split=20, min_samples_leaf=7, random_state=0)
        start = time.perf_counter()
        tree.fit(x, y)
        times.append((time.perf_counter() - start) * 1e3)
    print(json.dumps({"depth": depth, "milliseconds": statistics.median(times)}))
