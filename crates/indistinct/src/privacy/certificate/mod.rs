//! The certificate of a release: what is promised, and from which steps that follows.

mod check;
mod outside;
mod problem;
mod settings;

pub use problem::Problem;

use super::{Accounting, Budget, Delta, Epsilon, Exactness, Guarantee, Neighbours, Rho, RhoSpend};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The page that proves what bounding the rows of a person gives.
const PERSON_PROOF: &str = "rows_of_a_person";

/// The step that pays for a released quality score, by which a certificate's score is recognised.
pub const SCORE_STEP: &str = "quality score";

const TOOL: &str = "indistinct";

/// What a release promises and why, as `certificate.json` holds it.
///
/// # Guarantee
/// Guarantee, epsilon, steps, seed and rows per person come from a [`Budget`] and from nowhere else: they cannot be
/// typed in. One that was read from a file is a claim, which [`check`](Self::check) compares with its own steps.
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
    facts: Facts,
    files: BTreeMap<String, String>,
}

/// How the steps of a release with a delta add up: by zero-concentrated differential privacy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composition {
    /// The probability with which the guarantee may fail.
    pub delta: Delta,
    /// All that may be spent: what epsilon and delta allow.
    pub rho: Rho,
    /// The same in words.
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
    /// What it was for.
    pub step: String,
    /// What it cost; with a composition the pure epsilon of what was drawn, zero where it has none.
    pub epsilon: Epsilon,
    /// What it cost of a budget with a delta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<Rho>,
    /// Why that rho is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounting: Option<Accounting>,
    /// What one row can do, and to which number.
    pub sensitivity: String,
    /// The page that proves that, or null.
    pub proof: Option<String>,
    /// How exactly the step's law was drawn from.
    pub exactness: Exactness,
}

/// What else a certificate says: public settings of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Rows of the private table, or the noisy count of them where their number is private.
    pub rows: u64,
    /// Its columns that were measured.
    pub columns: u64,
    /// The model: `normal` or `mixed`.
    #[serde(default = "normal")]
    pub model: String,
    /// The quality function: `pmae` or `pmse`.
    pub quality: String,
    /// What found the cells.
    pub discriminator: String,
    /// What drew the parameters.
    pub sampler: String,
    /// The part of the budget that noisy counts had.
    pub measure_share: f64,
    /// `tight` or `paper`.
    pub sensitivity: String,
    /// Private draws of the parameters.
    pub draws: u64,
    /// Synthetic tables for each draw.
    pub tables: u64,
    /// Who wrote the schema.
    pub schema_source: SchemaSource,
    /// What no step paid for: [`Facts::outside`]. Conditions among it are part of the guarantee.
    pub outside_the_guarantee: Vec<String>,
    /// The released quality score, if it was asked for.
    pub score: Option<Score>,
    /// What made the release, if it was a method that this mechanism is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Whose rows the guarantee is about, if a column said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// Columns of the release that were computed from others after rows were made, and cost nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
}

impl Facts {
    /// What the guarantee calls neighbours, in words.
    fn neighbours(&self, relation: Neighbours) -> String {
        match &self.person {
            None => format!("{} one row", relation.verb()),
            Some(person) => person.neighbours(relation),
        }
    }
}

/// Whose rows the guarantee is about, where a column of the private table said so. How many rows there were, and how many persons,
/// is not here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// The column, which is not released.
    pub column: String,
    /// At most so many rows of each person were kept, chosen at random.
    pub rows_per_person: NonZeroU32,
    /// The page that proves what follows.
    pub proof: String,
}

impl Person {
    /// Rows of one person have the same value in `column`; at most `rows_per_person` of them were kept.
    pub fn new(column: impl Into<String>, rows_per_person: NonZeroU32) -> Self {
        Self { column: column.into(), rows_per_person, proof: PERSON_PROOF.to_owned() }
    }

    /// The relation that is proven, in words. Of every person one row is kept where no more are: who takes a person's place changes
    /// nothing in number. Where more may be kept, those of the other rows that are kept must be as many, for the number of all that
    /// are kept is published; unless rows may be added or removed, when that number is private.
    pub fn neighbours(&self, relation: Neighbours) -> String {
        let rows = format!("{} all rows of one person", relation.verb());
        match (relation, self.rows_per_person.get()) {
            (Neighbours::Substitute, 2..) => {
                format!("{rows} by rows of which as many are kept, at most {}", self.rows_per_person)
            }
            (Neighbours::Substitute | Neighbours::AddRemove, _) => rows,
        }
    }

    /// What is outside the guarantee of a table of which so many rows were kept.
    pub fn outside(&self, rows: u64) -> String {
        let most = self.rows_per_person;
        format!("the number of rows that were kept, {rows}, at most {most} of each person")
    }
}

/// The model of certificates that were written before there was another.
fn normal() -> String {
    "normal".to_owned()
}

/// A comparison method and what it assumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The method, as it is typed.
    pub method: String,
    /// The bounds that rows were clipped to, if the method needs them.
    pub bounds: Vec<ColumnBounds>,
    /// Where they came from; null without bounds.
    pub bounds_source: Option<BoundsSource>,
    /// Intervals of each column of a histogram.
    pub bins: Option<u64>,
}

/// The interval that a column was assumed to lie in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnBounds {
    /// The column.
    pub column: String,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
}

/// Where bounds came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoundsSource {
    /// The user gave them.
    #[serde(rename = "user")]
    User,
    /// They were computed from the private rows, which voids any guarantee.
    #[serde(rename = "computed from the data")]
    Computed,
}

/// Where column types and levels came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SchemaSource {
    /// The user gave them.
    #[serde(rename = "user")]
    User,
    /// They were read off the private table, outside the guarantee.
    #[serde(rename = "drafted from the data")]
    Drafted,
}

/// A quality score that was released with noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// The noisy value.
    pub value: f64,
    /// What it cost.
    pub epsilon: Epsilon,
    /// The scale of its noise.
    pub scale: f64,
}

impl Spent {
    /// What it cost in rho, if both parts of that are stated.
    fn concentrated(&self) -> Option<RhoSpend> {
        Some(RhoSpend { rho: self.rho?, accounting: self.accounting? })
    }
}

impl Certificate {
    /// The certificate of what was drawn with `budget`, made at the time `created` (RFC 3339).
    ///
    /// # Guarantee
    /// That of the budget, conditional on whatever the facts name as learned from the rows outside it.
    pub fn new(budget: &Budget, created: impl Into<String>, facts: Facts) -> Self {
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

    /// The same, which says that so many tables of each draw were made: they cost nothing.
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

    /// The same without files, for tables that are made anew.
    #[must_use]
    pub fn without_files(mut self) -> Self {
        self.files.clear();
        self
    }

    /// What is promised.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// Between which tables, as far as it says so in known words: rows are substituted otherwise.
    pub fn neighbours(&self) -> Neighbours {
        let said = |relation: &Neighbours| self.facts.neighbours(*relation) == self.neighbours;
        Neighbours::ALL.into_iter().find(said).unwrap_or_default()
    }

    /// The budget of everything that was released.
    pub fn epsilon(&self) -> Epsilon {
        self.epsilon
    }

    /// How the steps add up, if not by their epsilons.
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
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The version of the program that made it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// When it was made.
    pub fn created(&self) -> &str {
        &self.created
    }

    /// The released files with their SHA-256.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }
}
