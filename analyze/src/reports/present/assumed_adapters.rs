//! Adapters of a recording whose presents are from a capture that does not name adapters.

use serde_json::Value;
use taut_traces::Header;

/// Number of adapters on which the presents of such a capture were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AssumedAdapters {
    One,
    Several,
}

impl AssumedAdapters {
    /// Reads the workload parameter `adapters` of the trace; `None` unless it is `assumed`.
    pub fn of(header: &Header) -> Option<AssumedAdapters> {
        let parameter = header.world.workload.parameters.get("adapters").and_then(Value::as_str);
        let assumed = parameter == Some("assumed");
        let number = if header.world.adapters.len() > 1 { AssumedAdapters::Several } else { AssumedAdapters::One };
        assumed.then_some(number)
    }

    /// Sentence on the source of the adapters.
    pub fn sentence(self) -> &'static str {
        match self {
            AssumedAdapters::One => {
                "The capture does not name adapters (no column HybridPresent): one adapter that renders and displays is assumed."
            }
            AssumedAdapters::Several => {
                "The capture does not name adapters (no column HybridPresent): all frames are assumed to cross from the rendering \
                 adapter to the display's, and the drivers of this recording decide the number of copies."
            }
        }
    }

    /// Next recording to make.
    pub fn advice(self) -> String {
        match self {
            AssumedAdapters::One => {
                "The capture does not name adapters, and one is assumed. For a computer with two GPUs record the \
                                     capture again with `--machine hybrid-laptop` (`taut machines` lists others)."
                    .to_owned()
            }
            AssumedAdapters::Several => {
                "The capture does not name adapters. For a computer with one GPU record the capture again \
                                         with `--machine desktop`."
                    .to_owned()
            }
        }
    }
}
