//! From rehearsed values of a statistic to its standard error and interval.

use crate::combine::student;

/// Rehearsals where nobody says how many.
pub const DEFAULT_REPLICATES: usize = 100;
/// Fewest rehearsals of which an interval is made.
pub const FEWEST_REPLICATES: usize = 10;
/// Standard errors of a mean over rehearsals by which a bias must differ from zero to count.
const CERTAIN: f64 = 0.5;
/// The bias of a release over the bias that its rehearsals show. A model shows less of what made it differ from the
/// population: a third to three quarters of it in the simulations of `docs/intervals.md`.
const SHOWN: f64 = 3.0;
/// Most of an association that a release has lost unseen, as a part of what is left of it.
const LOST: f64 = 0.2;
/// The same as a part of what the interval reaches anyway: an association far from zero is not lost.
const MOST_LOST: f64 = 0.5;

/// The target of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Of {
    /// The population that the private rows were drawn from.
    #[default]
    Population,
    /// The private table itself.
    Table,
}

words!(Of {
    "population" => Population: "The population that the private rows were drawn from",
    "table" => Table: "What the private table itself would give",
});

/// The kind of a number, by which errors of a release differ from those of its rehearsals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberKind {
    /// A share of rows.
    Share,
    /// A correlation, or a coefficient beside an intercept: zero where there is no dependence.
    Association,
    /// Anything else: means, quantiles, intercepts, and functions of the analyst's own.
    #[default]
    Other,
}

impl NumberKind {
    /// The standard deviation of a release's errors over that of its rehearsals. A model is simpler than the population
    /// that it is of, and is found again more easily: in the simulations of `docs/intervals.md` errors were 1.0 to 1.2
    /// times as large for most statistics. Of associations those that are larger are on one side, see
    /// [`Errors::interval`].
    fn wider(self) -> f64 {
        match self {
            Self::Association => 1.0,
            Self::Share => 1.05,
            Self::Other => 1.1,
        }
    }
}

/// A statistic in one rehearsal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replicate {
    /// On the rehearsed synthetic rows.
    pub released: f64,
    /// On the rows that they were made from.
    pub drawn: f64,
}

/// A statistic, or one of its numbers, in the release, in the model, and in all rehearsals.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// On the released rows.
    pub estimate: f64,
    /// In the model: on the rows that stand for the population.
    pub population: f64,
    /// The kind of the number.
    pub kind: NumberKind,
    /// By rehearsal; NaN where it was undefined.
    pub replicates: Vec<Replicate>,
}

/// A statistic with its error bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The statistic of the released rows.
    pub estimate: f64,
    /// Its standard error; NaN where too few rehearsals have a value.
    pub se: f64,
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
    /// Student's t of the test whether zero fits, by as many degrees of freedom as rehearsals less one: beyond its
    /// critical value of a level exactly where the interval of that level is without zero.
    pub t: f64,
    /// Rehearsals in which the statistic was undefined.
    pub undefined: usize,
}

/// Errors of a statistic in rehearsals, in short: all that its interval is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// Rehearsals in which it was defined.
    pub count: usize,
    /// Their mean, which is the bias that rehearsals show.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
}

impl Interval {
    /// The same without what lies outside of the values that the statistic can have.
    #[must_use]
    pub fn within(self, range: Option<[f64; 2]>) -> Self {
        let Some([least, most]) = range else { return self };
        // Whatever is declared, the estimate is one of its values.
        let (least, most) = (least.min(self.estimate), most.max(self.estimate));
        Self { low: self.low.clamp(least, most), high: self.high.clamp(least, most), ..self }
    }
}

impl Errors {
    fn of(errors: &[f64]) -> Self {
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let variance = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { count: errors.len(), mean, sd: variance.sqrt() }
    }

    /// The standard error; NaN where too few rehearsals have a value.
    pub fn se(self, kind: NumberKind) -> f64 {
        if self.count < FEWEST_REPLICATES { f64::NAN } else { kind.wider() * self.sd }
    }

    /// The ends of the interval about an estimate that is to hold the truth with probability `level`; NaN where too
    /// few rehearsals have a value.
    ///
    /// The error of the release is taken for one more draw of the same kind as those of rehearsals, but 1.1 times as
    /// large (1.05 for shares, 1 for associations), so that it lies within t(B - 1) se sqrt(1 + 1/B) of the mean of B of
    /// them. That mean is the bias that the rehearsals show. It is not subtracted: the program pulls a model that went
    /// too far back to where it should be, so that a corrected estimate would vary more than the rehearsals do. Where
    /// the bias is more than half the error of its own mean, the interval reaches further on that side, by three times
    /// what is shown, and holds corrected and uncorrected estimates with their errors.
    ///
    /// An association that came out too weak is too weak in the model as well, which then has little left that its
    /// rehearsals could lose: neither their scatter nor their bias tells. So the end away from zero reaches further by
    /// a fifth of the estimate, and by no more than half of what the interval reaches anyway.
    pub fn interval(self, estimate: f64, level: f64, kind: NumberKind) -> [f64; 2] {
        if self.count < FEWEST_REPLICATES {
            return [f64::NAN; 2];
        }
        let reach = student::critical(1.0 - level, self.count as f64 - 1.0) * self.scale(kind);
        let lost = match kind {
            NumberKind::Association => (LOST * estimate.abs()).min(MOST_LOST * reach),
            NumberKind::Share | NumberKind::Other => 0.0,
        };
        let [below, above] = self.bias();
        let (low, high) = (estimate - below - reach, estimate + above + reach);
        if estimate < 0.0 { [low - lost, high] } else { [low, high + lost] }
    }

    /// The t at which the interval of an estimate begins to hold zero; zero where it holds zero whatever its level.
    pub fn t(self, estimate: f64, kind: NumberKind) -> f64 {
        // The end towards zero counts, which allows for a bias and never for a lost association.
        let [below, above] = self.bias();
        let left = if estimate < 0.0 { (estimate + above).min(0.0) } else { (estimate - below).max(0.0) };
        match left {
            _ if estimate.is_nan() || self.count < FEWEST_REPLICATES => f64::NAN,
            0.0 => 0.0,
            left => left / self.scale(kind),
        }
    }

    /// The factor of Student's t in the reach of an interval: the error of the bias is in it.
    fn scale(self, kind: NumberKind) -> f64 {
        self.se(kind) * (1.0 + 1.0 / self.count as f64).sqrt()
    }

    /// The further reach of an interval below and above, for a bias that rehearsals show.
    fn bias(self) -> [f64; 2] {
        let certain = CERTAIN * self.sd / (self.count as f64).sqrt();
        let beyond = SHOWN * (self.mean.abs() - certain).max(0.0);
        if self.mean > 0.0 { [beyond, 0.0] } else { [0.0, beyond] }
    }
}

impl Series {
    /// The errors of all rehearsals in which the statistic is defined: its value on synthetic rows less that of the
    /// model, or of the rows that they were made from.
    pub fn errors(&self, of: Of) -> Errors {
        let error = |replicate: &Replicate| match of {
            Of::Population => replicate.released - self.population,
            Of::Table => replicate.released - replicate.drawn,
        };
        let errors: Vec<f64> = self.replicates.iter().map(error).filter(|error| error.is_finite()).collect();
        Errors::of(&errors)
    }

    /// The interval that is to hold the truth with probability `level`.
    pub fn interval(&self, of: Of, level: f64) -> Interval {
        let errors = self.errors(of);
        let [low, high] = errors.interval(self.estimate, level, self.kind);
        let undefined = self.replicates.len() - errors.count;
        let t = errors.t(self.estimate, self.kind);
        Interval { estimate: self.estimate, se: errors.se(self.kind), low, high, t, undefined }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(errors: &[f64]) -> Series {
        let replicate = |error: &f64| Replicate { released: 10.0 + error, drawn: 10.0 + error / 2.0 };
        let replicates = errors.iter().map(replicate).collect();
        Series { estimate: 12.0, population: 10.0, kind: NumberKind::Other, replicates }
    }

    #[test]
    fn errors_without_bias_give_the_interval_of_student() {
        let errors: Vec<f64> = (0..20).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let found = series(&errors).interval(Of::Population, 0.95);
        let se = 1.1 * (20.0_f64 / 19.0).sqrt();
        let reach = student::critical(0.05, 19.0) * se * (1.0 + 1.0 / 20.0_f64).sqrt();
        assert!((found.se - se).abs() < 1e-12);
        assert!((found.low - (12.0 - reach)).abs() < 1e-9 && (found.high - (12.0 + reach)).abs() < 1e-9);
        // The rows that were drawn are nearer to what was made of them.
        let table = series(&errors).interval(Of::Table, 0.95);
        assert!((table.se - se / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_bias_that_rehearsals_show_lengthens_its_side_only() {
        let errors: Vec<f64> = (0..20).map(|k| if k % 2 == 0 { -4.0 } else { -6.0 }).collect();
        let found = series(&errors).interval(Of::Population, 0.95);
        let (below, above) = (12.0 - found.low, found.high - 12.0);
        // All rehearsals were too low by about 5: the truth is likely to be higher than the estimate.
        assert!(above > below + 14.0 && above < below + 15.0, "{below} {above}");
    }

    #[test]
    fn an_association_may_have_been_stronger_but_not_weaker() {
        let errors: Vec<f64> = (0..20).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let of = |kind: NumberKind, estimate: f64| {
            let found = Series { estimate, kind, ..series(&errors) }.interval(Of::Population, 0.95);
            [estimate - found.low, found.high - estimate]
        };
        let [reach, _] = of(NumberKind::Association, 5.0);
        for (kind, wider) in [(NumberKind::Share, 1.05), (NumberKind::Other, 1.1)] {
            let ends = of(kind, 5.0);
            assert!(ends.iter().all(|end| (end / reach - wider).abs() < 1e-9), "{kind:?}: {ends:?}");
        }
        for (estimate, lost) in [(1.0, 0.2), (100.0, reach / 2.0), (0.0, 0.0)] {
            let (positive, negative) =
                (of(NumberKind::Association, estimate), of(NumberKind::Association, -estimate));
            for (found, expected) in positive.into_iter().zip([reach, reach + lost]) {
                assert!((found - expected).abs() < 1e-9, "{estimate}: {found}, not {expected}");
            }
            assert!((negative[0] - positive[1]).abs() < 1e-9 && (negative[1] - positive[0]).abs() < 1e-9);
        }
    }

    #[test]
    fn t_is_beyond_its_critical_value_where_the_interval_is_without_zero() {
        let kinds = [NumberKind::Share, NumberKind::Association, NumberKind::Other];
        for bias in [-2.0, 0.0, 0.1, 2.0] {
            let errors: Vec<f64> = (0..20).map(|k| bias + if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
            for (kind, estimate) in kinds.into_iter().flat_map(|kind| (-100..=100).map(move |k| (kind, k))) {
                let one = Series { kind, estimate: f64::from(estimate) / 10.0, ..series(&errors) };
                for level in [0.01, 0.5, 0.9, 0.95, 0.999] {
                    let found = one.interval(Of::Population, level);
                    let outside = found.low > 0.0 || found.high < 0.0;
                    let beyond = student::two_sided(found.t, 19.0) < 1.0 - level;
                    assert_eq!(outside, beyond, "{kind:?} {estimate} {bias} {level}: {found:?}");
                }
            }
        }
        // Nothing varied: zero fits only where the estimate is zero.
        let same = |estimate: f64| Series { estimate, ..series(&[0.0; 20]) }.interval(Of::Population, 0.95).t;
        assert_eq!((same(0.0), same(2.0), same(-2.0)), (0.0, f64::INFINITY, f64::NEG_INFINITY));
    }

    #[test]
    fn an_interval_ends_where_values_end() {
        let interval = Interval { estimate: 0.01, se: 0.02, low: -0.03, high: 1.2, t: 0.5, undefined: 0 };
        let clipped = interval.within(Some([0.0, 1.0]));
        assert_eq!((clipped.low, clipped.high, clipped.se), (0.0, 1.0, 0.02));
        assert_eq!(interval.within(None), interval);
        let half = interval.within(Some([0.0, f64::INFINITY]));
        assert_eq!((half.low, half.high), (0.0, 1.2));
        // An estimate beyond what is declared is within its interval all the same.
        assert_eq!(interval.within(Some([0.1, 1.0])).low, 0.01);
        // What is not known does not become known.
        let unknown = Interval { low: f64::NAN, high: f64::NAN, ..interval }.within(Some([0.0, 1.0]));
        assert!(unknown.low.is_nan() && unknown.high.is_nan());
    }

    #[test]
    fn undefined_rehearsals_are_counted_and_left_out() {
        let mut errors: Vec<f64> = (0..20).map(f64::from).collect();
        errors[3] = f64::NAN;
        assert_eq!(series(&errors).interval(Of::Population, 0.9).undefined, 1);
        errors[..12].fill(f64::NAN);
        let few = series(&errors).interval(Of::Population, 0.9);
        assert!(few.se.is_nan() && few.low.is_nan() && few.undefined == 12);
    }
}
