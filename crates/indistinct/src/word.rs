//! Options that are one of a few words, the same in every front end.

/// One of a few words that an option may be.
pub trait Word: Copy + PartialEq + Send + Sync + 'static {
    /// Every word, with what it stands for and what that means, as help tells it.
    const WORDS: &'static [(&'static str, Self, &'static str)];

    /// The word for it.
    fn word(self) -> &'static str {
        let found = Self::WORDS.iter().find(|(_, value, _)| *value == self);
        found.map_or("", |(word, ..)| word)
    }

    /// The value that a word stands for, if it is one of them.
    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, ..)| *name == word).map(|(_, value, _)| *value)
    }

    /// Whether help leaves it out: it is known in order to say where it is to be had.
    fn is_hidden(self) -> bool {
        false
    }
}

/// The words of a type: `words!(Quality { "pmse" => Pmse: "What it means", })`.
#[macro_export]
macro_rules! words {
    ($name:ty { $($word:literal => $variant:ident: $means:literal,)+ }) => {
        impl $crate::Word for $name {
            const WORDS: &'static [(&'static str, Self, &'static str)] =
                &[$(($word, Self::$variant, $means)),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combine::{RuleName, Target};
    use crate::discriminator::cart;
    use crate::evaluate::{self, Null};
    use crate::interval::Of;
    use crate::normal::metropolis::PriorScale;
    use crate::privacy::Neighbours;
    use crate::quality::Quality;
    use crate::quality::null::Reference;
    use crate::synthesis::{CandidateDiscriminatorName, Modelling, RowEffect, SamplerName};
    use crate::table::Invalid;

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
        come_back::<cart::CartMethod>();
        come_back::<Reference>();
        come_back::<Target>();
        come_back::<Of>();
        come_back::<RuleName>();

        come_back::<evaluate::DiscriminatorName>();
        come_back::<Null>();
        come_back::<evaluate::Level>();
        come_back::<CandidateDiscriminatorName>();
        come_back::<Modelling>();
        come_back::<SamplerName>();
        come_back::<RowEffect>();
    }
}
