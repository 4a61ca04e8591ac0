//! Whole questions: texts of rules, values of their free names, and what is asked about the results.
//!
//! The command, and every other face of the program, asks through this room, so that all of them give the same answers. In: a
//! [`Question`] and the [`Limits`](crate::Limits). Out: [`Answers`], which a [`crate::report::Report`] writes; or a [`Misfit`], if the question as a whole
//! makes no sense.
//!
//! ```
//! use dicedist::ask::{Asked, Question};
//! use dicedist::limits::{Limits, Unobserved};
//!
//! let mut question = Question::of("plain: sum(n#d6); heroic: 4d6kh3");
//! question.settings.push("n=3".parse()?);
//! question.asked.push(Asked::exactly("18"));
//! let answers = question.answer(&Limits::default(), &Unobserved)?;
//! let chances = answers.answered.iter().map(|rule| rule.event(&answers.queries[0]).unwrap().to_string());
//! assert!(chances.eq(["1/216", "7/432"]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Question::answer`] does everything at once. To show progress or to look at each rule, call [`Question::read`] first, and then take the
//! rules one by one ([`Asking`]).

mod asked;
mod asking;
mod conditions;
mod jobs;
mod misfit;
mod question;
mod read;
mod series;
mod text;
pub mod typed;
mod values;
mod warnings;

pub use asked::Asked;
pub use asking::{Answers, Asking, Solved, Turn};
pub use misfit::Misfit;
pub use question::Question;
pub use read::Read;
pub use series::{Parameters, Series, list};
pub use text::Text;
pub use values::{Setting, Values};
pub use warnings::not_compared;
