//! The distance of small whole numbers from the law of counts, which has a mean and a variance and no end.

/// Counts beyond this are not compared: the law has hardly any mass there.
const MOST: f64 = 10_000.0;
/// The least excess of the variance over the mean, as a part of it: counts vary as those of Poisson do, or more.
const LEAST_EXCESS: f64 = 1e-6;

/// The largest distance between the distribution functions of values and of the negative binomial with their moments.
/// Values are whole and not negative, and given as runs of equal ones in ascending order.
pub(super) fn distance(runs: &[&[f64]], mean: f64, variance: f64) -> f64 {
    let size = mean * mean / (variance - mean).max(LEAST_EXCESS * mean);
    let rows: f64 = runs.iter().map(|run| run.len() as f64).sum();
    // The mass of the next count, and of all before it.
    let (mut next, mut mass, mut below) = (0.0, (-size * (mean / size).ln_1p()).exp(), 0.0);
    let (mut own, mut farthest) = (0.0, 0.0_f64);
    for run in runs.iter().take_while(|run| run[0] <= MOST) {
        while next < run[0] {
            (mass, below, next) =
                (mass * (next + size) / (next + 1.0) * mean / (size + mean), below + mass, next + 1.0);
        }
        farthest = farthest.max((own - below).abs());
        own += run.len() as f64 / rows;
        farthest = farthest.max((own - below - mass).abs());
    }
    farthest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance of so many rows of each value.
    fn of(rows: &[(f64, usize)]) -> f64 {
        let runs: Vec<Vec<f64>> = rows.iter().map(|&(value, rows)| vec![value; rows]).collect();
        let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let total: f64 = rows.iter().map(|&(_, rows)| rows as f64).sum();
        let moment = |of: &dyn Fn(f64) -> f64| {
            rows.iter().map(|&(value, rows)| of(value) * rows as f64).sum::<f64>() / total
        };
        let mean = moment(&|value| value);
        distance(&runs, mean, moment(&|value| (value - mean).powi(2)))
    }

    #[test]
    fn counts_are_near_and_others_are_not() {
        // Poisson with mean 2, and a geometric law, in a thousand rows.
        let poisson = [135, 271, 271, 180, 90, 36, 12, 3, 1];
        let geometric = [500, 250, 125, 62, 31, 16, 8, 4, 2, 1];
        let law = |rows: &[usize]| of(&(0..).map(f64::from).zip(rows.iter().copied()).collect::<Vec<_>>());
        assert!(law(&poisson) < 0.01, "{}", law(&poisson));
        assert!(law(&geometric) < 0.01, "{}", law(&geometric));
        assert!(law(&[30; 31]) > 0.06, "{}", law(&[30; 31]));
        assert!(of(&[(4.0, 100), (5.0, 100), (6.0, 100)]) > 0.1, "hardly any variance");
        assert!(of(&[(0.0, 100), (12.0, 100)]) > 0.1, "two hills");
    }
}
