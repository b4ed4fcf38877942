//! What the tails of Student's t and of the negative binomial distribution share.

/// The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method.
///
/// I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) times it. It converges fast where x is at most (a + 1) / (a + b + 2).
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
