//! From text to a statistic, checked against the schema of a release.

use super::split::{Span, by_commas, outside, sign, word};
use super::{Kind, Statistic, StatisticError};
use crate::combine::{Formula, is_plain};
use crate::table::{ColumnSchema, ColumnType, Condition, Schema, nearest};

/// All functions, for messages.
const FUNCTIONS: [&str; 6] = ["mean", "median", "quantile", "share", "cor", "logit"];
/// The forms of a statistic, for messages.
const EXAMPLES: &str = "write mean(income), median(income), quantile(income, 0.9), share(smoker), share(job == 'clerk'), \
                        cor(age, income), income ~ age + sex, or logit(smoker ~ age)";

impl Statistic {
    /// Reads a statistic of the columns of a schema.
    ///
    /// # Errors
    /// When the text is none, or a column is unknown or of a type for which the statistic is not defined.
    pub fn parse(text: &str, schema: &Schema) -> Result<Self, StatisticError> {
        let letters: Vec<char> = text.chars().collect();
        let reader = Reader { text, letters: &letters, schema };
        let whole = Span { start: 0, end: letters.len() };
        let (head, filter) = match word(&letters, whole, "where") {
            None => (whole, None),
            Some(place) => {
                let head = Span { start: 0, end: place };
                if head.trimmed(&letters).is_empty() {
                    let advice = "write what to compute first; a column with that name stands in back quotes: `where` ~ age";
                    return reader.fail(place, "expected a statistic before `where`", advice);
                }
                let rest = Span { start: place + "where".len(), end: letters.len() };
                (head, Some(reader.condition(rest)?))
            }
        };
        let (kind, weight) = reader.head(head.trimmed(&letters))?;
        let range = kind.range(schema);
        Ok(Self { text: text.trim().to_owned(), kind, filter, weight, range })
    }
}

struct Reader<'a> {
    text: &'a str,
    letters: &'a [char],
    schema: &'a Schema,
}

impl Reader<'_> {
    fn fail<T>(
        &self,
        place: usize,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Result<T, StatisticError> {
        Err(StatisticError::new(self.text, place, what, advice))
    }

    fn head(&self, head: Span) -> Result<(Kind, Option<String>), StatisticError> {
        if head.is_empty() {
            return self.fail(head.start, "expected a statistic", EXAMPLES);
        }
        if sign(self.letters, head, '~').is_some() {
            let mut parts = by_commas(self.letters, head);
            let weight = self.weight(&mut parts)?;
            let formula = self.only(&parts, head.end)?;
            return Ok((Kind::LeastSquares(self.formula(formula)?), weight));
        }
        let Some(open) = sign(self.letters, head, '(') else {
            let name = head.text(self.letters);
            let advice = match self.schema.columns().iter().find(|column| column.name() == name) {
                Some(column) if column.kind().has_levels() => format!("write share({name} == ...)"),
                Some(_) => format!("write mean({name}) or median({name})"),
                None => EXAMPLES.to_owned(),
            };
            return self.fail(head.start, "expected a function or a formula", advice);
        };
        let name = Span { start: head.start, end: open }.trimmed(self.letters);
        let close = outside(self.letters, head)
            .into_iter()
            .find(|&(place, depth)| place > open && depth == 0 && self.letters[place] == ')');
        let Some((close, _)) = close else {
            return self.fail(head.end, "expected )", "close the parenthesis after the function's columns");
        };
        let after = Span { start: close + 1, end: head.end }.trimmed(self.letters);
        if !after.is_empty() {
            return self.fail(after.start, "expected `where` or the end", "put conditions after `where`");
        }
        let mut parts = by_commas(self.letters, Span { start: open + 1, end: close });
        let weight = self.weight(&mut parts)?;
        Ok((self.function(name, &parts, close)?, weight))
    }

    fn function(&self, name: Span, parts: &[Span], close: usize) -> Result<Kind, StatisticError> {
        Ok(match name.text(self.letters).as_str() {
            "mean" => {
                let column = self.only(parts, close)?;
                let name = self.number(column)?;
                // Of booleans it is a share, with the range of one.
                match self.column(column)?.kind() {
                    ColumnType::Boolean { .. } => Kind::Share(self.share(column)?),
                    _ => Kind::Mean(name),
                }
            }
            "median" => Kind::Quantile(self.number(self.only(parts, close)?)?, 0.5),
            "quantile" => match parts {
                [column, level] => Kind::Quantile(self.number(*column)?, self.level(*level)?),
                _ => return self.fail(close, "expected a column and a level", "write quantile(income, 0.9)"),
            },
            "share" => Kind::Share(self.share(self.only(parts, close)?)?),
            "cor" => match parts {
                [one, other] => Kind::Correlation(self.number(*one)?, self.number(*other)?),
                _ => return self.fail(close, "expected two columns", "write cor(age, income)"),
            },
            "logit" => {
                let formula = self.only(parts, close)?;
                if sign(self.letters, formula, '~').is_none() {
                    return self.fail(formula.start, "expected a formula", "write logit(smoker ~ age + sex)");
                }
                Kind::Logit(self.formula(formula)?)
            }
            other => return self.fail(name.start, "this function is not known", nearest(other, FUNCTIONS)),
        })
    }

    /// The only part.
    fn only(&self, parts: &[Span], end: usize) -> Result<Span, StatisticError> {
        match parts {
            [part] if !part.is_empty() => Ok(*part),
            [] | [_] => self.fail(end, "expected a column", EXAMPLES),
            [_, second, ..] => self.fail(second.start, "there is a part too many", EXAMPLES),
        }
    }

    /// Takes `weight = column` from the parts, where it is the last.
    fn weight(&self, parts: &mut Vec<Span>) -> Result<Option<String>, StatisticError> {
        let Some(last) = parts.last().copied() else { return Ok(None) };
        let Some(equals) = sign(self.letters, last, '=') else { return Ok(None) };
        if self.letters.get(equals + 1) == Some(&'=')
            || (equals > 0 && "!<>=".contains(self.letters[equals - 1]))
        {
            return Ok(None);
        }
        let name = Span { start: last.start, end: equals }.trimmed(self.letters);
        if let Some(before) = name.text(self.letters).strip_suffix("weight")
            && before.ends_with(|letter: char| letter.is_whitespace() || "`)".contains(letter))
        {
            return self.fail(
                name.end - "weight".len(),
                "expected a comma before `weight`",
                "write income ~ age, weight = w, or mean(income, weight = w)",
            );
        }
        if name.text(self.letters) != "weight" {
            return self.fail(
                name.start,
                "only `weight` can be set by =",
                "compare by ==, or write weight = column",
            );
        }
        parts.pop();
        let written = Span { start: equals + 1, end: last.end }.trimmed(self.letters);
        let column = self.column(written)?;
        if !matches!(column.kind(), ColumnType::Float | ColumnType::Integer) {
            let what =
                format!("`{}` is {}, and weights are numbers", column.name(), column.kind().in_words());
            return self.fail(written.start, what, "name the column of survey weights");
        }
        Ok(Some(column.name().to_owned()))
    }

    fn level(&self, span: Span) -> Result<f64, StatisticError> {
        match span.text(self.letters).parse::<f64>() {
            Ok(level) if (0.0..=1.0).contains(&level) => Ok(level),
            _ => self.fail(span.start, "expected a number from 0 to 1", "write quantile(income, 0.9)"),
        }
    }

    fn column(&self, span: Span) -> Result<&ColumnSchema, StatisticError> {
        let written = span.text(self.letters);
        let name = written.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(&written);
        if name.is_empty() {
            return self.fail(span.start, "expected a column", "name a column of the release");
        }
        let found = self.schema.columns().iter().find(|column| column.name() == name);
        let advice = || nearest(name, self.schema.columns().iter().map(ColumnSchema::name));
        found.ok_or_else(|| {
            StatisticError::new(self.text, span.start, format!("no column is named `{name}`"), advice())
        })
    }

    /// The name of a column of numbers; booleans count as 0 and 1.
    fn number(&self, span: Span) -> Result<String, StatisticError> {
        let column = self.column(span)?;
        let name = column.name().to_owned();
        match column.kind() {
            ColumnType::Float | ColumnType::Integer | ColumnType::Boolean { .. } => Ok(name),
            ColumnType::Nominal { .. } | ColumnType::Ordered { .. } => {
                let level =
                    column.kind().levels().and_then(|levels| levels.first()).map_or("", String::as_str);
                let what = format!("`{name}` is a category, and numbers are needed");
                self.fail(span.start, what, format!("write share({} == '{level}')", span.text(self.letters)))
            }
            _ => Err(self.no_number(column, span.start)),
        }
    }

    /// A boolean column, or a condition.
    fn share(&self, span: Span) -> Result<Condition, StatisticError> {
        let written = span.text(self.letters);
        let name = written.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(&written);
        let Some(column) = self.schema.columns().iter().find(|column| column.name() == name) else {
            return self.condition(span);
        };
        if matches!(column.kind(), ColumnType::Boolean { .. }) {
            let condition = format!("{} == true", span.in_place(self.letters));
            return Condition::parse(&condition, self.schema)
                .map_err(|error| StatisticError::of_condition(self.text, &error));
        }
        let level = column.kind().levels().and_then(|levels| levels.last());
        let advice = level.map_or_else(
            || format!("write share({written} > 0)"),
            |level| format!("write share({written} == '{level}')"),
        );
        self.fail(span.start, format!("`{name}` is not true or false: a share of what?"), advice)
    }

    fn condition(&self, span: Span) -> Result<Condition, StatisticError> {
        let span = span.trimmed(self.letters);
        if span.is_empty() {
            return self.fail(
                span.start,
                "expected a condition",
                "write a condition, as in age > 60 and sex == 'F'",
            );
        }
        Condition::parse(&span.in_place(self.letters), self.schema)
            .map_err(|error| StatisticError::of_condition(self.text, &error))
    }

    /// The error where a date is given for a number.
    fn no_number(&self, column: &ColumnSchema, place: usize) -> StatisticError {
        let what = format!("`{}` is {}, and numbers are needed", column.name(), column.kind().in_words());
        let advice = "use a column of numbers, or a share: share(day > '2020-01-01')";
        StatisticError::new(self.text, place, what, advice)
    }

    /// A formula whose columns exist, and whose outcome is no date; whether other types fit is found when it is laid out.
    fn formula(&self, span: Span) -> Result<Formula, StatisticError> {
        let wrong = |error| {
            let error = StatisticError::of_formula(self.text, &error);
            match self.without_quotes(span) {
                Some(name) => {
                    let advice = format!("put back quotes around names with other signs: `{name}`");
                    StatisticError::new(self.text, error.position() - 1, error.what(), advice)
                }
                None => error,
            }
        };
        let formula = Formula::parse(&span.in_place(self.letters)).map_err(wrong)?;
        let columns = self.schema.columns();
        let names: Vec<&str> = columns.iter().map(ColumnSchema::name).collect();
        formula.check_columns(&names).map_err(wrong)?;
        let (response, position) = formula.response();
        match columns.iter().find(|column| column.name() == response) {
            Some(column)
                if matches!(column.kind(), ColumnType::Date { .. } | ColumnType::DateTime { .. }) =>
            {
                Err(self.no_number(column, position - 1))
            }
            _ => Ok(formula),
        }
    }

    /// The longest name of a column that a part of the text has without the back quotes that it needs.
    fn without_quotes(&self, span: Span) -> Option<&str> {
        let bare: String =
            outside(self.letters, span).iter().map(|&(place, _)| self.letters[place]).collect();
        let names = self.schema.columns().iter().map(ColumnSchema::name);
        names.filter(|name| !is_plain(name) && bare.contains(name)).max_by_key(|name| name.len())
    }
}
