"""The parts of the page that no result could contradict: what was compared, how, and who was told what."""

HEAD = """
# Comparison with dpmm and DataSynthesizer

What a user would try: `indistinct` beside the differentially private synthesisers that are a `pip install` away, on four real
tables, with one evaluation for all. This page is written by a program from
[comparison/results.jsonl](../comparison/results.jsonl); [comparison/README.md](../comparison/README.md) says how to run it again.
"""

TOLD = """
## Who was told what

- **The tables**: adult (UCI Adult, CC BY 4.0, as shipped with CTGAN's examples), hmeq (the SAS sample HMEQ, as shipped with
  dpmm, Apache-2.0), diamonds (ggplot2, as shipped with plotnine, MIT) and sd2011 (Social Diagnosis 2011, from the R package
  synthpop, GPL; 15 of 35 columns: no column that is a function of others, none that is mostly missing).
- **The public part**: a [schema](schema.md) for each table, in [comparison/schemas](../comparison/schemas): types, levels,
  limits, decimals, special values. Bounds and categories of the other libraries are made from it, so that no method reads them
  off the private rows. Numbers that the others make are rounded to the schema's decimals. They have no notion of a
  special value (`atoms`) within a column of numbers; the order of ordered levels is not used by them.
- **`indistinct`** runs with delta 1e-5, **pure** with delta 0, and **no limits** with delta 1e-5 and a schema without minimum and
  maximum. Its guarantee is for tables in which one row is *substituted* ([guarantees](guarantees.md)).
- **dpmm** 0.1.9 (PrivBayes, MST, AIM): its defaults, delta 1e-5. Its own example spends 1.0 on the model and 0.1 on bins; here both
  together, in that proportion, are the epsilon of the run. Noise is scaled for one row that is *added or removed*, which
  is less noise than substitution needs at the same epsilon. Outside its mechanisms, it takes from the rows which columns
  have missing values at all, and fills missing values with the value of one row before it makes bins. **MST, no limits** gets
  no bounds: it finds powers of 2 around the values with half its budget for bins, and fails where that is too little.
- **DataSynthesizer** 0.1.13, in correlated attribute mode, pure: with at most two parents, as in its own examples, and with one. Its
  automatic choice would be 3, 6, 3 and 7 parents for these tables. Noise on its counts is scaled for one row *added or
  removed*, too. Left to itself it takes categories and ranges from the private rows, and the guarantee does not cover
  that; here it is given them. Which columns have missing values at all it still takes from the rows.
- The guarantees of the others are taken as their authors state them, and were not checked here.
"""

MEASURES = """
## What is measured

Synthetic tables have as many rows as the real one, and are compared with the real table itself.

- **pMSE**: scikit-learn's tree, depth 6, leaves of at least 20 rows, grown on both tables stacked; the mean of (p − 1/2)².
  Missing numbers are a value below all others; levels are coded in the order in which they come.
- **Distances**: numbers (with more than 12 different values) in 20 bins by quantiles of the real column, missing values in one of
  their own; other columns by their values.
- **Regressions**: least squares on complete rows, with the coefficients of the synthetic table against the real ones: the mean of
  |b_synthetic − b_real| sd(x) / sd(y), with the real table's sd, over coefficients and regressions. One that cannot be computed on
  the synthetic table counts as if all its coefficients were 0, and is counted. They were written down before the first run.
- **Independent columns**: the control, every real column permuted by itself. Its margins are exact, and it is not private.
- **Two halves of the real table** against each other: as close as another sample of half the size comes.

The regressions:
"""
