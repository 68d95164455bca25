//! Valid values of a parameter.

use std::fmt;
use taut_shaders::BUNDLED;

/// Word for all bundled shaders.
pub(super) const ALL_BUNDLED: &str = "bundled";

/// Valid values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Whole number.
    Number {
        /// Default value.
        default: u64,
        /// Minimum value.
        min: u64,
        /// Maximum value.
        max: u64,
    },
    /// One of several words, the first by default.
    Word(&'static [&'static str]),
    /// Name of a bundled shader or path of a TOML file; by default all bundled shaders.
    Shader,
}

impl Range {
    /// Returns the words of [`Range::Shader`] with their descriptions.
    pub fn shaders() -> impl Iterator<Item = (&'static str, &'static str)> {
        let bundled = BUNDLED.iter().map(|bundled| (bundled.name, bundled.purpose));
        std::iter::once((ALL_BUNDLED, "all of the following, one after another")).chain(bundled)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Number { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Range::Word(words) => f.write_str(&words.join(" or ")),
            Range::Shader => {
                Range::shaders().try_for_each(|(name, _)| write!(f, "{name}, "))?;
                f.write_str("or a .toml file")
            }
        }
    }
}
