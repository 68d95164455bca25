//! Charts as SVG.

pub(crate) mod policies;
pub(crate) mod sweep;
