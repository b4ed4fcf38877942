//! Levels that say more than a name: months and quarters, and those that hardly any row has.

use super::looks;
use super::moments;

/// With more levels than this, and so few rows of each, most are noise.
const MANY: usize = 50;
const ROWS_PER_LEVEL: usize = 5;
/// Levels that are looked at.
const SHOWN: usize = 40;
/// Years of periods.
const YEARS: std::ops::RangeInclusive<u32> = 1800..=2199;

/// The order of levels that are months, quarters, weeks or halves of years: `2015-04`, `04/2015`, `2015Q2`, `Q2 2015`.
pub(super) fn periods(levels: &[String]) -> Option<Vec<String>> {
    let mut dated: Vec<((u32, char, u32), &String)> =
        levels.iter().map(|level| Some((period(level)?, level))).collect::<Option<_>>()?;
    dated.sort_unstable();
    let same_kind = dated.iter().all(|((_, kind, _), _)| *kind == dated[0].0.1);
    (dated.len() >= 2 && same_kind).then(|| dated.into_iter().map(|(_, level)| level.clone()).collect())
}

/// Year, kind and number of a period.
fn period(level: &str) -> Option<(u32, char, u32)> {
    let text = level.trim();
    if let Some((year, month)) = named_month(text) {
        return Some((year, 'M', month));
    }
    let (year, rest) = match text.split_at_checked(4) {
        Some((year, rest)) if year.bytes().all(|byte| byte.is_ascii_digit()) => (year, rest),
        _ => {
            let (rest, year) = text.split_at_checked(text.len().checked_sub(4)?)?;
            (year, rest)
        }
    };
    let year: u32 = year.parse().ok().filter(|year| YEARS.contains(year))?;
    let rest = rest.trim_matches([' ', '-', '/', '_']);
    let (kind, number) = match rest.chars().next()? {
        '0'..='9' => ('M', rest),
        kind => (kind.to_ascii_uppercase(), rest.get(kind.len_utf8()..)?),
    };
    let most = match kind {
        'M' => 12,
        'Q' => 4,
        'W' => 53,
        'H' | 'S' => 2,
        _ => return None,
    };
    let is_short = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|number| is_short && (1..=most).contains(number))?;
    Some((year, kind, number))
}

/// Year and month of `Jan 2005`, `Jan-2005` and `2005 January`. Two digits may be a day as well, so that they are no year.
fn named_month(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split([' ', '-', '/', '_', '.', ',']).filter(|word| !word.is_empty());
    let (one, other) = (words.next()?, words.next()?);
    let digits = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let (month, year) = if digits(one) { (other, one) } else { (one, other) };
    let number = crate::names::month(month)?;
    let year = year.parse().ok().filter(|known| digits(year) && YEARS.contains(known))?;
    words.next().is_none().then_some((year, number))
}

/// Doubts about levels of which most have few rows, or that differ by their case only.
pub(super) fn doubt(levels: &[String], present: usize) -> Option<String> {
    let count = levels.len();
    if count > MANY && present < ROWS_PER_LEVEL * count {
        return Some(format!(
            "{count} levels have fewer than {ROWS_PER_LEVEL} rows each on average: most will be noise, and all are published \
             with a release; {}",
            remedy(levels)
        ));
    }
    let mut folded: Vec<String> = levels.iter().map(|level| level.trim().to_lowercase()).collect();
    folded.sort_unstable();
    folded.dedup();
    (folded.len() < count).then(|| {
        "some levels differ by upper and lower case or spaces only: spell them alike in the table if they mean the same"
            .to_owned()
    })
}

/// The advice on values that nearly all differ, by what they look like.
pub(super) fn resemblance(levels: &[String]) -> &'static str {
    let shown = || levels.iter().take(SHOWN).map(|level| level.trim());
    let most = |is: &dyn Fn(&str) -> bool| 2 * shown().filter(|level| is(level)).count() > shown().count();
    let is_of = |text: &str, marks: &str| {
        text.starts_with(|letter: char| letter.is_ascii_digit())
            && text.chars().all(|letter| letter.is_ascii_digit() || marks.contains(letter))
    };
    let has = |mark: char| shown().any(|level| level.contains(mark));
    if most(&moments::is_moment) {
        "some seem to be dates: write all of them in one format, as in 2024-02-29"
    } else if most(&|text| is_of(text, ",.")) && has(',') && has('.') {
        "they seem to be numbers: write all of them with one decimal mark, as in 1.5"
    } else if most(&|text| {
        let numbers: Vec<&str> = text.split(['/', ' ', '|', ';']).filter(|part| !part.is_empty()).collect();
        numbers.len() > 1 && numbers.iter().all(|number| is_of(number, "."))
    }) {
        "if there are several numbers in each, as in 120/80, write these in columns of their own"
    } else if most(&|text| {
        text.trim_start_matches(['-', '+', '(']).starts_with(|first: char| first.is_ascii_digit())
    }) {
        "if they are numbers, write them without what stands around them; if they are dates, write them as in 2024-02-29"
    } else {
        "group the values if they shall be analysed"
    }
}

/// A remedy for many levels.
fn remedy(levels: &[String]) -> &'static str {
    let most = |is: &dyn Fn(&str) -> bool| {
        let shown = levels.iter().take(SHOWN);
        2 * shown.filter(|level| is(level.trim())).count() > levels.len().min(SHOWN)
    };
    if levels.iter().all(|level| looks::is_duration(level.trim())) {
        "they look like durations: write them as numbers of minutes or hours"
    } else if most(&moments::is_moment) {
        "some seem to be dates: write all of them in one format, as in 2024-02-29"
    } else if most(&|level| {
        level.trim_start_matches(['-', '+', '(']).starts_with(|first: char| first.is_ascii_digit())
    }) {
        "if they are numbers, write them without what stands around them, or declare it as `prefix` or `suffix`; or group them"
    } else {
        "group them, or declare the column identifier"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(levels: &[&str]) -> Vec<String> {
        levels.iter().map(|&level| level.to_owned()).collect()
    }

    #[test]
    fn periods_are_in_order() {
        for (levels, order) in [
            (["2016-01", "2015-12", "2015-2"], ["2015-2", "2015-12", "2016-01"]),
            (["01/2016", "12/2015", "02/2015"], ["02/2015", "12/2015", "01/2016"]),
            (["Jan-2016", "Dec 2015", "February 2015"], ["February 2015", "Dec 2015", "Jan-2016"]),
            (["201601", "201512", "201502"], ["201502", "201512", "201601"]),
            (["2016Q1", "2015Q4", "2015Q2"], ["2015Q2", "2015Q4", "2016Q1"]),
            (["Q1 2016", "Q4 2015", "Q2 2015"], ["Q2 2015", "Q4 2015", "Q1 2016"]),
            (["2016-W01", "2015-W53", "2015-W09"], ["2015-W09", "2015-W53", "2016-W01"]),
        ] {
            assert_eq!(periods(&owned(&levels)), Some(owned(&order)));
        }
        for levels in [
            &["2015-13", "2015-01"][..],
            &["2015Q1", "2015-01"],
            &["2015-01"],
            &["1234-01", "1235-01"],
            &["é015", "2015é"],
            &["Jan-05", "Feb-05"],
            &["Jan 5 2005", "Jan 6 2005"],
        ] {
            assert_eq!(periods(&owned(levels)), None, "{levels:?}");
        }
    }

    #[test]
    fn values_that_differ_are_told_by_what_they_look_like() {
        let of = |level: &dyn Fn(usize) -> String| resemblance(&(0..60).map(level).collect::<Vec<_>>());
        assert!(of(&|k| format!("{:02}/{:02}/2015", k % 28 + 1, k / 28 + 1)).contains("dates"));
        assert!(of(&|k| format!("{k}{}5", [",", "."][k % 2])).contains("decimal mark"));
        assert!(of(&|k| format!("{}/{}", 100 + k, 60 + k)).contains("120/80"));
        assert!(of(&|k| format!("{k} apples")).contains("numbers"));
        assert!(of(&|k| format!("town {k}")).contains("group"));
    }

    #[test]
    fn many_levels_are_told_with_what_to_do() {
        let of = |level: &dyn Fn(usize) -> String| {
            let levels: Vec<String> = (0..60).map(level).collect();
            doubt(&levels, 200).unwrap_or_default()
        };
        assert!(of(&|k| format!("{k}:30")).contains("durations"));
        assert!(of(&|k| format!("{:02}.{:02}.2015", k % 28 + 1, k / 28 + 1)).contains("dates"));
        assert!(of(&|k| format!("{k} apples")).contains("`suffix`"));
        assert!(of(&|k| format!("town {k}")).contains("identifier"));
        assert_eq!(doubt(&owned(&["a", "b"]), 200), None);
        assert!(doubt(&owned(&["True", "true", "FALSE"]), 200).is_some_and(|said| said.contains("case")));
    }
}
