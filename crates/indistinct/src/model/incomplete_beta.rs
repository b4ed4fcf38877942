//! The incomplete beta function, on which the tails of Student's t, the binomial and the negative binomial rest.

/// The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method.
///
/// I_x(a, b) is x^a (1 - x)^b / (a B(a, b)) times this fraction. It converges fast where x is at most (a + 1) /
/// (a + b + 2).
pub(crate) fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..100_000u32 {
        let k = f64::from(step);
        for numerator in [
            k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0)),
        ] {
            d = 1.0 / away(1.0 + numerator * d);
            c = away(1.0 + numerator / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// The distribution function of the beta distribution, I_x(a, b), for positive a and b.
///
/// It gives binomial tails: P(K >= k) = I_p(k, n - k + 1) for K successes in n trials with probability p.
pub fn beta_distribution(x: f64, a: f64, b: f64) -> f64 {
    if x.is_nan() || x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = |first: f64| {
        let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
        (a * x.ln() + b * (-x).ln_1p() - ln_beta).exp() / first
    };
    if x < (a + 1.0) / (a + b + 2.0) {
        front(a) * continued_fraction(x, a, b)
    } else {
        1.0 - front(b) * continued_fraction(1.0 - x, b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_tails() {
        // P(K >= k) by adding up, for few trials.
        for (n, p) in [(1, 0.3), (7, 0.02), (12, 0.5), (20, 0.9)] {
            let mut term = (1.0f64 - p).powi(n);
            let mut below = 0.0;
            for k in 0..=n {
                if k > 0 {
                    let found = beta_distribution(p, f64::from(k), f64::from(n - k) + 1.0);
                    assert!((found - (1.0 - below)).abs() < 1e-12, "{k} of {n} at {p}: {found}");
                }
                below += term;
                term *= f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p);
            }
        }
        assert_eq!((beta_distribution(0.0, 2.0, 3.0), beta_distribution(1.0, 2.0, 3.0)), (0.0, 1.0));
        assert!(beta_distribution(f64::NAN, 2.0, 3.0).is_nan());
    }
}
