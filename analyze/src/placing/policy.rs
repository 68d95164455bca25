//! Policies of allocators.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// Where an allocator places what it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// At the lowest free place of the oldest heap.
    FirstFit,
    /// In the smallest free range that is large enough.
    BestFit,
    /// Two-level segregated fit: in any free range of the first class of sizes of which all are large enough.
    Tlsf,
    /// Among resources of one class of sizes, four to a power of two.
    SizeClasses,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 4] = [Policy::FirstFit, Policy::BestFit, Policy::Tlsf, Policy::SizeClasses];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::FirstFit => "first-fit",
            Policy::BestFit => "best-fit",
            Policy::Tlsf => "tlsf",
            Policy::SizeClasses => "size-classes",
        }
    }
}

/// A word that names no policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsePolicyError {
    found: String,
}

impl fmt::Display for ParsePolicyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Policy::ALL.map(Policy::name).join(", ");
        write!(formatter, "expected one of {known}, found `{}`", self.found)
    }
}

impl Error for ParsePolicyError {}

impl FromStr for Policy {
    type Err = ParsePolicyError;

    fn from_str(word: &str) -> Result<Policy, ParsePolicyError> {
        let found = Policy::ALL.into_iter().find(|policy| policy.name() == word);
        found.ok_or_else(|| ParsePolicyError { found: word.to_owned() })
    }
}

/// The class of a size among those of which there are four to a power of two: the largest that is no larger.
pub(super) fn class_below(size_bytes: u64) -> u64 {
    let step = step(size_bytes);
    size_bytes / step * step
}

/// The smallest class that is no smaller; none if 64 bits do not hold it.
pub(super) fn class_above(size_bytes: u64) -> Option<u64> {
    size_bytes.checked_next_multiple_of(step(size_bytes))
}

/// A quarter of the greatest power of two that is no greater.
fn step(size_bytes: u64) -> u64 {
    (1_u64 << size_bytes.max(1).ilog2()).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_class_is_at_most_a_quarter_from_the_size(size_bytes in 1_u64..1 << 50) {
            let (below, above) = (class_below(size_bytes), class_above(size_bytes).unwrap());
            prop_assert!(below <= size_bytes && size_bytes <= above);
            prop_assert!(above - below <= size_bytes.div_ceil(4));
            prop_assert_eq!((class_below(below), class_above(above)), (below, Some(above)));
        }
    }

    #[test]
    fn policies_are_known_by_their_names() {
        for policy in Policy::ALL {
            assert_eq!(policy.name().parse(), Ok(policy));
        }
        let error = "worst-fit".parse::<Policy>().unwrap_err().to_string();
        assert_eq!(error, "expected one of first-fit, best-fit, tlsf, size-classes, found `worst-fit`");
    }
}
