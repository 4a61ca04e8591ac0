//! A distribution as a text: the table of the command, a document, a picture.

use std::{fmt, io};

use super::{Dist, Outcome};
use crate::report::{Answered, Report, Style, markdown, table};
use crate::source::Shown;

impl<T: Outcome> Dist<T> {
    /// A report about the distribution alone. [`report`](crate::report) has options, and reports about several distributions.
    fn report(
        &self,
        name: impl Into<String>,
        write: impl FnOnce(&Report, &Style, &mut Shown<Vec<u8>>) -> io::Result<()>,
    ) -> String {
        let rules = [Answered::new(name, self.clone())];
        let mut document = Shown::on(Vec::new());
        // A report without limits is always written to memory.
        let written = write(&Report::of(&rules), &Style::default(), &mut document);
        debug_assert!(written.is_ok());
        document.to_string()
    }

    /// A Markdown table below a name, as [`report::markdown`](crate::report::markdown) writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let coin: Dist<String> = Dist::uniform(["heads", "tails"]);
    /// assert!(coin.to_markdown("a coin").contains("| heads | 50.0000% |"));
    /// ```
    #[must_use]
    pub fn to_markdown(&self, name: impl Into<String>) -> String {
        self.report(name, markdown::write)
    }

    /// A CSV document with a row for each outcome, as [`report::csv`](crate::report::csv) writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d4: Dist = Dist::uniform(1..=4);
    /// assert_eq!(d4.to_csv("d4").lines().count(), 5);
    /// ```
    #[cfg(feature = "csv")]
    #[must_use]
    pub fn to_csv(&self, name: impl Into<String>) -> String {
        self.report(name, crate::report::csv::write)
    }

    /// A JSON document with everything that is known, as [`report::json`](crate::report::json) writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// use dicedist::Dist;
    ///
    /// let d4: Dist = Dist::uniform(1..=4);
    /// assert!(d4.to_json("d4").contains(r#""exact": "5/2""#)); // the mean
    /// ```
    #[cfg(feature = "json")]
    #[must_use]
    pub fn to_json(&self, name: impl Into<String>) -> String {
        self.report(name, crate::report::json::write)
    }

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
    #[cfg(feature = "svg")]
    #[must_use]
    pub fn to_svg(&self, title: impl Into<String>) -> String {
        self.report(title, crate::report::svg::write)
    }
}

/// The table that the command prints: a row for each outcome, and the figures of the summary.
impl<T: Outcome> fmt::Display for Dist<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.report("", table::write);
        formatter.write_str(text.trim())
    }
}
