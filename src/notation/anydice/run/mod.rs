//! Runs a program: its outputs, its warnings, and the error that stops it.
//!
//! The top level of a program is deterministic: conditions are numbers, and loops run over sequences. Only the dice are
//! unknown, and stay [terms](super::term) until somebody asks for their distribution. A function that looks at a roll is run
//! in [`chances`].

mod arguments;
mod body;
mod call;
mod chances;
mod dice;
mod library;
mod lists;
mod machine;
mod operators;
mod places;
mod recursion;
mod sequence;
mod statements;
mod stop;
mod sums;
mod title;

pub(super) use self::machine::{Done, Output};

use std::collections::BTreeSet;

use self::machine::{Calls, Machine, Memory, Rules};
use super::code::Code;
use super::tree::Tree;
use crate::limits::Budget;
use crate::map::{Map, ValueMap};
use crate::notation::settings::Settings;

/// Runs a program.
pub(super) fn run(tree: &Tree, settings: &Settings, budget: &Budget<'_>) -> Done {
    let code = match Code::new(tree) {
        Ok(code) => code,
        Err(error) => {
            return Done {
                error: Some(error),
                ..Done::default()
            };
        }
    };
    let mut machine = Machine {
        code: &code,
        budget,
        settings,
        variables: vec![None; code.variables.len()],
        functions: Map::default(),
        depth: 0,
        rules: Rules::default(),
        memory: Memory::default(),
        calls: Calls::default(),
        known: ValueMap::default(),
        hidden: 0,
        never_negative: BTreeSet::new(),
        deepest: 0,
        pending: Vec::new(),
        open_steps: None,
        done: Done::default(),
    };
    let outcome = machine.program();
    let mut done = machine.done;
    done.error = outcome.err();
    done
}
