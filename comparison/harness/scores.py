"""All measures of one synthetic table, for `score.py` and for the runs of the comparison."""

from . import nist_evaluation
from .distances import distances
from .forest import predict
from .nist import broken_rules
from .regressions import regression_error
from .tables import read_table
from .tree import pmse


def score(table, real, synthetic, schema, data, regressions, skip=()):
    """Distances, pMSE, regressions, prediction; for NIST's excerpts its own scores and the rules that rows break."""
    synthetic = synthetic[list(real.columns)]
    found = {**distances(real, synthetic, 2 if "three-way" in skip else 3)}
    found["pmse"] = pmse(real, synthetic)
    found["regression"], found["regressions_failed"] = regression_error(regressions, real, synthetic, schema)
    if "predict" not in skip:
        test = read_table(data / table.test_file, schema) if table.test_file else None
        found["predict"] = predict(real, synthetic, table.predict, test)
    if table.excerpt:
        found["rules_broken"] = broken_rules(synthetic)
        if "sdnist" not in skip:
            found["sdnist"] = nist_evaluation.evaluate(table.excerpt, synthetic, schema, data)
    return found


def is_complete(line):
    """Whether a line of results has every measure. Those of 0.1.1 have distances by another definition, and no prediction."""
    return line["status"] != "ok" or {"two_way", "predict"} <= set(line["metrics"])
