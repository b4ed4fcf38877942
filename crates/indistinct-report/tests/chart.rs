//! Charts as their readers meet them: documents that parse, marks within frames, text that does not overlap.

#[path = "chart/invented.rs"]
mod invented;

use indistinct_report::chart::Chart;
use invented::{boxes, differences, errors};

const DEPTHS: [(&str, f64); 4] =
    [("depth 1", 0.0), ("depth 2", 0.005), ("depth 5", 0.02), ("unlimited depth", 0.025)];

/// The figures, left in the target folder for people to look at.
#[test]
fn figures_to_look_at() {
    let eight = [DEPTHS, DEPTHS].concat();
    let figures: [(&str, Chart); 5] = [
        ("differences", differences(&DEPTHS, 2500)),
        ("differences-eight", differences(&eight, 1000)),
        ("errors", errors(12)),
        ("errors-few", errors(5)),
        ("boxes", boxes(40)),
    ];
    for (name, figure) in figures {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg"));
        std::fs::write(path, figure.to_svg()).unwrap();
    }
}
