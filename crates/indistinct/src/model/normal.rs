//! Sequential normal regressions: x_j | x_1..x_{j-1} normal with a linear mean, the paper's model.

use super::SequentialModel;

/// The largest absolute value of a standard normal draw.
const FARTHEST: f64 = 64.0;

/// Normal columns, each regressed on those before it.
///
/// Inside the program theta is a location and a lower triangular factor, x = location + factor * z with z
/// standard normal: the loadings on earlier innovations are orthogonal, so that each can be found from a view of
/// two columns, and all is measured from the location, so that columns far from zero lose no digits.
/// [`Self::regressions`] gives the parameters as the paper writes them.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialNormal {
    location: Vec<f64>,
    /// The lower triangular factor: row j has j + 1 entries, the last of them positive.
    factor: Vec<Vec<f64>>,
}

/// One column as the paper writes it: x_j = intercept + sum slope_k x_k + N(0, sd).
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// Mean at zero predictors.
    pub intercept: f64,
    /// Slopes on the columns before it.
    pub slopes: Vec<f64>,
    /// Standard deviation of the residual.
    pub sd: f64,
}

impl SequentialNormal {
    /// A model with this location and lower triangular factor.
    ///
    /// # Panics
    /// When the shapes do not fit.
    pub fn new(location: Vec<f64>, factor: Vec<Vec<f64>>) -> Self {
        let triangular = factor.iter().enumerate().all(|(j, row)| row.len() == j + 1);
        assert!(triangular && factor.len() == location.len(), "a lower triangle for every column");
        Self { location, factor }
    }

    /// The model with these regressions, each on the columns before it: the inverse of [`Self::regressions`].
    ///
    /// # Panics
    /// When a column does not have one slope for each column before it.
    pub fn from_regressions(regressions: &[Regression]) -> Self {
        let (mut location, mut factor): (Vec<f64>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for (j, Regression { intercept, slopes, sd }) in regressions.iter().enumerate() {
            assert_eq!(slopes.len(), j, "a slope on every column before");
            let explained: f64 = slopes.iter().zip(&location).map(|(slope, mean)| slope * mean).sum();
            let mut loadings = vec![0.0; j + 1];
            for (slope, row) in slopes.iter().zip(&factor) {
                for (loading, earlier) in loadings.iter_mut().zip(row) {
                    *loading += slope * earlier;
                }
            }
            loadings[j] = *sd;
            location.push(intercept + explained);
            factor.push(loadings);
        }
        Self { location, factor }
    }

    /// The nearest model whose parameters and rows are finite: where a column has nothing to be found, a search
    /// may end among the largest or smallest doubles.
    #[must_use]
    pub fn within_doubles(self) -> Self {
        // A row is a location and as many loadings as columns, each times a standard normal number.
        let most = f64::MAX / (4.0 * FARTHEST * self.location.len().max(1) as f64);
        let kept = |value: f64| if value.is_nan() { 0.0 } else { value.clamp(-most, most) };
        let loadings = |row: Vec<f64>| {
            let last = row.len() - 1;
            let kept =
                |(place, value)| if place == last { kept(value).max(f64::MIN_POSITIVE) } else { kept(value) };
            row.into_iter().enumerate().map(kept).collect()
        };
        Self {
            location: self.location.into_iter().map(kept).collect(),
            factor: self.factor.into_iter().map(loadings).collect(),
        }
    }

    /// The means.
    pub fn location(&self) -> &[f64] {
        &self.location
    }

    /// The lower triangular factor, by rows.
    pub fn factor(&self) -> &[Vec<f64>] {
        &self.factor
    }

    /// The columns as regressions on the columns before them.
    pub fn regressions(&self) -> Vec<Regression> {
        (0..self.location.len())
            .map(|j| {
                // factor_j. * z_<j with z_<j = factor_<j^-1 (x - location): solve slopes' factor_<j = factor_j. from the right.
                let mut slopes = self.factor[j][..j].to_vec();
                for k in (0..j).rev() {
                    slopes[k] /= self.factor[k][k];
                    for earlier in 0..k {
                        slopes[earlier] -= slopes[k] * self.factor[k][earlier];
                    }
                }
                let explained: f64 =
                    slopes.iter().zip(&self.location).map(|(slope, mean)| slope * mean).sum();
                Regression { intercept: self.location[j] - explained, slopes, sd: self.factor[j][j] }
            })
            .collect()
    }

    /// The model of the same rows if their innovations under this model are normal with these means and this
    /// lower triangular factor, instead of standard normal.
    #[must_use]
    pub fn corrected(&self, means: &[f64], factor: &[Vec<f64>]) -> Self {
        let q = self.location.len();
        let dot = |j: usize, column: &dyn Fn(usize) -> f64| -> f64 {
            (0..=j).map(|k| self.factor[j][k] * column(k)).sum()
        };
        let location = (0..q).map(|j| self.location[j] + dot(j, &|k| means[k])).collect();
        let product = |j: usize, c: usize| dot(j, &|k| if c <= k { factor[k][c] } else { 0.0 });
        let factor = (0..q).map(|j| (0..=j).map(|c| product(j, c)).collect()).collect();
        Self { location, factor }
    }
}

impl SequentialModel for SequentialNormal {
    fn columns(&self) -> usize {
        self.location.len()
    }

    fn innovations(&self, block: &[&[f64]], z: &mut [Vec<f64>]) {
        for (j, column) in block.iter().enumerate() {
            let (earlier, rest) = z.split_at_mut(j);
            let target = &mut rest[0];
            target.clear();
            let location = self.location[j];
            target.extend(column.iter().map(|x| x - location));
            for (loading, earlier) in self.factor[j].iter().zip(earlier) {
                if *loading != 0.0 {
                    for (value, z) in target.iter_mut().zip(earlier.iter()) {
                        *value -= loading * z;
                    }
                }
            }
            let scale = self.factor[j][j];
            for value in target.iter_mut() {
                *value /= scale;
            }
        }
    }

    fn simulate(&self, z: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let rows = z.first().map_or(0, Vec::len);
        (0..self.location.len())
            .map(|j| {
                let mut column = vec![self.location[j]; rows];
                for (loading, z) in self.factor[j].iter().zip(z) {
                    for (value, z) in column.iter_mut().zip(z) {
                        *value += loading * z;
                    }
                }
                column
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> SequentialNormal {
        // X1 ~ N(2, 10), X2 ~ N(-2.5 + 0.5 x1, 3).
        SequentialNormal::new(vec![2.0, -1.5], vec![vec![10.0], vec![5.0, 3.0]])
    }

    #[test]
    fn the_papers_parameters_come_out() {
        let found = paper().regressions();
        assert_eq!(found[0], Regression { intercept: 2.0, slopes: vec![], sd: 10.0 });
        assert_eq!(found[1], Regression { intercept: -2.5, slopes: vec![0.5], sd: 3.0 });
        assert_eq!(SequentialNormal::from_regressions(&found), paper());
    }

    #[test]
    fn simulation_inverts_the_transform() {
        let model = SequentialNormal::new(
            vec![1e6, -3.0, 0.0],
            vec![vec![2.0], vec![0.5, 1.5], vec![-1.0, 0.25, 0.125]],
        );
        let z = vec![vec![0.5, -1.0], vec![1.0, 2.0], vec![-0.5, 0.0]];
        let rows = model.simulate(&z);
        let block: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let mut back = vec![Vec::new(); 3];
        model.innovations(&block, &mut back);
        for (z, back) in z.iter().flatten().zip(back.iter().flatten()) {
            assert!((z - back).abs() < 1e-8);
        }
        // The regressions say the same as the factor.
        let third = &model.regressions()[2];
        let mean = third.intercept + third.slopes[0] * rows[0][0] + third.slopes[1] * rows[1][0];
        assert!((rows[2][0] - mean - third.sd * z[2][0]).abs() < 1e-8);
        let back = SequentialNormal::from_regressions(&model.regressions());
        for (found, factor) in back.factor().iter().flatten().zip(model.factor().iter().flatten()) {
            assert!((found - factor).abs() < 1e-12);
        }
    }

    #[test]
    fn parameters_beyond_doubles_become_finite_and_others_stay() {
        assert_eq!(paper().within_doubles(), paper());
        let wild = SequentialNormal::new(
            vec![f64::NEG_INFINITY, f64::NAN],
            vec![vec![f64::INFINITY], vec![f64::MAX, f64::NAN]],
        );
        let rows = wild.within_doubles().simulate(&[vec![FARTHEST, -FARTHEST], vec![-FARTHEST, FARTHEST]]);
        assert!(rows.iter().flatten().all(|value| value.is_finite()));
    }

    #[test]
    fn a_correction_composes_with_the_model() {
        let found = paper().corrected(&[0.1, -0.2], &[vec![1.1], vec![0.3, 0.9]]);
        // x = location + factor (m + C z).
        assert_eq!(found.location(), [3.0, -1.5 + 0.5 - 0.6]);
        let factor = found.factor();
        assert!((factor[0][0] - 11.0).abs() < 1e-12);
        assert!((factor[1][0] - (5.0 * 1.1 + 3.0 * 0.3)).abs() < 1e-12 && (factor[1][1] - 2.7).abs() < 1e-12);
    }
}
