//! Columns that say whose rows they are: many different values, some of them in several rows.

use rustc_hash::FxHashMap;

use super::facets::Facet;
use crate::plain::PlainValues;

/// Fewest different values.
const DIFFERENT: usize = 50;
/// The mean number of rows of a person, at most.
const ROWS_PER_PERSON: usize = 20;
/// Fewest values that are in several rows.
const REPEATED: usize = 20;
/// Fewest different values of a column that is the same in all rows of a person.
const VARIED: usize = 3;
/// Words in names of columns that tell persons apart.
const WORDS: [&str; 18] = [
    "id",
    "ids",
    "pid",
    "uid",
    "seqn",
    "key",
    "patient",
    "person",
    "persons",
    "subject",
    "respondent",
    "participant",
    "household",
    "hh",
    "client",
    "customer",
    "member",
    "student",
];

/// The number of different values, if a column of whole numbers or text says whose rows they are.
pub(super) fn persons(name: &str, values: &PlainValues, facets: &[Facet]) -> Option<usize> {
    let persons = numbered(values)?;
    let rows = persons.iter().flatten().count();
    let different = persons.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let mut counts = vec![0_usize; different];
    persons.iter().flatten().for_each(|&person| counts[person as usize] += 1);
    let repeated = counts.iter().filter(|&&rows| rows > 1).count();
    if different < DIFFERENT || different * ROWS_PER_PERSON < rows || repeated < REPEATED || different == rows
    {
        return None;
    }
    let is_same = |facet: &Facet| {
        facet.name != name && facet.different >= VARIED && is_constant(&persons, different, &facet.values)
    };
    // Twice as many as would be in several rows by chance says nothing; values of persons that never differ do.
    (has_word(name) && different * 4 >= rows
        || facets.iter().any(is_same) && has_word(name)
        || strong(&persons, different, facets, name))
    .then_some(different)
}

/// Whether several columns are the same in all rows of every value: nothing but persons does that.
fn strong(persons: &[Option<u32>], different: usize, facets: &[Facet], name: &str) -> bool {
    let same = |facet: &&Facet| {
        facet.name != name && facet.different >= VARIED && is_constant(persons, different, &facet.values)
    };
    let differs = |facet: &&Facet| {
        facet.name != name && facet.different >= VARIED && !is_constant(persons, different, &facet.values)
    };
    facets.iter().filter(same).count() >= 2 && facets.iter().any(|facet| differs(&facet))
}

/// Whether a word of the name is one for persons: `patient_id`, `PatientID`, `id`.
fn has_word(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let starts = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphanumeric() || starts {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.iter().any(|word| WORDS.contains(&word.trim_end_matches(|letter: char| letter.is_ascii_digit())))
}

/// Persons by number.
fn numbered(values: &PlainValues) -> Option<Vec<Option<u32>>> {
    match values {
        PlainValues::Floats(_) => None,
        PlainValues::Integers(values) => {
            let mut known: FxHashMap<i64, u32> = FxHashMap::default();
            let person = |value: &i64| {
                let next = known.len() as u32;
                (*value != indistinct::table::MISSING_INTEGER).then(|| *known.entry(*value).or_insert(next))
            };
            Some(values.iter().map(person).collect())
        }
        PlainValues::Text { levels, codes } => {
            Some(codes.iter().map(|&code| ((code as usize) < levels.len()).then_some(code)).collect())
        }
    }
}

/// Whether a column has one value for every person.
fn is_constant(persons: &[Option<u32>], different: usize, values: &[f64]) -> bool {
    if values.len() != persons.len() {
        return false;
    }
    let mut first: Vec<Option<f64>> = vec![None; different];
    persons.iter().zip(values).all(|(person, &value)| {
        let Some(person) = person else { return true };
        let known = first[*person as usize].get_or_insert(value);
        *known == value || known.is_nan() && value.is_nan()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_names() {
        for name in ["ID", "patient_id", "PatientID", "hh1", "Respondent Key", "SEQN"] {
            assert!(has_word(name), "{name}");
        }
        for name in ["income", "idea", "width", "side", "paid", "keyboard"] {
            assert!(!has_word(name), "{name}");
        }
    }
}
