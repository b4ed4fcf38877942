"""Golden values of src/margin/sinh_arcsinh.rs and src/margin/count.rs. Nothing is drawn: no seed.

sinh_arcsinh.csv: xi, eta, epsilon, delta, x, P(X <= x), P(X > x), by the normal distribution of scipy at z(x), where z is found as
the root of x(z) = x, not by its formula.
negative_binomial.csv: mean, size (inf for Poisson), k, P(X = k), P(X < k), P(X > k), by scipy.stats.
"""
import os
from math import asinh, inf, sinh

from scipy.optimize import brentq
from scipy.stats import nbinom, norm, poisson

folder = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(folder, "sinh_arcsinh.csv"), "w") as file:
    for xi, eta, epsilon, delta in [(0, 1, 0, 1), (50, 10, 0, 1), (3, 2, 1.5, 0.6), (-4, 0.5, -0.8, 0.7), (10, 7, 0.3, 2.5), (1000, 30, 2.5, 0.9)]:
        at = lambda z: xi + eta * sinh((asinh(z) + epsilon) / delta)
        for x in [at(z) for z in (-6, -4, -3, -2, -1.5, -1, -0.6, -0.3, -0.1, 0, 0.1, 0.3, 0.6, 1, 1.5, 2, 3, 4, 6)]:
            x = float(f"{x:.6g}")
            z = brentq(lambda z: at(z) - x, -8, 8, xtol=1e-15, rtol=1e-15, maxiter=500)
            file.write(f"{xi!r},{eta!r},{epsilon!r},{delta!r},{x!r},{float(norm.cdf(z))!r},{float(norm.sf(z))!r}\n")

with open(os.path.join(folder, "negative_binomial.csv"), "w") as file:
    for mean, size in [(0.3, 0.2), (3, 1), (3, 1.7), (3, inf), (12.5, 4), (12.5, inf), (40, 0.5), (200, 30), (800, 1e5), (2e5, 3), (1e4, 2e5)]:
        law = poisson(mean) if size == inf else nbinom(size, size / (size + mean))
        sd = float(law.std())
        for k in sorted({max(0, round(mean + z * sd)) for z in (-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 5, 7)} | {0, 1, 2, 5}):
            values = float(law.pmf(k)), float(law.cdf(k - 1)), float(law.sf(k))
            file.write(f"{mean!r},{size!r},{k},{values[0]!r},{values[1]!r},{values[2]!r}\n")
