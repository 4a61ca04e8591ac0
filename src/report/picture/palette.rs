//! The colours of pictures, on a light page and on a dark one.
//!
//! The series go from dark to light on a light page, from light to dark on a dark one. Every two of them differ by more than eight
//! steps of lightness (CIE L*), and for people who do not see red or green as others do, blue and brown alternate.

use std::fmt::Write as _;

use plotters::style::{RGBAColor, RGBColor};

/// The largest number of series that have colours of their own.
pub(super) const SERIES: usize = 5;

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Ground,
    Ink,
    SoftInk,
    Grid,
    Axis,
    /// A shade of the colour of heat maps is the share of its opacity.
    Heat,
    Series(usize),
}

/// All roles with their names, and with their colours on a light and on a dark page. The lightness of the series is 14, 35, 45, 59 and
/// 68 on a light page; 93, 84, 70, 56 and 46 on a dark one.
const COLORS: [(Role, &str, [u32; 2]); 6 + SERIES] = [
    (Role::Ground, "ground", [0xff_ffff, 0x0f_141a]),
    (Role::Ink, "ink", [0x22_2222, 0xe8_eaed]),
    (Role::SoftInk, "soft-ink", [0x55_5555, 0xb0_b6bd]),
    (Role::Grid, "grid", [0xe3_e3e3, 0x2c_343d]),
    (Role::Axis, "axis", [0x77_7777, 0x8b_949e]),
    (Role::Heat, "heat", [0x08_306b, 0x8e_cbff]),
    (Role::Series(0), "series-1", [0x14_204a, 0xe6_ebff]),
    (Role::Series(1), "series-2", [0x83_3f00, 0xf7_c98e]),
    (Role::Series(2), "series-3", [0x0a_6fb4, 0x4f_b3f0]),
    (Role::Series(3), "series-4", [0xd6_7600, 0xcc_6e00]),
    (Role::Series(4), "series-5", [0x56_aedb, 0x2f_73a6]),
];

impl Role {
    fn entry(self) -> (&'static str, [u32; 2]) {
        let own = COLORS.into_iter().find(|(role, ..)| *role == self);
        own.map_or(("ink", [0, 0]), |(_, name, colors)| (name, colors))
    }

    /// The colour on a light page, as plotters has it.
    pub(super) fn color(self) -> RGBColor {
        let [_, red, green, blue] = self.entry().1[0].to_be_bytes();
        RGBColor(red, green, blue)
    }

    /// The colour with an opacity.
    pub(super) fn with_opacity(self, opacity: f64) -> RGBAColor {
        let RGBColor(red, green, blue) = self.color();
        RGBAColor(red, green, blue, opacity)
    }

    /// The role of a colour on a light page.
    pub(super) fn of((red, green, blue): (u8, u8, u8)) -> Self {
        let color = u32::from_be_bytes([0, red, green, blue]);
        let own = COLORS.into_iter().find(|(.., colors)| colors[0] == color);
        own.map_or(Self::Ink, |(role, ..)| role)
    }

    /// The colour on a light page, as SVG has it.
    pub(super) fn light(self) -> String {
        format!("#{:06x}", self.entry().1[0])
    }

    /// The colour of texts on the colour.
    pub(super) fn text(self) -> Self {
        match self {
            Self::Series(..3) => Self::Ground,
            _ => Self::Ink,
        }
    }

    /// The dashes of lines in the colour, in lengths that are drawn and left out. In grey, the lightest colour
    /// looks much like the one before.
    pub(super) fn dash(self) -> &'static str {
        match self {
            Self::Series(4) => "6 3",
            _ => "",
        }
    }

    /// The class of what is filled or drawn (`stroke`) with the colour.
    pub(super) fn class(self, paint: &str) -> String {
        format!("{paint}-{}", self.entry().0)
    }
}

/// The style sheet of every picture: the colours as custom properties, which a dark page has others of.
pub(super) fn style() -> String {
    let [light, dark] = [0, 1].map(|page| {
        let all = COLORS.map(|(_, name, colors)| format!("--{name}:#{:06x}", colors[page]));
        all.join(";")
    });
    let mut style = format!(
        ".dicedist{{{light}}}\n@media (prefers-color-scheme:dark){{.dicedist{{{dark}}}}}\n"
    );
    for (role, name, _) in COLORS {
        for paint in ["fill", "stroke"] {
            let class = role.class(paint);
            let _ = writeln!(style, ".dicedist .{class}{{{paint}:var(--{name})}}");
        }
    }
    style
}

/// The colours of `count` series, as different in lightness as they can be.
pub(super) fn roles(count: usize) -> Vec<Role> {
    let chosen: &[usize] = match count {
        0 | 1 => &[2],
        2 => &[0, 3],
        3 => &[0, 2, 3],
        4 => &[0, 2, 3, 4],
        _ => &[0, 1, 2, 3, 4],
    };
    let all = chosen.iter().cycle().take(count.max(1));
    all.map(|&index| Role::Series(index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE L* of a colour.
    fn lightness(color: u32) -> f64 {
        let [_, red, green, blue] = color.to_be_bytes().map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        });
        116.0 * (0.2126 * red + 0.7152 * green + 0.0722 * blue).cbrt() - 16.0
    }

    #[test]
    fn series_ascend_in_lightness_on_a_light_page_and_descend_on_a_dark_one() {
        for (page, direction) in [(0, 1.0), (1, -1.0)] {
            for pair in COLORS[6..].windows(2) {
                let step = lightness(pair[1].2[page]) - lightness(pair[0].2[page]);
                assert!(step * direction > 8.0, "{pair:?} {step}");
            }
        }
    }

    #[test]
    fn texts_stand_out_on_both_pages() {
        for page in [0, 1] {
            for role in [Role::Ink, Role::SoftInk] {
                let [text, ground] =
                    [role, Role::Ground].map(|role| lightness(role.entry().1[page]));
                assert!((text - ground).abs() > 60.0, "{role:?}");
            }
        }
    }
}
