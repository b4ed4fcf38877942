"""Privacy and noise as OpenDP computes them: the golden values of tests/privacy_laws/opendp.rs.

    pip install opendp==0.16.0
    python make_opendp.py opendp.json [DRAWS]

OpenDP (https://opendp.org) is another implementation of the same laws, by other people and tested by them. It gives no
probabilities, but these, all on a grid of parameters:

- `conversions`: the epsilon at a delta of a rho (`make_zCDP_to_approxDP`, by the theorem of Canonne, Kamath and Steinke);
- `largest_rho`: the largest rho with an epsilon at a delta, by bisection over the former;
- `laplace_tails`, `gaussian_tails`: the scale at which |noise| >= `reach` has probability `alpha` (`accuracy_to_*_scale`);
- `laplace_costs`, `gaussian_costs`: the epsilon or rho of noise for counts that move by so much (`make_laplace`,
  `make_gaussian`);
- `laplace_draws`, `gaussian_draws`: how often each value was drawn. These are not the same in a second run: OpenDP draws from the
  operating system and takes no seed.
"""
import collections
import importlib.metadata
import json
import math
import sys

import opendp.prelude as dp
from opendp.accuracy import accuracy_to_discrete_gaussian_scale, accuracy_to_discrete_laplacian_scale

dp.enable_features("contrib")

RHOS = [1e-6, 1e-4, 0.001, 0.01, 0.025, 0.1, 0.3, 0.5, 1.0, 2.5, 10.0, 40.0]
EPSILONS = [0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 10.0, 50.0]
DELTAS = [1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.01, 0.1]
REACHES = [1, 2, 3, 5, 10, 30, 100]
ALPHAS = [0.5, 0.1, 0.05, 0.01, 1e-4]
SCALES = [0.4, 0.75, 1.0, 2.5, 7.0, 20.0]
MOVES = [1, 2, 3, 8]
DRAWN = [0.4, 1.0, 2.5, 7.0]

COUNTS = dp.vector_domain(dp.atom_domain(T="i64"))


def laplace(scale):
    return dp.m.make_laplace(COUNTS, dp.l1_distance(T="i64"), scale=scale)


def gaussian(scale):
    return dp.m.make_gaussian(COUNTS, dp.l2_distance(T="f64"), scale=scale)


# At scale sqrt(1/2) a move of d costs the rho d^2.
CONVERTED = dp.c.make_zCDP_to_approxDP(gaussian(math.sqrt(0.5)))


def epsilon(rho, delta):
    return CONVERTED.map(math.sqrt(rho)).epsilon(delta=delta)


def largest_rho(wanted, delta):
    low, high = 0.0, 2.0 * wanted + 10.0
    for _ in range(80):
        middle = (low + high) / 2
        if epsilon(middle, delta) <= wanted:
            low = middle
        else:
            high = middle
    return low


def histogram(measurement, draws):
    counts = collections.Counter()
    for start in range(0, draws, 10_000):
        counts.update(measurement([0] * min(10_000, draws - start)))
    return sorted(counts.items())


def main(path, draws):
    golden = {
        "made_by": f"make_opendp.py with opendp {importlib.metadata.version('opendp')}",
        "conversions": [{"rho": r, "delta": d, "epsilon": epsilon(r, d)} for r in RHOS for d in DELTAS],
        "largest_rho": [{"epsilon": e, "delta": d, "rho": largest_rho(e, d)} for e in EPSILONS for d in DELTAS],
        "laplace_tails": [
            {"reach": r, "alpha": a, "scale": accuracy_to_discrete_laplacian_scale(float(r), a)}
            for r in REACHES
            for a in ALPHAS
        ],
        "gaussian_tails": [
            {"reach": r, "alpha": a, "scale": accuracy_to_discrete_gaussian_scale(float(r), a)}
            for r in REACHES
            for a in ALPHAS
        ],
        "laplace_costs": [{"scale": s, "moves": m, "epsilon": laplace(s).map(m)} for s in SCALES for m in MOVES],
        "gaussian_costs": [
            {"scale": s, "squares": m, "rho": gaussian(s).map(math.sqrt(m))} for s in SCALES for m in MOVES
        ],
        "laplace_draws": [{"scale": s, "counts": histogram(laplace(s), draws)} for s in DRAWN],
        "gaussian_draws": [{"scale": s, "counts": histogram(gaussian(s), draws)} for s in DRAWN],
    }
    lines = []
    for name, value in golden.items():
        if isinstance(value, str):
            lines.append(f'"{name}": {json.dumps(value)}')
        else:
            rows = ",\n".join(json.dumps(row) for row in value)
            lines.append(f'"{name}": [\n{rows}\n]')
    with open(path, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
