//! The terms of a formula for given columns, and their coding in R.

use super::{Content, Formula, FormulaError, Transform, Variable};
use crate::table::edits;

/// Most terms of a formula: products of many columns have a term for every subset of them.
const MOST_TERMS: usize = 1000;

/// A formula whose columns are known: the response, and terms of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::combine) struct Model {
    pub(in crate::combine) response: Variable,
    /// Variables in the order of the formula, as R counts them.
    pub(in crate::combine) variables: Vec<Variable>,
    /// Terms: main effects first, then interactions of two, and so on.
    pub(in crate::combine) terms: Vec<Term>,
    pub(in crate::combine) intercept: bool,
}

/// Positions of the variables in its product, increasing.
pub(in crate::combine) type Term = Vec<usize>;

impl Formula {
    /// Looks up the columns.
    pub(in crate::combine) fn model(&self, columns: &[&str]) -> Result<Model, FormulaError> {
        let response = self.response.clone();
        known(&response, columns)?;
        let mut model = Model { response, variables: Vec::new(), terms: Vec::new(), intercept: true };
        for piece in &self.pieces {
            let terms = match &piece.content {
                Content::Intercept(one) => {
                    model.intercept = *one != piece.minus;
                    continue;
                }
                Content::Dot => {
                    let others = columns.iter().filter(|&&column| column != self.response.column);
                    let as_they_are = others.map(|&column| Variable {
                        column: column.to_owned(),
                        transform: Transform::AsItIs,
                        position: piece.position,
                    });
                    as_they_are.map(|variable| vec![model.number(variable)]).collect()
                }
                Content::Crossed(interactions) => {
                    for variable in interactions.iter().flatten() {
                        known(variable, columns)?;
                        if variable.column == self.response.column {
                            return Err(FormulaError::new(
                                variable.position,
                                "the response cannot explain itself",
                                "leave its column out on the right of ~",
                            ));
                        }
                    }
                    crossed(interactions, &mut model).ok_or_else(|| too_many(piece.position))?
                }
            };
            for term in terms {
                let place = model.terms.iter().position(|other| *other == term);
                match (place, piece.minus) {
                    (Some(place), true) => drop(model.terms.remove(place)),
                    (None, false) => model.terms.push(term),
                    _ => {}
                }
            }
            if model.terms.len() > MOST_TERMS {
                return Err(too_many(piece.position));
            }
        }
        model.terms.sort_by_key(Vec::len);
        Ok(model)
    }
}

impl Model {
    /// The number of a variable, new or named before.
    fn number(&mut self, variable: Variable) -> usize {
        self.variables.iter().position(|known| known.is(&variable)).unwrap_or_else(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        })
    }

    /// For every variable of every term, whether a category has a column for *all* its levels there, instead of
    /// all but the first: R's rule, so that columns span the space of the formula.
    ///
    /// A category is coded by contrasts where the rest of the term is contained in an earlier term. Without an
    /// intercept the first category of all has all its levels.
    pub(in crate::combine) fn full_coding(&self, is_category: impl Fn(usize) -> bool) -> Vec<Vec<bool>> {
        let mut full: Vec<Vec<bool>> = Vec::with_capacity(self.terms.len());
        for (place, term) in self.terms.iter().enumerate() {
            let contained = |variable: usize| {
                let mut rest = term.iter().filter(|&&other| other != variable).peekable();
                if rest.peek().is_none() {
                    return true;
                }
                let rest: Vec<&usize> = rest.collect();
                self.terms[..place].iter().any(|earlier| rest.iter().all(|other| earlier.contains(other)))
            };
            full.push(term.iter().map(|&variable| is_category(variable) && !contained(variable)).collect());
        }
        if !self.intercept {
            let first =
                self.terms.iter().zip(&mut full).find_map(|(term, full)| {
                    term.iter().zip(full).find(|(variable, _)| is_category(**variable))
                });
            if let Some((_, full)) = first {
                *full = true;
            }
        }
        full
    }
}

/// a*b*c is a + b + a:b, and all of them with c. `None` if there are too many.
fn crossed(interactions: &[Vec<Variable>], model: &mut Model) -> Option<Vec<Term>> {
    let mut terms: Vec<Term> = Vec::new();
    for interaction in interactions {
        let mut term: Term = interaction.iter().map(|variable| model.number(variable.clone())).collect();
        term.sort_unstable();
        term.dedup();
        let with: Vec<Term> = terms.iter().map(|earlier| union(earlier, &term)).collect();
        for term in std::iter::once(term).chain(with) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        if terms.len() > MOST_TERMS {
            return None;
        }
    }
    Some(terms)
}

fn union(a: &Term, b: &Term) -> Term {
    let mut both = [a.as_slice(), b.as_slice()].concat();
    both.sort_unstable();
    both.dedup();
    both
}

fn too_many(position: usize) -> FormulaError {
    FormulaError::new(
        position,
        format!("more than {MOST_TERMS} terms"),
        "name the interactions that matter, with `:`",
    )
}

/// Checks that the column exists.
fn known(variable: &Variable, columns: &[&str]) -> Result<(), FormulaError> {
    if columns.contains(&variable.column.as_str()) {
        return Ok(());
    }
    let wanted = variable.column.to_lowercase();
    let distance = |column: &str| {
        let edits = edits(column, &wanted)?;
        // A name with odd characters is cut off at the first of them, if it has no back quotes.
        let begins = !wanted.is_empty() && column.to_lowercase().starts_with(&wanted);
        Some(if begins { edits.min(1) } else { edits })
    };
    let nearest = columns.iter().filter_map(|column| Some((distance(column)?, *column))).min();
    let advice = match nearest {
        Some((distance, column)) if distance <= 1 + wanted.chars().count() / 3 => {
            let quoted = if super::lexer::is_name(column) { "" } else { ", in back quotes" };
            format!("did you mean `{column}`{quoted}?")
        }
        _ => "name columns as the table's header does; put back quotes around odd names".to_owned(),
    };
    Err(FormulaError::new(variable.position, format!("no column is named `{}`", variable.column), advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 5] = ["y", "a", "b", "c", "capital-gain"];

    fn labels(formula: &str) -> String {
        let model = Formula::parse(formula).unwrap().model(&COLUMNS).unwrap();
        let label = |term: &Term| {
            term.iter().map(|&number| model.variables[number].to_string()).collect::<Vec<_>>().join(":")
        };
        let mut labels: Vec<String> = model.terms.iter().map(label).collect();
        if model.intercept {
            labels.insert(0, "1".to_owned());
        }
        labels.join(" ")
    }

    /// Compares with `attr(terms(...), "term.labels")` in R.
    #[test]
    fn terms_are_rs() {
        for (formula, expected) in [
            ("y ~ a + b", "1 a b"),
            ("y ~ a * b", "1 a b a:b"),
            ("y ~ a:b + c + a", "1 c a a:b"),
            ("y ~ b + a:b", "1 b b:a"),
            ("y ~ a*b*c", "1 a b c a:b a:c b:c a:b:c"),
            ("y ~ a*b*c - a:b:c", "1 a b c a:b a:c b:c"),
            ("y ~ a*b:c", "1 a b:c a:b:c"),
            ("y ~ a:a", "1 a"),
            ("y ~ .", "1 a b c `capital-gain`"),
            ("y ~ . - b - 1", "a c `capital-gain`"),
            ("y ~ . + a:b - `capital-gain`", "1 a b c a:b"),
            ("y ~ c + .", "1 c a b `capital-gain`"),
            ("y ~ 0 + a", "a"),
            ("y ~ -1 + a", "a"),
            ("y ~ 0 + a + 1", "1 a"),
            ("y ~ 1", "1"),
            ("y ~ a + a - a + log(a)", "1 log(a)"),
            ("log(y) ~ C(a) + log(`capital-gain`)", "1 C(a) log(`capital-gain`)"),
        ] {
            assert_eq!(labels(formula), expected, "{formula}");
        }
    }

    #[test]
    fn unknown_columns_are_named_with_the_nearest() {
        let advice = |formula: &str| {
            let error = Formula::parse(formula).unwrap().model(&COLUMNS).unwrap_err();
            (error.position(), error.advice().to_owned())
        };
        assert_eq!(advice("y ~ a + capital"), (9, "did you mean `capital-gain`, in back quotes?".to_owned()));
        assert_eq!(advice("Y ~ a"), (1, "did you mean `y`?".to_owned()));
        assert!(advice("y ~ a + zzzzzz").1.contains("header"));
        assert!(advice("y ~ log(y)").1.contains("right"));
    }

    #[test]
    fn products_of_many_columns_are_refused() {
        let columns: Vec<String> = (0..20).map(|number| format!("x{number}")).collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let formula = Formula::parse(&format!("x0 ~ x1 + {}", columns[2..].join("*"))).unwrap();
        assert_eq!(formula.model(&columns).unwrap_err().position(), 11);
        let again = Formula::parse(&format!("x0 ~ {}", ["x1"; 40].join("*"))).unwrap();
        assert_eq!(again.model(&columns).unwrap().terms, [[0]], "a product with itself is nothing new");
    }
}
