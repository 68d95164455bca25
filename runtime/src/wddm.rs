//! WDDM versions in profiles and settings.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use taut_schemas::WddmVersion;

/// WDDM version, written as in documents: `3.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wddm(pub WddmVersion);

impl fmt::Display for Wddm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WddmVersion(version) = self.0;
        write!(f, "{}.{}", version >> 12, version >> 8 & 0xf)
    }
}

impl Serialize for Wddm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Wddm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let versions = || WddmVersion::NAMES.iter().map(|(version, _)| Wddm(WddmVersion(*version)));
        versions().find(|version| version.to_string() == text).ok_or_else(|| {
            let known: Vec<String> = versions().map(|version| version.to_string()).collect();
            serde::de::Error::custom(format_args!("expected one of {}, found {text:?}", known.join(", ")))
        })
    }
}
