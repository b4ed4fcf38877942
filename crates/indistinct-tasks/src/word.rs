//! Options that are one of a few words, the same in every front end.

use indistinct::combine::Target;
use indistinct::discriminator::cart;
use indistinct::normal::metropolis::PriorScale;
use indistinct::privacy::Neighbours;
use indistinct::quality::Quality;
use indistinct::quality::null::Reference;
use indistinct_io::Invalid;

/// One of a few words that an option may be.
pub trait Word: Copy + PartialEq + Send + Sync + 'static {
    /// Every word, with what it stands for and what that means, as help tells it.
    const WORDS: &'static [(&'static str, Self, &'static str)];

    /// The word for it.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, value, _)| *value == self);
        found.map_or("", |(word, ..)| word)
    }

    /// What a word stands for, if it is one of them.
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, ..)| *name == word).map(|(_, value, _)| *value)
    }

    /// Whether help leaves it out: it is known in order to say where it is to be had.
    fn is_hidden(self) -> bool {
        false
    }
}

/// The words of a type: `words!(Quality { "pmse" => Pmse: "What it means", })`.
macro_rules! words {
    ($name:ty { $($word:literal => $variant:ident: $means:literal,)+ }) => {
        impl $crate::Word for $name {
            const WORDS: &'static [(&'static str, Self, &'static str)] =
                &[$(($word, Self::$variant, $means)),+];
        }
    };
}
pub(crate) use words;

words!(Neighbours {
    "substitute" => Substitute: "One row is substituted by another; the number of rows is public",
    "add-remove" => AddRemove: "One row is added or removed; the number of rows is private",
});

words!(Invalid {
    "refuse" => Refuse: "They end the run",
    "missing" => Missing: "They become missing values",
});

words!(Quality {
    "pmse" => Pmse: "Mean squared distance of the propensity score from 1/2",
    "pmae" => Pmae: "Mean absolute distance",
});

words!(PriorScale {
    "sd" => Sd: "The standard deviation itself, cut off at zero, as in the paper",
    "log-sd" => LogSd: "Its logarithm",
});

words!(cart::Method {
    "class" => Class: "The response is a class",
    "anova" => Anova: "The response is a number",
});

words!(Reference {
    "sample" => Sample: "Another sample of the same population",
    "fitted-model" => FittedModel: "Rows of a correct model fitted to the real table (logistic only)",
    "synthpop" => Synthpop: "Half the permutation null whatever the discriminator, to compare with R's synthpop",
});

words!(Target {
    "population" => Population: "The value in the population",
    "original" => Original: "The estimate that the original table would give",
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combine::RuleName;
    use crate::evaluate::{DiscriminatorArg as Judge, Null};
    use crate::synth::{DiscriminatorArg, MethodArg, Modelling, SamplerArg, Sensitivity};
    use crate::verify::Requirement;

    /// Every word comes back from what it stands for, and no two are the same.
    fn come_back<T: Word + std::fmt::Debug>() {
        for (word, value, means) in T::WORDS {
            assert_eq!((T::of_word(word), value.word()), (Some(*value), *word));
            assert!(!means.is_empty());
        }
        assert_eq!(T::of_word("no such word"), None);
    }

    #[test]
    fn words_come_back() {
        come_back::<Neighbours>();
        come_back::<Invalid>();
        come_back::<Quality>();
        come_back::<PriorScale>();
        come_back::<cart::Method>();
        come_back::<Reference>();
        come_back::<Target>();
        come_back::<RuleName>();
        come_back::<Judge>();
        come_back::<Null>();
        come_back::<DiscriminatorArg>();
        come_back::<MethodArg>();
        come_back::<Modelling>();
        come_back::<SamplerArg>();
        come_back::<Sensitivity>();
        come_back::<Requirement>();
    }
}
