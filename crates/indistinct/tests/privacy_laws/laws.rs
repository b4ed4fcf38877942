//! Laws by their formulae, in floats, and the small tables that they are compared on.

/// Permute-and-flip: w_r * integral over t from 0 to 1 of the product of (1 - t w_s) over the others.
///
/// The product is a polynomial in t, which is expanded and integrated term by term.
pub(crate) fn permute_and_flip(utilities: &[i64], eta: f64) -> Vec<f64> {
    let weights = weights(utilities, eta);
    let chance = |r: usize| {
        let mut polynomial = vec![1.0];
        for (_, w) in weights.iter().enumerate().filter(|&(s, _)| s != r) {
            polynomial.push(0.0);
            for power in (1..polynomial.len()).rev() {
                polynomial[power] -= w * polynomial[power - 1];
            }
        }
        let integral: f64 = polynomial.iter().enumerate().map(|(power, c)| c / (power + 1) as f64).sum();
        weights[r] * integral
    };
    (0..weights.len()).map(chance).collect()
}

/// The same by going through all orders in which candidates can be looked at.
pub(crate) fn permute_and_flip_by_orders(utilities: &[i64], eta: f64) -> Vec<f64> {
    fn go(left: &mut Vec<usize>, reached: f64, weights: &[f64], law: &mut [f64]) {
        let each = reached / left.len() as f64;
        for place in 0..left.len() {
            let candidate = left.swap_remove(place);
            law[candidate] += each * weights[candidate];
            if !left.is_empty() {
                go(left, each * (1.0 - weights[candidate]), weights, law);
            }
            left.push(candidate);
            let last = left.len() - 1;
            left.swap(place, last);
        }
    }
    let weights = weights(utilities, eta);
    let mut law = vec![0.0; weights.len()];
    go(&mut (0..weights.len()).collect(), 1.0, &weights, &mut law);
    law
}

/// The exponential mechanism: proportional to exp(eta * utility).
pub(crate) fn exponential_mechanism(utilities: &[i64], eta: f64) -> Vec<f64> {
    let weights = weights(utilities, eta);
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|w| w / sum).collect()
}

/// Discrete Laplace noise of that scale.
pub(crate) fn discrete_laplace(noise: i64, scale: f64) -> f64 {
    let q = (-1.0 / scale).exp();
    (1.0 - q) / (1.0 + q) * q.powi(noise.unsigned_abs() as i32)
}

/// Noisy counts: independent noise on each.
pub(crate) fn noisy_counts(counts: &[i64], output: &[i64], scale: f64) -> f64 {
    counts.iter().zip(output).map(|(count, out)| discrete_laplace(out - count, scale)).product()
}

fn weights(utilities: &[i64], eta: f64) -> Vec<f64> {
    let best = *utilities.iter().max().unwrap();
    utilities.iter().map(|&u| (eta * (u - best) as f64).exp()).collect()
}

/// Counts of rows in three cells.
pub(crate) type Counts = [i64; 3];

/// All tables of `n` rows over three cells.
pub(crate) fn tables(n: i64) -> Vec<Counts> {
    (0..=n).flat_map(|a| (0..=n - a).map(move |b| [a, b, n - a - b])).collect()
}

/// All tables that differ from `table` in one row.
pub(crate) fn neighbours(table: Counts) -> Vec<Counts> {
    let mut found = Vec::new();
    for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        if table[from] > 0 {
            let mut neighbour = table;
            neighbour[from] -= 1;
            neighbour[to] += 1;
            found.push(neighbour);
        }
    }
    found
}

/// All pairs of tables of up to `n` rows of which one has a row more, both ways round.
pub(crate) fn one_row_apart(n: i64) -> Vec<(Counts, Counts)> {
    let longer = |table: Counts| {
        (0..3).map(move |cell| {
            let mut longer = table;
            longer[cell] += 1;
            (table, longer)
        })
    };
    (0..n).flat_map(tables).flat_map(longer).flat_map(|(a, b)| [(a, b), (b, a)]).collect()
}

/// All pairs of neighbouring tables of `n` rows.
pub(crate) fn neighbouring(n: i64) -> Vec<(Counts, Counts)> {
    tables(n)
        .into_iter()
        .flat_map(|table| neighbours(table).into_iter().map(move |other| (table, other)))
        .collect()
}

/// n * TV = 2n * pMAE between synthetic masses and private counts.
pub(crate) fn total_variation(a: Counts, b: Counts) -> i64 {
    a.iter().zip(&b).map(|(a, b)| (a - b).max(0)).sum()
}

/// The scale of the integer pMSE here.
pub(crate) const SCALE: i64 = 1 << 20;

/// Sum of floor(SCALE * a^2 / (a + b)): 2n * pMSE + n/2, scaled.
pub(crate) fn integer_pmse(a: Counts, b: Counts) -> i64 {
    a.iter().zip(&b).map(|(a, b)| if a + b == 0 { 0 } else { SCALE * a * a / (a + b) }).sum()
}

/// The largest log-ratio of two laws over the same outputs, in either direction.
pub(crate) fn log_ratio(law: &[f64], other: &[f64]) -> f64 {
    law.iter().zip(other).map(|(p, q)| (p / q).ln().abs()).fold(0.0, f64::max)
}

#[test]
fn both_formulae_of_permute_and_flip_agree() {
    for utilities in [&[0, 1, 2, 3, 3][..], &[0, 0, 0], &[5], &[-7, 0, 2, 2, -1, 1]] {
        for eta in [0.01, 0.7, 3.0] {
            let (law, by_orders) =
                (permute_and_flip(utilities, eta), permute_and_flip_by_orders(utilities, eta));
            assert!(law.iter().zip(&by_orders).all(|(p, q)| (p - q).abs() < 1e-12), "{law:?} {by_orders:?}");
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn discrete_laplace_sums_to_one() {
    let sum: f64 = (-400..=400).map(|noise| discrete_laplace(noise, 7.5)).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}
