//! Conditions on the value of a program.

use super::bones;
use super::settings::Settings;
use crate::error::Error;
use crate::ir::Program;
use crate::source::Source;

/// The program whose value is 1 where a condition holds for the value of another program, and 0 where it does not.
///
/// The condition is written in Bones: all of the source. It may use `value`, the parts of a record by their names, and the
/// parameters of the settings. The other program may come from any notation.
///
/// # Errors
///
/// [`crate::ErrorKind::Parse`] for a mistake in the text, [`crate::ErrorKind::Unbound`] for a name or label that the value does
/// not have, and [`crate::ErrorKind::Type`] for a text that is no condition. The places are those in the source.
///
/// # Examples
///
/// ```
/// use dicedist::engine::analyze;
/// use dicedist::notation::{self, Settings};
/// use dicedist::number::Integer;
/// use dicedist::summary::{Figure, Query, event};
/// use dicedist::{Dialect, Limits, source::Source};
///
/// let source = Source::new("rule", "let x = 2#d6 in {hits: count >=5 x, ones: count ==1 x}");
/// let rule = notation::parse(Dialect::Bones, &source, source.span())?;
/// let program = &rule.lower(&Settings::default())?[0].program;
///
/// let asked = Source::new("condition", "hits >= 1 and ones == 0");
/// let holds = notation::condition(&asked, program, &Settings::default())?;
/// let answer = dicedist::engine::analyze(&holds, &Limits::default(), &dicedist::limits::Unobserved)?;
/// let chance = event(&answer, &Query::Exactly(Integer::ONE)).unwrap();
/// // Of 36 rolls, 4 have two hits, and 2 * 2 * 3 have one hit and one of 2, 3 and 4.
/// assert_eq!(chance.exact().unwrap().to_string(), "4/9");
/// # Ok::<(), dicedist::Error>(())
/// ```
pub fn condition(
    source: &Source,
    program: &Program,
    settings: &Settings,
) -> Result<Program, Error> {
    bones::condition(source, program, settings)
}
