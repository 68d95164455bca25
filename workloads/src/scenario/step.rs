//! Steps of a thread.

use super::expression::Expression;
use crate::bundled::adapter_queries::AdapterQuery;
use taut_schemas::{AdapterId, BackgroundProcessingMode as Mode, MeasurementsAction};
use taut_shaders::Type;

/// Step of a thread.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Line of the file, from 1.
    pub line: usize,
    /// Condition: the step is skipped if this is 0.
    pub when: Option<Expression>,
    pub action: Action,
}

/// Handling of a call that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The scenario ends with an error.
    Ends,
    /// The scenario continues.
    GoesOn,
    /// The call must fail.
    Required,
}

/// Action of a step.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// SetBackgroundProcessingMode.
    SetMode { mode: Mode, action: MeasurementsAction, event: Option<usize>, queries_further: bool, refusal: Refusal },
    /// Draws and submits frames.
    Play(Frames),
    /// WaitForSingleObject.
    Wait { event: usize, timeout_ms: u32 },
    /// Waits for all work that the thread has submitted.
    Drain,
    /// CheckFeatureSupport for background processing.
    QuerySupport,
    /// Sets the system's developer mode.
    DeveloperMode(bool),
    /// Creates the pipeline states of a set.
    Create(usize),
    /// Releases the pipeline states of a set.
    Release(usize),
    /// Releases everything, the device last; the next step that needs a device creates another.
    Destroy,
    /// Starts an adapter.
    StartAdapter(AdapterId),
    /// D3DKMTQueryAdapterInfo.
    QueryAdapter(AdapterQuery),
    /// Direct3D is initialized in a process of this program, which is to use this adapter.
    StartApplication { application: String, adapter: Option<AdapterId> },
    /// Repeats steps.
    Repeat { times: u64, while_further: bool, steps: Vec<Step> },
}

/// Frames of a set.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    pub set: usize,
    pub frames: u64,
    /// Number of draws of each pipeline state in a frame.
    pub draws: u32,
    /// Number of frames by which the thread may be ahead of the GPU.
    pub ahead: u64,
    /// Frame number that decides the shaders' own constants; the thread's own count if absent.
    pub frame: Option<Expression>,
    /// Replaced constants of each shader in the set.
    pub constants: Vec<Vec<Constant>>,
}

/// Replaced constant.
#[derive(Debug, Clone)]
pub(super) struct Constant {
    pub slot: usize,
    pub ty: Type,
    pub value: Expression,
}

impl Constant {
    /// Converts a number to the bits of the constant's type, rounded or truncated as needed.
    pub fn word(&self, number: f64) -> u32 {
        match self.ty {
            Type::F32 => (number as f32).to_bits(),
            Type::U32 => number as u32,
            Type::I32 => (number as i32) as u32,
            Type::Bool => u32::from(number != 0.0),
        }
    }
}

/// Returns the maximum number of frames that steps draw.
pub(super) fn max_frames(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |sum: u64, step| {
        sum.saturating_add(match &step.action {
            Action::Play(frames) => frames.frames,
            Action::Repeat { times, steps, .. } => times.saturating_mul(max_frames(steps)),
            _ => 0,
        })
    })
}
