//! The parsers of single tokens, and what each does to the [`State`].

use chumsky::prelude::*;

use super::lexer::Token;
use super::state::{Expected, Failure, State};

/// What the grammar reads.
pub(super) type Tokens<'s> = &'s [Token];

/// What its parsers have at hand.
pub(super) type Extra<'s> = extra::Full<Failure, State<'s>, ()>;

/// The one way in which tokens are read: one that stands here, and that the state then takes note of.
/// (Not by `map_with`, which is skipped where the output is ignored.)
pub(super) fn token<'s, O>(
    expected: Expected,
    read: impl Fn(Token) -> Option<O> + Clone,
    note: fn(&mut State<'s>, usize) -> Result<(), Failure>,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    custom::<_, Tokens<'s>, _, Extra<'s>>(move |input| {
        let at = *input.cursor().inner();
        let refused = input.state().refused.is_some();
        match input.peek().and_then(&read) {
            Some(output) if !refused => {
                note(input.state(), at)?;
                input.skip();
                Ok(output)
            }
            _ => Err(Failure::new(at, expected)),
        }
    })
}

/// A token that says nothing but that it is there.
pub(super) fn sign<'s>(
    kind: Token,
    expected: Expected,
) -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    let read = move |found| (found == kind).then_some(());
    token(expected, read, |_, _| Ok(()))
}

/// A token that begins something with parts of its own: one level deeper, until the node is added.
pub(super) fn opening<'s, O>(
    expected: Expected,
    read: impl Fn(Token) -> Option<O> + Clone,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    token(expected, read, |state, at| {
        state.enter(at);
        Ok(())
    })
}

/// As [`opening`], with a single token in mind.
pub(super) fn opening_sign<'s>(kind: Token) -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    opening(Expected::Operand, move |found| {
        (found == kind).then_some(())
    })
}

/// A token between two operands, one level deeper until the node is added. In dicelab the left one must be a number by
/// its syntax; otherwise the operand ends here, and what it belongs to may go on.
pub(super) fn operator<'s, O>(
    read: impl Fn(Token) -> Option<O> + Clone,
) -> impl Parser<'s, Tokens<'s>, O, Extra<'s>> + Clone {
    token(Expected::Operator, read, |state, at| {
        if state.after_list {
            return Err(Failure::after_list(at));
        }
        state.enter(at);
        Ok(())
    })
}

/// `-` after a complete operand is always binary, also where the operand is no number.
pub(super) fn no_minus_after_list<'s>() -> impl Parser<'s, Tokens<'s>, (), Extra<'s>> + Clone {
    custom::<_, Tokens<'s>, _, Extra<'s>>(|input| {
        let at = *input.cursor().inner();
        let minus = input.peek() == Some(Token::Minus) && input.state().after_list;
        if minus {
            Err(Failure::after_list(at))
        } else {
            Ok(())
        }
    })
}
