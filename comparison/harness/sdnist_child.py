"""NIST's k-marginal (0 to 1000) and pMSE, by its own package: `python sdnist_child.py EXCERPT SYNTHETIC.csv ROOT`, printing JSON.

Runs in an environment of its own, because SDNist 2.4 needs older libraries than the other methods do (requirements-sdnist.txt).
It calls the two measures of NIST's report as the report does, without its hundreds of plots.
"""

import contextlib
import json
import sys
import tempfile
from pathlib import Path


def scores(excerpt, synthetic, root):
    """Both scores, and columns that SDNist left out because of values that its dictionary does not have."""
    import numpy
    import sdnist.report  # first, or its modules import each other in a circle  # noqa: F401
    import sdnist.strs as strs
    from sdnist.load import TestDatasetName
    from sdnist.metrics.kmarginal import KMarginal
    from sdnist.metrics.propensity import PropensityMSE
    from sdnist.report.dataset import Dataset
    from sdnist.utils import SimpleLogger

    numpy.random.seed(0)  # its tree breaks ties by numpy's global generator
    data = Dataset(Path(synthetic), SimpleLogger(), TestDatasetName[excerpt], Path(root), download=False)
    groups = data.config[strs.K_MARGINAL][strs.GROUP_FEATURES]
    with tempfile.TemporaryDirectory() as folder:
        return {
            "k_marginal": float(KMarginal(data.d_target_data, data.d_synthetic_data, groups).compute_score()),
            "pmse": float(PropensityMSE(data.t_target_data, data.t_synthetic_data, Path(folder)).compute_score()),
            "left_out": sorted(data.validation_log["values_out_of_bound"]),
        }


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        found = scores(*sys.argv[1:])
    print(json.dumps(found))
