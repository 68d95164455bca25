//! Result of a recording.

use crate::Error;
use serde_json::{Value, json};
use taut_capture::Stop;
use taut_traces::{EndCause, WriteSummary};
use taut_workloads::call_log::RunSummary;
use taut_workloads::gfxrecon::CaptureSummary;
use taut_workloads::memory_dump::DumpSummary;
use taut_workloads::present_log::PresentComparison;
use taut_workloads::scene::SceneSummary;
use taut_workloads::scene::drawing::DrawingSummary;

/// A recording whose trace is whole, and its end.
pub struct Finished {
    pub recorded: Recorded,
    /// End of the calls, or the error of a call that the workload depends on.
    pub ended: Result<Ended, Error>,
}

/// Result of a recording.
pub struct Recorded {
    /// Names of the drivers.
    pub drivers: String,
    pub written: WriteSummary,
    pub summary: Summary,
    /// Reason why a rundown could not be recorded: the retained part of the recording may then not be replayable.
    pub no_rundown: Option<String>,
    /// Description of the part of the input that was not recorded.
    pub left_out: Option<String>,
    /// Message of an error in the input, after which nothing was recorded.
    pub fault: Option<String>,
}

/// End of the calls of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All calls were made.
    Complete,
    /// The recording ended before, at a limit of its own.
    Limit(EndCause),
    /// The recording was stopped.
    Interrupted,
}

impl Ended {
    /// End of a recording that was stopped.
    pub(super) fn early(stop: &Stop) -> Ended {
        stop.cause().map_or(Ended::Interrupted, Ended::Limit)
    }
}

/// Summary of the recorded input, by its kind.
pub enum Summary {
    /// A bundled workload or a scenario.
    Generated,
    Dump(DumpSummary),
    Log(RunSummary),
    /// A converted capture.
    Capture(Box<CaptureSummary>),
    Scene(SceneSummary),
    /// A scene drawn in deferred contexts.
    Drawing(DrawingSummary),
    /// A capture of presents with its comparison; `None` if not all presents were made.
    Presents(Option<PresentComparison>),
}

impl Recorded {
    /// Comparison with the capture whose presents were recorded.
    pub fn presents(&self) -> Option<&PresentComparison> {
        match &self.summary {
            Summary::Presents(presents) => presents.as_ref(),
            _ => None,
        }
    }

    /// The result as JSON. `file` names the trace.
    pub fn json(&self, file: &str) -> Value {
        let mut document = json!({
            "file": file,
            "driver": self.drivers,
            "events": self.written.events,
            "lost_events": self.written.lost_events,
            "bytes": self.written.bytes,
            "log": null,
            "scene": null,
            "dump": null,
            "presents": self.presents(),
        });
        match &self.summary {
            Summary::Generated | Summary::Presents(_) => {}
            Summary::Dump(dump) => document["dump"] = json!(dump),
            Summary::Log(log) => document["log"] = json!(log),
            Summary::Capture(capture) => {
                document["log"] = json!(capture.log);
                document["capture"] = json!(capture);
            }
            Summary::Scene(scene) => document["scene"] = json!(scene),
            Summary::Drawing(drawing) => document["drawing"] = json!(drawing),
        }
        document
    }

    /// Summary of the recorded input in words, if its kind has one.
    pub fn summary_text(&self) -> Option<String> {
        match &self.summary {
            Summary::Generated | Summary::Presents(_) => None,
            Summary::Dump(dump) => Some(dump.to_string()),
            Summary::Log(log) => Some(log.to_string()),
            Summary::Capture(capture) => Some(capture.to_string()),
            Summary::Scene(scene) => Some(scene.to_string()),
            Summary::Drawing(drawing) => Some(drawing.to_string()),
        }
    }
}
