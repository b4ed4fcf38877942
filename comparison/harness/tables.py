"""Tables as files and as data frames, read in one way for real and synthetic ones."""

import numpy as np
import pandas as pd

def read_table(path, schema):
    """The columns of the schema: numbers as floats with NaN for missing, all else as text with None for missing."""
    text = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
    absent = [name for name in schema.names if name not in text.columns]
    if absent:
        raise ValueError(f"columns that are not in the table: {', '.join(absent)}")
    table = pd.DataFrame(index=text.index)
    for column in schema.columns:
        values = text[column.name].str.strip()
        missing = values.isin(column.missing)
        if column.is_number:
            numbers = pd.to_numeric(values.where(~missing), errors="raise").astype(float)
            codes = [float(code) for code in column.missing if _is_number(code)]
            table[column.name] = numbers.where(~numbers.isin(codes))
        else:
            table[column.name] = values.astype(object).where(~missing, None)
    return table


def _is_number(text):
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


def write_table(table, path, schema, missing=""):
    """A CSV file with empty fields for missing values, or another spelling, and numbers with the schema's decimals."""
    text = pd.DataFrame(index=table.index)
    for column in schema.columns:
        values = table[column.name]
        if column.is_number:
            text[column.name] = [_number(value, column.decimals, missing) for value in values]
        else:
            text[column.name] = [missing if value is None or value != value else str(value) for value in values]
    text.to_csv(path, index=False)


def _number(value, decimals, missing):
    if value != value:
        return missing
    if decimals is None:
        return repr(float(value))
    text = f"{value:.{decimals}f}"
    return text[1:] if float(text) == 0 and text.startswith("-") else text


def within_limits(table, schema):
    """A copy in which numbers beyond a limit are the limit, and how many of them there were.

    `indistinct` does this by itself; the other libraries would fail, or need limits read off the private rows.
    """
    table, outside = table.copy(), 0
    for column in schema.columns:
        if column.is_number:
            lower, upper = column.limits
            values = table[column.name]
            outside += int(((values < lower) | (values > upper)).sum())
            table[column.name] = values.clip(lower, upper)
    return table, outside


def independent_columns(table, seed):
    """The control: every column permuted on its own. Margins are exact, dependence is gone."""
    random = np.random.default_rng(seed)
    return pd.DataFrame({name: table[name].to_numpy()[random.permutation(len(table))] for name in table})


def halves(table, seed):
    """Two random halves of the rows: how far apart two samples of one population are."""
    order = np.random.default_rng(seed).permutation(len(table))
    half = len(table) // 2
    return table.iloc[order[:half]].reset_index(drop=True), table.iloc[order[half:]].reset_index(drop=True)
