//! The mechanisms: the only functions that draw noise. Each consumes a charge.

use super::charge::{
    ChainCharge, Charge, ChargeTerms, ChoiceCharge, ChoiceLaw, CountsCharge, CountsNoise, GaussianCharge,
};
use super::exact::{self, Ratio};
use super::{Bound, Epsilon, Movement};
use crate::random::Generator;
use std::num::NonZeroU128;

/// The reason why nothing was drawn. It never depends on private rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MechanismError {
    /// There were no candidates.
    #[error("there are no candidates to choose from")]
    NoCandidates,
    /// The charge bounds candidates' utilities and was used for counts, or the other way round.
    #[error("the charge bounds {charged}, and this mechanism needs a bound of another kind")]
    WrongBound {
        /// The kind of bound of the charge.
        charged: &'static str,
    },
}

/// Chooses a candidate by permute-and-flip; larger utilities are better.
///
/// Never worse on average than [`exponential_mechanism`] at the same epsilon (McKenna and Sheldon 2020).
///
/// # Guarantee
/// Epsilon-differentially private at the charge's epsilon, when one row is substituted, if the utilities move as the
/// charge's bound says: `proofs/permute_and_flip.md`. The candidates may depend on anything that is public. Exact:
/// integers only. Output ratios are enumerated in `tests/privacy_laws`.
///
/// # Errors
/// Without candidates, or if the charge is for a list of counts.
pub fn permute_and_flip(charge: Charge, utilities: &[i64]) -> Result<usize, MechanismError> {
    let mut terms = for_candidates(charge)?;
    let eta = per_unit(terms.epsilon, &terms.bound);
    let chosen = exact::permute_and_flip(utilities, eta, &mut terms.generator);
    chosen.map(|chosen| given(&terms.generator, chosen)).ok_or(MechanismError::NoCandidates)
}

/// Chooses one candidate from each of several lists by permute-and-flip, independently; larger utilities are
/// better.
///
/// # Guarantee
/// Epsilon-differentially private for all choices together, at the charge's epsilon, when one row is substituted,
/// if the largest differences between the moves of two candidates of a list, summed over lists, are at most the
/// charge's bound: `proofs/tree_growth.md`. Only a bound of that kind is accepted. Output ratios are enumerated
/// in `tests/privacy_laws`.
///
/// # Errors
/// If a list is empty, or if the charge is of another kind.
pub fn permute_and_flip_lists(charge: Charge, lists: &[Vec<i64>]) -> Result<Vec<usize>, MechanismError> {
    each_list(charge, lists, exact::permute_and_flip)
}

/// Chooses from each list, with one charge.
fn each_list(
    Charge(mut terms): Charge,
    lists: &[Vec<i64>],
    law: fn(&[i64], Ratio, &mut Generator) -> Option<usize>,
) -> Result<Vec<usize>, MechanismError> {
    match terms.bound.movement() {
        Movement::AcrossLists => {}
        Movement::EachCandidate | Movement::SameWay | Movement::BetweenCandidates => {
            return Err(MechanismError::WrongBound { charged: "the utilities of candidates of one list" });
        }
        Movement::Sum | Movement::Counts | Movement::Largest => {
            return Err(MechanismError::WrongBound { charged: "a list of counts" });
        }
    }
    let eta = per_unit(terms.epsilon, &terms.bound);
    let mut choose = |utilities: &Vec<i64>| {
        let chosen = law(utilities, eta, &mut terms.generator);
        chosen.map(|chosen| given(&terms.generator, chosen)).ok_or(MechanismError::NoCandidates)
    };
    lists.iter().map(&mut choose).collect()
}

/// Chooses a candidate by the exponential mechanism; larger utilities are better.
///
/// Prefer [`permute_and_flip`] for pure epsilon; this one has the bounded range that other accountings use.
///
/// # Guarantee
/// That of [`permute_and_flip`], with `proofs/exponential_mechanism.md`.
///
/// # Errors
/// Those of [`permute_and_flip`].
pub fn exponential_mechanism(charge: Charge, utilities: &[i64]) -> Result<usize, MechanismError> {
    let mut terms = for_candidates(charge)?;
    let eta = per_unit(terms.epsilon, &terms.bound);
    let chosen = exact::exponential_mechanism(utilities, eta, &mut terms.generator);
    chosen.map(|chosen| given(&terms.generator, chosen)).ok_or(MechanismError::NoCandidates)
}

/// Adds discrete Laplace noise to every count of a list, at the scale of the charge's bound over its epsilon.
///
/// Results may be negative, and are clamped to 64 bits; clamping and projecting further is free, redrawing is not.
///
/// # Guarantee
/// Epsilon-differentially private at the charge's epsilon, when one row is substituted, if the absolute moves of all
/// counts sum to at most the charge's bound: `proofs/discrete_laplace_counts.md`. For counts of rows in the cells of
/// one fixed partition the bound is 2, and 2 for each further partition counted with the same charge. Exact. Output
/// ratios are enumerated in `tests/privacy_laws`.
///
/// # Errors
/// If the charge is for candidates.
pub fn discrete_laplace_counts(charge: Charge, counts: &[i64]) -> Result<Vec<i64>, MechanismError> {
    let ChargeTerms { epsilon, bound, mut generator } = for_list(charge)?;
    let scale = scale(epsilon, &bound);
    let noisy = |&count: &i64| {
        let sum = i128::from(count).saturating_add(exact::discrete_laplace(scale, &mut generator));
        #[cfg(feature = "broken")]
        let sum = leaking(sum, count, counts, || exact::discrete_laplace(scale, &mut generator));
        sum.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    };
    let noisy = counts.iter().map(noisy).collect();
    Ok(all_given(&generator, noisy))
}

/// The final results of a mechanism. Only tests of everything else that leaves the program change them, by the
/// feature `broken`.
fn all_given(generator: &Generator, results: Vec<i64>) -> Vec<i64> {
    #[cfg(feature = "broken")]
    let results = crate::privacy::broken::replay::result(generator.get_stream(), results);
    #[cfg(not(feature = "broken"))]
    let _ = generator;
    results
}

/// The final result of a choice; see [`all_given`].
fn given(generator: &Generator, chosen: usize) -> usize {
    all_given(generator, vec![chosen as i64]).first().map_or(chosen, |&chosen| chosen as usize)
}

/// The noisy `sum` of a count, one of `counts`, under a deliberate fault: with less privacy than was paid for.
#[cfg(feature = "broken")]
fn leaking(mut sum: i128, count: i64, counts: &[i64], mut noise: impl FnMut() -> i128) -> i128 {
    use crate::privacy::broken::{Fault, is};
    let rows = counts.iter().copied().map(i128::from).sum();
    while is(Fault::RedrawnNoise) && !(0..=rows).contains(&sum) {
        sum = i128::from(count).saturating_add(noise());
    }
    if is(Fault::UnchargedStage) {
        let looks = [(); 3].map(|()| i128::from(count).saturating_add(noise()));
        sum = (sum + looks.iter().sum::<i128>()) / 4;
    }
    sum
}

/// Adds discrete Laplace noise to one integer, such as the quality score that is released.
///
/// # Guarantee
/// That of [`discrete_laplace_counts`] with a list of one.
///
/// # Errors
/// If the charge is for candidates.
pub fn discrete_laplace(charge: Charge, value: i64) -> Result<i64, MechanismError> {
    discrete_laplace_counts(charge, &[value]).map(|noisy| noisy.into_iter().next().unwrap_or_default())
}

/// Adds discrete Gaussian noise to every count of a list, at the scale that the charge pays for.
///
/// Results may be negative, and are clamped to 64 bits.
///
/// # Guarantee
/// Zero-concentrated differential privacy at the rho that was charged, when the rows of a person are substituted,
/// if the squared moves of all counts sum to at most what the charge's sensitivity says for one row:
/// `proofs/discrete_gaussian_counts.md`. Exact. Divergences of output laws are enumerated in
/// `tests/privacy_laws`.
pub fn discrete_gaussian_counts(charge: GaussianCharge, counts: &[i64]) -> Vec<i64> {
    let GaussianCharge { sigma, mut generator } = charge;
    let noisy = |&count: &i64| {
        let sum = i128::from(count).saturating_add(exact::discrete_gaussian(sigma, &mut generator));
        sum.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    };
    let noisy = counts.iter().map(noisy).collect();
    all_given(&generator, noisy)
}

/// Adds noise to every count of a list: the noise that suits the budget's composition.
///
/// # Guarantee
/// That of [`discrete_laplace_counts`] for a pure budget, and of [`discrete_gaussian_counts`] for one with a
/// delta.
///
/// # Errors
/// None for a charge made by [`Budget::charge_counts`](super::Budget::charge_counts).
pub fn noisy_counts(charge: CountsCharge, counts: &[i64]) -> Result<Vec<i64>, MechanismError> {
    match charge.0 {
        CountsNoise::Laplace(charge) => discrete_laplace_counts(charge, counts),
        CountsNoise::Gaussian(charge) => Ok(discrete_gaussian_counts(charge, counts)),
    }
}

/// Chooses a candidate, by the law that suits the budget's composition; larger utilities are better.
///
/// # Guarantee
/// That of [`permute_and_flip`] for a pure budget; that of [`exponential_mechanism`], whose range is bounded
/// (`proofs/zcdp.md`), for one with a delta.
///
/// # Errors
/// Without candidates, or if the charge is for several lists.
pub fn choose(charge: ChoiceCharge, utilities: &[i64]) -> Result<usize, MechanismError> {
    let ChoiceCharge { charge, law } = charge;
    match law {
        ChoiceLaw::PermuteAndFlip => permute_and_flip(charge, utilities),
        ChoiceLaw::Exponential => exponential_mechanism(charge, utilities),
    }
}

/// Chooses one candidate from each of several lists, by the law that suits the budget's composition.
///
/// # Guarantee
/// That of [`permute_and_flip_lists`] for a pure budget. For one with a delta each choice is made by the
/// exponential mechanism, and all together have the bounded range of one (`proofs/zcdp.md`).
///
/// # Errors
/// Those of [`permute_and_flip_lists`].
pub fn choose_from_lists(charge: ChoiceCharge, lists: &[Vec<i64>]) -> Result<Vec<usize>, MechanismError> {
    let ChoiceCharge { charge, law } = charge;
    match law {
        ChoiceLaw::PermuteAndFlip => each_list(charge, lists, exact::permute_and_flip),
        ChoiceLaw::Exponential => each_list(charge, lists, exact::exponential_mechanism),
    }
}

/// Adds noise to a list of integers that depends on its largest coordinate alone: v with probability proportional to
/// exp(-max |v_i| epsilon / bound), the K-norm mechanism of a cube.
///
/// Better than [`discrete_laplace_counts`] where every integer of the list can move by as much as any other at once.
///
/// # Guarantee
/// Epsilon-differentially private at the charge's epsilon, when one row is substituted, if no integer moves by more
/// than the charge's bound: `proofs/k_norm.md`. Exact. Output ratios are enumerated in `tests/privacy_laws`.
///
/// # Errors
/// If the charge does not bound the largest of a list.
pub fn k_norm(charge: Charge, values: &[i64]) -> Result<Vec<i64>, MechanismError> {
    let ChargeTerms { epsilon, bound, mut generator } = for_largest(charge.0)?;
    let noise = exact::cube_noise(values.len(), scale(epsilon, &bound), &mut generator);
    let noisy = |(&value, noise): (&i64, i128)| {
        i128::from(value).saturating_add(noise).clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    };
    let noisy = values.iter().zip(noise).map(noisy).collect();
    Ok(all_given(&generator, noisy))
}

/// Draws cells from the counts of rows, smoothed towards the uniform law so far that all `draws` together are
/// private: lambda = K / (K + n (e^(epsilon / draws) - 1)) for K cells, with the exponential rounded down.
///
/// # Guarantee
/// Epsilon-differentially private at the charge's epsilon, when one row is substituted, if no count moves by more than
/// the charge's bound and their sum does not move: `proofs/smooth_histogram.md`. Exact. Output ratios are enumerated in
/// `tests/privacy_laws`.
///
/// # Errors
/// If the charge does not bound the largest of a list, or if there are no cells.
pub fn smooth_histogram(charge: Charge, counts: &[u64], draws: usize) -> Result<Vec<usize>, MechanismError> {
    let ChargeTerms { epsilon, bound, mut generator } = for_largest(charge.0)?;
    let shares = u128::from(Epsilon::UNITS_PER_ONE) * (draws.max(1) as u128);
    let each = NonZeroU128::new(shares).unwrap_or(NonZeroU128::MAX);
    let weight = exact::row_weight_exp(u128::from(epsilon.units()), each) / bound.range();
    cells(counts, weight, draws, &mut generator)
}

/// Draws like [`smooth_histogram`] with lambda = K / (K + n epsilon), whatever the number of draws.
///
/// # Guarantee
/// None at epsilon: one draw is ln(1 + epsilon)-differentially private and all of them together `draws` times
/// that (`proofs/smooth_histogram.md`). That is why it takes the charge of a law that is not exact.
///
/// # Errors
/// Those of [`smooth_histogram`].
pub fn smooth_histogram_matching(
    charge: ChainCharge,
    counts: &[u64],
    draws: usize,
) -> Result<Vec<usize>, MechanismError> {
    let ChargeTerms { epsilon, bound, mut generator } = for_largest(charge.0)?;
    let one = NonZeroU128::new(u128::from(Epsilon::UNITS_PER_ONE)).unwrap_or(NonZeroU128::MAX);
    let weight = exact::row_weight(u128::from(epsilon.units()), one) / bound.range();
    cells(counts, weight, draws, &mut generator)
}

fn cells(
    counts: &[u64],
    weight: u128,
    draws: usize,
    generator: &mut Generator,
) -> Result<Vec<usize>, MechanismError> {
    if counts.is_empty() {
        return Err(MechanismError::NoCandidates);
    }
    let drawn = exact::smooth_cells(counts, weight, draws, generator);
    let given = all_given(generator, drawn.into_iter().map(|cell| cell as i64).collect());
    Ok(given.into_iter().map(|cell| cell as usize).collect())
}

/// The factor of the utility in the exponent: epsilon over the distance that two candidates' utilities can move
/// apart.
fn per_unit(epsilon: Epsilon, bound: &Bound) -> Ratio {
    // Below 2^105: no overflow, and not zero.
    let denominator = bound.range() * u128::from(Epsilon::UNITS_PER_ONE);
    Ratio::new(u128::from(epsilon.units()), NonZeroU128::new(denominator).unwrap_or(NonZeroU128::MAX))
}

/// The scale of noise: bound over epsilon. A charge never has an epsilon of zero.
fn scale(epsilon: Epsilon, bound: &Bound) -> Ratio {
    #[cfg(feature = "broken")]
    let epsilon = crate::privacy::broken::noise(epsilon);
    let numerator = bound.range() * u128::from(Epsilon::UNITS_PER_ONE);
    Ratio::new(numerator, NonZeroU128::new(u128::from(epsilon.units())).unwrap_or(NonZeroU128::MIN))
}

fn for_candidates(Charge(terms): Charge) -> Result<ChargeTerms, MechanismError> {
    match terms.bound.movement() {
        Movement::EachCandidate | Movement::SameWay | Movement::BetweenCandidates => Ok(terms),
        Movement::AcrossLists => {
            Err(MechanismError::WrongBound { charged: "the utilities of candidates of several lists" })
        }
        Movement::Sum | Movement::Counts | Movement::Largest => {
            Err(MechanismError::WrongBound { charged: "a list of counts" })
        }
    }
}

fn for_list(Charge(terms): Charge) -> Result<ChargeTerms, MechanismError> {
    match terms.bound.movement() {
        Movement::Sum | Movement::Counts => Ok(terms),
        Movement::Largest => Err(MechanismError::WrongBound { charged: "the largest of a list" }),
        Movement::EachCandidate | Movement::SameWay | Movement::BetweenCandidates | Movement::AcrossLists => {
            Err(MechanismError::WrongBound { charged: "the utilities of candidates" })
        }
    }
}

fn for_largest(terms: ChargeTerms) -> Result<ChargeTerms, MechanismError> {
    match terms.bound.movement() {
        Movement::Largest => Ok(terms),
        Movement::Sum | Movement::Counts => Err(MechanismError::WrongBound { charged: "the sum of a list" }),
        Movement::EachCandidate | Movement::SameWay | Movement::BetweenCandidates | Movement::AcrossLists => {
            Err(MechanismError::WrongBound { charged: "the utilities of candidates" })
        }
    }
}
