#![doc = include_str!("tour/tour.md")]

#[doc = include_str!("tour/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("../docs/bones.md")]
pub mod bones {}
