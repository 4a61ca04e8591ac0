//! What each grammar declares before it begins: the types that its parsers share, and the kinds of text that it can expect.

/// Declares the kinds of text that a grammar can expect, as `Expected`, and the `Failure` of the grammar. Messages name the first of
/// several kinds, and call each what is written behind it; a kind without words has no name. `end` is the kind for the end of a rule.
macro_rules! expected {
    (end $end:ident; $($(#[$note:meta])* $kind:ident $(= $words:literal)?,)*) => {
        /// The kinds of text that the grammar can expect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Expected {
            $($(#[$note])* $kind,)*
        }

        impl $crate::notation::reader::failure::Expected for Expected {
            const END: Self = Self::$end;
            const NAMES: &'static [(Self, &'static str)] = &[$($((Self::$kind, $words),)?)*];

            fn number(self) -> u8 {
                self as u8
            }
        }

        /// The place at which the text stops being a rule, and what could have stood there.
        pub(super) type Failure = $crate::notation::reader::failure::Failure<Expected>;
    };
}

/// Declares the language of a grammar, as `Words`, by the types of its tokens, its nodes and its memory, and the kinds of text that it can
/// expect as [`expected`] does.
macro_rules! language {
    ($token:ty, $node:ty, $memory:ty; $($expected:tt)*) => {
        /// The language of the grammar.
        #[derive(Debug)]
        pub(super) struct Words;

        impl $crate::notation::reader::state::Language for Words {
            type Token = $token;
            type Node = $node;
            type Expected = Expected;
            type Memory = $memory;
        }

        $crate::notation::reader::language::expected! { $($expected)* }
    };
}

pub(crate) use {expected, language};
