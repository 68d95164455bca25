//! Records of a trace as values, and rules that they follow.

#[allow(dead_code)]
pub mod audit;
#[allow(dead_code)]
pub mod record;
