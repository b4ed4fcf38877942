//! A random walk over R^d whose steps are adapted during burn-in, and then left alone.
//!
//! Adaptation is Vihola's (2012): the shape of the steps is stretched along a step that was accepted too easily, and
//! shrunk along one that was not. It needs no start near the mode: where the density is flat every step is accepted,
//! and steps grow until they find something.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::linear::{Cholesky, Symmetric};
use crate::progress::{self, Progress, Stopped, wanted};
use crate::random::Generator;

/// A density to walk on.
pub(super) trait Target {
    /// Its logarithm, up to a constant.
    fn log_density(&mut self, theta: &[f64]) -> f64;

    /// Whether the density changes before this step, so that the present state must be evaluated again. Called
    /// before every step.
    fn changes(&mut self, _random: &mut Generator) -> bool {
        false
    }
}

/// The length of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    /// Steps that adapt and are discarded.
    pub(super) burn_in: usize,
    /// Steps after that.
    pub(super) steps: usize,
    /// Most states that are kept.
    pub(super) kept: usize,
}

/// The result of a walk.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trace {
    /// For every parameter the states after burn-in, evenly thinned.
    pub(super) kept: Vec<Vec<f64>>,
    /// The last state.
    pub(super) last: Vec<f64>,
    /// The share of steps after burn-in that were accepted.
    pub(super) acceptance: f64,
}

/// Walks from `start`, with first steps as wide as `widths`.
///
/// # Errors
/// When the walk is no longer wanted.
pub(super) fn walk(
    target: &mut impl Target,
    start: Vec<f64>,
    widths: &[f64],
    length: Length,
    random: &mut Generator,
    progress: &dyn Progress,
) -> Result<Trace, Stopped> {
    let mut theta = start;
    let (mut shape, mut widths) = (Shape::new(widths), Widths::new(widths));
    let mut here = target.log_density(&theta);
    let mut trace = Trace { kept: vec![Vec::new(); theta.len()], last: Vec::new(), acceptance: 0.0 };
    let every = length.steps.div_ceil(length.kept.max(1)).max(1);
    let mut accepted = 0;
    for step in 0..length.burn_in + length.steps {
        progress::check();
        wanted(progress)?;
        if target.changes(random) {
            here = target.log_density(&theta);
        }
        let proposed = Proposed::draw(&shape, &widths, random);
        let proposal: Vec<f64> = theta.iter().zip(&proposed.moved).map(|(theta, by)| theta + by).collect();
        let there = target.log_density(&proposal);
        // Never towards what is not a number.
        let chance = if there >= here { 1.0 } else { (there - here).exp().max(0.0) };
        let uniform: f64 = random.random();
        if uniform < chance {
            theta = proposal;
            here = there;
            accepted += usize::from(step >= length.burn_in);
        }
        if step < length.burn_in {
            match &proposed.kind {
                Kind::All(unit) => shape.adapt(unit, &proposed.moved, chance),
                Kind::One(place) => widths.adapt(*place, chance),
                Kind::Stretched => {}
            }
        } else if (step - length.burn_in + 1).is_multiple_of(every) {
            trace.kept.iter_mut().zip(&theta).for_each(|(kept, &value)| kept.push(value));
        }
    }
    trace.acceptance = accepted as f64 / length.steps.max(1) as f64;
    trace.last = theta;
    Ok(trace)
}

/// A proposed step. Each kind is symmetric, and the kind does not depend on the state.
struct Proposed {
    moved: Vec<f64>,
    kind: Kind,
}

enum Kind {
    /// Along all parameters, by the shape times this standard normal vector.
    All(Vec<f64>),
    /// Along one parameter: pMAE has ridges, which are hard to climb in all directions at once.
    One(usize),
    /// Either of them, much longer or shorter, so that a walk that adapted to one place is not stuck there.
    Stretched,
}

impl Proposed {
    fn draw(shape: &Shape, widths: &Widths, random: &mut Generator) -> Self {
        let dimensions = widths.0.len();
        let (mut moved, mut kind);
        if random.random_range(0..2_u32) == 0 || dimensions == 0 {
            let unit: Vec<f64> = (0..dimensions).map(|_| StandardNormal.sample(&mut *random)).collect();
            moved = shape.times(&unit);
            kind = Kind::All(unit);
        } else {
            let place = random.random_range(0..dimensions);
            let z: f64 = StandardNormal.sample(&mut *random);
            moved = vec![0.0; dimensions];
            moved[place] = z * widths.0[place].0;
            kind = Kind::One(place);
        }
        if random.random_range(0..4_u32) == 0 {
            let stretch = f64::exp2(random.random_range(-4.0..4.0));
            for by in &mut moved {
                *by *= stretch;
            }
            kind = Kind::Stretched;
        }
        Self { moved, kind }
    }
}

/// For every parameter, the width of steps along it alone, and the number of its adaptations.
struct Widths(Vec<(f64, usize)>);

impl Widths {
    fn new(widths: &[f64]) -> Self {
        Self(widths.iter().map(|&width| (width, 0)).collect())
    }

    fn adapt(&mut self, place: usize, chance: f64) {
        let (width, adapted) = &mut self.0[place];
        *adapted += 1;
        *width *= ((chance - 0.44) * (*adapted as f64).powf(-0.6)).exp();
    }
}

/// The shape of steps: a lower triangle by which standard normal vectors are multiplied.
struct Shape {
    factor: Cholesky,
    adapted: usize,
    wanted: f64,
}

impl Shape {
    fn new(widths: &[f64]) -> Self {
        let mut covariance = Symmetric::zeros(widths.len());
        for (place, width) in widths.iter().enumerate() {
            covariance.add_to_diagonal(place, (width * width).max(f64::MIN_POSITIVE));
        }
        let factor = Cholesky::new(&covariance);
        // Of a positive diagonal there is always a factor; without columns there is nothing to walk in.
        let factor = factor.unwrap_or_else(|| Cholesky::identity(widths.len()));
        // Best for normal densities: 0.44 in one dimension, 0.234 in many.
        Self { factor, adapted: 0, wanted: 0.234 + 0.206 / widths.len().max(1) as f64 }
    }

    fn times(&self, unit: &[f64]) -> Vec<f64> {
        let product = |row: usize| self.factor.row(row).iter().zip(unit).map(|(l, u)| l * u).sum();
        (0..unit.len()).map(product).collect()
    }

    fn adapt(&mut self, unit: &[f64], moved: &[f64], chance: f64) {
        self.adapted += 1;
        let rate = (unit.len() as f64 / (self.adapted as f64).powf(2.0 / 3.0)).min(1.0);
        let length: f64 = unit.iter().map(|u| u * u).sum();
        let change = rate * (chance - self.wanted) / length.max(f64::MIN_POSITIVE);
        let mut covariance = Symmetric::zeros(unit.len());
        for row in 0..unit.len() {
            for column in 0..=row {
                let entry = |(left, right): (&f64, &f64)| left * right;
                let old: f64 = self.factor.row(row).iter().zip(self.factor.row(column)).map(entry).sum();
                covariance.set(row, column, old + change * moved[row] * moved[column]);
            }
        }
        // Positive definite by construction; where rounding hides that the shape stays as it is.
        if let Some(factor) = Cholesky::new(&covariance) {
            self.factor = factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::diagnostics::effective_size;
    use crate::progress::Silent;
    use crate::random::Seed;

    /// A correlated normal density, far from the start and on two scales.
    struct Normal;

    impl Target for Normal {
        fn log_density(&mut self, theta: &[f64]) -> f64 {
            let (x, y) = (theta[0] - 50.0, (theta[1] + 0.02) / 0.01);
            -(x * x - 1.6 * x * y + y * y) / (2.0 * (1.0 - 0.64))
        }
    }

    #[test]
    fn a_walk_finds_and_follows_a_density() {
        let length = Length { burn_in: 4000, steps: 60_000, kept: 20_000 };
        let trace =
            walk(&mut Normal, vec![0.0, 0.0], &[1.0, 1.0], length, &mut Seed(5).stream(0), &Silent).unwrap();
        assert!((0.15..0.5).contains(&trace.acceptance), "{}", trace.acceptance);
        for (values, (mean, sd)) in trace.kept.iter().zip([(50.0, 1.0), (-0.02, 0.01)]) {
            let n = values.len() as f64;
            let found = values.iter().sum::<f64>() / n;
            let spread = (values.iter().map(|x| (x - found).powi(2)).sum::<f64>() / n).sqrt();
            let error = sd / effective_size(&[values]).sqrt();
            assert!((found - mean).abs() < 4.0 * error, "{found} {mean} {error}");
            assert!((spread / sd - 1.0).abs() < 0.1, "{spread} {sd}");
        }
        assert_eq!(trace.last[0], *trace.kept[0].last().unwrap());
    }
}
