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
/// The mean number of rows of a person, at most, where no name says so.
const ROWS_WITHOUT_A_NAME: usize = 5;
/// The same where the name is such a word and nothing else: panels have many waves, and of some persons the sex only.
const ROWS_BY_NAME: usize = 200;
const VARIED_BY_NAME: usize = 2;
/// Words that tell persons apart in whatever name they are.
const NUMBERS: [&str; 22] = [
    "id",
    "ids",
    "pid",
    "uid",
    "uuid",
    "guid",
    "seqn",
    "mrn",
    "ssn",
    "pidp",
    "pnr",
    "persnr",
    "caseid",
    "hhid",
    "userid",
    "subjid",
    "patid",
    "personid",
    "patientid",
    "subjectid",
    "studyid",
    "idcode",
];
/// Words for persons, which tell them apart where a name has no other words: `household`, not `household_income`.
const PERSONS: [&str; 20] = [
    "patient",
    "person",
    "persons",
    "subject",
    "respondent",
    "participant",
    "household",
    "hh",
    "family",
    "client",
    "customer",
    "member",
    "student",
    "pupil",
    "employee",
    "worker",
    "individual",
    "user",
    "case",
    "key",
];
/// Words beside those.
const COUNTED: [&str; 6] = ["number", "no", "nr", "num", "code", "key"];

/// The number of different values, if a column of whole numbers or text says whose rows they are.
pub(super) fn persons(name: &str, values: &PlainValues, facets: &[Facet]) -> Option<usize> {
    let persons = numbered(values)?;
    let rows = persons.iter().flatten().count();
    let different = persons.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let mut counts = vec![0_usize; different];
    persons.iter().flatten().for_each(|&person| counts[person as usize] += 1);
    let repeated = counts.iter().filter(|&&rows| rows > 1).count();
    let is_exact = is_word(name);
    let (most, varied) = if is_exact { (ROWS_BY_NAME, VARIED_BY_NAME) } else { (ROWS_PER_PERSON, VARIED) };
    if different < DIFFERENT || different * most < rows || repeated < REPEATED || different == rows {
        return None;
    }
    // Twice as many as would be in several rows by chance says nothing; values of persons that never differ do.
    let is_same = |facet: &Facet| {
        facet.name != name && facet.different >= varied && is_constant(&persons, different, &facet.values)
    };
    let is_named = has_word(name);
    let found = is_named && (different * 4 >= rows || facets.iter().any(is_same))
        || different * ROWS_WITHOUT_A_NAME >= rows && strong(&persons, different, facets, name, values);
    found.then_some(different)
}

/// Whether several columns are the same in all rows of every value, and not because they are computed from it: its
/// groups, or as many different values as it has. Hardly anything but persons does that.
fn strong(
    persons: &[Option<u32>],
    different: usize,
    facets: &[Facet],
    name: &str,
    values: &PlainValues,
) -> bool {
    let others = || facets.iter().filter(|facet| facet.name != name && facet.different >= VARIED);
    let is_same = |facet: &&Facet| {
        facet.different * 10 <= different * 9
            && is_constant(persons, different, &facet.values)
            && !is_grouped(values, &facet.values)
    };
    others().filter(is_same).count() >= 2
        && others().any(|facet| !is_constant(persons, different, &facet.values))
}

/// Whether a column goes through its values one after the other as a number grows: age groups of ages.
fn is_grouped(number: &PlainValues, values: &[f64]) -> bool {
    let PlainValues::Integers(numbers) = number else { return false };
    let mut pairs: Vec<(i64, u64)> =
        numbers.iter().zip(values).map(|(&number, value)| (number, value.to_bits())).collect();
    pairs.sort_unstable();
    let runs = pairs.chunk_by(|one, other| one.1 == other.1).count();
    pairs.sort_unstable_by_key(|pair| pair.1);
    runs == pairs.chunk_by(|one, other| one.1 == other.1).count()
}

/// Whether the name is a word that tells persons apart, and nothing else: `id`, `CASE_ID`.
fn is_word(name: &str) -> bool {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    NUMBERS.contains(&letters.flat_map(char::to_lowercase).collect::<String>().as_str())
}

/// Whether the words of the name are those for persons: `patient_id`, `PatientID`, `id`.
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
    let words: Vec<&str> = words
        .iter()
        .map(|word| word.trim_end_matches(|letter: char| letter.is_ascii_digit()))
        .filter(|word| !word.is_empty())
        .collect();
    words.iter().any(|word| NUMBERS.contains(word))
        || words.iter().any(|word| PERSONS.contains(word))
            && words.iter().all(|word| PERSONS.contains(word) || COUNTED.contains(word))
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
        for name in
            ["ID", "patient_id", "PatientID", "hh1", "Respondent Key", "SEQN", "caseid", "household no"]
        {
            assert!(has_word(name), "{name}");
        }
        for name in
            ["income", "idea", "width", "side", "paid", "keyboard", "household_income", "customer age", "no"]
        {
            assert!(!has_word(name), "{name}");
        }
        assert!(is_word("id") && is_word("CASE_ID") && !is_word("id2") && !is_word("household"));
    }
}
