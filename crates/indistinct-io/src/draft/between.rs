//! Relations between columns: those that others decide, those that tell persons apart, and rules.

use indistinct::table::{ColumnSchema, ColumnType, DEFAULT_MISSING, Schema};

use super::dependence::{self, Proposal};
use super::facets::Facet;
use super::{ColumnNotes, Draft, laws, repeats};
use crate::error::{Problem, ReadError};
use crate::plain::PlainValues;
use crate::source::Source;

/// Completes a draft by what holds between its columns. `values` are those of each column, and its spellings where they
/// were read, too.
pub(super) fn columns(
    source: &Source,
    mut declared: Vec<ColumnSchema>,
    mut notes: Vec<ColumnNotes>,
    values: &[(PlainValues, Option<PlainValues>)],
) -> Result<Draft, ReadError> {
    let facet = |(column, (values, spelled)): (&ColumnSchema, &(PlainValues, Option<PlainValues>))| {
        let spelled = spelled.as_ref().filter(|_| column.kind().has_levels());
        Facet::new(column, spelled.unwrap_or(values))
    };
    let mut facets: Vec<Facet> = declared.iter().zip(values).map(facet).collect();
    for place in 0..declared.len() {
        // Days and months have seasons, years and weekdays, which are no properties of persons, and persons have no order.
        if matches!(
            declared[place].kind(),
            ColumnType::Date { .. } | ColumnType::DateTime { .. } | ColumnType::Ordered { .. }
        ) {
            continue;
        }
        let Some(persons) = repeats::persons(declared[place].name(), &values[place].0, &facets) else {
            continue;
        };
        declared[place] = ColumnSchema::new(declared[place].name(), ColumnType::Identifier);
        facets[place] = Facet::new(&declared[place], &values[place].0);
        notes[place] = notes_on_persons(persons, values[place].0.len(), &notes[place]);
    }
    let kinds: Vec<ColumnType> = declared.iter().map(|column| column.kind().clone()).collect();
    let missing = DEFAULT_MISSING.map(str::to_owned).to_vec();
    let schema_of = |columns: Vec<ColumnSchema>| Schema::new(missing.clone(), columns);
    for proposal in dependence::find(&facets, &kinds) {
        let mut with = declared.clone();
        with[proposal.column] = derived(&declared[proposal.column], &proposal);
        if schema_of(with.clone()).is_ok() {
            let notes = &mut notes[proposal.column];
            notes.keys.retain(|(key, _)| !["atoms", "family"].contains(key));
            notes.keys.push((
                "derive",
                "it holds in all rows; delete the line if that is chance, and the column is measured",
            ));
            declared = with;
        }
    }
    // Names differ, levels are those of a dictionary without the missing codes, atoms have no more decimals than the
    // most of any value: there is nothing to contradict.
    let failed = |error: indistinct::table::SchemaError| source.error(Problem::Io(error.to_string()));
    let is_free = |place: usize| declared[place].is_measured();
    let rules = laws::find(&facets, &kinds, &is_free);
    let mut schema =
        schema_of(declared).map_err(failed)?.with_delimiter(source.delimiter()).map_err(failed)?;
    for rule in rules {
        // What the rules of a schema cannot say together is left out.
        let with = schema.clone().with_constraint(&rule, None);
        schema = with.ok().filter(|with| with.decided_column().is_none()).unwrap_or(schema);
    }
    Ok(Draft { file: source.file().to_owned(), schema, notes })
}

/// A column as a proposal has it.
fn derived(column: &ColumnSchema, proposal: &Proposal) -> ColumnSchema {
    let kind = match (&proposal.levels, column.kind().levels()) {
        (Some(order), Some(levels)) => {
            ColumnType::Ordered { levels: order.iter().map(|&place| levels[place].clone()).collect() }
        }
        _ => column.kind().clone(),
    };
    ColumnSchema::new(column.name(), kind)
        .with_missing(column.missing().to_vec())
        .with_notation(column.notation().clone())
        .with_decimals(column.decimals())
        .with_derive(Some(proposal.derive.clone()))
}

/// The remark on a column that tells persons apart.
fn notes_on_persons(persons: usize, rows: usize, before: &ColumnNotes) -> ColumnNotes {
    let learned =
        format!("the type: {persons} different values in {rows} rows, as of persons with several rows");
    ColumnNotes {
        learned: vec![learned],
        check: vec![
            "if it says whose rows they are, say `synth --person` with its name: the guarantee is then about persons, not rows"
                .to_owned(),
            "declare its type if these are measurements or categories".to_owned(),
        ],
        warning: Some(
            "it seems to say whose rows they are: name it as the `person` of the release, or persons with several rows are less protected"
                .to_owned(),
        ),
        persons: true,
        keys: before.keys.iter().filter(|(key, _)| *key == "name").copied().collect(),
    }
}
