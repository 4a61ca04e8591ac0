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

/// All roles.
const ROLES: [Role; 6 + SERIES] = [
    Role::Ground,
    Role::Ink,
    Role::SoftInk,
    Role::Grid,
    Role::Axis,
    Role::Heat,
    Role::Series(0),
    Role::Series(1),
    Role::Series(2),
    Role::Series(3),
    Role::Series(4),
];

/// The lightness of the series is 14, 35, 45, 59 and 68 on a light page; 93, 84, 70, 56 and 46 on a dark one.
const SERIES_COLORS: [[RGBColor; 2]; SERIES] = [
    [RGBColor(0x14, 0x20, 0x4a), RGBColor(0xe6, 0xeb, 0xff)],
    [RGBColor(0x83, 0x3f, 0x00), RGBColor(0xf7, 0xc9, 0x8e)],
    [RGBColor(0x0a, 0x6f, 0xb4), RGBColor(0x4f, 0xb3, 0xf0)],
    [RGBColor(0xd6, 0x76, 0x00), RGBColor(0xcc, 0x6e, 0x00)],
    [RGBColor(0x56, 0xae, 0xdb), RGBColor(0x2f, 0x73, 0xa6)],
];

impl Role {
    /// The colour on a light page, as plotters has it.
    pub(super) fn color(self) -> RGBColor {
        self.colors()[0]
    }

    /// The colour with an opacity.
    pub(super) fn with_opacity(self, opacity: f64) -> RGBAColor {
        let RGBColor(red, green, blue) = self.color();
        RGBAColor(red, green, blue, opacity)
    }

    /// The role of a colour on a light page.
    pub(super) fn of((red, green, blue): (u8, u8, u8)) -> Self {
        let mut roles = ROLES.into_iter();
        roles
            .find(|role| role.color() == RGBColor(red, green, blue))
            .unwrap_or(Self::Ink)
    }

    /// The colour on a light page, as SVG has it.
    pub(super) fn light(self) -> String {
        hexadecimal(self.colors()[0])
    }

    /// The colours on a light and on a dark page.
    fn colors(self) -> [RGBColor; 2] {
        match self {
            Self::Ground => [RGBColor(0xff, 0xff, 0xff), RGBColor(0x0f, 0x14, 0x1a)],
            Self::Ink => [RGBColor(0x22, 0x22, 0x22), RGBColor(0xe8, 0xea, 0xed)],
            Self::SoftInk => [RGBColor(0x55, 0x55, 0x55), RGBColor(0xb0, 0xb6, 0xbd)],
            Self::Grid => [RGBColor(0xe3, 0xe3, 0xe3), RGBColor(0x2c, 0x34, 0x3d)],
            Self::Axis => [RGBColor(0x77, 0x77, 0x77), RGBColor(0x8b, 0x94, 0x9e)],
            Self::Heat => [RGBColor(0x08, 0x30, 0x6b), RGBColor(0x8e, 0xcb, 0xff)],
            Self::Series(index) => SERIES_COLORS[index % SERIES],
        }
    }

    /// The colour of texts on the colour.
    pub(super) fn text(self) -> Self {
        match self {
            Self::Series(index) if index % SERIES < 3 => Self::Ground,
            _ => Self::Ink,
        }
    }

    /// The dashes of lines in the colour, in lengths that are drawn and left out. In grey, the lightest colour
    /// looks much like the one before.
    pub(super) fn dash(self) -> &'static str {
        match self {
            Self::Series(index) if index % SERIES == SERIES - 1 => "6 3",
            _ => "",
        }
    }

    fn name(self) -> String {
        match self {
            Self::Ground => "ground".into(),
            Self::Ink => "ink".into(),
            Self::SoftInk => "soft-ink".into(),
            Self::Grid => "grid".into(),
            Self::Axis => "axis".into(),
            Self::Heat => "heat".into(),
            Self::Series(index) => format!("series-{}", index % SERIES + 1),
        }
    }

    /// The class of what is filled or drawn (`stroke`) with the colour.
    pub(super) fn class(self, paint: &str) -> String {
        format!("{paint}-{}", self.name())
    }
}

fn hexadecimal(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The style sheet of every picture: the colours as custom properties, which a dark page has others of.
pub(super) fn style() -> String {
    let properties = |page: usize| -> String {
        let all = ROLES.iter().map(|role| {
            let (name, color) = (role.name(), hexadecimal(role.colors()[page]));
            format!("--{name}:{color}")
        });
        all.collect::<Vec<_>>().join(";")
    };
    let mut style = format!(
        ".dicedist{{{}}}\n@media (prefers-color-scheme:dark){{.dicedist{{{}}}}}\n",
        properties(0),
        properties(1)
    );
    for role in ROLES {
        let name = role.name();
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
    fn lightness(RGBColor(red, green, blue): RGBColor) -> f64 {
        let part = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        let luminance = 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
        116.0 * luminance.cbrt() - 16.0
    }

    #[test]
    fn series_ascend_in_lightness_on_a_light_page_and_descend_on_a_dark_one() {
        for (page, direction) in [(0, 1.0), (1, -1.0)] {
            for pair in SERIES_COLORS.windows(2) {
                let step = lightness(pair[1][page]) - lightness(pair[0][page]);
                assert!(step * direction > 8.0, "{pair:?} {step}");
            }
        }
    }

    #[test]
    fn texts_stand_out_on_both_pages() {
        for (page, least) in [(0, 60.0), (1, 60.0)] {
            for role in [Role::Ink, Role::SoftInk] {
                let [text, ground] =
                    [role, Role::Ground].map(|role| lightness(role.colors()[page]));
                assert!((text - ground).abs() > least, "{role:?}");
            }
        }
    }
}
