//! The audited program: a release as `indistinct synth` makes it, with all that it publishes.

use indistinct::Release;
use indistinct::privacy::{Guarantee, SchemaSource};
use indistinct::progress::Silent;
use indistinct::random::Seed;
use indistinct_io::sample::{SampleOptions, sample_release};
use indistinct_io::synth::{PrivateInput, prepare, released_model_json};
use indistinct_io::{Failure, Format, Source, read_failure};
use indistinct_paper::release::MethodOptions;
use indistinct_paper::store::ExperimentError;
use rand::Rng;
use serde_json::Value;

use crate::outcome::{Outcome, fingerprint};
use crate::sample::{Mechanism, Side};
use crate::world::NeighbouringTables;

/// Number of the second side's first stream.
const SECOND_SIDE: u64 = 1 << 40;

/// `indistinct synth` on both tables of a pair.
#[derive(Debug)]
pub struct Synth {
    options: MethodOptions,
    pair: NeighbouringTables,
    sources: [Source; 2],
    seed: Option<u64>,
}

impl Synth {
    /// A mechanism with these options; with a seed releases can be repeated, each with random numbers of its own.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn new(
        options: impl Into<MethodOptions>,
        pair: NeighbouringTables,
        seed: Option<u64>,
    ) -> Result<Self, Failure> {
        let source = |table: &String| {
            Source::from_reader(&pair.name, Format::CSV, table.as_bytes()).map_err(read_failure)
        };
        let sources = [source(&pair.tables[0])?, source(&pair.tables[1])?];
        Ok(Self { options: options.into(), pair, sources, seed })
    }

    /// The guarantee in the certificate of such a release made as users make it: without a seed.
    ///
    /// # Errors
    /// When the options do not fit, or the release fails.
    pub fn guarantee(&self) -> Result<Guarantee, Failure> {
        let released = self.released(Side::X, None)?;
        let promised = released.certified().map(|certificate| certificate.guarantee().clone());
        Ok(promised.unwrap_or(Guarantee::None { because: vec!["there is no certificate".to_owned()] }))
    }

    /// A name for everything on which its releases depend.
    pub fn fingerprint(&self) -> String {
        let Self { options, pair, seed, .. } = self;
        let settings = format!("{options:?} {:?} {:?} {}", pair.schemas, pair.tables, seed.is_some());
        format!("{}-{:012x}", pair.name, fingerprint(settings.as_bytes()) as u64)
    }

    fn released(&self, side: Side, seed: Option<u64>) -> Result<Release, Failure> {
        let schema = self.pair.schemas[side as usize].clone();
        let input = PrivateInput {
            source: &self.sources[side as usize],
            schema: Some((schema, SchemaSource::User)),
            seed,
            memory: None,
            progress: None,
        };
        let charged = prepare(self.options.check()?, input, &|_| {})?.charge(None, "audit")?;
        Ok(charged.release(&|_| {}, &Silent)?.0)
    }

    fn outcome(&self, side: Side, number: u64) -> Result<Outcome, Failure> {
        let seed = self.seed.map(|seed| Seed(seed).stream(SECOND_SIDE * side as u64 + number).next_u64());
        let released = self.released(side, seed)?;
        let mut outcome = Outcome::default();
        if let Ok(text) = released_model_json(&released) {
            outcome.number("fingerprint of the model", fingerprint(text.as_bytes()));
            let model: Value = serde_json::from_str(&text).map_err(Failure::failed)?;
            outcome.document("model", &model);
        }
        if let Some(certificate) = released.certified() {
            outcome.document("certificate", &serde_json::to_value(certificate).map_err(Failure::failed)?);
        }
        let options = SampleOptions { rows: released.rows(), draw: 1, condition: None };
        outcome.table(&sample_release(&released, &options, None, &Silent)?);
        Ok(outcome)
    }
}

impl Mechanism for Synth {
    fn release(&self, side: Side, number: u64) -> Result<Outcome, ExperimentError> {
        self.outcome(side, number).map_err(|failure| ExperimentError::Method {
            method: format!("a release in the world `{}`", self.pair.name),
            why: failure.what().to_owned(),
        })
    }
}
