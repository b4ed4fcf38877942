//! The number t = e^(-epsilon / range) between two rationals, and the values of polynomials there.

use num_bigint::{BigInt, Sign};

use super::polynomial::Polynomial;
use indistinct::privacy::Epsilon;

/// Binary digits after the point; the last few are uncertain.
const DIGITS: u32 = 256;

/// An interval of rationals with the denominator 2^256.
#[derive(Debug, Clone)]
struct Interval {
    low: BigInt,
    high: BigInt,
}

/// The number t in an interval.
#[derive(Debug, Clone)]
pub(super) struct Root {
    /// t, t^2, t^4, and so on: every power is a product of these.
    squares: Vec<Interval>,
}

impl Root {
    /// e^(-epsilon / range), by the alternating series after halving the exponent until it is small.
    pub(super) fn new(epsilon: Epsilon, range: u64) -> Self {
        let denominator = BigInt::from(Epsilon::UNITS_PER_ONE) * range.max(1);
        // epsilon is below 2^40: after 48 halvings the exponent is below 1/256.
        let halvings = 48;
        let numerator: BigInt = (BigInt::from(epsilon.units()) << DIGITS) >> halvings;
        let x = Interval { low: &numerator / &denominator, high: &numerator / &denominator + 2 };
        let one = BigInt::from(1) << DIGITS;
        let (mut sum, mut term) =
            (Interval { low: one.clone(), high: one.clone() }, Interval { low: one.clone(), high: one });
        for k in 1..=80u32 {
            let product = term.times(&x);
            term = Interval { low: product.low / k, high: product.high / k + 1 };
            sum = if k % 2 == 1 {
                Interval { low: sum.low - &term.high, high: sum.high - &term.low }
            } else {
                Interval { low: sum.low + &term.low, high: sum.high + &term.high }
            };
        }
        // What is left of the series is smaller than its last term.
        let mut root = Interval { low: sum.low - &term.high, high: sum.high + &term.high };
        for _ in 0..halvings {
            root = root.times(&root);
        }
        let next = |power: &Interval| Some(power.times(power));
        Self { squares: std::iter::successors(Some(root), next).take(u64::BITS as usize).collect() }
    }

    /// Whether a nonzero polynomial is positive at t.
    ///
    /// # Panics
    /// When 256 digits cannot tell, which no enumeration here comes close to.
    pub(super) fn is_positive(&self, polynomial: &Polynomial) -> bool {
        let Interval { low, high } = self.value(polynomial);
        assert!(low.sign() == Sign::Plus || high.sign() == Sign::Minus, "too close to call at 256 digits");
        low.sign() == Sign::Plus
    }

    /// Bounds on the logarithm of the value of a polynomial that is positive at t.
    pub(super) fn logarithm(&self, polynomial: &Polynomial) -> (f64, f64) {
        let Interval { low, high } = self.value(polynomial);
        let rounding = 1e-13;
        (logarithm(&low) - rounding, logarithm(&high) + rounding)
    }

    fn power(&self, exponent: u64) -> Interval {
        let one = BigInt::from(1) << DIGITS;
        let needed = self.squares.iter().enumerate().filter(|(place, _)| exponent >> place & 1 == 1);
        needed.fold(Interval { low: one.clone(), high: one }, |product, (_, square)| product.times(square))
    }

    fn value(&self, polynomial: &Polynomial) -> Interval {
        let mut sum = Interval { low: BigInt::default(), high: BigInt::default() };
        for (exponent, coefficient) in polynomial.terms() {
            let power = self.power(exponent);
            let (low, high) = (&power.low * coefficient, &power.high * coefficient);
            let (low, high) = if coefficient.sign() == Sign::Minus { (high, low) } else { (low, high) };
            sum = Interval { low: sum.low + low, high: sum.high + high };
        }
        sum
    }
}

impl Interval {
    /// The product of two intervals that are not negative, rounded outwards.
    fn times(&self, other: &Self) -> Self {
        Self { low: (&self.low * &other.low) >> DIGITS, high: ((&self.high * &other.high) >> DIGITS) + 1 }
    }
}

/// The natural logarithm of a number with 256 binary digits after the point; minus infinity if it is not
/// positive.
fn logarithm(number: &BigInt) -> f64 {
    if number.sign() != Sign::Plus {
        return f64::NEG_INFINITY;
    }
    let beyond = number.bits().saturating_sub(64);
    let leading = number >> beyond;
    let leading = leading.iter_u64_digits().next().unwrap_or(1) as f64;
    leading.ln() + (beyond as f64 - f64::from(DIGITS)) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_enclosed() {
        for (epsilon, range) in [("1", 1), ("1", 7), ("0.3", 2), ("12.5", 3), ("2", 1 << 21)] {
            let epsilon: Epsilon = epsilon.parse().unwrap();
            let root = Root::new(epsilon, range);
            let width = &root.squares[0].high - &root.squares[0].low;
            assert!(width.bits() < 120, "{} digits are lost", width.bits());
            let wanted = -epsilon.to_f64() / range as f64;
            let (low, high) = root.logarithm(&Polynomial::monomial(1, 1));
            assert!(low <= wanted && wanted <= high && high - low < 1e-12, "{low} {wanted} {high}");
        }
    }
}
