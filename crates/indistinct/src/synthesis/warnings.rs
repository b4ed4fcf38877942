//! Warnings about a plan or a release of columns of any type.

use crate::field::Message;
use crate::margin::RangeOutlook;
use crate::mixed::{DoubtfulBecause, DoubtfulColumn, HopelessColumn, Look, MixedPlan, Outlook};

/// A budget that is small for all, as the method says, and columns for which it is.
pub(super) fn plan_warnings(warning: Option<Message>, plan: Option<&MixedPlan>) -> Vec<Message> {
    let columns = plan.map(|plan| column_warnings(&plan.outlooks())).unwrap_or_default();
    warning.into_iter().chain(columns.into_iter().map(Message::from)).collect()
}

/// Columns without limits are told of if they are not found where they are 2^20 times as far from zero as they are wide: numbers of orders may be, and moments of one day in
/// seconds since 1970 are not.
const FAR: u32 = 20;
/// Columns that a warning names, at most.
const NAMED: usize = 10;

/// Warnings of columns that will be noise or may not be found, and what to do.
fn column_warnings(outlooks: &[Outlook]) -> Vec<String> {
    let hopeless = |outlook: &&Outlook| outlook.hopeless().is_some();
    let noisy = |outlook: &&Outlook| outlook.look == Look::MostlyNoise && !hopeless(outlook);
    let unfound = |outlook: &&Outlook| outlook.range == RangeOutlook::AroundZero;
    let far = |outlook: &&Outlook| matches!(outlook.range, RangeOutlook::Searched(found) if found < FAR);
    let warnings = [
        nothing_warning(&outlooks.iter().filter(hopeless).collect::<Vec<_>>()),
        noise_warning(&outlooks.iter().filter(noisy).collect::<Vec<_>>()),
        limits_warning(&outlooks.iter().filter(unfound).collect::<Vec<_>>()),
        far_warning(&outlooks.iter().filter(far).collect::<Vec<_>>()),
    ];
    warnings.into_iter().flatten().collect()
}

/// Of columns that a release will say nothing about, where it is made nevertheless.
fn nothing_warning(hopeless: &[&Outlook]) -> Option<String> {
    let of = |outlook: &&Outlook| {
        let because = outlook.hopeless()?;
        Some(HopelessColumn { column: outlook.column.clone(), because })
    };
    let columns: Vec<HopelessColumn> = hopeless.iter().filter_map(of).collect();
    (!columns.is_empty()).then(|| {
        format!(
            "nothing but noise will be {}: do not use it. Next time join levels, declare limits, leave columns out, or give more \
             epsilon or a delta",
            HopelessColumn::list(&columns, |name| format!("`{name}`"))
        )
    })
}

fn noise_warning(noisy: &[&Outlook]) -> Option<String> {
    let told = |outlook: &Outlook| match outlook.levels {
        Some(levels) => format!("`{}` ({levels} levels)", outlook.column),
        None => format!("`{}`", outlook.column),
    };
    let levels = noisy.iter().any(|outlook| outlook.levels.is_some());
    let group = if levels { "group levels that hold few rows, " } else { "" };
    (!noisy.is_empty()).then(|| {
        format!(
            "{} will be mostly noise: {group}release fewer columns, or spend more epsilon or a delta on these",
            named(noisy, told)
        )
    })
}

fn limits_warning(unfound: &[&Outlook]) -> Option<String> {
    (!unfound.is_empty()).then(|| {
        format!(
            "not both limits are declared for {}, and the budget is too small to search for them: large numbers, and those far from zero, \
             may come out as nonsense. Declare `minimum` and `maximum`, which costs nothing",
            named(unfound, |outlook| format!("`{}`", outlook.column))
        )
    })
}

fn far_warning(far: &[&Outlook]) -> Option<String> {
    let found = far.iter().filter_map(|outlook| match outlook.range {
        RangeOutlook::Searched(found) => Some(found),
        _ => None,
    });
    let digits = (f64::from(found.min()?) * std::f64::consts::LOG10_2).floor();
    let names = named(far, |outlook| format!("`{}`", outlook.column));
    let found = if digits < 1.0 {
        "the budget is so small that the search for them may fail in more than one of ten releases, and what is released is then nonsense".to_owned()
    } else {
        format!(
            "the budget finds them in 9 of 10 releases as long as they are at most about 10^{digits} times as far from zero as they are wide, \
             and less often beyond that"
        )
    };
    Some(format!(
        "not both limits are declared for {names}: {found}. Declare `minimum` and `maximum`, which costs nothing"
    ))
}

/// Warnings of columns whose limits were searched for and not found, or that are mostly noise, as the release itself shows.
pub(super) fn doubtful_warnings(doubtful: &[DoubtfulColumn]) -> Vec<Message> {
    let told = |because: DoubtfulBecause, what: &str| {
        let columns: Vec<&DoubtfulColumn> = doubtful.iter().filter(|one| one.because == because).collect();
        let names = named(&columns, |one| format!("`{}`", one.column));
        let them = if columns.len() == 1 { "it" } else { "them" };
        (!columns.is_empty()).then(|| {
            format!("{what} {names}: do not use {them}. Next time declare `minimum` and `maximum`, which costs nothing")
        })
    };
    let warnings = [
        told(
            DoubtfulBecause::CutShort,
            "the search for limits ran out of budget before it had found the narrow range, far from zero, of",
        ),
        told(
            DoubtfulBecause::MostlyNoise,
            "the search for limits left too little budget to count with, and mostly noise is",
        ),
    ];
    warnings.into_iter().flatten().map(Message::from).collect()
}

/// The first of several columns, each as it is told, and how many more there are.
fn named<C>(columns: &[&C], told: impl Fn(&C) -> String) -> String {
    let mut names: Vec<String> = columns.iter().take(NAMED).map(|column| told(column)).collect();
    if columns.len() > NAMED {
        names.push(format!("{} more", columns.len() - NAMED));
    }
    names.join(", ")
}
