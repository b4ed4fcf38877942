//! A coarse view of a margin: few classes of about equal mass, for tables of pairs.

use super::Margin;
use crate::grid::Codes;

/// The positions of a class, and its interval in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ClassRange {
    first: usize,
    last: usize,
    low: f64,
    high: f64,
}

impl ClassRange {
    /// The position below which this share of the class's mass lies.
    pub(crate) fn position(&self, margin: &Margin, part: f64) -> usize {
        // Rounding at the edge of a class must not leave it.
        margin.quantile(self.low + (self.high - self.low) * part).clamp(self.first, self.last)
    }
}

impl Codes {
    /// At most `max` classes (at least one, and one for missing values): atoms and single positions with much
    /// mass by themselves, the rest between them in parts of about equal mass. Classes that begin at `cuts` are
    /// added, with mass or without.
    pub(super) fn of_margin(margin: &Margin, max: usize, cuts: &[usize]) -> Self {
        Self::around(margin, max, cuts, |max| spikes(margin, max))
    }

    /// Classes of about equal mass, in which atoms and heavy positions are treated like any other: two classes
    /// cannot have equal mass if one of them is a rare atom.
    pub(super) fn even_of_margin(margin: &Margin, max: usize) -> Self {
        Self::around(margin, max, &[], |_| Vec::new())
    }

    fn around(margin: &Margin, max: usize, always: &[usize], spikes: impl Fn(usize) -> Vec<usize>) -> Self {
        let has_missing = margin.missing() > 0.0;
        let max = max.saturating_sub(usize::from(has_missing)).max(1) + always.len();
        let below = |position: usize| margin.interval(position).0;
        let end = margin.grid().len();
        let mass = |first: usize, last: usize| (if last == end { 1.0 } else { below(last) }) - below(first);
        // Cuts around the heaviest single positions, as long as all that is between them can have a class.
        let mut cuts = [&[0, end], always].concat();
        cuts.sort_unstable();
        cuts.dedup();
        for spike in spikes(max) {
            let mut tried = cuts.clone();
            tried.extend([spike, spike + 1]);
            tried.sort_unstable();
            tried.dedup();
            if filled(&tried, mass) <= max {
                cuts = tried;
            }
        }
        let mut left = max - filled(&cuts, mass).min(max);
        let mut starts = Vec::new();
        // What is heaviest for each of its classes is divided next.
        let mut parts: Vec<(usize, usize, f64, usize)> =
            cuts.windows(2).map(|cut| (cut[0], cut[1], mass(cut[0], cut[1]), 1)).collect();
        while left > 0 {
            let divisible =
                parts.iter_mut().filter(|(first, last, mass, parts)| *mass > 0.0 && last - first > *parts);
            let each = |part: &(usize, usize, f64, usize)| part.2 / part.3 as f64;
            let Some(heaviest) = divisible.max_by(|a, b| each(a).total_cmp(&each(b))) else { break };
            heaviest.3 += 1;
            left -= 1;
        }
        for (first, last, mass, parts) in parts {
            let from = below(first);
            let cut = |part: usize| {
                let target = from + mass * part as f64 / parts as f64;
                let position = margin.quantile(target);
                // The nearer side of the position that holds the target.
                let (low, high) = margin.interval(position);
                let cut = if target - low > high - target { position + 1 } else { position };
                cut.clamp(first, last)
            };
            starts.extend((0..parts).map(|part| if part == 0 { first } else { cut(part) }));
        }
        starts.sort_unstable();
        starts.dedup();
        Self::joined(margin, starts, always, mass, has_missing)
    }

    /// The classes that begin at these positions, as [`starts`](Self::starts) gives them; `None` if they do not
    /// ascend from 0 on the margin's grid.
    pub(crate) fn at(margin: &Margin, starts: Vec<usize>) -> Option<Self> {
        let end = margin.grid().len();
        let ascending = starts.first() == Some(&0) && starts.is_sorted_by(|a, b| a < b);
        if !ascending || starts.last().is_some_and(|last| *last >= end) {
            return None;
        }
        let below = |position: usize| margin.interval(position).0;
        let present = 1.0 - margin.missing();
        let edges: Vec<f64> = starts.iter().map(|&start| below(start)).chain([1.0]).collect();
        let has_missing = margin.missing() > 0.0;
        let values = edges.windows(2).map(|edge| present * (edge[1] - edge[0]).max(0.0));
        let probabilities = values.chain(has_missing.then(|| margin.missing())).collect();
        Some(Self { starts, probabilities, has_missing })
    }

    /// Joins classes without mass to the one before, or after at the beginning, except those that are to stay.
    fn joined(
        margin: &Margin,
        mut starts: Vec<usize>,
        always: &[usize],
        mass: impl Fn(usize, usize) -> f64,
        has_missing: bool,
    ) -> Self {
        let end = margin.grid().len();
        starts.retain(|start| *start < end);
        let ends: Vec<usize> = starts.iter().skip(1).copied().chain([end]).collect();
        let mut kept: Vec<usize> = Vec::new();
        for (start, end) in starts.iter().zip(ends) {
            let stays = always.contains(start) || (*start == 0 && !always.is_empty());
            if mass(*start, end) > 0.0 || stays {
                kept.push(*start);
            }
        }
        match kept.first_mut() {
            Some(first) => *first = 0,
            None => kept.push(0),
        }
        let present = 1.0 - margin.missing();
        let ends = kept.iter().skip(1).copied().chain([end]);
        let classes = kept.iter().zip(ends).map(|(start, end)| present * mass(*start, end).max(0.0));
        let probabilities = classes.chain(has_missing.then(|| margin.missing())).collect();
        Self { starts: kept, probabilities, has_missing }
    }

    /// The positions of a class; `None` for missing values.
    pub(crate) fn range(&self, margin: &Margin, class: usize) -> Option<ClassRange> {
        let first = *self.starts.get(class)?;
        let end = self.starts.get(class + 1).copied();
        Some(ClassRange {
            first,
            last: end.unwrap_or(usize::MAX).saturating_sub(1),
            low: margin.interval(first).0,
            high: end.map_or(1.0, |end| margin.interval(end).0),
        })
    }
}

/// Atoms, and single positions with at least half an equal part of the mass; the heaviest first.
fn spikes(margin: &Margin, max: usize) -> Vec<usize> {
    let least = 0.5 / max as f64;
    let single = margin.cells().iter().filter(|run| run.length == 1 && run.mass >= least);
    let atoms = margin.grid().atoms().iter().copied();
    let mut spikes: Vec<(f64, usize)> = single
        .map(|run| run.first)
        .chain(atoms)
        .map(|position| (margin.probability(position), position))
        .filter(|(mass, _)| *mass > 0.0)
        .collect();
    spikes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    spikes.dedup();
    spikes.into_iter().map(|(_, position)| position).collect()
}

/// Number of parts between cuts that have mass.
fn filled(cuts: &[usize], mass: impl Fn(usize, usize) -> f64) -> usize {
    cuts.windows(2).filter(|cut| mass(cut[0], cut[1]) > 0.0).count()
}
