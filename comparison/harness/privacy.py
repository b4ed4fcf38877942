"""Budgets of zero-concentrated differential privacy, for libraries that are given one."""

from math import exp, log


def delta_of(rho, epsilon):
    """The smallest delta known for rho-zCDP at this epsilon (Canonne, Kamath and Steinke 2020, proposition 12)."""

    def bound(order):
        return exp((order - 1) * (order * rho - epsilon) + order * log(1 - 1 / order)) / (order - 1)

    low, high = 1 + 1e-9, 2 + 2 * epsilon / rho
    for _ in range(200):  # the bound falls, then rises with the order
        third = (high - low) / 3
        if bound(low + third) < bound(high - third):
            high -= third
        else:
            low += third
    return bound(low)


def rho(epsilon, delta):
    """The largest rho with which rho-zCDP implies (epsilon, delta)-differential privacy."""
    low, high = 0.0, epsilon
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle, epsilon) <= delta else (low, middle)
    return low
