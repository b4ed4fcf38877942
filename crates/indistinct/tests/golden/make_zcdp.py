"""Largest rho for (epsilon, delta), and the epsilon of sums of such rhos, in decimals with 50 digits: the golden values of
src/privacy/conversion.rs and of ledgers.

rho(alpha) = (ln delta + ln(alpha - 1) - alpha ln(1 - 1/alpha)) / (alpha (alpha - 1)) + epsilon / alpha is maximised over
alpha > 1 by ternary search over ln(alpha - 1), in which it rises and then falls. Nothing is drawn: no seed.
"""
from decimal import Decimal, getcontext

getcontext().prec = 50


def rho(epsilon, delta, log_beta):
    beta = log_beta.exp()
    alpha = 1 + beta
    return (delta.ln() + beta.ln() - alpha * (1 - 1 / alpha).ln()) / (alpha * beta) + epsilon / alpha


def epsilon_of(rho, delta, log_beta):
    beta = log_beta.exp()
    alpha = 1 + beta
    return alpha * rho - (delta.ln() + beta.ln() - alpha * (1 - 1 / alpha).ln()) / beta


def best(value, largest):
    low, high = Decimal(-12), Decimal(25)
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if (value(left) < value(right)) == largest:
            low = left
        else:
            high = right
    return value(low)


def largest_rho(epsilon, delta):
    return best(lambda log_beta: rho(Decimal(epsilon), Decimal(delta), log_beta), largest=True)


for epsilon, delta in [("1", "1e-6"), ("1", "1e-5"), ("0.1", "1e-9"), ("0.01", "1e-6"), ("3", "1e-12"), ("10", "1e-6"), ("50", "1e-3"), ("0.5", "0.25")]:
    print(f'("{epsilon}", "{delta}", "{largest_rho(epsilon, delta):.18f}"),')

for releases, epsilon, delta, at in [(1, "0.6", "1e-6", "1e-6"), (3, "0.6", "1e-6", "3e-6"), (3, "0.6", "1e-6", "1e-6"), (100, "0.1", "1e-8", "1e-6"), (2, "5", "1e-5", "1e-4"), (1000, "0.02", "1e-9", "1e-9")]:
    total = releases * largest_rho(epsilon, delta)
    least = best(lambda log_beta: epsilon_of(total, Decimal(at), log_beta), largest=False)
    print(f'({releases}, "{epsilon}", "{delta}", "{at}", "{least:.15f}"),')
