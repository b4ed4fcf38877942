//! A released model, of either kind.

use crate::mixed::{MixedModel, VersionOneModel};
use crate::model::{SequentialModel, SequentialNormal};
use crate::random::Generator;
use crate::table::{Schema, Table};

use super::tables::{simulate, table_of};

/// What synthetic rows are made from.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    /// Numbers, each normal given those before.
    Normal(SequentialNormal),
    /// Columns of any type.
    Mixed(MixedModel),
    /// Columns of any type, as versions 0.1 released them.
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

    /// Rows as the columns declare them, one independent of the other; there may be fewer where constraints are hard to obey.
    pub(super) fn rows(&self, schema: &Schema, rows: usize, random: &mut Generator) -> Table {
        match self {
            Self::Normal(model) => table_of(simulate(model, rows, random), schema.columns()),
            Self::Mixed(model) => model.draw(schema, rows, random),
            Self::VersionOne(model) => model.simulate(schema.columns(), rows, random),
        }
    }
}
