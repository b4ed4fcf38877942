//! The mass inside a cell: even, or rising or falling where the neighbours say so.

use crate::grid::Run;

/// A neighbour this many times narrower than a cell is a spike, and says nothing about the mass in the cell.
const NARROW: usize = 8;

/// A difference between the halves of a cell of more than this many standard deviations of noise would have been
/// seen.
const UNSEEN: f64 = 4.0;

/// Tilts every run that lies between a lower and a higher neighbour so that the density continues from one to the
/// other, no further than either, never below zero, and never by more than noise of these standard deviations
/// could have hidden. Its mass stays. `alone` runs are left out.
pub(super) fn tilted(runs: &[Run], noise: &[f64], alone: impl Fn(&Run) -> bool) -> Vec<Run> {
    let counts = |place: usize, own: &Run| {
        let run = &runs[place];
        !alone(run) && run.length * NARROW > own.length
    };
    let tilt = |(place, run): (usize, &Run)| {
        if run.length < 2 || run.mass <= 0.0 || alone(run) {
            return *run;
        }
        let before = (0..place).rev().find(|&place| counts(place, run));
        let after = (place + 1..runs.len()).find(|&place| counts(place, run));
        let slopes =
            (before.map(|before| slope(&runs[before], run)), after.map(|after| slope(run, &runs[after])));
        let slope = match slopes {
            (Some(left), Some(right)) if left * right > 0.0 => 2.0 * left * right / (left + right),
            // At the end of the grid the density runs on as it comes.
            (None, Some(only)) | (Some(only), None) => only,
            _ => 0.0,
        };
        let density = run.mass / run.length as f64;
        let neighbours = before.into_iter().chain(after);
        let room = neighbours.map(|other| (runs[other].density() - density).abs()).fold(density, f64::min);
        let rise = (slope * run.length as f64 / 2.0).clamp(-room, room);
        // A tilt moves a quarter of it, times the mass, from one half to the other.
        let unseen = (4.0 * UNSEEN * noise[place] / run.mass).min(1.0);
        Run { tilt: (rise / density).clamp(-unseen, unseen), ..*run }
    };
    runs.iter().enumerate().map(tilt).collect()
}

/// The change of density from the middle of one run to that of the next. An empty run counts as wide as the
/// other: its length says nothing.
fn slope(left: &Run, right: &Run) -> f64 {
    let width =
        |run: &Run, other: &Run| if run.mass > 0.0 { run.length } else { run.length.min(other.length) };
    let distance = (width(left, right) + width(right, left)) as f64 / 2.0;
    (right.density() - left.density()) / distance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tilts(masses: &[f64]) -> Vec<f64> {
        let runs: Vec<Run> =
            masses.iter().enumerate().map(|(place, &mass)| Run::even(10 * place, 10, mass)).collect();
        tilted(&runs, &vec![10.0; runs.len()], |_| false).iter().map(|run| run.tilt).collect()
    }

    #[test]
    fn without_noise_nothing_is_tilted() {
        let runs = [Run::even(0, 10, 1.0), Run::even(10, 10, 2.0), Run::even(20, 10, 3.0)];
        assert_eq!(tilted(&runs, &[0.0; 3], |_| false), runs);
    }

    #[test]
    fn slopes_run_on_and_peaks_are_flat() {
        let rising = tilts(&[1.0, 2.0, 3.0]);
        assert!(rising.iter().zip([0.5, 0.25, 1.0 / 6.0]).all(|(found, tilt)| (found - tilt).abs() < 1e-12));
        assert_eq!(tilts(&[1.0, 3.0, 1.0])[1], 0.0);
        assert_eq!(tilts(&[2.0, 2.0, 2.0]), [0.0; 3]);
        assert_eq!(tilts(&[5.0]), [0.0]);
        assert!(tilts(&[0.0, 1.0, 5.0, 0.0]).iter().all(|tilt| tilt.abs() <= 1.0));
    }

    #[test]
    fn spikes_are_passed_over() {
        let runs =
            [Run::even(0, 10, 1.0), Run::even(10, 1, 9.0), Run::even(11, 10, 2.0), Run::even(21, 10, 3.0)];
        let found = tilted(&runs, &[10.0; 4], |_| false);
        assert!((found[2].tilt - 0.25).abs() < 1e-12 && found[1].tilt == 0.0);
    }
}
