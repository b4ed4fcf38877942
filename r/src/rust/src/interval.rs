//! Error bars for statistics of a release, and rehearsals of it for functions of R.

use std::path::Path;
use std::sync::Arc;

use extendr_api::prelude::*;
use indistinct::interval::{Rehearsal, Rehearsed, Replicate, Series, Study};
use indistinct_io::Failure;
use indistinct_io::arguments::interval_options;
use indistinct_io::interval::{IntervalOptions, Intervals, intervals, open_release};
use indistinct_report::text::{interval_document, interval_text};

use crate::given::Given;
use crate::job::{Answer, Outcome, begin, reply};
use crate::value::{columns_of, in_words_of_r, to_r};

/// A release that is rehearsed, for the length of a call.
struct Rehearsing(Arc<Rehearsal>);

fn options_of(options: &List) -> std::result::Result<IntervalOptions, Failure> {
    let options = interval_options(&Given(options))?;
    options.check().map(|()| options)
}

fn told(found: &Intervals) -> Outcome {
    let document = serde_json::to_value(interval_document(found)).map_err(Failure::failed)?;
    let text = interval_text(found, false);
    Ok(Box::new(move || list!(document = to_r(&document), text = in_words_of_r(&text)).into()))
}

/// Statistics in words, with their bars.
#[extendr]
fn start_intervals(folder: String, statistics: Vec<String>, options: List) -> Robj {
    begin(&options, options_of(&options), move |options, monitor| {
        let opened = open_release(Path::new(&folder))?;
        told(&intervals(&opened, &statistics, &options, None, monitor)?)
    })
}

/// Prepares to rehearse a release: its tables, and the rows that stand for the population.
#[extendr]
fn start_rehearsing(folder: String, options: List) -> Robj {
    begin(&options, options_of(&options), move |options, _| {
        let opened = open_release(Path::new(&folder))?;
        let rehearsal = Arc::new(opened.rehearsal(options.seed)?);
        Ok(Box::new(move || {
            let tables: Vec<Robj> = opened.tables().iter().map(columns_of).collect();
            let population = columns_of(rehearsal.population());
            let rehearsing = ExternalPtr::new(Rehearsing(rehearsal));
            list!(tables = List::from_values(tables), population = population, rehearsing = rehearsing).into()
        }))
    })
}

/// One rehearsal, counted from 1: the tables that were made, and the rows that they were made from; NULL if it failed.
#[extendr]
fn start_rehearse(rehearsing: Robj, number: f64, options: List) -> Robj {
    let rehearsing = ExternalPtr::<Rehearsing>::try_from(rehearsing);
    let rehearsal =
        rehearsing.map(|one| Arc::clone(&one.0)).map_err(|_| Failure::failed("this is no rehearsal"));
    begin(&options, rehearsal, move |rehearsal, _| {
        let rehearsed = rehearsal.rehearse(number as u64 - 1).ok();
        let answer: Answer = Box::new(move || match rehearsed {
            None => ().into(),
            Some(Rehearsed { tables, drawn }) => {
                let tables: Vec<Robj> = tables.iter().map(columns_of).collect();
                list!(tables = List::from_values(tables), drawn = columns_of(&drawn)).into()
            }
        });
        Ok(answer)
    })
}

/// The bars of numbers that R has computed: `released` and `population` have one for each term; `made` and `drawn` all of
/// the first rehearsal, then all of the second, and so on.
#[extendr]
fn intervals_of(terms: Vec<String>, numbers: List, options: List) -> Robj {
    let made = || {
        let part = |name: &str| {
            let found =
                numbers.iter().find(|(own, _)| *own == name).and_then(|(_, value)| value.as_real_vector());
            found.ok_or_else(|| Failure::failed("these are no numbers"))
        };
        let (released, population) = (part("released")?, part("population")?);
        let (made, drawn) = (part("made")?, part("drawn")?);
        let number = |numbers: &[f64], place: usize| numbers.get(place).copied().unwrap_or(f64::NAN);
        let series = |term: usize| Series {
            estimate: number(&released, term),
            population: number(&population, term),
            replicates: (0..made.len() / terms.len())
                .map(|place| place * terms.len() + term)
                .map(|place| Replicate { released: number(&made, place), drawn: number(&drawn, place) })
                .collect(),
        };
        let series = (0..terms.len()).map(series).collect();
        let named = terms.iter().map(|term| Some(term.clone()).filter(|term| !term.is_empty())).collect();
        let study = Study { statistic: "function".to_owned(), terms: named, series };
        told(&Intervals::of(&[study], &options_of(&options)?))
    };
    reply(made())
}

extendr_module! {
    mod interval;
    fn start_intervals;
    fn start_rehearsing;
    fn start_rehearse;
    fn intervals_of;
}
