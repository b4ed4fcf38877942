//! How often intervals hold the truth, beside those of analysts who take synthetic rows for real ones, and of
//! analysts who had the real rows.
//!
//! `coverage_in_long` takes hours, and goes on where it was stopped: one line of a file for every release.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use indistinct::Synthesis;
use indistinct::interval::{Of, Rehearsal, Replicate, Series, Statistic, study};
use indistinct::privacy::Randomness;
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct::table::Table;
use rand::RngExt;

use super::populations::{Population, population};

/// One setting of the simulation.
struct Setting {
    population: &'static str,
    rows: usize,
    epsilon: &'static str,
    delta: &'static str,
}

const SETTINGS: [Setting; 8] = [
    Setting { population: "people", rows: 2_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "people", rows: 10_000, epsilon: "0.5", delta: "1e-5" },
    Setting { population: "people", rows: 5_000, epsilon: "4", delta: "0" },
    Setting { population: "normal", rows: 2_000, epsilon: "4", delta: "1e-5" },
    Setting { population: "normal", rows: 10_000, epsilon: "1", delta: "0" },
    Setting { population: "rules", rows: 5_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "people", rows: 50_000, epsilon: "1", delta: "1e-5" },
    Setting { population: "parity", rows: 5_000, epsilon: "1", delta: "1e-5" },
];

impl Setting {
    fn name(&self) -> String {
        let Self { population, rows, epsilon, delta } = self;
        format!("{population}, {rows} rows, epsilon {epsilon}, delta {delta}")
    }
}

/// A number of one release, with everything that intervals for it need.
struct Line {
    kind: String,
    statistic: String,
    term: String,
    truth: f64,
    in_table: f64,
    series: Series,
    /// Bootstrap standard errors of somebody who takes synthetic rows for real ones, and of one who has those.
    naive: f64,
    real: f64,
}

impl Line {
    fn write(&self) -> String {
        let replicates: Vec<[f64; 2]> =
            self.series.replicates.iter().map(|r| [r.released, r.drawn]).collect();
        let replicates: Vec<String> = replicates.iter().map(|[a, b]| format!("{a} {b}")).collect();
        let Series { estimate, population, .. } = self.series;
        format!(
            "{}\t{}\t{}\t{}\t{}\t{estimate}\t{population}\t{}\t{}\t{}",
            self.kind,
            self.statistic,
            self.term,
            self.truth,
            self.in_table,
            self.naive,
            self.real,
            replicates.join(" ")
        )
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |place: usize| fields.get(place)?.parse::<f64>().ok();
        let values: Vec<f64> = fields.get(9)?.split(' ').filter_map(|value| value.parse().ok()).collect();
        let replicates =
            values.chunks_exact(2).map(|pair| Replicate { released: pair[0], drawn: pair[1] }).collect();
        Some(Self {
            kind: fields[0].to_owned(),
            statistic: fields[1].to_owned(),
            term: fields[2].to_owned(),
            truth: number(3)?,
            in_table: number(4)?,
            series: Series { estimate: number(5)?, population: number(6)?, replicates },
            naive: number(7)?,
            real: number(8)?,
        })
    }
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
        from.statistics.iter().map(|(_, text)| Statistic::parse(text, &from.schema).unwrap()).collect();
    let rehearsal = Rehearsal::of(&release, 2_000_000 + number).unwrap();
    let studies = study(&rehearsal, &released, &statistics, rehearsals, &Silent).unwrap();
    let (naive, real) =
        (bootstrap(&released[0], &statistics, number), bootstrap(&private, &statistics, number));
    let mut lines = Vec::new();
    for (place, (study, (kind, _))) in studies.into_iter().zip(&from.statistics).enumerate() {
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
            lines.push(Line {
                kind: (*kind).to_owned(),
                statistic: study.statistic.clone(),
                term: name,
                truth: truth[term],
                in_table: in_table[term],
                series,
                naive: naive[place].get(term).copied().unwrap_or(f64::NAN),
                real: real[place].get(term).copied().unwrap_or(f64::NAN),
            });
        }
    }
    lines
}

fn file_of(folder: &Path, setting: &Setting) -> PathBuf {
    let Setting { population, rows, epsilon, delta } = setting;
    folder.join(format!("{population}-{rows}-{epsilon}-{delta}.tsv"))
}

/// The releases that a file has, whole ones only.
fn done(file: &Path) -> BTreeMap<u64, Vec<Line>> {
    let mut found: BTreeMap<u64, Vec<Line>> = BTreeMap::new();
    let mut whole = Vec::new();
    for line in fs::read_to_string(file).unwrap_or_default().lines() {
        match line.split_once('\t') {
            Some(("done", number)) => whole.extend(number.parse::<u64>()),
            Some((number, rest)) => {
                if let (Ok(number), Some(line)) = (number.parse(), Line::read(rest)) {
                    found.entry(number).or_default().push(line);
                }
            }
            None => {}
        }
    }
    found.retain(|number, _| whole.contains(number));
    found
}

fn from_environment<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// Prints, for every setting and kind of statistic, how often intervals hold the truth.
#[test]
#[ignore = "takes hours; COVERAGE_RELEASES, COVERAGE_REHEARSALS and COVERAGE_SETTINGS make it shorter"]
fn coverage_in_long() {
    let folder = PathBuf::from(from_environment("COVERAGE_FOLDER", "../../target/coverage".to_owned()));
    fs::create_dir_all(&folder).unwrap();
    let releases: u64 = from_environment("COVERAGE_RELEASES", 100);
    let rehearsals: usize = from_environment("COVERAGE_REHEARSALS", 40);
    let wanted: String = from_environment("COVERAGE_SETTINGS", "0,1,2,3,4,5,6,7".to_owned());
    for number in wanted.split(',').filter_map(|number| number.parse::<usize>().ok()) {
        let setting = &SETTINGS[number];
        let from = population(setting.population);
        let file = file_of(&folder, setting);
        let before = done(&file);
        let mut truths = Truths::new();
        for release in (0..releases).filter(|release| !before.contains_key(release)) {
            let lines = simulated(setting, (&from, &mut truths), release, rehearsals);
            let text: String = lines.iter().map(|line| format!("{release}\t{}\n", line.write())).collect();
            let mut out = OpenOptions::new().create(true).append(true).open(&file).unwrap();
            out.write_all(format!("{text}done\t{release}\n").as_bytes()).unwrap();
        }
        println!("{}", setting.name());
        print(&done(&file));
    }
}

/// The table of one setting.
#[expect(clippy::print_stdout, reason = "the numbers are what it is for")]
fn print(releases: &BTreeMap<u64, Vec<Line>>) {
    let mut numbers: BTreeMap<(String, String, String), Vec<&Line>> = BTreeMap::new();
    for line in releases.values().flatten() {
        numbers.entry((line.kind.clone(), line.statistic.clone(), line.term.clone())).or_default().push(line);
    }
    println!("| statistic | releases | population | table | naive | width | naive | real rows |");
    println!("|---|---|---|---|---|---|---|---|");
    for ((_, statistic, term), lines) in numbers {
        let count = lines.len() as f64;
        let share = |holds: &dyn Fn(&Line) -> bool| {
            let share = lines.iter().filter(|line| holds(line)).count() as f64 / count;
            format!("{:.0} ± {:.0} %", 100.0 * share, 100.0 * (share * (1.0 - share) / count).sqrt())
        };
        let holds = |line: &Line, of: Of, truth: f64| {
            let interval = line.series.interval(of, 0.95);
            interval.low <= truth && truth <= interval.high
        };
        let mean = |value: &dyn Fn(&Line) -> f64| lines.iter().map(|line| value(line)).sum::<f64>() / count;
        let width = |line: &Line| {
            let interval = line.series.interval(Of::Population, 0.95);
            interval.high - interval.low
        };
        println!(
            "| `{statistic}` {term} | {} | {} | {} | {} | {:.4} | {:.4} | {:.4} |",
            lines.len(),
            share(&|line| holds(line, Of::Population, line.truth)),
            share(&|line| holds(line, Of::Table, line.in_table)),
            share(&|line| (line.series.estimate - line.truth).abs() <= 1.96 * line.naive),
            mean(&width),
            mean(&|line| 2.0 * 1.96 * line.naive),
            mean(&|line| 2.0 * 1.96 * line.real),
        );
    }
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
            let interval = line.series.interval(Of::Population, 0.95);
            all += 1;
            holds += usize::from(interval.low <= line.truth && line.truth <= interval.high);
            naive += usize::from((line.series.estimate - line.truth).abs() <= 1.96 * line.naive);
        }
    }
    let (share, of_naive) =
        (f64::from(holds as u32) / f64::from(all), f64::from(naive as u32) / f64::from(all));
    assert!(share > 0.88, "{share} of {all} hold the truth");
    assert!(of_naive < share - 0.1, "{of_naive} of naive intervals, {share} of ours");
}
