//! The command line: arguments in; answers on standard output, files, or a complaint on standard error out.
//!
//! This room belongs to the binary alone and sees the library as any other program does. One action is one file: [`analysis`] answers
//! rules, [`roll`] rolls them, [`tree`] prints how they were read, and [`trace`] prints the pool after each of their steps. Nothing here
//! computes a probability.

mod advice;
mod alike;
mod analysis;
mod args;
mod check;
mod complaints;
mod destination;
mod diagnostic;
mod examples;
mod explanation;
mod guide;
mod identity;
mod input;
mod meter;
mod options;
mod output;
mod plan;
mod progress;
mod remedy;
mod roll;
mod run;
mod startup;
mod status;
mod terminal;
mod trace;
mod tree;
mod usage;
mod values;
mod watch;

pub(crate) use run::run;
