"""pMSE as scikit-learn has metrics: a loss, a score, and a scorer for model selection.

scikit-learn's names say which way is better: less of a ``_loss``, more of a ``_score``. Both take the real table first, where
scikit-learn has ``y_true``, and the synthetic one second. They are computed from the private table without differential
privacy: for the data holder only.

>>> import pandas as pd
>>> from indistinct.metrics import pmse_loss, pmse_score
>>> real, fake = pd.DataFrame({"x": range(100)}), pd.DataFrame({"x": range(100, 200)})
>>> pmse_loss(real, real), pmse_loss(real, fake)
(0.0, 0.25)
>>> pmse_score(real, real), pmse_score(real, fake)
(1.0, 0.0)
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Protocol

from ._evaluation import pmae, pmse

__all__ = ["make_scorer", "pmae_loss", "pmae_score", "pmse_loss", "pmse_score"]

# What the measures are where every row can be told.
_WORST_PMSE = 0.25
_WORST_PMAE = 0.5


class _Samples(Protocol):
    """What a scorer scores: a fitted :class:`indistinct.Synthesizer`, or anything else that makes rows."""

    def sample(self, rows: int) -> Any: ...


def pmse_loss(real: object, synthetic: object, **options: Any) -> float:
    """pMSE: 0 where the discriminator cannot tell, 1/4 where it always can. The options are those of :func:`indistinct.pmse`."""
    return pmse(real, synthetic, **options)


def pmae_loss(real: object, synthetic: object, **options: Any) -> float:
    """pMAE: 0 where the discriminator cannot tell, 1/2 where it always can. The options are those of :func:`indistinct.pmae`."""
    return pmae(real, synthetic, **options)


def pmse_score(real: object, synthetic: object, **options: Any) -> float:
    """1 - 4 pMSE: 1 where the discriminator cannot tell, 0 where it always can."""
    return 1.0 - pmse(real, synthetic, **options) / _WORST_PMSE


def pmae_score(real: object, synthetic: object, **options: Any) -> float:
    """1 - 2 pMAE: 1 where the discriminator cannot tell, 0 where it always can."""
    return 1.0 - pmae(real, synthetic, **options) / _WORST_PMAE


def make_scorer(
    metric: Callable[..., float] = pmse_score, *, greater_is_better: bool = True, **options: Any
) -> Callable[..., float]:
    """A scorer for ``cross_val_score``, ``GridSearchCV`` and the like: it compares rows that a fitted
    :class:`indistinct.Synthesizer` makes with rows that it was not fitted to, as many of each.

    Every fold and every candidate is a private release of its own. Whoever publishes one of them, or what was learned by
    comparing them, has spent the epsilon of all.

    Args:
        metric: A function of the real and the synthetic table.
        greater_is_better: Whether more of it is better; the sign of a loss is turned.
        options: Passed on to the metric.

    >>> import indistinct
    >>> from indistinct.metrics import make_scorer, pmse_loss
    >>> synthesizer = indistinct.load("release/model.json")
    >>> scorer = make_scorer(pmse_loss, greater_is_better=False, discriminator="optimal")
    >>> -0.1 < scorer(synthesizer, synthesizer.sample(200)) <= 0
    True
    """

    def scorer(estimator: _Samples, X: Any, y: Optional[object] = None, **_: Any) -> float:
        found = metric(X, estimator.sample(len(X)), **options)
        return found if greater_is_better else -found

    return scorer
