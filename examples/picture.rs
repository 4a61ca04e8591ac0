//! A picture in one line, and one of two distributions with a target.
//!
//! Run with `cargo run --example picture`; it writes `heroic.svg` and `both.svg` into the folder for temporary files.

use std::env::temp_dir;
use std::error::Error;
use std::fs;

use dicedist::dice::d;
use dicedist::report::{Answered, Query, Report, Style, svg};
use dicedist::source::Shown;

fn main() -> Result<(), Box<dyn Error>> {
    let heroic = d(6).times(4).drop_lowest(1).sum().solve()?;
    fs::write(
        temp_dir().join("heroic.svg"),
        heroic.to_svg("4d6, drop the lowest"),
    )?;

    let plain = d(6).times(3).sum().solve()?;
    let rules = [
        Answered::new("heroic", heroic),
        Answered::new("plain", plain),
    ];
    let mut style = Style::default();
    style.title = Some("How often is an ability 15 or more?".into());
    style.queries = vec![Query::AtLeast(15.into())];
    let mut both = Shown::on(Vec::new());
    svg::write(&Report::of(&rules), &style, &mut both)?;
    fs::write(temp_dir().join("both.svg"), both.into_inner())?;
    Ok(())
}
