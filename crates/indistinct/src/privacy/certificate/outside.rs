//! Statements of what no guarantee covers, in the words of certificates: computed from the facts of a release,
//! and so checked against them.

use super::{BoundsSource, Comparison, ReleaseFacts, SchemaSource};
use crate::privacy::{GuaranteeCondition, Neighbours};
use std::num::NonZeroU32;

impl ReleaseFacts {
    /// Everything that is outside the guarantee of a release with these facts, `conditions` among it.
    pub fn outside(
        &self,
        rows_per_person: NonZeroU32,
        neighbours: Neighbours,
        conditions: &[GuaranteeCondition],
    ) -> Vec<String> {
        let mut outside = Vec::new();
        if neighbours == Neighbours::Substitute {
            outside.push(match &self.person {
                None => format!("the number of rows, {}", self.rows),
                Some(person) => person.outside(self.rows),
            });
        }
        if self.person.is_none() && rows_per_person.get() > 1 {
            outside.push(format!(
                "that nobody owns more than {rows_per_person} rows, which was said and not looked at"
            ));
        }
        outside.extend(conditions.iter().map(|condition| condition.text().to_owned()));
        if self.schema_source == SchemaSource::Drafted {
            let learned = if self.model == "mixed" {
                "column names, types, levels, decimals, atoms and families, read from the data"
            } else {
                "column names and types, read from the data"
            };
            outside.push(learned.to_owned());
        }
        outside.extend(self.comparison.as_ref().and_then(Comparison::outside));
        outside
    }

    /// The conditions among the statements of what is outside the guarantee: what was learned from the rows
    /// outside the budget.
    pub fn conditions(&self) -> Vec<GuaranteeCondition> {
        self.outside_the_guarantee.iter().filter_map(|what| GuaranteeCondition::from_text(what)).collect()
    }

    /// The conditions that follow from the schema's source; `levels` says whether levels were learned from the
    /// rows.
    pub fn conditions_of(source: SchemaSource, levels: bool) -> Vec<GuaranteeCondition> {
        match source {
            SchemaSource::User => Vec::new(),
            SchemaSource::Drafted => GuaranteeCondition::ALL
                .into_iter()
                .filter(|&one| levels || one != GuaranteeCondition::ObservedLevels)
                .collect(),
        }
    }
}

impl Comparison {
    /// The bounds that the method assumed, in words; `None` if it needs none.
    fn outside(&self) -> Option<String> {
        let source = match self.bounds_source? {
            BoundsSource::User => "given, and not to come from the data",
            BoundsSource::Computed => "computed from the data",
        };
        let each = self
            .bounds
            .iter()
            .map(|bounds| format!("{} in [{}, {}]", bounds.column, bounds.low, bounds.high));
        Some(format!("the bounds of the columns, {source}: {}", each.collect::<Vec<String>>().join(", ")))
    }
}
