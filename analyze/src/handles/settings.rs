//! By what the memory of handles is judged.

use serde::Serialize;
use taut_traces::Trace;

/// Bytes of a cache line where nobody says otherwise.
const LINE_BYTES: u64 = 64;

/// By what the memory of handles is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HandleSettings {
    /// Bytes of a cache line: a power of two, at least 8.
    pub cache_line_bytes: u64,
}

impl Default for HandleSettings {
    fn default() -> HandleSettings {
        HandleSettings { cache_line_bytes: LINE_BYTES }
    }
}

impl HandleSettings {
    /// Those of a trace: the line of its world's settings, which its driver's memory is laid out by.
    pub fn of_trace(trace: &Trace) -> HandleSettings {
        let recorded = trace.header().world.settings.get("cache_line_bytes").and_then(|value| value.as_u64());
        recorded.and_then(HandleSettings::of_line).unwrap_or_default()
    }

    /// Those of a line of so many bytes; `None` if no line has so many.
    pub fn of_line(cache_line_bytes: u64) -> Option<HandleSettings> {
        let possible = cache_line_bytes.is_power_of_two() && (8..=4096).contains(&cache_line_bytes);
        possible.then_some(HandleSettings { cache_line_bytes })
    }
}
