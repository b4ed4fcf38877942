//! Expected distances of a release, before anything is spent: by the plan's public quantities, and by assumptions
//! about dependence, which is not public.

use super::MixedPlan;
use crate::privacy::{Delta, Epsilon};

/// Assumed number of tables among which the noise of one count is divided: about as many as a plan has.
const TABLES: f64 = 20.0;
/// Mean factor of margins' distances over those from noise alone: cells are joined and densities smoothed.
const SMOOTHED: f64 = 1.7;
/// Assumed distance of two columns where noise hides all dependence, for each cell of a column.
const PAIRS: f64 = 0.0115;
/// Assumed distance of three columns where noise hides all dependence, for each cell of a column.
const TRIPLES: f64 = 0.029;
/// The noise of one count, over the rows, at which half of that distance is left.
const HALF: f64 = 0.0028;

/// Mean total variation distances from the private table, over all sets of one, two and three columns, expected
/// of a release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    /// The epsilon of the release.
    pub epsilon: Epsilon,
    /// The delta of the release.
    pub delta: Delta,
    /// The bound on 95 % of the errors of a share, for the median column: noise, in closed form.
    pub share: f64,
    /// Distance of single columns: noise, in closed form, and smoothing.
    pub one_way: f64,
    /// Distance of pairs; `None` if there are no pairs, or none may depend.
    pub two_way: Option<f64>,
    /// Distance of sets of three.
    pub three_way: Option<f64>,
}

impl MixedPlan {
    /// The expected distances at half the epsilon, at the epsilon, and at twice the epsilon of this plan.
    ///
    /// Those of pairs and of three columns are an assumption: that noise leaves the part s / (s + 1) of a
    /// dependence that grows with the cells of columns, where s is the square root of the noise of one count,
    /// over the rows and over `HALF`. The constants were fitted to distances on development tables
    /// (docs/mixed.md). All of them fall with epsilon.
    pub fn predicted(&self) -> [Predicted; 3] {
        let half = |epsilon: Epsilon| epsilon.divided_by(2);
        let double = |epsilon: Epsilon| epsilon.saturating_add(epsilon).min(Epsilon::MAX);
        [self.at(half).prediction(), self.prediction(), self.at(double).prediction()]
    }

    /// The expected distances with a delta, for a plan without one.
    pub fn predicted_with(&self, delta: Delta) -> Option<Predicted> {
        self.terms.delta.is_zero().then(|| {
            let mut plan = self.clone();
            plan.terms.delta = delta;
            (plan.margins, plan.scores) = plan.best_parts();
            plan.prediction()
        })
    }

    /// The plan with another budget, divided anew.
    fn at(&self, scaled: impl Fn(Epsilon) -> Epsilon) -> Self {
        let mut plan = self.clone();
        plan.terms.epsilon = scaled(self.terms.epsilon);
        plan.terms.score_epsilon = scaled(self.terms.score_epsilon);
        (plan.margins, plan.scores) = plan.best_parts();
        plan
    }

    fn prediction(&self) -> Predicted {
        let one_way = (SMOOTHED * self.margin_error(self.margins)).min(1.0);
        let columns = self.names.len();
        let of_tables = |prior: f64| {
            let tables = self.draw_share() * (1.0 - self.margins - self.scores);
            let noise = (self.counts_noise(tables / TABLES) / (HALF * self.rows as f64)).sqrt();
            // A table of several columns is no closer than its margins are.
            (prior * self.usual_cells() * noise / (noise + 1.0)).max(one_way)
        };
        let depends = columns > 1 && self.predictors.allow_any();
        let two_way = depends.then(|| of_tables(PAIRS));
        Predicted {
            epsilon: self.terms.epsilon,
            delta: self.terms.delta,
            share: self.usual_share_error(),
            one_way,
            two_way,
            three_way: two_way.filter(|_| columns > 2).map(|two_way| of_tables(TRIPLES).max(two_way)),
        }
    }

    /// The geometric mean of the cells of margins.
    fn usual_cells(&self) -> f64 {
        let logarithms: f64 = self.weights.iter().map(|weight| 2.0 * weight.ln()).sum();
        (logarithms / self.weights.len() as f64).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ColumnSchema, ColumnType, Schema};
    use crate::terms::Terms;

    fn plan(epsilon: f64, delta: &str, rows: usize, columns: usize) -> Option<MixedPlan> {
        let terms = Terms { delta: delta.parse().unwrap(), ..Terms::of(Epsilon::from_f64(epsilon).unwrap()) };
        let kinds = [
            ColumnType::Float,
            ColumnType::Nominal { levels: (0..7).map(|level| format!("l{level}")).collect() },
            ColumnType::Integer,
            ColumnType::Nominal { levels: vec!["a".to_owned(), "b".to_owned()].into() },
        ];
        let column = |place: usize| ColumnSchema::new(&format!("x{place}"), kinds[place % 4].clone());
        let schema = Schema::new(Vec::new(), (0..columns).map(column).collect()).unwrap();
        terms.plan_mixed(rows, &schema).ok()
    }

    /// All three distances; 0 for those that do not exist.
    fn distances(predicted: &Predicted) -> [f64; 3] {
        [predicted.one_way, predicted.two_way.unwrap_or(0.0), predicted.three_way.unwrap_or(0.0)]
    }

    #[test]
    fn more_epsilon_is_never_expected_to_be_worse() {
        let mut planned = 0;
        for delta in ["0", "1e-6"] {
            for rows in [60, 1_000, 100_000] {
                for columns in [1, 2, 3, 12] {
                    let mut before = [1.0; 3];
                    for step in -6..=11 {
                        let epsilon = 1.5f64.powi(step);
                        let Some(plan) = plan(epsilon, delta, rows, columns) else { continue };
                        planned += 1;
                        let [half, now, double] = plan.predicted().map(|predicted| distances(&predicted));
                        for way in 0..columns.min(3) {
                            let case = (delta, rows, columns, epsilon, way);
                            assert!(half[way] >= now[way] && now[way] > double[way], "{case:?}");
                            assert!(now[way] <= before[way] && now[way] > 0.0 && now[way] <= 1.0, "{case:?}");
                        }
                        assert!(now.windows(2).take(columns.min(3) - 1).all(|pair| pair[0] <= pair[1]));
                        before = now;
                    }
                }
            }
        }
        assert!(planned > 250, "{planned}");
    }

    #[test]
    fn tables_of_few_columns_have_no_distances_of_larger_sets() {
        let of = |columns: usize| plan(1.0, "0", 5_000, columns).unwrap().predicted()[1];
        assert_eq!((of(1).two_way, of(1).three_way, of(2).three_way), (None, None, None));
        assert!(of(2).two_way.is_some() && of(3).three_way.is_some());
        assert_eq!(of(3).epsilon.to_f64(), 1.0);
    }
}
