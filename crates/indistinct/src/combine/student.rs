//! Student's t distribution, for any positive number of degrees of freedom.

use crate::model::{self, continued_fraction};

/// Above this the normal distribution is the same to more digits than anyone reads.
const NORMAL: f64 = 1e8;

/// The probability of a value at least as far from zero as t.
pub fn two_sided(t: f64, df: f64) -> f64 {
    let t = t.abs();
    if t.is_nan() || df.is_nan() {
        return f64::NAN;
    }
    if df > NORMAL {
        return 2.0 * model::distribution(-t);
    }
    let ratio = t * t / df;
    if ratio.is_infinite() {
        return 0.0;
    }
    // I_x(df/2, 1/2) at x = 1/(1 + ratio); the logarithm keeps its digits where x is close to 1.
    let (a, b) = (df / 2.0, 0.5);
    let x = 1.0 / (1.0 + ratio);
    let front = |first: f64| (-a * ratio.ln_1p() + b * (ratio * x).ln() - ln_beta_half(a)).exp() / first;
    if t == 0.0 {
        1.0
    } else if x < (a + 1.0) / (a + b + 2.0) {
        front(a) * continued_fraction(x, a, b)
    } else {
        1.0 - front(b) * continued_fraction(ratio * x, b, a)
    }
}

/// The t beyond which, on both sides, the probability `p` lies.
pub fn critical(p: f64, df: f64) -> f64 {
    if df > NORMAL {
        return -model::quantile(p / 2.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    while two_sided(high, df) > p && high < 1e300 {
        (low, high) = (high, high * 2.0);
    }
    // Bisection to the last digit: there are few intervals to compute.
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if two_sided(middle, df) > p { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

/// The logarithm of the beta function B(a, 1/2) = Gamma(a) sqrt(pi) / Gamma(a + 1/2).
fn ln_beta_half(a: f64) -> f64 {
    let half_ln_pi = 0.572_364_942_924_700_1;
    let difference = if a < 20.0 {
        libm::lgamma(a + 0.5) - libm::lgamma(a)
    } else {
        // Stirling's series for the difference: that of two large logarithms would lose digits.
        let square = 1.0 / (a * a);
        0.5 * a.ln() - (1.0 / 8.0 - square * (1.0 / 192.0 - square * (1.0 / 640.0))) / a
    };
    half_ln_pi - difference
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values made by `tests/golden/make_student.R`.
    #[test]
    fn agrees_with_r() {
        let golden = include_str!("../../tests/golden/student.csv");
        assert!(golden.lines().count() > 90);
        for line in golden.lines() {
            let (kind, numbers) = line.split_once(',').unwrap();
            let numbers: Vec<f64> = numbers.split(',').map(|number| number.parse().unwrap()).collect();
            let &[given, df, wanted] = numbers.as_slice() else { panic!("{line}") };
            let found = if kind == "p" { two_sided(given, df) } else { critical(given, df) };
            assert!((found / wanted - 1.0).abs() < 1e-9, "{line}: {found}");
        }
    }

    #[test]
    fn edges() {
        assert_eq!(two_sided(0.0, 3.0), 1.0);
        assert_eq!(two_sided(f64::INFINITY, 3.0), 0.0);
        assert!(two_sided(f64::NAN, 3.0).is_nan());
        assert!((two_sided(1.96, f64::INFINITY) - 0.049_995_790).abs() < 1e-8);
        assert!(
            (two_sided(1.96, 0.999e8) / two_sided(1.96, 1.001e8) - 1.0).abs() < 1e-7,
            "no step at the switch"
        );
    }
}
