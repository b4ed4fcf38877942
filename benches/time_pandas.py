"""Times pandas' default CSV reader: python time_pandas.py FILE REPEATS prints the median seconds as JSON."""

import json
import statistics
import sys
import time

import pandas

times = []
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    pandas.read_csv(sys.argv[1])
    times.append(time.perf_counter() - start)
print(json.dumps({"seconds": statistics.median(times)}))
