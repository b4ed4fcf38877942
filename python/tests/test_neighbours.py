"""Tables of which one has a row more: their number of rows is private."""

import numpy as np
import pandas as pd
import pytest

import indistinct


@pytest.fixture
def people() -> pd.DataFrame:
    random = np.random.default_rng(1)
    return pd.DataFrame({"age": random.integers(0, 100, 4000), "smoker": random.random(4000) < 0.3})


@pytest.fixture
def schema() -> indistinct.Schema:
    return indistinct.Schema(
        'version = 1\n[[column]]\nname = "age"\ntype = "integer"\nminimum = 0\nmaximum = 99\n'
        '[[column]]\nname = "smoker"\ntype = "boolean"\n'
    )


def test_the_number_of_rows_is_noisy(people: pd.DataFrame, schema: indistinct.Schema) -> None:
    fitted = indistinct.Synthesizer(1, schema=schema, neighbours="add-remove").fit(people)
    certificate = fitted.certificate
    assert certificate["neighbours"] == "add or remove one row"
    assert certificate["spent"][0]["step"] == "number of rows"
    assert 3400 < certificate["rows"] < 4600
    assert len(fitted.sample()) == certificate["rows"]


def test_words_that_are_no_relation_are_refused(people: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="neighbours"):
        indistinct.Synthesizer(1, neighbours="remove").fit(people)


def test_the_normal_model_refuses(people: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="normal model"):
        indistinct.Synthesizer(1, model="normal", neighbours="add-remove").fit(people[["age"]])
