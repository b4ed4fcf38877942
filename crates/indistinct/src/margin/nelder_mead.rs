//! The highest point of a smooth function of few parameters, without derivatives.

/// Steps for each parameter.
const STEPS: usize = 150;
/// Corners whose heights differ by less than this count as equal.
const LEVEL: f64 = 1e-6;
/// Number of restarts from the best point, with shorter edges: a simplex may have folded up.
const RESTARTS: i32 = 2;

/// The highest point that a simplex visits, beginning at `start` with these edges: never lower than the start.
///
/// Where `height` is NaN the function counts as minus infinity, so that it can also forbid points.
pub(super) fn highest<const N: usize>(
    start: [f64; N],
    edges: [f64; N],
    height: impl Fn(&[f64; N]) -> f64,
) -> [f64; N] {
    let height = |point: &[f64; N]| Some(height(point)).filter(|h| !h.is_nan()).unwrap_or(f64::NEG_INFINITY);
    let mut best = start;
    for round in 0..=RESTARTS {
        best = climb(best, edges.map(|edge| edge * 0.5_f64.powi(round)), height);
    }
    best
}

fn climb<const N: usize>(start: [f64; N], edges: [f64; N], height: impl Fn(&[f64; N]) -> f64) -> [f64; N] {
    let corner = |axis: usize| {
        let mut point = start;
        point[axis] += edges[axis];
        point
    };
    let known = |point: [f64; N]| (height(&point), point);
    let mut corners: Vec<(f64, [f64; N])> =
        std::iter::once(start).chain((0..N).map(corner)).map(known).collect();
    for _ in 0..STEPS * N {
        // Equal heights keep their order, so that the start is only left for what is higher.
        corners.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (highest, lowest) = (corners[0].0, corners[N]);
        if highest - lowest.0 < LEVEL {
            break;
        }
        let mut centre = [0.0; N];
        for (_, point) in &corners[..N] {
            for (sum, coordinate) in centre.iter_mut().zip(point) {
                *sum += coordinate / N as f64;
            }
        }
        let beyond =
            |times: f64| known(std::array::from_fn(|i| centre[i] + times * (centre[i] - lowest.1[i])));
        let reflected = beyond(1.0);
        let better = if reflected.0 > highest {
            let expanded = beyond(2.0);
            Some(if expanded.0 > reflected.0 { expanded } else { reflected })
        } else if reflected.0 > corners[N - 1].0 {
            Some(reflected)
        } else {
            let contracted = if reflected.0 > lowest.0 { beyond(0.5) } else { beyond(-0.5) };
            Some(contracted).filter(|found| found.0 > lowest.0.max(reflected.0))
        };
        if let Some(better) = better {
            corners[N] = better;
        } else {
            let top = corners[0].1;
            for corner in &mut corners[1..] {
                *corner = known(std::array::from_fn(|i| f64::midpoint(top[i], corner.1[i])));
            }
        }
    }
    corners.sort_by(|a, b| b.0.total_cmp(&a.0));
    corners[0].1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tops_are_found() {
        let ridge = |[x, y]: &[f64; 2]| -100.0 * (y - x * x).powi(2) - (1.0 - x).powi(2);
        let [x, y] = highest([-1.2, 1.0], [0.5, 0.5], ridge);
        assert!((x - 1.0).abs() < 2e-2 && (y - 1.0).abs() < 4e-2, "{x} {y}");
        let bowl =
            |point: &[f64; 4]| -point.iter().zip(1..).map(|(x, i)| (x - f64::from(i)).powi(2)).sum::<f64>();
        let found = highest([0.0; 4], [1.0; 4], bowl);
        assert!(found.iter().zip(1..).all(|(x, i)| (x - f64::from(i)).abs() < 5e-3), "{found:?}");
    }

    #[test]
    fn flat_and_forbidden_functions_leave_the_start() {
        assert_eq!(highest([3.0, 4.0], [1.0, 1.0], |_| 0.0), [3.0, 4.0]);
        assert_eq!(highest([3.0], [1.0], |_| f64::NAN), [3.0]);
        let fenced = highest([0.5], [1.0], |[x]| if *x > 1.0 { f64::NEG_INFINITY } else { *x });
        assert!((0.99..=1.0).contains(&fenced[0]), "{fenced:?}");
    }
}
