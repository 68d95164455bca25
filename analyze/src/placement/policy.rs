//! Placement policies of allocators.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// Policy by which an allocator places resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// The lowest suitable range of the oldest heap.
    FirstFit,
    /// The smallest free range that is large enough.
    BestFit,
    /// Two-level segregated fit: any free range of the first size class whose ranges are all large enough.
    Tlsf,
    /// Slots per size class, with four classes per power of two.
    SizeClasses,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 4] = [Policy::FirstFit, Policy::BestFit, Policy::Tlsf, Policy::SizeClasses];

    /// The policy's name.
    pub fn name(self) -> &'static str {
        match self {
            Policy::FirstFit => "first-fit",
            Policy::BestFit => "best-fit",
            Policy::Tlsf => "tlsf",
            Policy::SizeClasses => "size-classes",
        }
    }
}

/// A name without a policy.
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

/// The largest size class, of four per power of two, that is at most a size.
pub(super) fn class_below(size_bytes: u64) -> u64 {
    let step = step(size_bytes);
    size_bytes / step * step
}

/// The smallest size class that is at least a size; `None` if it exceeds 64 bits.
pub(super) fn class_above(size_bytes: u64) -> Option<u64> {
    size_bytes.checked_next_multiple_of(step(size_bytes))
}

/// A quarter of the largest power of two that is at most a size.
fn step(size_bytes: u64) -> u64 {
    (1_u64 << size_bytes.max(1).ilog2()).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_class_differs_from_the_size_by_max_a_quarter(size_bytes in 1_u64..1 << 50) {
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
