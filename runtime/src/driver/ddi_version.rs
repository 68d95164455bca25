//! Version of the driver interface.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Version of the driver interface; written with four digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DdiVersion(pub u32);

impl DdiVersion {
    /// Version whose SetBackgroundProcessingMode returns nothing.
    pub const V0062: DdiVersion = DdiVersion(62);
    /// Version whose SetBackgroundProcessingMode returns whether further measurements are desired.
    pub const V0063: DdiVersion = DdiVersion(63);
    /// Version by which a driver announces capabilities of OPTIONS8 and OPTIONS12 that are not at their defaults. It is
    /// below that of every driver, and the public headers do not number it.
    pub const LATER_OPTIONS: DdiVersion = DdiVersion(86);
    /// Version with CheckResourceAllocationInfo as it is used here.
    pub const V0088: DdiVersion = DdiVersion(88);
    /// Version with tight alignment.
    pub const V0111: DdiVersion = DdiVersion(111);
    /// Version with the flag for implicit heaps.
    pub const V0115: DdiVersion = DdiVersion(115);
}

impl fmt::Display for DdiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.0)
    }
}

impl Serialize for DdiVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DdiVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.parse() {
            Ok(version) if text.len() == 4 => Ok(DdiVersion(version)),
            _ => Err(serde::de::Error::custom(format_args!("expected four digits such as \"0115\", found {text:?}"))),
        }
    }
}
