//! A bound on the rows of each person: the kept rows are chosen at random before anything else looks.

use std::num::NonZeroU32;

use rand::RngExt;

use crate::random::Generator;

/// The rows to keep, in order: all rows of a person who has at most `most`, and otherwise `most` of them, every
/// choice being equally likely. `persons[row]` says whose the row is, as a number below the number of persons.
///
/// # Guarantee
/// If all rows of one person are replaced by others, of which as many are kept, then the tables of kept rows can
/// be drawn together so that they differ in at most `most` rows, each keeping its own law:
/// `proofs/rows_of_a_person.md`. What is private when that many rows are substituted is then private when a
/// person is. Checked by enumeration on small tables in `private::persons::tests`. Which rows are kept is decided
/// by numbers of rows alone, never by what is in them.
///
/// ```
/// use indistinct::private::rows_of_persons;
/// use indistinct::random::Seed;
/// use std::num::NonZeroU32;
///
/// let two = NonZeroU32::new(2).expect("not zero");
/// let kept = rows_of_persons(&[0, 1, 0, 0, 2], two, &mut Seed(1).stream(0));
/// assert!(kept.contains(&1) && kept.contains(&4) && kept.len() == 4);
/// ```
pub fn rows_of_persons(persons: &[u32], most: NonZeroU32, generator: &mut Generator) -> Vec<u32> {
    let mut left = vec![0u32; persons.iter().max().map_or(0, |&last| last as usize + 1)];
    for &person in persons {
        left[person as usize] += 1;
    }
    let mut wanted: Vec<u32> = left.iter().map(|&rows| rows.min(most.get())).collect();
    let mut kept = Vec::with_capacity(persons.len());
    for (row, &person) in (0..).zip(persons) {
        let (left, wanted) = (&mut left[person as usize], &mut wanted[person as usize]);
        // Of the rows that are left so many are wanted: this one with the probability that makes all choices equally likely.
        if *wanted == *left || generator.random_range(0..u64::from(*left)) < u64::from(*wanted) {
            kept.push(row);
            *wanted -= 1;
        }
        *left -= 1;
    }
    kept
}

#[cfg(test)]
mod tests;
