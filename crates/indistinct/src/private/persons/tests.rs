//! The choice is uniform and independent, and the kept rows are stable: all choices on all small tables.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;
use rand::seq::SliceRandom;

use super::*;
use crate::privacy::{Neighbours, Person};
use crate::random::Seed;

fn most(rows: u32) -> NonZeroU32 {
    NonZeroU32::new(rows).unwrap()
}

fn key(seed: u64) -> PersonKey {
    PersonKey::draw(&mut Seed(seed).stream(0))
}

/// Rows of these persons and contents, numbered in order.
fn owned(key: PersonKey, rows: &[(u32, u8)]) -> Vec<OwnedRow> {
    let row = |(row, (person, content)): (u64, &(u32, u8))| {
        let person = key.person(&person.to_string());
        let table = Table::of_columns(vec![Column::float("x", vec![f64::from(*content)])]);
        OwnedRow { person, contents: key.contents(&[person], &table)[0], row }
    };
    (0..).zip(rows).map(row).collect()
}

#[test]
fn all_rows_are_kept_of_those_who_have_few() {
    let mut rows = owned(key(1), &[(2, 0), (0, 0), (1, 0), (0, 7), (2, 1)]);
    assert_eq!(rows_of_persons(&mut rows, most(2)), [0, 1, 2, 3, 4]);
    assert!(rows_of_persons(&mut [], most(1)).is_empty());
}

#[test]
fn choices_are_uniform_and_independent() {
    // One person with four rows, two of which are equal, and one with three that are all equal, interleaved; two of
    // each are kept: 6 times 3 outcomes.
    let rows = [(0, 5), (1, 1), (0, 6), (0, 5), (1, 1), (0, 7), (1, 1), (2, 0)];
    let mut seen: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
    let rounds = 18_000;
    for seed in 0..rounds {
        let kept = rows_of_persons(&mut owned(key(seed), &rows), most(2));
        assert!(kept.is_sorted() && kept.contains(&7) && kept.len() == 5);
        *seen.entry(kept).or_default() += 1.0;
    }
    assert_eq!(seen.len(), 18);
    let expected = rounds as f64 / 18.0;
    let chi: f64 = seen.values().map(|count| (count - expected).powi(2) / expected).sum();
    // The 99.9 % point of chi-square with 17 degrees of freedom.
    assert!(chi < 40.79, "{chi}");
}

/// Where the contents are not known, as before a schema is drafted, no row is preferred for its place.
#[test]
fn choices_among_rows_that_look_alike_are_uniform() {
    for keep in [1, 2] {
        let mut seen: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        let (seeds, persons) = (300, 20);
        for seed in 0..seeds {
            let key = key(seed);
            for person in 0..persons {
                let person = key.person(&person.to_string());
                let contents = key.alike(person);
                let mut rows: Vec<OwnedRow> = (0..4).map(|row| OwnedRow { person, contents, row }).collect();
                *seen.entry(rows_of_persons(&mut rows, most(keep))).or_default() += 1.0;
            }
        }
        // Four rows of which one is kept, or two: 4 outcomes, or 6.
        let outcomes = [4, 6][keep as usize - 1];
        assert_eq!(seen.len(), outcomes);
        let expected = (seeds * persons) as f64 / outcomes as f64;
        let chi: f64 = seen.values().map(|count| (count - expected).powi(2) / expected).sum();
        // The 99.9 % point of chi-square with 5 degrees of freedom.
        assert!(chi < 20.52, "{chi}");
    }
}

proptest! {
    /// The contents that are kept of a person follow from the key and this person's rows, whoever else is there and
    /// in whatever order rows come.
    #[test]
    fn the_choice_sees_one_person_only(
        seed: u64, keep in 1_u32..4, own in prop::collection::vec(0_u8..4, 0..8),
        others in prop::collection::vec((1_u32..4, 0_u8..4), 0..20), order: u64,
    ) {
        let key = key(seed);
        let kept_of_own = |rows: &[(u32, u8)]| {
            let kept = rows_of_persons(&mut owned(key, rows), most(keep));
            let mut contents: Vec<u8> =
                kept.iter().map(|row| rows[*row as usize]).filter(|row| row.0 == 0).map(|row| row.1).collect();
            contents.sort_unstable();
            contents
        };
        let alone: Vec<(u32, u8)> = own.iter().map(|content| (0, *content)).collect();
        let mut all = [alone.as_slice(), others.as_slice()].concat();
        all.shuffle(&mut Seed(order).stream(1));
        prop_assert_eq!(kept_of_own(&alone), kept_of_own(&all));
    }
}

proptest! {
    /// Rows that come in another order in every pass are the same ones, and that others came instead is noticed.
    #[test]
    fn rows_told_by_contents_are_those_that_are_kept(
        seed: u64, keep in 1_u32..4, rows in prop::collection::vec((0_u32..5, 0_u8..3), 0..30), order: u64, cut: u128,
    ) {
        let key = key(seed);
        let contents = |mut kept: Vec<(u32, u8)>| { kept.sort_unstable(); kept };
        let kept = rows_of_persons(&mut owned(key, &rows), most(keep));
        let expected = contents(kept.iter().map(|row| rows[*row as usize]).collect());
        // Persons come in two parts.
        let (mut low, mut high): (Vec<OwnedRow>, Vec<OwnedRow>) =
            owned(key, &rows).into_iter().partition(|row| row.person.0 <= cut);
        let mut chosen = KeptByContents::default();
        chosen.choose(&mut low, most(keep));
        chosen.choose(&mut high, most(keep));
        let chosen = std::sync::Arc::new(chosen);
        for pass in 0..2 {
            let mut shuffled = rows.clone();
            shuffled.shuffle(&mut Seed(order).stream(pass));
            let mut passing = PassOfPersons::new(std::sync::Arc::clone(&chosen));
            let hashed = owned(key, &shuffled);
            let kept: Vec<OwnedRow> = hashed.into_iter().filter(|row| passing.keeps(row)).collect();
            prop_assert_eq!(contents(kept.iter().map(|row| shuffled[row.row as usize]).collect()), expected.clone());
            prop_assert!(passing.is_complete());
            // A row more, of somebody else.
            prop_assert!(passing.keeps(&owned(key, &[(9, 0)])[0]) && !passing.is_complete());
        }
    }
}

#[test]
fn equal_values_have_equal_hashes_and_others_have_not() {
    let key = key(3);
    let hash = |column: Column, person: &str| {
        key.contents(&[key.person(person)], &Table::of_columns(vec![column]))[0]
    };
    let float = |value: f64| hash(Column::float("x", vec![value]), "ann");
    assert_eq!(float(0.0), float(-0.0));
    assert_eq!(float(f64::NAN), float(-f64::NAN));
    assert_ne!(float(1.0), float(2.0));
    assert_ne!(float(1.0), hash(Column::float("x", vec![1.0]), "bob"));
    // Known values: a cluster computes the hashes of copies by itself.
    assert_eq!(hash_of_copy(0x0123_4567_89ab_cdef, 1), 0x0123_4567_89ab_cdef);
    assert_eq!(hash_of_copy(0x0123_4567_89ab_cdef, 2), 0x3b55_9eab_2e96_bea2);
}

/// All ways to keep `wanted` of these rows, as lists of values.
fn choices(rows: &[u8], wanted: usize) -> Vec<Vec<u8>> {
    match (wanted, rows.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (_, Some((first, rest))) => {
            let with = choices(rest, wanted - 1).into_iter().map(|mut kept| {
                kept.push(*first);
                kept
            });
            with.chain(choices(rest, wanted)).collect()
        }
    }
}

/// The law of the kept rows, as sorted lists of values, with whole weights; `table[person]` has the person's rows.
fn law(table: &[Vec<u8>], most: usize) -> BTreeMap<Vec<u8>, u64> {
    let mut law = BTreeMap::from([(Vec::new(), 1)]);
    for rows in table {
        let mut next: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
        for choice in choices(rows, rows.len().min(most)) {
            for (kept, weight) in &law {
                let mut together = [kept.as_slice(), choice.as_slice()].concat();
                together.sort_unstable();
                *next.entry(together).or_default() += weight;
            }
        }
        law = next;
    }
    law
}

/// Rows that two sorted lists of the same length do not share.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut rest = other.to_vec();
    let unshared = one.iter().filter(|value| match rest.iter().position(|found| found == *value) {
        Some(place) => {
            rest.swap_remove(place);
            false
        }
        None => true,
    });
    unshared.count()
}

/// Whether the two laws can be coupled so that outcomes never differ in more than `within` rows: whether enough
/// mass can flow between outcomes that are so near (Strassen).
fn can_be_coupled(one: &BTreeMap<Vec<u8>, u64>, other: &BTreeMap<Vec<u8>, u64>, within: usize) -> bool {
    let (total_one, total_other): (u64, u64) = (one.values().sum(), other.values().sum());
    // The same total mass on both sides.
    let one: Vec<(&Vec<u8>, u64)> = one.iter().map(|(kept, weight)| (kept, weight * total_other)).collect();
    let other: Vec<(&Vec<u8>, u64)> = other.iter().map(|(kept, weight)| (kept, weight * total_one)).collect();
    let (source, sink) = (one.len() + other.len(), one.len() + other.len() + 1);
    let mut room = vec![vec![0u64; sink + 1]; sink + 1];
    for (i, (left, weight)) in one.iter().enumerate() {
        room[source][i] = *weight;
        for (j, (right, most)) in other.iter().enumerate() {
            room[one.len() + j][sink] = *most;
            if left.len() == right.len() && distance(left, right) <= within {
                room[i][one.len() + j] = u64::MAX / 4;
            }
        }
    }
    let mut flow = 0;
    while let Some(path) = augmenting(&room, source, sink) {
        let amount = path.windows(2).map(|step| room[step[0]][step[1]]).min().unwrap();
        for step in path.windows(2) {
            room[step[0]][step[1]] -= amount;
            room[step[1]][step[0]] += amount;
        }
        flow += amount;
    }
    flow == total_one * total_other
}

fn augmenting(room: &[Vec<u64>], source: usize, sink: usize) -> Option<Vec<usize>> {
    let mut before = vec![usize::MAX; room.len()];
    let mut open = VecDeque::from([source]);
    while let Some(here) = open.pop_front() {
        for there in 0..room.len() {
            if there != source && before[there] == usize::MAX && room[here][there] > 0 {
                before[there] = here;
                open.push_back(there);
            }
        }
    }
    (before[sink] != usize::MAX).then(|| {
        let mut path = vec![sink];
        while path[path.len() - 1] != source {
            path.push(before[path[path.len() - 1]]);
        }
        path.reverse();
        path
    })
}

/// All sorted lists of up to `longest` values below 3.
fn all_rows(longest: usize) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let until = all.len();
        for place in from..until {
            for value in *all[place].last().unwrap_or(&0)..3 {
                all.push([all[place].as_slice(), &[value]].concat());
            }
        }
        from = until;
    }
    all
}

#[test]
fn a_replaced_person_moves_at_most_so_many_kept_rows() {
    let (mut tried, mut tight) = (0, 0);
    let others = [vec![vec![0]], vec![vec![0, 1, 1]], vec![vec![0, 2], vec![1, 1, 2]]];
    for keep in 1..=3 {
        for others in &others {
            let table = |own: &Vec<u8>| law(&[others.as_slice(), std::slice::from_ref(own)].concat(), keep);
            let persons = all_rows(4);
            for own in &persons {
                for replaced in persons.iter().filter(|rows| rows.len().min(keep) == own.len().min(keep)) {
                    let (one, other) = (table(own), table(replaced));
                    assert!(can_be_coupled(&one, &other, keep), "{keep} {own:?} {replaced:?}");
                    tight += usize::from(!can_be_coupled(&one, &other, keep - 1));
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 2000 && tight > 500, "{tried} pairs, {tight} of which need all");
}

#[test]
fn tables_whose_kept_rows_differ_in_number_are_not_neighbours() {
    // No coupling of any distance: the number of kept rows is not protected.
    assert!(!can_be_coupled(&law(&[vec![0], vec![1, 1]], 2), &law(&[vec![0], vec![1]], 2), 9));
}

/// The certificate's statement about neighbours, with its condition if it has one, holds on all small tables, and
/// would not hold without the condition.
#[test]
fn certificates_state_the_relation_that_is_proven() {
    let others = [vec![0], vec![0, 2, 2]];
    let persons: Vec<Vec<u8>> = all_rows(4).into_iter().filter(|rows| !rows.is_empty()).collect();
    for keep in 1..=3 {
        let table = |own: &Vec<u8>| law(&[others.as_slice(), std::slice::from_ref(own)].concat(), keep);
        let said = Person::new("id", most(keep as u32)).neighbours(Neighbours::Substitute);
        let conditional = said.contains("as many are kept");
        let mut refuted = 0;
        for own in &persons {
            for replaced in &persons {
                let as_many = own.len().min(keep) == replaced.len().min(keep);
                let coupled = can_be_coupled(&table(own), &table(replaced), keep);
                assert!(coupled || (conditional && !as_many), "{said}: {own:?} {replaced:?}");
                refuted += usize::from(!coupled);
            }
        }
        assert_eq!(conditional, refuted > 0, "{said}: a condition where one is needed, and only there");
    }
}
