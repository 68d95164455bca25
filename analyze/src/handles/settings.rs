//! Settings of the checks of handle memory.

use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use taut_traces::Trace;
use thiserror::Error;

/// Default size of a cache line, in bytes.
const LINE_BYTES: u64 = 64;
/// Default size and associativity: a set has 8 lines, and sets repeat every 4096 bytes (rule H-35).
const CACHE_BYTES: u64 = 32 << 10;
const WAYS: u64 = 8;
/// Max number of sets. The largest caches of servers have fewer.
const MAX_SETS: u64 = 1 << 24;
const UNITS: [(&str, u32); 4] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("B", 0)];

/// Settings of the checks of handle memory: the geometry of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HandleSettings {
    /// Size of the cache in bytes: a multiple of `cache_ways` lines.
    pub cache_bytes: u64,
    /// Associativity: lines per set.
    pub cache_ways: u64,
    /// Size of a cache line in bytes: a power of two, at least 8.
    pub cache_line_bytes: u64,
}

impl Default for HandleSettings {
    fn default() -> HandleSettings {
        HandleSettings { cache_bytes: CACHE_BYTES, cache_ways: WAYS, cache_line_bytes: LINE_BYTES }
    }
}

/// Error for an invalid geometry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct CacheGeometryError {
    pub expected: &'static str,
    pub found: String,
}

impl HandleSettings {
    /// The settings of a trace: the cache line of its world's settings, by which its driver's memory is laid out.
    pub fn from_trace(trace: &Trace) -> HandleSettings {
        let recorded = trace.header().world.settings.get("cache_line_bytes").and_then(|value| value.as_u64());
        let of_line = |bytes: u64| format!("{CACHE_BYTES}:{WAYS}:{bytes}").parse().ok();
        recorded.and_then(of_line).unwrap_or_default()
    }

    /// Number of sets.
    pub fn sets(&self) -> u64 {
        (self.cache_bytes / self.cache_ways / self.cache_line_bytes).max(1)
    }
}

/// Reads a size: `48KiB`, `2MiB`, `49152`.
fn bytes(text: &str) -> Option<u64> {
    let unit = UNITS.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)));
    let (number, shift) = unit.unwrap_or((text, 0));
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

impl FromStr for HandleSettings {
    type Err = CacheGeometryError;

    /// Reads `SIZE:WAYS:LINE`, such as `48KiB:12:64`.
    fn from_str(text: &str) -> Result<HandleSettings, CacheGeometryError> {
        let wrong = |expected, found: &str| CacheGeometryError { expected, found: found.to_owned() };
        let parts: Vec<&str> = text.split(':').collect();
        let [size, ways, line] = parts[..] else {
            return Err(wrong("SIZE:WAYS:LINE, such as 48KiB:12:64", text));
        };
        let cache_bytes =
            bytes(size).ok_or_else(|| wrong("the cache's size, such as 48KiB, before the first colon", size))?;
        let cache_ways = ways.parse().ok().filter(|ways| *ways > 0);
        let cache_ways: u64 = cache_ways.ok_or_else(|| wrong("a number of ways above 0 between the colons", ways))?;
        let is_possible = |bytes: &u64| bytes.is_power_of_two() && (8..=4096).contains(bytes);
        let cache_line_bytes = bytes(line).filter(is_possible);
        let cache_line_bytes = cache_line_bytes
            .ok_or_else(|| wrong("a line of a power of two from 8 to 4096 bytes after the last colon", line))?;
        let set_bytes = cache_ways.checked_mul(cache_line_bytes);
        let sets = set_bytes.filter(|set| cache_bytes % set == 0).map_or(0, |set| cache_bytes / set);
        if !(1..=MAX_SETS).contains(&sets) {
            return Err(wrong("a size of 1 to 16777216 times WAYS lines", text));
        }
        Ok(HandleSettings { cache_bytes, cache_ways, cache_line_bytes })
    }
}

impl fmt::Display for HandleSettings {
    /// Writes the geometry as it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HandleSettings { cache_bytes, cache_ways, cache_line_bytes } = self;
        match cache_bytes % 1024 {
            0 => write!(f, "{}KiB:{cache_ways}:{cache_line_bytes}", cache_bytes / 1024),
            _ => write!(f, "{cache_bytes}:{cache_ways}:{cache_line_bytes}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h35_a_geometry_has_size_ways_and_line() {
        for (text, sets) in [("48KiB:12:64", 64), ("32KiB:8:128", 32), ("1MiB:16:64", 1024), ("4096:8:512", 1)] {
            let settings: HandleSettings = text.parse().unwrap();
            assert_eq!(settings.sets(), sets, "{text}");
            assert_eq!(settings.to_string().parse::<HandleSettings>().unwrap(), settings);
        }
        assert_eq!(HandleSettings::default().to_string(), "32KiB:8:64");
    }

    #[test]
    fn a_wrong_geometry_is_an_error_with_the_part() {
        for (text, expected) in [
            ("48KiB:12", "expected SIZE:WAYS:LINE, such as 48KiB:12:64, found 48KiB:12"),
            ("48kb:12:64", "expected the cache's size, such as 48KiB, before the first colon, found 48kb"),
            ("48KiB:0:64", "expected a number of ways above 0 between the colons, found 0"),
            ("48KiB:12:96", "expected a line of a power of two from 8 to 4096 bytes after the last colon, found 96"),
            ("48KiB:11:64", "expected a size of 1 to 16777216 times WAYS lines, found 48KiB:11:64"),
            ("0:1:64", "expected a size of 1 to 16777216 times WAYS lines, found 0:1:64"),
            (
                "18446744073709551615KiB:1:64",
                "expected the cache's size, such as 48KiB, before the first colon, found 18446744073709551615KiB",
            ),
            (
                "64:18446744073709551615:4096",
                "expected a size of 1 to 16777216 times WAYS lines, found 64:18446744073709551615:4096",
            ),
        ] {
            assert_eq!(text.parse::<HandleSettings>().unwrap_err().to_string(), expected);
        }
    }
}
