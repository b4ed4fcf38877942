"""The parts of the page that no result could contradict: what was compared, how, and who was told what."""

#: What follows the title.
HEAD = """
What a user would try: `indistinct` beside the differentially private synthesisers that are a `pip install` away, on real
tables, with one evaluation for all. Some are *development tables*: constants of `indistinct` were chosen with them in sight (adult, hmeq,
diamonds, sd2011, national2019, artificial characters). The others are *test tables*, marked as such: nothing was tuned on them. This page is written by a program from
[comparison/results.jsonl](../comparison/results.jsonl); [comparison/README.md](../comparison/README.md) says how to run it again.
"""

TOLD = """
## Who was told what

- **The tables**: adult (UCI Adult, CC BY 4.0, as shipped with CTGAN's examples), hmeq (the SAS sample HMEQ, as shipped with
  dpmm, Apache-2.0), diamonds (ggplot2, as shipped with plotnine, MIT), sd2011 (Social Diagnosis 2011, from the R package
  synthpop, GPL; 15 of 35 columns: no column that is a function of others, none that is mostly missing), national2019 and ma2019 (NIST's
  Diverse Communities Data Excerpts of the American Community Survey: the ten *demographic* columns, and all 24), artificial-characters
  (UCI, as OpenML has it), nltcs (National Long Term Care Survey, as shipped with McKenna's hd-datasets) and randhie (RAND Health Insurance
  Experiment, as shipped with statsmodels).
- **The public part**: a [schema](schema.md) for each table, in [comparison/schemas](../comparison/schemas): types, levels,
  limits, decimals, special values. Of artificial-characters and randhie, and for DENSITY of the excerpts, no code book was at hand, and these were
  read off the table. Bounds and categories of the other libraries are made from it, so that all are told
  the same and no method reads them off the rows by itself. Numbers that the others make are rounded to the schema's decimals. They have no notion of a
  special value (`atoms`) within a column of numbers; the order of ordered levels is not used by them.
- **`indistinct`** runs with delta 1e-5, **pure** with delta 0, and **no limits** with delta 1e-5 and a schema without minimum and
  maximum. **With rules** it is also given the rules between columns of NIST's excerpts (a question that is not asked of children is missing for
  them), which the others have no way to be told. Its guarantee is for tables in which one row is *substituted*, and with **add/remove** for tables of
  which one has a row more, as that of the others is ([guarantees](guarantees.md)).
"""

#: Of the libraries, by the names of their distributions, where there are results of them.
TOLD_OF = {
    "dpmm": """
- **dpmm** 0.1.9 (PrivBayes, MST, AIM): its defaults, delta 1e-5. Its own example spends 1.0 on the model and 0.1 on bins; here both
  together, in that proportion, are the epsilon of the run. Noise is scaled for one row that is *added or removed*, which
  is less noise than substitution needs at the same epsilon. Outside its mechanisms, it takes from the rows which columns
  have missing values at all, and fills missing values with the value of one row before it makes bins.
""",
    "DataSynthesizer": """
- **DataSynthesizer** 0.1.13, in correlated attribute mode, pure: with at most two parents, as in its own examples, and with one. Its
  automatic choice would be 3, 6, 3 and 7 parents for these tables. Noise on its counts is scaled for one row *added or
  removed*, too. Left to itself it takes categories and ranges from the private rows, and the guarantee does not cover
  that; here it is given them. Which columns have missing values at all it still takes from the rows.
""",
    "dpsynth": """
- **dpsynth** 0.3.0 (Google's, from GitHub; MST): its defaults, given the largest rho that implies epsilon and delta 1e-5. Noise is scaled for one row
  *added or removed*. Which columns have missing values at all it is told by the rows. Numbers are drawn within their class
  (which fails there where some are missing, as an index wraps around: mended here).
""",
}

#: Of one method alone, below its library.
TOLD_OF_METHOD = {
    "dpmm-mst-no-limits": """
  **MST, no limits** gets no bounds: it finds powers of 2 around the values with half its budget for bins, and fails where that is too little.
""",
}

TOLD_OF_ALL = """
- The guarantees of the others are taken as their authors state them, and were not checked here.
"""

MEASURES = """
## What is measured

Synthetic tables have as many rows as the real one, and are compared with the real table itself.

- **pMSE**: scikit-learn's tree, depth 6, leaves of at least 20 rows, grown on both tables stacked; the mean of (p − 1/2)².
  Missing numbers are a value below all others; levels are coded in the order in which they come.
- **Distances**: of one, two and three columns, as [`evaluate` defines them](evaluation.md#distances), computed by a program of their own:
  numbers with more than 45 different values in 20 classes by quantiles of the real column, other columns by their values, missing a class of its
  own. Runs from before 0.2 have none by this definition, and are not shown there.
- **Prediction**: a forest of scikit-learn (100 trees) predicts one column, named before the first run, from all others. It is trained on the synthetic
  rows and tested on a third of the real rows (artificial characters: on its test file). Of the halves it is trained on one and tested on a third of
  the other.
- **NIST's scores**: the k-marginal score and the pMSE that SDNist 2.4, run by itself, gives for its excerpts. With all 24 columns its
  marginals are of PUMA and two others; with the demographic ten of two.
- **Regressions**: least squares on complete rows, with the coefficients of the synthetic table against the real ones: the mean of
  |b_synthetic − b_real| sd(x) / sd(y), with the real table's sd, over coefficients and regressions. One that cannot be computed on
  the synthetic table counts as if all its coefficients were 0, and is counted. They were written down before the first run.
- **Independent columns**: the control, every real column permuted by itself. Its margins are exact, and it is not private.
- **Two halves of the real table** against each other: as close as another sample of half the size comes.

The regressions:
"""

#: What others published, cited and not measured here.
PUBLISHED = """
NIST publishes of its Collaborative Research Cycle, for national2019 (cited, not measured here; neighbours there differ by one row more or less): demographic
columns, epsilon 1, SmartNoise's AIM with k-marginal 976 and pMSE about .0017, its MST 958 and about .0045; all 24 columns, MWEM+PGM at epsilon 1 with 847
and .050, AIM at epsilon 10 with 710 and .241. Random subsamples of the real demographic table score 969 (10 %), 977 (20 %), 984 (30 %) and 989
(50 %).
"""
