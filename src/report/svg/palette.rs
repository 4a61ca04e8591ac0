//! Colours that colour-blind readers can distinguish, in an order in which neighbours also differ in grey.
//!
//! The hues are from Okabe and Ito's set (*Color Universal Design*, 2008). A sweep has the shades of one scale from dark to light
//! instead, because its series have an order.

use plotters::style::RGBColor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Color(pub(super) u8, pub(super) u8, pub(super) u8);

impl Color {
    pub(super) fn to_plotters(self) -> RGBColor {
        RGBColor(self.0, self.1, self.2)
    }

    /// The colour of what is not asked about.
    pub(super) fn faded(self) -> Self {
        self.mixed(WHITE, 0.65)
    }

    /// The colour between this one and another, at a part of the way from 0 to 1.
    fn mixed(self, other: Self, part: f64) -> Self {
        let mix =
            |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}

pub(super) const WHITE: Color = Color(0xFF, 0xFF, 0xFF);
pub(super) const INK: Color = Color(0x22, 0x22, 0x22);
pub(super) const SOFT_INK: Color = Color(0x55, 0x55, 0x55);
pub(super) const GRID: Color = Color(0xE3, 0xE3, 0xE3);
pub(super) const AXIS: Color = Color(0x77, 0x77, 0x77);

/// Blue, orange, black, sky blue, vermilion, green, purple. Their greys are 0.37, 0.64, 0.2, 0.66, 0.46, 0.41, 0.58.
const SERIES: [Color; 7] = [
    Color(0x00, 0x72, 0xB2),
    Color(0xE6, 0x9F, 0x00),
    Color(0x33, 0x33, 0x33),
    Color(0x56, 0xB4, 0xE9),
    Color(0xD5, 0x5E, 0x00),
    Color(0x00, 0x9E, 0x73),
    Color(0xCC, 0x79, 0xA7),
];

/// The scale from dark violet to a yellow that is still visible on white.
const SHADES: [Color; 6] = [
    Color(0x3B, 0x0F, 0x70),
    Color(0x31, 0x52, 0x8C),
    Color(0x21, 0x80, 0x8D),
    Color(0x2F, 0xA0, 0x70),
    Color(0x86, 0xBE, 0x3A),
    Color(0xD9, 0xB8, 0x0D),
];

/// The shade of a share of the highest share, from white to dark blue.
pub(super) fn heat(share: f64) -> Color {
    const STEPS: [Color; 4] = [
        Color(0xF7, 0xFB, 0xFF),
        Color(0x9E, 0xCA, 0xE1),
        Color(0x31, 0x82, 0xBD),
        Color(0x08, 0x30, 0x6B),
    ];
    let place = share.clamp(0.0, 1.0) * (STEPS.len() - 1) as f64;
    let below = (place.floor() as usize).min(STEPS.len() - 2);
    STEPS[below].mixed(STEPS[below + 1], place - below as f64)
}

/// The dash patterns, as lengths drawn and left out in pixels: solid, dashed, dotted, dash-dotted, long dashes.
const DASHES: [&[f64]; 5] = [
    &[],
    &[7.0, 4.0],
    &[2.0, 3.0],
    &[9.0, 3.0, 2.0, 3.0],
    &[13.0, 4.0],
];

/// The appearance of one of several series.
#[derive(Clone, Copy, Debug)]
pub(super) struct Appearance {
    pub(super) color: Color,
    pub(super) dash: &'static [f64],
    pub(super) marker: Marker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Diamond,
    Triangle,
    Down,
}

const MARKERS: [Marker; 5] = [
    Marker::Circle,
    Marker::Square,
    Marker::Diamond,
    Marker::Triangle,
    Marker::Down,
];

/// The appearance of one of `count` series. Ordered series have the shades of one scale.
pub(super) fn appearance(index: usize, count: usize, ordered: bool) -> Appearance {
    let marker = MARKERS[index % MARKERS.len()];
    if ordered && count > 1 {
        let place = index as f64 / (count - 1) as f64 * (SHADES.len() - 1) as f64;
        let below = (place.floor() as usize).min(SHADES.len() - 2);
        let part = place - below as f64;
        return Appearance {
            color: SHADES[below].mixed(SHADES[below + 1], part),
            dash: &[],
            marker,
        };
    }
    Appearance {
        color: SERIES[index % SERIES.len()],
        dash: DASHES[index % DASHES.len()],
        marker,
    }
}
