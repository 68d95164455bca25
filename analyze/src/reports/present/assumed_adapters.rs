//! Assumptions of a recording whose presents are from a capture: the adapters, or the cross-adapter tier of a driver.

use super::PresentFigures;
use super::reasons::tier;
use serde_json::Value;
use taut_traces::Header;

/// Assumption of a recording about the computer of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AssumedAdapters {
    /// The capture does not name adapters; the recording has one.
    One,
    /// The capture does not name adapters; the recording has several.
    Several,
    /// The capture names frames that cross adapters, but not the tier of the display adapter's driver.
    Tier {
        /// Number of the cross-adapter tier of the recording.
        tier: String,
    },
}

impl AssumedAdapters {
    /// Reads the workload parameter `adapters` of the trace: `assumed` without the column HybridPresent in the capture,
    /// `HybridPresent` with it. `None` for other traces, and for a capture whose frames do not cross adapters.
    pub fn new(header: &Header, figures: &PresentFigures) -> Option<AssumedAdapters> {
        let parameter = header.world.workload.parameters.get("adapters").and_then(Value::as_str)?;
        match parameter {
            "assumed" if header.world.adapters.len() > 1 => Some(AssumedAdapters::Several),
            "assumed" => Some(AssumedAdapters::One),
            "HybridPresent" => {
                let crossing = figures.swap_chains.iter().find(|chain| chain.copies > 0)?;
                let selection = crossing.path_selections.last()?;
                Some(AssumedAdapters::Tier { tier: tier(&selection.display_tier).to_owned() })
            }
            _ => None,
        }
    }

    /// Sentence on the source of the adapters.
    pub fn sentence(&self) -> String {
        match self {
            AssumedAdapters::One => {
                "The capture does not name adapters (no column HybridPresent): the recording assumes one adapter, which \
                 renders and displays."
                    .to_owned()
            }
            AssumedAdapters::Several => {
                "The capture does not name adapters (no column HybridPresent): the recording assumes that all frames cross \
                 from the rendering adapter to the display adapter, and its drivers decide the number of copies."
                    .to_owned()
            }
            AssumedAdapters::Tier { tier } => format!(
                "The capture names frames that cross adapters (HybridPresent is 1), but not their path: cross-adapter tier \
                 {tier} of the display adapter's driver is an assumption of the recording, and `--driver` or `--machine` \
                 decide the number of copies."
            ),
        }
    }

    /// Clause of the verdict: which part of the path is an assumption.
    pub fn clause(&self) -> String {
        match self {
            AssumedAdapters::One => "the capture names no adapters: one is assumed".to_owned(),
            AssumedAdapters::Several => {
                "the capture names no adapters: `--driver` or `--machine` assumes them".to_owned()
            }
            AssumedAdapters::Tier { tier } => {
                format!("tier {tier} is an assumption of `--driver` or `--machine`, because the capture names no tier")
            }
        }
    }

    /// Next recording to make.
    pub fn advice(&self) -> String {
        match self {
            AssumedAdapters::One => {
                "The capture does not name adapters, and the recording assumes one. For a computer with two GPUs, record the \
                 capture again with `--machine hybrid-laptop` (`taut machines` lists others)."
                    .to_owned()
            }
            AssumedAdapters::Several => {
                "The capture does not name adapters. For a computer with one GPU, record the capture again with `--machine \
                 desktop`."
                    .to_owned()
            }
            AssumedAdapters::Tier { tier } => {
                let other = if tier == "1" { "igpu-tier3+dgpu" } else { "igpu-tier1+dgpu" };
                format!(
                    "The recording assumes cross-adapter tier {tier} for the display adapter's driver. For a driver of another \
                     tier, record the capture again, for example with `--driver {other}`."
                )
            }
        }
    }
}
