"""Regressions that an analyst might run, chosen before any result was seen, and how far synthetic tables miss them."""

from dataclasses import dataclass

import numpy as np

#: Fewer complete rows than this for each coefficient, and the regression counts as one that could not be computed.
ROWS_PER_COEFFICIENT = 5


@dataclass(frozen=True)
class Regression:
    """Least squares of one outcome on predictors.

    Terms are column names, `log(column)`, or `column=level` for an indicator. A categorical column stands for indicators of
    all its levels but the first. `codes` are numbers that are no amounts, and left out like missing values.
    """

    outcome: str
    predictors: tuple
    codes: tuple = ()

    def __str__(self):
        return f"{self.outcome} ~ {' + '.join(self.predictors)}"


REGRESSIONS = {
    "adult": (
        Regression("hours-per-week", ("age", "sex", "education-num")),
        Regression("income=>50K", ("age", "education-num", "hours-per-week", "sex")),
    ),
    "hmeq": (
        Regression("VALUE", ("MORTDUE", "LOAN")),
        Regression("BAD=1", ("DEBTINC", "CLAGE", "DELINQ")),
    ),
    "diamonds": (
        Regression("log(price)", ("log(carat)", "depth", "table", "cut")),
        Regression("price", ("carat",)),
    ),
    "sd2011": (
        Regression("income", ("age", "sex", "edu"), codes=(-8,)),
        Regression("bmi", ("age", "sex")),
    ),
    "artificial-characters": (
        Regression("V7", ("V6", "V2", "V3")),
        Regression("V4", ("V2", "V6")),
    ),
    "nltcs": (
        Regression("managing money=1", ("telephoning", "taking medicine", "traveling")),
        Regression("bathing=1", ("dressing", "using toilet", "getting around inside")),
    ),
    "randhie": (
        Regression("mdvis", ("disea", "physlm", "idp", "hlthp")),
        Regression("disea", ("hlthf", "hlthp", "physlm")),
    ),
    **{
        f"{excerpt}-demographic": (
            Regression("OWN_RENT=1", ("AGEP", "SEX", "EDU")),
            Regression("DEYE=1", ("AGEP", "SEX")),
        )
        for excerpt in ("national2019", "ma2019")
    },
    **{
        f"{excerpt}-full": (
            Regression("PINCP", ("AGEP", "SEX", "EDU")),
            Regression("DPHY=1", ("AGEP", "SEX", "POVPIP")),
        )
        for excerpt in ("national2019", "ma2019")
    },
}


def regression_error(regressions, real, synthetic, schema):
    """Mean error over regressions, and how many could not be computed on the synthetic table.

    The error of a regression is the mean over coefficients, without the intercept, of
    |b_synthetic - b_real| sd(x_real) / sd(y_real). One that cannot be computed counts as if all its coefficients were 0.
    """
    errors, failed = [], 0
    for regression in regressions:
        design, outcome = _design(regression, real, schema)
        used = [name for name in design if np.ptp(design[name]) > 0]
        truth = _coefficients(design, outcome, used)
        scale = np.array([np.std(design[name]) for name in used]) / np.std(outcome)
        estimate = _coefficients(*_design(regression, synthetic, schema), used)
        if estimate is None:
            failed += 1
            estimate = np.zeros_like(truth)
        errors.append(float(np.mean(np.abs(estimate - truth) * scale)))
    return float(np.mean(errors)), failed


def _design(regression, table, schema):
    """Predictors by name, and the outcome, of the rows where all are known."""
    outcome = _term(regression.outcome, table, regression.codes)
    design = {}
    for predictor in regression.predictors:
        if predictor in schema.names and not schema[predictor].is_number:
            for level in schema[predictor].levels[1:]:
                design[f"{predictor}={level}"] = _term(f"{predictor}={level}", table, ())
        else:
            design[predictor] = _term(predictor, table, regression.codes)
    known = np.isfinite(outcome)
    for values in design.values():
        known &= np.isfinite(values)
    return {name: values[known] for name, values in design.items()}, outcome[known]


def _term(term, table, codes):
    """The values of a term, NaN where they are unknown or where a logarithm does not exist."""
    if term.startswith("log("):
        values = table[term[4:-1]].to_numpy(dtype=float)
        return np.log(np.where(values > 0, values, np.nan))
    if term in table:
        values = table[term].to_numpy(dtype=float)
        return np.where(np.isin(values, codes), np.nan, values)
    column, level = term.split("=", 1)
    return np.where(table[column].isna(), np.nan, (table[column] == level).to_numpy(dtype=float))


def _coefficients(design, outcome, used):
    """Least squares without the intercept's coefficient, or None where it is not determined."""
    if len(outcome) < ROWS_PER_COEFFICIENT * (len(used) + 1):
        return None
    x = np.column_stack([design[name] for name in used])
    spread = x.std(axis=0)
    if (spread == 0).any():
        return None
    standard = (x - x.mean(axis=0)) / spread
    if np.linalg.matrix_rank(standard, tol=1e-9 * np.sqrt(len(outcome))) < len(used):
        return None
    solution, *_ = np.linalg.lstsq(standard, outcome - outcome.mean(), rcond=None)
    return solution / spread
