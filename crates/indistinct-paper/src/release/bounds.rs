//! Bounds on the columns.

use indistinct::privacy::{Budget, ColumnBounds};
use indistinct::private::PrivateRows;
use indistinct::table::ColumnSchema;
use indistinct_io::Failure;

use crate::baseline::Bounds;

/// Columns that are released, and what messages call them.
#[derive(Clone, Copy)]
pub(super) struct NamedColumns<'a> {
    pub(super) columns: &'a [ColumnSchema],
    pub(super) places: &'a dyn Fn(&str) -> String,
}

const FORMS: &str = "give one interval for all columns, as in --bounds -40:40, one for each, as in \
                     --bounds x1=-40:40,x2=-20:20, or multiples of the standard deviation, as in --bounds 4sd";

/// Intervals that columns lie in.
#[derive(Debug, Clone, PartialEq)]
pub enum BoundsArg {
    /// So many standard deviations of the private rows, around zero.
    Deviations(f64),
    /// The same interval for all columns.
    All(f64, f64),
    /// One for each, by name.
    Named(Vec<(String, f64, f64)>),
}

impl BoundsArg {
    /// Bounds as text: `-40:40`, `x1=-40:40,x2=-20:20` or `4sd`.
    ///
    /// # Errors
    /// When the text has none of these forms.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if let Some(multiple) = text.strip_suffix("sd") {
            let multiple: f64 = multiple.parse().map_err(|_| unreadable())?;
            let usable = multiple.is_finite() && multiple > 0.0;
            return if usable { Ok(Self::Deviations(multiple)) } else { Err(unreadable()) };
        }
        if !text.contains('=') {
            return interval(text).map(|(low, high)| Self::All(low, high));
        }
        let named = text.split(',').map(|part| {
            // The last sign of equality: names may hold others.
            let (name, typed) = part.rsplit_once('=').ok_or_else(unreadable)?;
            interval(typed).map(|(low, high)| (name.trim().to_owned(), low, high))
        });
        named.collect::<Result<_, _>>().map(Self::Named)
    }

    /// Whether they are computed from the private rows.
    pub(super) fn are_computed(&self) -> bool {
        matches!(self, Self::Deviations(_))
    }

    /// An interval for every column; standard deviations are read from the rows, which the budget records.
    pub(super) fn of_columns(
        &self,
        rows: &PrivateRows,
        named_columns: NamedColumns<'_>,
        budget: &mut Budget,
    ) -> Result<Bounds, Failure> {
        let columns = named_columns.columns;
        let intervals = match self {
            Self::All(low, high) => vec![(*low, *high); columns.len()],
            Self::Named(named) => by_name(named, named_columns)?,
            Self::Deviations(multiple) => {
                let moments = rows
                    .unprotected_moments(budget, "bounds of the columns")
                    .map_err(|error| Failure::failed(error).advise("raise --epsilon"))?;
                let freedom = rows.rows().saturating_sub(1).max(1) as f64;
                let half = |j| multiple * (moments.centred.get(j, j) / freedom).sqrt();
                (0..columns.len()).map(|j| (-half(j), half(j))).collect()
            }
        };
        Bounds::new(intervals).map_err(|error| {
            let what = format!("--bounds: {error}");
            if self.are_computed() {
                Failure::failed(what).advise(
                    "a column is constant or spread too far: leave it out, or give --bounds as numbers",
                )
            } else {
                Failure::usage(what).advise(FORMS)
            }
        })
    }
}

/// The entry of a certificate about bounds.
pub(super) fn certificate_entry(bounds: &Bounds, columns: &[ColumnSchema]) -> Vec<ColumnBounds> {
    let each = bounds.intervals().iter().zip(columns);
    each.map(|(&(low, high), column)| ColumnBounds { column: column.name().to_owned(), low, high }).collect()
}

/// `low:high`.
fn interval(text: &str) -> Result<(f64, f64), Failure> {
    let (low, high) = text.split_once(':').ok_or_else(unreadable)?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unreadable());
    let (low, high) = (number(low)?, number(high)?);
    if low < high {
        Ok((low, high))
    } else {
        Err(Failure::usage("--bounds: the low end of an interval must be below the high one").advise(FORMS))
    }
}

fn unreadable() -> Failure {
    Failure::usage("--bounds cannot be read").advise(FORMS)
}

fn by_name(
    named: &[(String, f64, f64)],
    NamedColumns { columns, places }: NamedColumns<'_>,
) -> Result<Vec<(f64, f64)>, Failure> {
    let place = |column: &ColumnSchema| places(column.name());
    let names = || columns.iter().map(place).collect::<Vec<String>>().join(", ");
    if let Some((unknown, ..)) =
        named.iter().find(|(name, ..)| columns.iter().all(|column| column.name() != name))
    {
        return Err(Failure::failed(format!("--bounds: there is no column `{unknown}` to be released"))
            .advise(format!("those that are released: {}", names())));
    }
    let of = |column: &ColumnSchema| {
        let mut found = named.iter().filter(|(name, ..)| name == column.name());
        match (found.next(), found.next()) {
            (Some(&(_, low, high)), None) => Ok((low, high)),
            (None, _) => Err(Failure::failed(format!("--bounds: {} has no interval", place(column)))
                .advise("give one for every column that is released")),
            (_, Some(_)) => Err(Failure::failed(format!("--bounds: {} has two intervals", place(column)))
                .advise("give one for every column")),
        }
    };
    columns.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        assert_eq!(BoundsArg::parse("4sd").unwrap(), BoundsArg::Deviations(4.0));
        assert_eq!(BoundsArg::parse("2.5sd").unwrap(), BoundsArg::Deviations(2.5));
        assert_eq!(BoundsArg::parse("-40:40").unwrap(), BoundsArg::All(-40.0, 40.0));
        assert_eq!(BoundsArg::parse("0:1e6").unwrap(), BoundsArg::All(0.0, 1e6));
        let named = BoundsArg::parse("x1=-40:40, a=b=0:.5").unwrap();
        assert_eq!(named, BoundsArg::Named(vec![("x1".into(), -40.0, 40.0), ("a=b".into(), 0.0, 0.5)]));
    }

    #[test]
    fn what_is_not_an_interval_is_refused() {
        for text in [
            "",
            "sd",
            "0sd",
            "-1sd",
            "nansd",
            "4",
            "40:-40",
            "1:1",
            "nan:1",
            "x=",
            "x=1",
            "x=1:2,3:4",
            "a:b",
            "1:2:3",
        ] {
            assert!(BoundsArg::parse(text).is_err(), "{text}");
        }
    }
}
