//! A released model, of either kind.

use crate::mixed::{MixedModel, VersionOneModel};
use crate::model::{SequentialModel, SequentialNormal};
use crate::random::Generator;
use crate::table::{Schema, Table};

use super::tables::{simulate, table_of};

/// A model from which synthetic rows are made.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    /// Numbers, each normal given those before it.
    Normal(SequentialNormal),
    /// Columns of any type.
    Mixed(MixedModel),
    /// Columns of any type, as released by versions 0.1.
    VersionOne(VersionOneModel),
}

impl Model {
    /// Number of columns.
    pub fn columns(&self) -> usize {
        match self {
            Self::Normal(model) => model.columns(),
            Self::Mixed(model) => model.margins().len(),
            Self::VersionOne(model) => model.margins().len(),
        }
    }

    /// Independent rows in the declared form; there may be fewer where constraints are hard to obey.
    pub(super) fn rows(&self, schema: &Schema, rows: usize, random: &mut Generator) -> Table {
        match self {
            Self::Normal(model) => table_of(simulate(model, rows, random), schema.columns()),
            Self::Mixed(model) => model.draw(schema, rows, random),
            Self::VersionOne(model) => model.simulate(schema.columns(), rows, random),
        }
    }
}
