//! Efficiency of links: the part of the rate that packet headers and flow control leave.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A fraction from 0 to 1, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Efficiency {
    /// Thousandths.
    pub per_mille: u32,
}

impl Default for Efficiency {
    /// An estimate without a measurement, so reports print it together with every result that depends on it.
    fn default() -> Self {
        Efficiency { per_mille: 850 }
    }
}

impl Efficiency {
    /// This fraction of a rate.
    pub fn apply(self, bytes_per_second: u64) -> u64 {
        (u128::from(bytes_per_second) * u128::from(self.per_mille) / 1000) as u64
    }
}

impl fmt::Display for Efficiency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{}.{:03}", self.per_mille / 1000, self.per_mille % 1000);
        f.write_str(digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Efficiency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.per_mille) / 1000.0)
    }
}

impl<'de> Deserialize<'de> for Efficiency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fraction = f64::deserialize(deserializer)?;
        if fraction > 0.0 && fraction <= 1.0 {
            // Rounded to thousandths, at least one: 0 would stop every copy.
            return Ok(Efficiency { per_mille: (fraction * 1000.0).round().max(1.0) as u32 });
        }
        Err(serde::de::Error::custom(format_args!("{fraction}, expected a fraction above 0 and at most 1")))
    }
}
