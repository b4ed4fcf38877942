//! Coverage: how often intervals hold the truth, beside those of analysts who take synthetic rows for real ones, and of
//! analysts who had the real rows.
//!
//! `coverage_in_long` takes hours, and goes on where it was stopped: `docs/intervals` has a file for every setting, and
//! that a line for every statistic of every release. The tables of `docs/intervals.md` are made of these lines.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use indistinct::Synthesis;
use indistinct::interval::{Errors, NumberKind, Of, Rehearsal, Statistic, study};
use indistinct::privacy::Randomness;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::Table;
use rand::RngExt;

use super::coverage_page::tables;
use super::populations::{Population, population};

/// One setting of the simulation.
pub(super) struct Setting {
    pub(super) population: &'static str,
    pub(super) rows: usize,
    pub(super) epsilon: &'static str,
    pub(super) delta: &'static str,
}

pub(super) const SETTINGS: [Setting; 8] = [
    Setting { population: "people", rows: 2_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "people", rows: 10_000, epsilon: "0.5", delta: "1e-5" },
    Setting { population: "people", rows: 5_000, epsilon: "4", delta: "0" },
    Setting { population: "normal", rows: 2_000, epsilon: "4", delta: "1e-5" },
    Setting { population: "normal", rows: 10_000, epsilon: "1", delta: "0" },
    Setting { population: "rules", rows: 5_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "people", rows: 50_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "parity", rows: 5_000, epsilon: "1", delta: "1e-5" },
];

/// A number of one release, with everything that intervals for it need.
pub(super) struct Line {
    pub(super) statistic: String,
    pub(super) term: String,
    truth: f64,
    in_table: f64,
    estimate: f64,
    /// Errors of rehearsals, for the population and for the table.
    errors: [Errors; 2],
    /// Bootstrap standard errors of somebody who takes synthetic rows for real ones, and of one who has those.
    naive: f64,
    real: f64,
}

impl Line {
    fn write(&self) -> String {
        let numbers = [self.truth, self.in_table, self.estimate, self.naive, self.real].into_iter();
        let errors = self.errors.iter().flat_map(|errors| [errors.count as f64, errors.mean, errors.sd]);
        let numbers: Vec<String> = numbers.chain(errors).map(short).collect();
        format!("{}\t{}\t{}", self.statistic, self.term, numbers.join("\t"))
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [statistic, term, numbers @ ..] = &fields[..] else { return None };
        let numbers = numbers.iter().map(|number| number.parse().ok()).collect::<Option<Vec<f64>>>()?;
        let [truth, in_table, estimate, naive, real, ref errors @ ..] = numbers[..] else { return None };
        let [of_population, of_table] = [errors.get(..3)?, errors.get(3..6)?].map(|part| Errors {
            count: part[0] as usize,
            mean: part[1],
            sd: part[2],
        });
        let errors = [of_population, of_table];
        let (statistic, term) = ((*statistic).to_owned(), (*term).to_owned());
        Some(Self { statistic, term, truth, in_table, estimate, errors, naive, real })
    }

    fn interval(&self, of: Of) -> [f64; 2] {
        self.errors[of as usize].interval(self.estimate, 0.95, self.kind())
    }

    /// The kind of the number. Lines have no intercepts.
    fn kind(&self) -> NumberKind {
        if self.statistic.starts_with("share(") {
            NumberKind::Share
        } else if self.statistic.starts_with("cor(") || self.statistic.contains('~') {
            NumberKind::Association
        } else {
            NumberKind::Other
        }
    }

    /// Whether the interval holds the truth about the population, or about the private table.
    pub(super) fn holds(&self, of: Of) -> bool {
        let truth = if of == Of::Table { self.in_table } else { self.truth };
        let [low, high] = self.interval(of);
        low <= truth && truth <= high
    }

    /// Whether the interval of somebody who takes synthetic rows for real ones holds the truth about the population.
    pub(super) fn holds_naively(&self) -> bool {
        (self.estimate - self.truth).abs() <= 1.96 * self.naive
    }

    /// The width of the interval for the population, beside that of somebody who has the real rows.
    pub(super) fn widths(&self) -> [f64; 2] {
        let [low, high] = self.interval(Of::Population);
        [high - low, 2.0 * 1.96 * self.real]
    }
}

/// A number with six significant digits, as short as it can be.
fn short(number: f64) -> String {
    format!("{number:.5e}").parse::<f64>().map_or_else(|_| number.to_string(), |number| number.to_string())
}

/// Bootstrap standard errors of statistics on a table.
fn bootstrap(table: &Table, statistics: &[Statistic], seed: u64) -> Vec<Vec<f64>> {
    const TIMES: usize = 40;
    let mut random = Seed(seed).stream(7);
    let prepared: Vec<_> =
        statistics.iter().map(|statistic| statistic.prepare(std::slice::from_ref(table)).unwrap()).collect();
    let mut values: Vec<Vec<Vec<f64>>> = prepared.iter().map(|p| vec![Vec::new(); p.terms().len()]).collect();
    for _ in 0..TIMES {
        let rows = table.rows() as u32;
        let chosen: Vec<u32> = (0..rows).map(|_| random.random_range(0..rows)).collect();
        let again = table.take(&chosen);
        for (statistic, values) in prepared.iter().zip(&mut values) {
            values.iter_mut().zip(statistic.of(&again)).for_each(|(values, value)| values.push(value));
        }
    }
    let sd = |values: &Vec<f64>| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64).sqrt()
    };
    values.iter().map(|terms| terms.iter().map(sd).collect()).collect()
}

/// The truth by statistic and terms.
type Truths = BTreeMap<(usize, Vec<Option<String>>), Vec<f64>>;

/// All numbers of release number `number` of a setting.
fn simulated(
    setting: &Setting,
    (from, truths): (&Population, &mut Truths),
    number: u64,
    rehearsals: usize,
) -> Vec<Line> {
    let private = from.sample(setting.rows, &mut Seed(number).stream(1));
    let synthesis =
        Synthesis::of(from.schema.clone()).epsilon(setting.epsilon).unwrap().delta(setting.delta).unwrap();
    let mut entropy = Randomness::seeded(Seed(1_000_000 + number));
    let release = synthesis.release(&private, &mut entropy).unwrap();
    let released = vec![release.table(0, &release.streams().unwrap(), &Silent).unwrap()];
    let statistics: Vec<Statistic> =
        from.statistics.iter().map(|text| Statistic::parse(text, &from.schema).unwrap()).collect();
    let rehearsal = Rehearsal::of(&release, 2_000_000 + number).unwrap();
    let studies = study(&rehearsal, &released, &statistics, rehearsals, &Silent).unwrap();
    let (naive, real) =
        (bootstrap(&released[0], &statistics, number), bootstrap(&private, &statistics, number));
    let mut lines = Vec::new();
    for (place, study) in studies.into_iter().enumerate() {
        let prepared = statistics[place].prepare(&released).unwrap();
        let in_table = prepared.of(&private);
        // The truth is the same for all releases with the same coefficients.
        let known = truths.entry((place, study.terms.clone()));
        let truth = known.or_insert_with(|| prepared.of(&from.rows)).clone();
        for (term, series) in study.series.into_iter().enumerate() {
            let name = study.terms[term].clone().unwrap_or_default();
            if name == "(Intercept)" {
                continue;
            }
            let line = Line {
                statistic: study.statistic.clone(),
                term: name,
                truth: truth[term],
                in_table: in_table[term],
                estimate: series.estimate,
                errors: [series.errors(Of::Population), series.errors(Of::Table)],
                naive: naive[place].get(term).copied().unwrap_or(f64::NAN),
                real: real[place].get(term).copied().unwrap_or(f64::NAN),
            };
            assert_eq!(line.kind(), series.kind, "{} {}: known by its text", line.statistic, line.term);
            lines.push(line);
        }
    }
    lines
}

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

impl Setting {
    fn file(&self) -> PathBuf {
        let Self { population, rows, epsilon, delta } = self;
        PathBuf::from(DOCS).join(format!("intervals/{population}-{rows}-{epsilon}-{delta}.tsv"))
    }

    /// The releases that the file has.
    pub(super) fn done(&self) -> BTreeMap<u64, Vec<Line>> {
        let mut found: BTreeMap<u64, Vec<Line>> = BTreeMap::new();
        for line in fs::read_to_string(self.file()).unwrap_or_default().lines() {
            let (release, line) = line.split_once('\t').unwrap();
            found.entry(release.parse().unwrap()).or_default().push(Line::read(line).unwrap());
        }
        found
    }
}

fn from_environment<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Simulates releases that `docs/intervals` does not have yet, and writes the page's tables.
#[test]
#[ignore = "takes hours; COVERAGE_RELEASES, COVERAGE_REHEARSALS and COVERAGE_SETTINGS make it shorter"]
fn coverage_in_long() {
    let releases: u64 = from_environment("COVERAGE_RELEASES", 100);
    let rehearsals: usize = from_environment("COVERAGE_REHEARSALS", 40);
    let wanted: String = from_environment("COVERAGE_SETTINGS", "0,1,2,3,4,5,6,7".to_owned());
    for number in wanted.split(',').filter_map(|number| number.parse::<usize>().ok()) {
        let setting = &SETTINGS[number];
        let from = population(setting.population);
        let before = setting.done();
        let mut truths = Truths::new();
        for release in (0..releases).filter(|release| !before.contains_key(release)) {
            let lines = simulated(setting, (&from, &mut truths), release, rehearsals);
            let text: String = lines.iter().map(|line| format!("{release}\t{}\n", line.write())).collect();
            // In one write, so that a run that is killed leaves whole releases.
            let mut out = OpenOptions::new().create(true).append(true).open(setting.file()).unwrap();
            out.write_all(text.as_bytes()).unwrap();
        }
    }
    let page = fs::read_to_string(page()).unwrap();
    let [before, _, after] = around_tables(&page);
    fs::write(self::page(), format!("{before}{}{after}", tables())).unwrap();
}

fn page() -> PathBuf {
    PathBuf::from(DOCS).join("intervals.md")
}

/// The page before its tables, the tables, and what follows.
fn around_tables(page: &str) -> [&str; 3] {
    let (begin, end) = ("<!-- coverage: begin -->\n", "<!-- coverage: end -->");
    let start = page.find(begin).unwrap() + begin.len();
    let stop = page.find(end).unwrap();
    [&page[..start], &page[start..stop], &page[stop..]]
}

#[test]
fn the_page_has_the_coverage_of_the_releases_that_are_kept() {
    let page = fs::read_to_string(page()).unwrap();
    assert_eq!(
        around_tables(&page)[1],
        tables(),
        "write it again by coverage_in_long with COVERAGE_RELEASES=0"
    );
}

/// A few releases of the smallest setting: nearly all intervals hold the truth, and those of somebody who takes synthetic
/// rows for real ones do not.
#[test]
fn coverage_in_short() {
    let setting = Setting { population: "normal", rows: 1_000, epsilon: "2", delta: "1e-5" };
    let from = population(setting.population);
    let mut truths = Truths::new();
    let (mut holds, mut naive, mut all) = (0, 0, 0);
    for release in 0..8 {
        for line in simulated(&setting, (&from, &mut truths), release, 12) {
            all += 1;
            holds += usize::from(line.holds(Of::Population));
            naive += usize::from(line.holds_naively());
        }
    }
    let (share, of_naive) =
        (f64::from(holds as u32) / f64::from(all), f64::from(naive as u32) / f64::from(all));
    assert!(share > 0.88, "{share} of {all} hold the truth");
    assert!(of_naive < share - 0.1, "{of_naive} of naive intervals, {share} of ours");
}
