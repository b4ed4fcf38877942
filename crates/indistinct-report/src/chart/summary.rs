//! The summary of a sample in a box plot.

/// A box with whiskers: horizontal if the y axis has categories, otherwise vertical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxSummary {
    /// Position on the other axis: the category's index.
    pub at: f64,
    /// End of the lower whisker.
    pub low: f64,
    /// First quartile.
    pub first: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub third: f64,
    /// End of the upper whisker.
    pub high: f64,
    /// The mean, drawn as a small diamond if it is given.
    pub mean: Option<f64>,
    /// Number of values of the sample that are not in the summary because they are not finite. They are counted
    /// in the chart's description.
    pub left_out: usize,
}

impl BoxSummary {
    /// Tukey's box plot of the finite values, if there are any: quartiles as R's type 7, whiskers to the furthest
    /// value within 1.5 times the distance of the quartiles.
    pub fn of(at: f64, values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = sorted.len() as f64;
        let (first, median, third) =
            (quantile(&sorted, 0.25)?, quantile(&sorted, 0.5)?, quantile(&sorted, 0.75)?);
        let reach = 1.5 * (third - first);
        let within = |value: &&f64| first - reach <= **value && **value <= third + reach;
        Some(Self {
            at,
            // A quartile between two far values may have none of them within reach on its outer side.
            low: sorted.iter().find(within).map_or(first, |low| low.min(first)),
            first,
            median,
            third,
            high: sorted.iter().rfind(within).map_or(third, |high| high.max(third)),
            mean: Some(sorted.iter().map(|value| value / count).sum()),
            left_out: values.len() - sorted.len(),
        })
    }
}

/// R's type 7: linear between order statistics, with the ends at probabilities 0 and 1.
fn quantile(sorted: &[f64], probability: f64) -> Option<f64> {
    let place = probability * sorted.len().checked_sub(1)? as f64;
    let below = place.floor();
    let share = place - below;
    let (low, high) = (sorted[below as usize], sorted[place.ceil() as usize]);
    Some(if share == 0.0 { low } else { (1.0 - share) * low + share * high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_r() {
        // x <- c(1, 2, 4, 7, 11, 16, 22, 100); quantile(x, 1:3 / 4); boxplot.stats uses hinges, so the whiskers are
        // range(x[x >= q1 - 1.5 * (q3 - q1) & x <= q3 + 1.5 * (q3 - q1)]); mean(x)
        let found = BoxSummary::of(3.0, &[100.0, 22.0, 16.0, 11.0, 7.0, 4.0, 2.0, 1.0, f64::NAN]).unwrap();
        assert_eq!((found.first, found.median, found.third), (3.5, 9.0, 17.5));
        assert_eq!((found.low, found.high, found.mean), (1.0, 22.0, Some(20.375)));
        assert_eq!((found.at, found.left_out), (3.0, 1));
    }

    #[test]
    fn small_samples() {
        assert_eq!(BoxSummary::of(0.0, &[]), None);
        assert_eq!(BoxSummary::of(0.0, &[f64::NAN, f64::INFINITY]), None);
        let one = BoxSummary::of(0.0, &[5.0]).unwrap();
        assert_eq!([one.low, one.first, one.median, one.third, one.high], [5.0; 5]);
        // quantile(c(1, 2)) is 1, 1.25, 1.5, 1.75, 2
        let two = BoxSummary::of(0.0, &[2.0, 1.0]).unwrap();
        assert_eq!([two.low, two.first, two.median, two.third, two.high], [1.0, 1.25, 1.5, 1.75, 2.0]);
    }
}
