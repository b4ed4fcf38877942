//! Polynomials in t with whole coefficients, few of which are not zero.

use std::collections::BTreeMap;

use num_bigint::BigInt;

/// Coefficients by exponent; none is zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Polynomial(BTreeMap<u64, BigInt>);

impl Polynomial {
    pub(super) fn constant(value: i64) -> Self {
        Self::monomial(value, 0)
    }

    pub(super) fn monomial(coefficient: i64, exponent: u64) -> Self {
        let mut terms = BTreeMap::new();
        if coefficient != 0 {
            terms.insert(exponent, BigInt::from(coefficient));
        }
        Self(terms)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (u64, &BigInt)> {
        self.0.iter().map(|(exponent, coefficient)| (*exponent, coefficient))
    }

    fn add(&mut self, exponent: u64, coefficient: BigInt) {
        let sum = self.0.remove(&exponent).unwrap_or_default() + coefficient;
        if sum != BigInt::default() {
            self.0.insert(exponent, sum);
        }
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (exponent, coefficient) in other.terms() {
            self.add(exponent, coefficient.clone());
        }
        self
    }

    pub(super) fn minus(mut self, other: &Self) -> Self {
        for (exponent, coefficient) in other.terms() {
            self.add(exponent, -coefficient);
        }
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (first, a) in self.terms() {
            for (second, b) in other.terms() {
                product.add(first + second, a * b);
            }
        }
        product
    }

    /// The product with a power of t.
    pub(super) fn shifted(&self, power: u64) -> Self {
        Self(self.terms().map(|(exponent, coefficient)| (exponent + power, coefficient.clone())).collect())
    }
}
