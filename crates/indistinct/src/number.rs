//! Numbers as messages tell them: of things, of bytes, and of what would be enough.

/// A number of things, which are one or several: `1 row`, `2 rows`.
pub fn number_of(count: impl TryInto<u64>, thing: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A size in the largest unit of which there is at least one, with about three digits: `67.8 GB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    // 999,500 bytes and more would be told as 1000 kB.
    let mut size = bytes as f64;
    let mut units = UNITS.iter();
    let mut unit = units.next().unwrap_or(&"bytes");
    while let Some(larger) = units.next().filter(|_| size >= 999.5) {
        (size, unit) = (size / 1000.0, larger);
    }
    let decimals = if *unit == "bytes" || size >= 99.95 {
        0
    } else if size >= 9.995 {
        1
    } else {
        2
    };
    format!("{size:.decimals$} {unit}")
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
    fn sizes_have_a_unit() {
        for (bytes, told) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.00 kB"),
            (9_994, "9.99 kB"),
            (9_996, "10.0 kB"),
            (99_960, "100 kB"),
            (999_499, "999 kB"),
            (999_500, "1.00 MB"),
            (67_828_396_032, "67.8 GB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(size(bytes), told);
        }
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
