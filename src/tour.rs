#![doc = include_str!("../docs/tour.md")]

#[doc = include_str!("../docs/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("../docs/bones.md")]
pub mod bones {}
