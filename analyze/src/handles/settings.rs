//! Settings of the checks of handle memory.

use serde::Serialize;
use taut_traces::Trace;

/// Default size of a cache line, in bytes.
const LINE_BYTES: u64 = 64;

/// Settings of the checks of handle memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HandleSettings {
    /// Size of a cache line in bytes: a power of two, at least 8.
    pub cache_line_bytes: u64,
}

impl Default for HandleSettings {
    fn default() -> HandleSettings {
        HandleSettings { cache_line_bytes: LINE_BYTES }
    }
}

impl HandleSettings {
    /// The settings of a trace: the cache line of its world's settings, by which its driver's memory is laid out.
    pub fn from_trace(trace: &Trace) -> HandleSettings {
        let recorded = trace.header().world.settings.get("cache_line_bytes").and_then(|value| value.as_u64());
        recorded.and_then(HandleSettings::of_line).unwrap_or_default()
    }

    /// The settings for a cache line of this size; `None` if the size is invalid.
    pub fn of_line(cache_line_bytes: u64) -> Option<HandleSettings> {
        let possible = cache_line_bytes.is_power_of_two() && (8..=4096).contains(&cache_line_bytes);
        possible.then_some(HandleSettings { cache_line_bytes })
    }
}
