//! The meaning and the name of a column of the design.

/// A column that one predictor contributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// The value of an ordered predictor; its mean where it is missing.
    Value {
        /// Position of the predictor.
        predictor: usize,
    },
    /// 1 where a nominal predictor has this level, else 0.
    Level {
        /// Position of the predictor.
        predictor: usize,
        /// Code of the level.
        code: u32,
    },
    /// 1 where the predictor is missing, else 0.
    Missing {
        /// Position of the predictor.
        predictor: usize,
    },
}

/// The term that a coefficient multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The constant one.
    Intercept,
    /// A column of one predictor.
    Main(Factor),
    /// The product of columns of two predictors.
    Interaction(Factor, Factor),
}

impl Factor {
    /// `age`, `sex=F` or `age missing`, from the predictors' names and the spellings of their levels.
    pub fn name(&self, names: &[String], level: &dyn Fn(usize, u32) -> String) -> String {
        let column = |predictor: usize| names.get(predictor).map_or("", String::as_str);
        match *self {
            Self::Value { predictor } => column(predictor).to_owned(),
            Self::Level { predictor, code } => format!("{}={}", column(predictor), level(predictor, code)),
            Self::Missing { predictor } => format!("{} missing", column(predictor)),
        }
    }
}

impl Term {
    /// `(intercept)`, or the factors' names with a colon between them.
    pub fn name(&self, names: &[String], level: &dyn Fn(usize, u32) -> String) -> String {
        match self {
            Self::Intercept => "(intercept)".to_owned(),
            Self::Main(factor) => factor.name(names, level),
            Self::Interaction(left, right) => {
                format!("{}:{}", left.name(names, level), right.name(names, level))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let names = ["age".to_owned(), "sex".to_owned()];
        let level = |_, code| ["M", "F"][code as usize].to_owned();
        let age = Factor::Value { predictor: 0 };
        let female = Factor::Level { predictor: 1, code: 1 };
        let missing = Factor::Missing { predictor: 0 };
        assert_eq!(Term::Intercept.name(&names, &level), "(intercept)");
        assert_eq!(Term::Main(age).name(&names, &level), "age");
        assert_eq!(Term::Main(female).name(&names, &level), "sex=F");
        assert_eq!(Term::Interaction(age, female).name(&names, &level), "age:sex=F");
        assert_eq!(Term::Main(missing).name(&names, &level), "age missing");
    }
}
