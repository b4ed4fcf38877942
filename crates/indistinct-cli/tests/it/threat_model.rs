//! Checks of what `docs/threat-model.md` states in numbers.

use super::kept;

/// The decimals that a number is written with.
fn decimals(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, part)| part.len())
}

#[test]
fn odds_and_beliefs_follow_from_epsilon() {
    let page = std::fs::read_to_string(kept("docs/threat-model.md")).unwrap();
    let mut lines = page.lines().skip_while(|line| !line.starts_with("| epsilon |"));
    let header: Vec<&str> = lines.next().unwrap().split('|').collect();
    let prior =
        |cell: &str| cell.split(' ').find_map(|word| word.parse::<f64>().ok()).map(|share| share / 100.0);
    let priors: Vec<f64> = header[3..].iter().filter_map(|cell| prior(cell)).collect();
    assert_eq!(priors, [0.01, 0.1, 0.5]);
    let rows: Vec<&str> = lines.skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 5);
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_end_matches(" %")).collect();
        let factor = cells[1].parse::<f64>().unwrap().exp();
        assert_eq!(format!("{factor:.*}", decimals(cells[2])), cells[2], "{row}");
        for (prior, cell) in priors.iter().zip(&cells[3..]) {
            let odds = factor * prior / (1.0 - prior);
            assert_eq!(format!("{:.*}", decimals(cell), 100.0 * odds / (1.0 + odds)), *cell, "{row}");
        }
    }
}
