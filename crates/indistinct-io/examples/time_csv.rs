//! Loads a table file several times and prints the median seconds as JSON.
//!
//! `cargo run --release -p indistinct-io --example time_csv -- FILE [REPETITIONS]`

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use indistinct_io::Source;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program, not a library")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: time_csv FILE [REPETITIONS]");
        return ExitCode::from(2);
    };
    let repetitions = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5_usize).max(1);
    let mut seconds = Vec::with_capacity(repetitions);
    let (mut rows, mut columns) = (0, 0);
    for _ in 0..repetitions {
        let start = Instant::now();
        match Source::open(Path::new(&file)).and_then(|source| source.read_plain(&[])) {
            Ok(table) => {
                rows = table.first().map_or(0, |column| column.values.len());
                columns = table.len();
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let median = f64::midpoint(seconds[(repetitions - 1) / 2], seconds[repetitions / 2]);
    let least = seconds[0];
    println!(
        r#"{{"rows":{rows},"columns":{columns},"repetitions":{repetitions},"median_seconds":{median},"least_seconds":{least}}}"#
    );
    ExitCode::SUCCESS
}
