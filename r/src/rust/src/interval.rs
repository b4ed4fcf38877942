//! Error bars for statistics of a release, and rehearsals of it for functions of R.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use extendr_api::prelude::*;
use indistinct::interval::{NumberKind, Rehearsal, Rehearsed, Replicate, Series, Study};
use indistinct_io::arguments::{Arguments, interval_options};
use indistinct_io::interval::{IntervalOptions, Intervals, intervals, open_release};
use indistinct_io::schema::save;
use indistinct_io::{Failure, check_page};
use indistinct_report::page::{IntervalPage, interval_page};
use indistinct_report::text::{interval_document, interval_text};
use rayon::prelude::*;

use crate::given::Given;
use crate::job::{Answer, Outcome, begin, reply};
use crate::value::{columns_of, in_words_of_r, to_r};

/// A release that is rehearsed, for the length of a call.
struct Rehearsing(Arc<Rehearsal>);

/// The file of a page, if one is asked for, and what the release is called on it.
struct Page {
    file: Option<PathBuf>,
    release: String,
}

fn options_of(options: &List) -> std::result::Result<(IntervalOptions, Page), Failure> {
    let given = Given(options);
    let typed = interval_options(&given)?;
    typed.check()?;
    let file = given.text("html")?.map(PathBuf::from);
    if let Some(file) = &file {
        check_page(file, given.truth("force")?.unwrap_or(false))?;
    }
    Ok((typed, Page { file, release: given.text("release")?.unwrap_or_default() }))
}

fn told(found: &Intervals, page: &Page) -> Outcome {
    if let Some(file) = &page.file {
        let page = interval_page(IntervalPage { found, release: &page.release }).map_err(Failure::failed)?;
        save(&page, file)?;
    }
    let document = serde_json::to_value(interval_document(found)).map_err(Failure::failed)?;
    let text = interval_text(found, false);
    Ok(Box::new(move || list!(document = to_r(&document), text = in_words_of_r(&text)).into()))
}

/// Statistics in words, with their bars.
#[extendr]
fn start_intervals(folder: String, statistics: Vec<String>, options: List) -> Robj {
    begin(&options, options_of(&options), move |(options, page), monitor| {
        let opened = open_release(Path::new(&folder))?;
        told(&intervals(&opened, &statistics, &options, None, monitor)?, &page)
    })
}

/// Prepares to rehearse a release: its tables, and the rows that stand for the population in tables of as many rows.
#[extendr]
fn start_rehearsing(folder: String, options: List) -> Robj {
    begin(&options, options_of(&options), move |(options, _), _| {
        let opened = open_release(Path::new(&folder))?;
        let rehearsal = Arc::new(opened.rehearsal(options.seed)?);
        Ok(Box::new(move || {
            let tables: Vec<Robj> = opened.tables().iter().map(columns_of).collect();
            let population = rehearsal.population_in_tables_of(opened.release().rows());
            let population = List::from_values(population.iter().map(columns_of).collect::<Vec<Robj>>());
            let rehearsing = ExternalPtr::new(Rehearsing(rehearsal));
            list!(tables = List::from_values(tables), population = population, rehearsing = rehearsing).into()
        }))
    })
}

/// Some rehearsals from number `first` on, which is counted from 1, in parallel: of each the tables that were made, and the
/// rows that they were made from; NULL of one that failed.
#[extendr]
fn start_rehearse(rehearsing: Robj, first: f64, count: f64, options: List) -> Robj {
    let rehearsing = ExternalPtr::<Rehearsing>::try_from(rehearsing);
    let rehearsal =
        rehearsing.map(|one| Arc::clone(&one.0)).map_err(|_| Failure::failed("this is no rehearsal"));
    begin(&options, rehearsal, move |rehearsal, _| {
        let first = first as u64 - 1;
        let numbers = first..first + count as u64;
        let done: Vec<Option<Rehearsed>> =
            numbers.into_par_iter().map(|number| rehearsal.rehearse(number).ok()).collect();
        let answer: Answer = Box::new(move || {
            let one = |rehearsed: &Rehearsed| {
                let tables: Vec<Robj> = rehearsed.tables.iter().map(columns_of).collect();
                list!(tables = List::from_values(tables), drawn = columns_of(&rehearsed.drawn)).into()
            };
            let each = done.iter().map(|rehearsed| rehearsed.as_ref().map_or_else(|| ().into(), one));
            List::from_values(each.collect::<Vec<Robj>>()).into()
        });
        Ok(answer)
    })
}

/// The bars of numbers that a function of R has computed: `released` and `population` have one for each term; `made` and
/// `drawn` all of the first rehearsal, then all of the second, and so on.
#[extendr]
fn intervals_of(function: String, terms: Vec<String>, numbers: List, options: List) -> Robj {
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
            kind: NumberKind::Other,
            replicates: (0..made.len() / terms.len())
                .map(|place| place * terms.len() + term)
                .map(|place| Replicate { released: number(&made, place), drawn: number(&drawn, place) })
                .collect(),
        };
        let series = (0..terms.len()).map(series).collect();
        let named = terms.iter().map(|term| Some(term.clone()).filter(|term| !term.is_empty())).collect();
        let study = Study { statistic: function, terms: named, series, range: None };
        let (options, page) = options_of(&options)?;
        told(&Intervals::of(&[study], &options), &page)
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
