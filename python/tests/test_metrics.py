"""pMSE as scikit-learn has metrics."""

from __future__ import annotations

import numpy
import pandas
import pytest
from sklearn.model_selection import cross_val_score

import indistinct
from indistinct import metrics

RANDOM = numpy.random.default_rng(1)
REAL = pandas.DataFrame({"x": RANDOM.normal(size=400).round(2), "y": RANDOM.integers(0, 4, 400)})
FAR = REAL + 100
SCHEMA = indistinct.Schema(
    'version = 1\n[[column]]\nname = "x"\ntype = "float"\nminimum = -5\nmaximum = 5\ndecimals = 2\n'
    '[[column]]\nname = "y"\ntype = "integer"\nminimum = 0\nmaximum = 3\n'
)


def test_less_of_a_loss_and_more_of_a_score_is_better() -> None:
    assert (metrics.pmse_loss(REAL, REAL), metrics.pmse_loss(REAL, FAR)) == (0.0, 0.25)
    assert (metrics.pmse_score(REAL, REAL), metrics.pmse_score(REAL, FAR)) == (1.0, 0.0)
    assert (metrics.pmae_loss(REAL, REAL), metrics.pmae_loss(REAL, FAR)) == (0.0, 0.5)
    assert (metrics.pmae_score(REAL, REAL), metrics.pmae_score(REAL, FAR)) == (1.0, 0.0)
    options = {"discriminator": "optimal", "depth": 1}
    assert metrics.pmse_loss(REAL, FAR, **options) == indistinct.pmse(REAL, FAR, discriminator="optimal", depth=1)
    with pytest.raises(ValueError, match="means nothing"):
        metrics.pmse_score(REAL, FAR, interactions=True)


def test_scorers_work_in_model_selection() -> None:
    synthesizer = indistinct.Synthesizer(epsilon=4.0, schema=SCHEMA, seed=1, progress=False)
    found = cross_val_score(synthesizer, REAL, cv=3, scoring=metrics.make_scorer())
    assert found.shape == (3,) and ((0.5 < found) & (found <= 1)).all()
    lost = cross_val_score(synthesizer, REAL, cv=3, scoring=metrics.make_scorer(metrics.pmse_loss, greater_is_better=False))
    assert ((-0.125 < lost) & (lost <= 0)).all()
