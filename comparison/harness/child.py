"""One run of a compared library, in a process of its own: `python -m harness.child METHOD TABLE SCHEMA EPSILON SEED FOLDER`.

Writes FOLDER/synthetic.csv, and FOLDER/timing.json with the seconds of fitting and sampling (without reading and writing).
"""

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import pandas as pd

from .methods import BY_NAME
from .privacy import rho
from .schema import datasynthesizer_domain, dpmm_domain, read_schema
from .tables import read_table, within_limits, write_table

#: dpmm's own example spends 1.0 on the model and 0.1 on choosing bins; here both together are the epsilon of the run.
DPMM_BINS_TO_MODEL = 0.1
#: Most parents of a column. Two is what DataSynthesizer's own examples have; one leaves less noise in small tables. Its
#: automatic choice is 3 for adult and diamonds, 6 for hmeq and 7 for sd2011: tables of up to 20^8 cells.
DATASYNTHESIZER_PARENTS = {"datasynthesizer": 2, "datasynthesizer-one-parent": 1}
#: What dpsynth is given for a missing category: no table has this level.
MISSING_LEVEL = "(missing)"


def dpmm(method, table, schema, epsilon, seed, _folder):
    """A pipeline of dpmm with its defaults, bounds and categories from the schema."""
    from dpmm.pipelines import AIMPipeline, MSTPipeline, PrivBayesPipeline

    pipelines = {
        "dpmm-privbayes": PrivBayesPipeline,
        "dpmm-mst": MSTPipeline,
        "dpmm-mst-no-limits": MSTPipeline,
        "dpmm-aim": AIMPipeline,
    }
    for column in schema.columns:
        whole = column.kind == "integer" and table[column.name].notna().all()
        if whole:
            table[column.name] = table[column.name].astype(int)
    start = time.perf_counter()
    pipeline = pipelines[method.name](
        epsilon=epsilon / (1 + DPMM_BINS_TO_MODEL),
        proc_epsilon=epsilon * DPMM_BINS_TO_MODEL / (1 + DPMM_BINS_TO_MODEL),
        delta=method.delta,
        n_jobs=1,
    )
    pipeline.fit(table, dpmm_domain(schema, method.limits), random_state=seed)
    synthetic = pipeline.generate(n_records=len(table), random_state=seed)
    return synthetic, time.perf_counter() - start


def datasynthesizer(method, table, schema, epsilon, seed, folder):
    """DataSynthesizer in correlated attribute mode. It reads files, so it is given some."""
    from DataSynthesizer.DataDescriber import DataDescriber
    from DataSynthesizer.DataGenerator import DataGenerator

    os.cpu_count = lambda: 1  # it starts a worker per core otherwise
    private, categories, description = folder / "private.csv", folder / "categories.json", folder / "description.json"
    write_table(table, private, schema)
    domain = datasynthesizer_domain(schema)
    categories.write_text(json.dumps(domain.pop("categorical_domains")))
    start = time.perf_counter()
    describer = DataDescriber()
    with contextlib.redirect_stdout(sys.stderr):
        describer.describe_dataset_in_correlated_attribute_mode(
            str(private),
            k=DATASYNTHESIZER_PARENTS[method.name],
            epsilon=epsilon,
            categorical_attribute_domain_file=str(categories),
            seed=seed,
            **domain,
        )
    describer.save_dataset_description_to_file(str(description))
    generator = DataGenerator()
    generator.generate_dataset_in_correlated_attribute_mode(len(table), str(description), seed=seed)
    seconds = time.perf_counter() - start
    synthetic = generator.synthetic_dataset
    for column in schema.columns:
        if column.is_number:
            synthetic[column.name] = pd.to_numeric(synthetic[column.name])
    return synthetic, seconds


def dpsynth(method, table, schema, epsilon, seed, _folder):
    """The in-memory synthesiser of google/dpsynth with its defaults, domains from the schema.

    Like dpmm it is told by the rows which columns have missing values at all. Numbers are drawn within their class.
    """
    import numpy as np
    from dpsynth import TabularSynthesizer
    from dpsynth.discrete_mechanisms import AIMConfig, MSTConfig
    from dpsynth.domain import CategoricalAttribute, NumericalAttribute
    from dpsynth.local_mode import vectorized_transformations

    # Classes are numbered in bytes there, and that of missing values, less one, would be 255.
    undiscretize = vectorized_transformations.undiscretize
    vectorized_transformations.undiscretize = lambda classes, *rest, **named: undiscretize(
        classes.astype(int), *rest, **named
    )

    domains, table = {}, table.copy()
    for column in schema.columns:
        some_missing = bool(table[column.name].isna().any())
        if column.is_number:
            low, high = column.limits
            domains[column.name] = NumericalAttribute(
                low, high, clip_to_range=not some_missing, interval_handling="sample"
            )
        else:
            levels = [*column.levels, MISSING_LEVEL] if some_missing else list(column.levels)
            domains[column.name] = CategoricalAttribute(levels)
            table[column.name] = table[column.name].fillna(MISSING_LEVEL)
    mechanism = {"dpsynth-mst": MSTConfig, "dpsynth-aim": AIMConfig}[method.name]()
    start = time.perf_counter()
    synthesizer = TabularSynthesizer(domains=domains, discrete_mechanism=mechanism)
    configured = synthesizer.configure(zcdp_rho=rho(epsilon, method.delta), delta=method.delta)
    synthetic = configured(np.random.default_rng(seed), table).synthetic_data
    seconds = time.perf_counter() - start
    for column in schema.columns:
        if not column.is_number:
            values = synthetic[column.name].astype(object)
            synthetic[column.name] = values.where(values != MISSING_LEVEL, None)
    return synthetic, seconds


def main(name, table, schema, epsilon, seed, folder):
    """Runs the method once."""
    schema, folder, method = read_schema(schema), Path(folder), BY_NAME[name]
    private = read_table(table, schema)
    if method.limits:
        private, _outside = within_limits(private, schema)
    fit = {"dpmm": dpmm, "DataSynthesizer": datasynthesizer, "dpsynth": dpsynth}[method.library]
    synthetic, seconds = fit(method, private, schema, float(epsilon), int(seed), folder)
    write_table(synthetic, folder / "synthetic.csv", schema)
    (folder / "timing.json").write_text(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
