//! The certificate of a release: the promise, and the steps from which it follows.

mod check;
mod outside;
mod problem;
mod settings;

pub use problem::Problem;

use super::{Accounting, Budget, Delta, Epsilon, Exactness, Guarantee, Neighbours, Rho, RhoSpend};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The page that proves the guarantee for bounded rows per person.
const PERSON_PROOF: &str = "rows_of_a_person";

/// The step that pays for a released quality score, by which a certificate's score is recognised.
pub const SCORE_STEP: &str = "quality score";

const TOOL: &str = "indistinct";

/// The promise of a release and its reasons, as in `certificate.json`.
///
/// # Guarantee
/// Guarantee, epsilon, steps, seed and rows per person come from a [`Budget`] and from nowhere else: they cannot
/// be typed in. A certificate read from a file is a claim, which [`check`](Self::check) compares with its own
/// steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    tool: String,
    version: String,
    created: String,
    neighbours: String,
    guarantee: Guarantee,
    epsilon: Epsilon,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    composition: Option<Composition>,
    spent: Vec<Spent>,
    rows_per_person: NonZeroU32,
    seeded: bool,
    #[serde(flatten)]
    facts: ReleaseFacts,
    files: BTreeMap<String, String>,
}

/// The composition of the steps of a release with a delta: by zero-concentrated differential privacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// The probability with which the guarantee may fail.
    pub delta: Delta,
    /// The total rho: what epsilon and delta allow.
    pub rho: Rho,
    /// The composition in words.
    pub how: String,
}

impl Composition {
    fn new(delta: Delta, rho: Rho) -> Self {
        let how = format!("zCDP: rho {rho}, converted by the bound of Canonne, Kamath and Steinke (2020)");
        Self { delta, rho, how }
    }
}

/// One step that was paid for, as a certificate states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// The step's name.
    pub step: String,
    /// Its cost; with a composition the pure epsilon of what was drawn, zero where it has none.
    pub epsilon: Epsilon,
    /// Its cost in a budget with a delta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Rho>,
    /// The reason why that rho is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounting: Option<Accounting>,
    /// The sensitivity to one row, and of which number.
    pub sensitivity: String,
    /// The page that proves the sensitivity, or null.
    pub proof: Option<String>,
    /// The exactness of the draw.
    pub exactness: Exactness,
}

/// The other contents of a certificate: public settings of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseFacts {
    /// Rows of the private table, or the noisy count of them where their number is private.
    pub rows: u64,
    /// Number of measured columns of the private table.
    pub columns: u64,
    /// The model: `normal` or `mixed`.
    #[serde(default = "normal")]
    pub model: String,
    /// The quality function: `pmae` or `pmse`.
    pub quality: String,
    /// The discriminator that found the cells.
    pub discriminator: String,
    /// The sampler that drew the parameters.
    pub sampler: String,
    /// The share of the budget spent on noisy counts.
    pub measure_share: f64,
    /// The kind of sensitivity: `tight` or `paper`.
    pub sensitivity: String,
    /// Private draws of the parameters.
    pub draws: u64,
    /// Synthetic tables for each draw.
    pub tables: u64,
    /// The source of the schema.
    pub schema_source: SchemaSource,
    /// Everything that no step paid for: [`ReleaseFacts::outside`]. The conditions in it are part of the guarantee.
    pub outside_the_guarantee: Vec<String>,
    /// The released quality score, if it was requested.
    pub score: Option<Score>,
    /// The comparison method that made the release, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The persons whose rows the guarantee is about, if a column identifies them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// Columns of the release that were computed from others after rows were made, and cost nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
}

impl ReleaseFacts {
    /// The definition of neighbours in the guarantee, in words.
    fn neighbours(&self, relation: Neighbours) -> String {
        match &self.person {
            None => format!("{} one row", relation.verb()),
            Some(person) => person.neighbours(relation),
        }
    }
}

/// The persons whose rows the guarantee is about, where a column of the private table identifies them. The
/// numbers of their rows and of persons are not included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The column, which is not released.
    pub column: String,
    /// The most rows of each person that were kept, chosen at random.
    pub rows_per_person: NonZeroU32,
    /// The page that proves the guarantee for persons.
    pub proof: String,
}

impl Person {
    /// Persons told apart by their value in `column`, of each of whom at most `rows_per_person` rows were kept.
    pub fn new(column: impl Into<String>, rows_per_person: NonZeroU32) -> Self {
        Self { column: column.into(), rows_per_person, proof: PERSON_PROOF.to_owned() }
    }

    /// The proven relation between tables, in words. Where one row of each person is kept, replacing a person
    /// does not change the number of rows. Where more may be kept, the replaced person must leave the number of
    /// kept rows as it is, because that number is published; unless rows may be added or removed, when the number
    /// is private.
    pub fn neighbours(&self, relation: Neighbours) -> String {
        let rows = format!("{} all rows of one person", relation.verb());
        match (relation, self.rows_per_person.get()) {
            (Neighbours::Substitute, 2..) => {
                format!("{rows} by rows of which as many are kept, at most {}", self.rows_per_person)
            }
            (Neighbours::Substitute | Neighbours::AddRemove, _) => rows,
        }
    }

    /// The statement of what is outside the guarantee, for a table of which this many rows were kept.
    pub fn outside(&self, rows: u64) -> String {
        let most = self.rows_per_person;
        format!("the number of rows that were kept, {rows}, at most {most} of each person")
    }
}

/// The model of certificates written when there was only one.
fn normal() -> String {
    "normal".to_owned()
}

/// A comparison method and its assumptions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The method's name, as typed.
    pub method: String,
    /// The bounds to which rows were clipped, if the method needs them.
    pub bounds: Vec<ColumnBounds>,
    /// The source of the bounds; null without bounds.
    pub bounds_source: Option<BoundsSource>,
    /// Number of intervals of each column of a histogram.
    pub bins: Option<u64>,
}

/// The interval in which a column was assumed to lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnBounds {
    /// The column.
    pub column: String,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
}

/// The source of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoundsSource {
    /// The user gave them.
    #[serde(rename = "user")]
    User,
    /// Computed from the private rows, which voids any guarantee.
    #[serde(rename = "computed from the data")]
    Computed,
}

/// The source of column types and levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SchemaSource {
    /// The user gave them.
    #[serde(rename = "user")]
    User,
    /// Read off the private table, outside the guarantee.
    #[serde(rename = "drafted from the data")]
    Drafted,
}

/// A quality score that was released with noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The noisy value.
    pub value: f64,
    /// Its cost.
    pub epsilon: Epsilon,
    /// The scale of its noise.
    pub scale: f64,
}

impl Spent {
    /// The cost in rho, if both parts of it are stated.
    fn concentrated(&self) -> Option<RhoSpend> {
        Some(RhoSpend { rho: self.rho?, accounting: self.accounting? })
    }
}

impl Certificate {
    /// The certificate of everything drawn with `budget`, made at the time `created` (RFC 3339).
    ///
    /// # Guarantee
    /// That of the budget, conditional on everything that the facts name as learned from the rows outside it.
    pub fn new(budget: &Budget, created: impl Into<String>, facts: ReleaseFacts) -> Self {
        let spent = budget.spends().iter().map(|spend| Spent {
            step: spend.step.clone(),
            epsilon: spend.epsilon,
            rho: spend.concentrated.map(|spend| spend.rho),
            accounting: spend.concentrated.map(|spend| spend.accounting),
            sensitivity: spend.sensitivity.bound().to_string(),
            proof: spend.sensitivity.proof().map(|proof| proof.page().to_owned()),
            exactness: spend.exactness.clone(),
        });
        Self {
            tool: TOOL.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            created: created.into(),
            neighbours: facts.neighbours(budget.neighbours()),
            guarantee: budget.guarantee().provided(&facts.conditions()),
            epsilon: budget.total(),
            composition: budget.total_rho().map(|rho| Composition::new(budget.delta(), rho)),
            spent: spent.collect(),
            rows_per_person: budget.rows_per_person(),
            seeded: budget.is_seeded(),
            facts,
            files: BTreeMap::new(),
        }
    }

    /// Sets the number of tables made for each draw: more tables cost nothing.
    #[must_use]
    pub fn with_tables(mut self, tables: u64) -> Self {
        self.facts.tables = tables;
        self
    }

    /// Adds the released files: name and SHA-256 in hexadecimal.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = (String, String)>) -> Self {
        self.files.extend(files);
        self
    }

    /// Removes the list of files, for tables that are made anew.
    #[must_use]
    pub fn without_files(mut self) -> Self {
        self.files.clear();
        self
    }

    /// The guarantee of the release.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// The kind of neighbouring tables, if it is stated in known words; otherwise rows are substituted.
    pub fn neighbours(&self) -> Neighbours {
        let said = |relation: &Neighbours| self.facts.neighbours(*relation) == self.neighbours;
        Neighbours::ALL.into_iter().find(said).unwrap_or_default()
    }

    /// The budget of everything that was released.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// The composition of the steps, if their epsilons are not simply added.
    pub fn composition(&self) -> Option<&Composition> {
        self.composition.as_ref()
    }

    /// The probability with which the guarantee may fail, by its composition.
    pub fn delta(&self) -> Delta {
        self.composition.as_ref().map_or(Delta::ZERO, |composition| composition.delta)
    }

    /// The steps that were paid for.
    pub fn spent(&self) -> &[Spent] {
        &self.spent
    }

    /// The most rows of one person that the guarantee covers.
    pub fn rows_per_person(&self) -> NonZeroU32 {
        self.rows_per_person
    }

    /// Whether the run was seeded.
    pub fn is_seeded(&self) -> bool {
        self.seeded
    }

    /// The public settings.
    pub fn facts(&self) -> &ReleaseFacts {
        &self.facts
    }

    /// The version of the program that made it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The time at which it was made.
    pub fn created(&self) -> &str {
        &self.created
    }

    /// The released files with their SHA-256.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }
}
