"""Largest rho for (epsilon, delta), in decimals with 50 digits: the golden values of src/privacy/conversion.rs.

rho(alpha) = (ln delta + ln(alpha - 1) - alpha ln(1 - 1/alpha)) / (alpha (alpha - 1)) + epsilon / alpha is maximised over
alpha > 1 by ternary search over ln(alpha - 1), in which it rises and then falls. Nothing is drawn: no seed.
"""
from decimal import Decimal, getcontext

getcontext().prec = 50


def rho(epsilon, delta, log_beta):
    beta = log_beta.exp()
    alpha = 1 + beta
    return (delta.ln() + beta.ln() - alpha * (1 - 1 / alpha).ln()) / (alpha * beta) + epsilon / alpha


for epsilon, delta in [("1", "1e-6"), ("1", "1e-5"), ("0.1", "1e-9"), ("0.01", "1e-6"), ("3", "1e-12"), ("10", "1e-6"), ("50", "1e-3"), ("0.5", "0.25")]:
    low, high = Decimal(-12), Decimal(25)
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if rho(Decimal(epsilon), Decimal(delta), left) < rho(Decimal(epsilon), Decimal(delta), right):
            low = left
        else:
            high = right
    print(f'("{epsilon}", "{delta}", "{rho(Decimal(epsilon), Decimal(delta), low):.18f}"),')
