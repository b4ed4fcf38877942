//! Numbers as messages tell them: of things, and of what would be enough.

/// A number of things, which are one or several: `1 row`, `2 rows`.
pub fn number_of(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A positive number that would be enough, in three significant digits: rounded up, so that what is told is enough, too.
pub fn enough(value: f64) -> String {
    let nearest = format!("{value:.2e}");
    let digits =
        nearest.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?)));
    let (Some((_, power)), Ok(rounded)) = (digits, nearest.parse::<f64>()) else { return nearest };
    let step = 10_f64.powi(power - 2);
    let up = if rounded < value { rounded + step } else { rounded };
    let decimals = usize::try_from(2 - power).unwrap_or(0);
    let text = format!("{up:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2].map(|count| number_of(count, "column")), ["0 columns", "1 column", "2 columns"]);
    }

    #[test]
    fn what_is_told_is_enough() {
        for (value, told) in [
            (1.405_7, "1.41"),
            (0.821, "0.821"),
            (0.820_1, "0.821"),
            (0.000_821_3, "0.000822"),
            (2.0, "2"),
            (9.996, "10"),
            (12_345.0, "12400"),
            (100.0, "100"),
            (5e-9, "0.000000005"),
        ] {
            assert_eq!(enough(value), told);
            assert!(told.parse::<f64>().unwrap() >= value);
        }
    }
}
