//! A distribution as a picture.

use super::{Dist, Outcome};
use crate::report::{Answered, Report, Style, svg};
use crate::source::Shown;

impl<T: Outcome> Dist<T> {
    /// A picture of the distribution with this title, as an SVG document. [`report::svg`](crate::report::svg) has options, and draws
    /// several distributions in one picture.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::dice::d;
    ///
    /// let ability = d(6).times(4).drop_lowest(1).sum().solve()?;
    /// let picture = ability.to_svg("4d6, drop the lowest");
    /// assert!(picture.starts_with("<svg "));
    /// assert!(picture.contains("<title>18: 1.6204%</title>"));
    /// # Ok::<(), dicedist::Error>(())
    /// ```
    #[must_use]
    pub fn to_svg(&self, title: impl Into<String>) -> String {
        let rules = [Answered::new(title, self.answer.clone())];
        let mut document = Shown::on(Vec::new());
        // A report without limits is always written to memory.
        let written = svg::write(&Report::of(&rules), &Style::default(), &mut document);
        debug_assert!(written.is_ok());
        document.to_string()
    }
}
