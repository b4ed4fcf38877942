//! Texts that stand for missing values, and numbers with marks, told by the spellings of a column.

use indistinct::table::Notation;

use crate::cells::notation::{plain, unwrapped};
use crate::cells::number::trim_spaces;

/// Words that mean *missing* in any column, beside the usual spellings.
const ANYWHERE: [&str; 13] =
    ["NULL", "null", "Null", "#N/A", "#NA", "N/A", "n/a", "<NA>", "#NULL!", "#VALUE!", "#DIV/0!", "nan", "."];
/// Words that mean *missing* among numbers or dates.
const AMONG_VALUES: [&str; 12] =
    ["None", "none", "na", "NAN", "-", "--", "..", "missing", "Missing", "#REF!", "0000-00-00", "00/00/0000"];
/// Signs of money, before or after numbers.
const MONEY: [&str; 34] = [
    "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "US$", "C$", "A$", "R$", "kr", "Kr", "kr.", "Kr.", "zł", "Kč",
    "Ft", "Fr.", "SFr.", "CHF", "USD", "EUR", "GBP", "JPY", "SEK", "NOK", "DKK", "PLN", "INR", "CAD", "Rs",
    "Rs.",
];
/// Signs of parts, after numbers, and dashes in place of cents.
const PARTS: [&str; 4] = ["%", "‰", ".-", ",-"];
/// Units, after numbers.
const UNITS: [&str; 19] = [
    "kg", "g", "mg", "µg", "t", "km", "m", "cm", "mm", "l", "ml", "°", "°C", "°F", "h", "min", "s", "ms",
    "mmHg",
];
/// Fewest different numbers with a unit: few are names of sizes or doses.
const MEASURED: usize = 10;
/// Fewest rows of a text that is not known, and stands for missing values among numbers all the same.
const RECURS: usize = 2;
/// Fewest different numbers beside it.
const NUMBERS: usize = 2;
/// Most such texts where there are many different numbers: refused, unknown, not asked.
const UNKNOWN: usize = 5;
/// Fewest different numbers beside several.
const MANY_NUMBERS: usize = 20;
/// Fewest different numbers with commas that are decimals where commas separate fields, too: few are lists of choices.
const COMMAS: usize = 10;

/// Whether a spelling means *missing* in a column of any kind.
pub(super) fn is_missing_anywhere(spelling: &str) -> bool {
    ANYWHERE.contains(&trim_spaces(spelling))
}

/// Whether a spelling means *missing* among numbers or dates.
pub(super) fn is_missing_among_values(spelling: &str) -> bool {
    is_missing_anywhere(spelling) || AMONG_VALUES.contains(&trim_spaces(spelling))
}

/// The spellings that `is_value` refuses, if all of them stand for missing values: known words, and one other text
/// without digits that recurs, or a few among many different numbers.
pub(super) fn missing_among(
    levels: &[String],
    rows: &[usize],
    is_value: &dyn Fn(&str) -> bool,
) -> Option<Vec<bool>> {
    let mut missing = vec![false; levels.len()];
    let mut unknown = 0;
    let mut values = 0;
    for (place, level) in levels.iter().enumerate() {
        let word = trim_spaces(level);
        if is_missing_among_values(word) {
            missing[place] = true;
        } else if is_value(level) {
            values += 1;
        } else {
            unknown += 1;
            let recurs = rows[place] >= RECURS && !word.chars().any(|letter| letter.is_ascii_digit());
            if unknown > UNKNOWN || !recurs {
                return None;
            }
            missing[place] = true;
        }
    }
    let fewest = match unknown {
        0 => 1,
        1 => NUMBERS,
        _ => MANY_NUMBERS,
    };
    (values >= fewest).then_some(missing)
}

/// The way in which the numbers of a column are written: `None` if some spelling is not a number with marks.
/// `commas` tells whether commas separate the fields of the file.
pub(crate) fn notation_of<'a>(
    levels: impl Iterator<Item = &'a str> + Clone,
    commas: bool,
) -> Option<Notation> {
    let mut notation = Notation::default();
    let mut bodies = Vec::new();
    let (mut signs, mut negative) = ([0, 0], 0);
    for level in levels {
        let inner = unwrapped(trim_spaces(level));
        // A sign within them is none of an accountant.
        let unsigned = inner.is_none_or(|inner| !inner.starts_with(['-', '+', '\u{2212}']));
        let (prefix, body, suffix) = parts(inner.unwrap_or(level)).filter(|_| unsigned)?;
        negative += usize::from(inner.is_some());
        let own = [&mut notation.prefix, &mut notation.suffix];
        for ((own, found), signs) in own.into_iter().zip([prefix, suffix]).zip(&mut signs) {
            if own.is_empty() {
                found.clone_into(own);
            } else if !found.is_empty() && own.trim() != found.trim() {
                return None;
            }
            *signs += usize::from(!found.is_empty());
        }
        bodies.push(body);
    }
    // A sign at few of the numbers is a slip in one of them, or means something else there.
    if bodies.is_empty() || signs.iter().any(|&signs| signs > 0 && 2 * signs < bodies.len()) {
        return None;
    }
    // Where all numbers are in parentheses, these say something else.
    notation.parentheses = negative > 0;
    if negative == bodies.len() {
        return None;
    }
    let decimal_comma = (',', None);
    let english = ('.', Some(','));
    let order = if commas {
        [english, (',', Some('.')), decimal_comma]
    } else {
        [decimal_comma, english, (',', Some('.'))]
    };
    let spaced = [' ', '\'', '_'].into_iter().flat_map(|mark| [('.', Some(mark)), (',', Some(mark))]);
    let different = bodies.iter().collect::<std::collections::HashSet<_>>().len();
    let few = commas && different < COMMAS;
    let fits = |&(decimal_mark, thousands): &(char, Option<char>)| {
        let marked = |body: &&str| body.contains(decimal_mark);
        let all = || bodies.iter().all(|body| plain(body, decimal_mark, thousands).is_some());
        match thousands {
            None if decimal_mark == '.' => all(),
            None => !few && bodies.iter().any(marked) && all(),
            // Where commas separate fields, a comma in a number is hardly ever a decimal mark: 1,234 beside 23456 is
            // a thousand, not a decimal.
            Some(mark) => all() && is_grouped(&bodies, decimal_mark, mark, commas && mark == ','),
        }
    };
    let candidates = [('.', None)].into_iter().chain(order).chain(spaced);
    (notation.decimal_mark, notation.thousands) = candidates.into_iter().find(fits)?;
    // What a schema cannot declare is no notation.
    notation.problem().is_none().then_some(notation)
}

/// Whether so many different numbers with a unit are names: of sizes, or doses.
pub(super) fn are_names(notation: &Notation, different: usize) -> bool {
    UNITS.contains(&notation.suffix.trim()) && different < MEASURED
}

/// Whether thousands are marked somewhere, and wherever they can be unless `some` numbers may be without marks.
fn is_grouped(bodies: &[&str], decimal_mark: char, mark: char, some: bool) -> bool {
    let is_mark = |character: char| {
        character == mark
            || mark == ' ' && matches!(character, '\u{a0}' | '\u{202f}' | '\u{2009}')
            || mark == '\'' && character == '\u{2019}'
    };
    let whole = |body: &&str| body.split(decimal_mark).next().unwrap_or_default().to_owned();
    let grouped = |whole: &String| whole.contains(is_mark);
    let fits =
        |whole: &String| if grouped(whole) { !whole.starts_with('0') } else { some || whole.len() <= 3 };
    bodies.iter().map(&whole).all(|whole| fits(&whole)) && bodies.iter().any(|body| grouped(&whole(body)))
}

/// A number with what stands before and after it, if that is a sign of money or of parts. The sign is left out.
fn parts(level: &str) -> Option<(&str, &str, &str)> {
    let signless = |text: &str| text.trim_start_matches(['-', '+', '\u{2212}']).len();
    let text = trim_spaces(level);
    let text = &text[text.len() - signless(text)..];
    let is_digit = |character: char| character.is_ascii_digit();
    let first = text.find(is_digit)?;
    let last = text.rfind(is_digit)? + 1;
    // A number may begin with its mark.
    let first = if first > 0 && text[..first].ends_with(['.', ',']) && first == 1 { 0 } else { first };
    let (before, rest) = text.split_at(first);
    let (body, suffix) = rest.split_at(last - first);
    let before = before.trim_end_matches(['-', '+', '\u{2212}']);
    let known = |text: &str, more: &[&str]| {
        let text = trim_spaces(text);
        text.is_empty() || MONEY.contains(&text) || more.contains(&text)
    };
    let measures: Vec<&str> = PARTS.into_iter().chain(UNITS).collect();
    let suffix = suffix.strip_prefix('.').filter(|rest| rest.is_empty()).unwrap_or(suffix);
    (known(before, &[]) && known(suffix, &measures)).then_some((before, body, suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notation(levels: &[&str], commas: bool) -> Option<(char, Option<char>, String, String)> {
        let found = notation_of(levels.iter().copied(), commas)?;
        Some((found.decimal_mark, found.thousands, found.prefix, found.suffix))
    }

    #[test]
    fn marks_are_told_by_all_spellings() {
        let is = |mark, thousands, prefix: &str, suffix: &str| {
            Some((mark, thousands, prefix.to_owned(), suffix.to_owned()))
        };
        assert_eq!(notation(&["1", "2.5", "-3", ".5"], true), is('.', None, "", ""));
        assert_eq!(notation(&["1,5", "2"], false), is(',', None, "", ""));
        assert_eq!(notation(&["1,5", "2"], true), None, "a list of choices");
        assert_eq!(notation(&["1,234", "999"], true), is('.', Some(','), "", ""));
        assert_eq!(notation(&["1,234", "999"], false), is(',', None, "", ""));
        assert_eq!(notation(&["1,234", "9999"], true), is('.', Some(','), "", ""));
        assert_eq!(notation(&["1.234", "9999", "1,5"], false), None);
        assert_eq!(notation(&["1.234,5", "7"], false), is(',', Some('.'), "", ""));
        assert_eq!(notation(&["$1,234.50", "-$7.00"], true), is('.', Some(','), "$", ""));
        assert_eq!(notation(&["1 234,50 €", "7,00 €"], false), is(',', Some(' '), "", " €"));
        assert_eq!(notation(&["12%", "7.5%"], true), is('.', None, "", "%"));
        assert_eq!(notation(&["EUR 502", "EUR 7"], true), is('.', None, "EUR ", ""));
        assert_eq!(notation(&["709EUR", "7EUR"], true), is('.', None, "", "EUR"));
        assert_eq!(notation(&["kr.5", "kr.7.50"], true), is('.', None, "kr.", ""));
        assert_eq!(notation(&["5,50 kr.", "7,00 kr."], false), is(',', None, "", " kr."));
        assert_eq!(notation(&["CHF 1'234.50"], true), is('.', Some('\''), "CHF ", ""));
        assert_eq!(notation(&["95.-", "7.-"], true), is('.', None, "", ".-"));
        assert_eq!(notation(&["95-", "7"], true), None, "a minus behind the number");
        assert_eq!(notation(&["$5", "€5"], true), None);
        assert_eq!(notation(&["1.75 m", "2 m"], true), is('.', None, "", " m"));
        assert_eq!(notation(&["5kg", "7m"], true), None);
        assert_eq!(notation(&["5 apples", "7 apples"], true), None);
        let kilograms = Notation { suffix: "kg".to_owned(), ..Notation::default() };
        assert!(are_names(&kilograms, 9) && !are_names(&kilograms, 10));
        assert!(!are_names(&Notation::default(), 2));
        assert_eq!(notation(&["12:30"], true), None);
        assert_eq!(notation(&["2001-02-03"], true), None);
        assert_eq!(notation(&["1-2"], true), None);
        assert_eq!(notation(&["A1"], true), None);
        assert_eq!(notation(&["0,123", "1"], true), None);
        let of = |levels: &[&str]| notation_of(levels.iter().copied(), true);
        assert!(of(&["(1,234.50)", "7.00"]).is_some_and(|found| found.parentheses));
        assert!(of(&["($1,234.50)", "$7.00"]).is_some_and(|found| found.parentheses && found.prefix == "$"));
        assert!(of(&["7.00", "-3"]).is_some_and(|found| !found.parentheses));
        assert_eq!(of(&["(1)", "(2)"]), None, "marks of footnotes");
        assert_eq!(of(&["(-1)", "2"]), None);
    }

    #[test]
    fn one_recurring_text_among_numbers_is_missing() {
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        let of = |levels: &[&str], rows: &[usize]| {
            let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
            missing_among(&levels, rows, &is_number)
        };
        assert_eq!(of(&["1", "2", "N"], &[5, 5, 2]), Some(vec![false, false, true]));
        assert_eq!(of(&["1", "NULL", "None"], &[5, 1, 1]), Some(vec![false, true, true]));
        assert_eq!(of(&["1", "2", "N"], &[5, 5, 1]), None, "a slip of the pen");
        assert_eq!(of(&["1", "2", "N", "K"], &[5, 5, 5, 5]), None);
        assert_eq!(of(&["1", "N"], &[5, 5]), None);
        let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain(["refused", "unknown"]).collect();
        assert_eq!(
            of(&many, &[2; 22]).map(|missing| missing[18..].to_vec()),
            Some(vec![false, false, true, true])
        );
        assert_eq!(of(&many[1..], &[2; 21]), None, "too few numbers");
        assert_eq!(of(&["88", "89", "90+"], &[5, 5, 5]), None, "a top-code");
    }
}
