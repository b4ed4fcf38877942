//! Levels of categories, and their places on an axis.

use indistinct::table::ColumnType;

use crate::page::words::{count, shown};

/// Longest name beside a bar, in letters.
const LEVEL_NAME: usize = 20;
/// Letters of its end that stay: levels often begin alike.
const LEVEL_END: usize = 8;
/// Most places of levels that have an order.
const ORDERED: usize = 40;

/// The spellings of a column's levels, if it has levels.
pub(in crate::page) fn levels(kind: &ColumnType) -> Option<Vec<String>> {
    match kind {
        ColumnType::Boolean { when_false, when_true } => Some(vec![when_false.clone(), when_true.clone()]),
        kind => kind.levels().map(|levels| levels.to_vec()),
    }
}

/// The name of a level, short enough to stand beside a bar.
fn level_name(level: &str) -> String {
    let name = shown(level);
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LEVEL_NAME {
        return name;
    }
    let end = &letters[letters.len() - LEVEL_END..];
    letters[..LEVEL_NAME - LEVEL_END - 1].iter().chain(&['…']).chain(end).collect()
}

/// Places on an axis, each of one level or of several, in the order in which they are drawn.
pub(in crate::page) struct LevelPlaces {
    pub(in crate::page) names: Vec<String>,
    /// The levels of each place.
    pub(in crate::page) members: Vec<Vec<usize>>,
}

impl LevelPlaces {
    /// Places for these levels with their numbers of rows. Levels without an order are sorted by frequency, and those after
    /// the first `most - 1` share the last place. Levels with an order keep it, and none is hidden among others: of very many
    /// ones, neighbours share a place that has the names of its ends.
    pub(in crate::page) fn of(kind: &ColumnType, spelled: &[String], rows: &[u64], most: usize) -> Self {
        let mut order: Vec<usize> = (0..spelled.len()).collect();
        if !matches!(kind, ColumnType::Nominal { .. }) {
            let members: Vec<Vec<usize>> =
                order.chunks(order.len().div_ceil(ORDERED).max(1)).map(<[usize]>::to_vec).collect();
            let names = members.iter().map(|group| match (&group[0], &group[group.len() - 1]) {
                (first, last) if first == last => level_name(&spelled[*first]),
                (first, last) => {
                    format!("{} to {}", level_name(&spelled[*first]), level_name(&spelled[*last]))
                }
            });
            return Self { names: names.collect(), members };
        }
        order.sort_by(|&a, &b| rows[b].cmp(&rows[a]).then_with(|| spelled[a].cmp(&spelled[b])));
        let own = if order.len() > most { most - 1 } else { order.len() };
        let mut names: Vec<String> = order[..own].iter().map(|&level| level_name(&spelled[level])).collect();
        let mut members: Vec<Vec<usize>> = order[..own].iter().map(|&level| vec![level]).collect();
        let rest = &order[own..];
        if !rest.is_empty() {
            names.push(format!("{} other levels", count(rest.len() as u64)));
            members.push(rest.to_vec());
        }
        Self { names, members }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn spelled(count: usize) -> Vec<String> {
        (0..count).map(|level| format!("grade {level}")).collect()
    }

    #[test]
    fn ordered_levels_keep_their_order_and_are_never_among_others() {
        for count in [1, 3, 12, 40, 41, 500] {
            let spelled = spelled(count);
            let kind = ColumnType::Ordered { levels: Arc::from(spelled.clone()) };
            // The rarest first: frequency must not matter.
            let rows: Vec<u64> = (0..count as u64).collect();
            let places = LevelPlaces::of(&kind, &spelled, &rows, 10);
            assert!(places.names.len() <= ORDERED && places.names.iter().all(|name| !name.contains("other")));
            assert_eq!(places.members.concat(), (0..count).collect::<Vec<_>>(), "every level, in order");
        }
        let kind = ColumnType::Ordered { levels: Arc::from(spelled(80)) };
        assert_eq!(LevelPlaces::of(&kind, &spelled(80), &[0; 80], 10).names[0], "grade 0 to grade 1");
    }

    #[test]
    fn rare_levels_without_an_order_share_a_place() {
        let spelled = spelled(30);
        let kind = ColumnType::Nominal { levels: Arc::from(spelled.clone()) };
        let rows: Vec<u64> = (0..30).collect();
        let places = LevelPlaces::of(&kind, &spelled, &rows, 10);
        assert_eq!((places.names[0].as_str(), places.names[9].as_str()), ("grade 29", "21 other levels"));
        assert_eq!(places.members.concat().len(), 30);
    }
}
