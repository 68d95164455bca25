//! What a thread does, step by step.

use super::expression::Expression;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction};
use taut_shaders::Type;

/// A step, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Line of the file, from 1.
    pub line: usize,
    /// It is taken where this is not 0.
    pub when: Option<Expression>,
    pub action: Action,
}

/// What becomes of a call if it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The scenario ends.
    Ends,
    /// It goes on.
    GoesOn,
    /// That has to be.
    Required,
}

/// What is done.
#[derive(Debug, Clone)]
pub(super) enum Action {
    /// SetBackgroundProcessingMode.
    SetMode { mode: Mode, action: MeasurementsAction, event: Option<usize>, asks: bool, refusal: Refusal },
    /// Frames are drawn and submitted.
    Play(Frames),
    /// WaitForSingleObject.
    Wait { event: usize, timeout_ms: u32 },
    /// Waits until everything that the thread has submitted is done.
    Drain,
    /// CheckFeatureSupport: whether the driver has background processing.
    AskSupport,
    /// The system's developer mode.
    DeveloperMode(bool),
    /// Creates the pipeline states of a set.
    Create(usize),
    /// Releases the pipeline states of a set.
    Release(usize),
    /// Releases everything, the device last; what comes after it begins with another device.
    Destroy,
    /// Takes steps again and again.
    Repeat { times: u64, while_further: bool, steps: Vec<Step> },
}

/// Frames of a set.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    pub set: usize,
    pub frames: u64,
    /// Draws of each pipeline state in a frame.
    pub draws: u32,
    /// Frames that the thread may be ahead of the graphics processor.
    pub ahead: u64,
    /// The frame whose constants are drawn with; the thread's own count if there is none.
    pub frame: Option<Expression>,
    /// By shader of the set, the constants that have other values than the shader's own.
    pub constants: Vec<Vec<Constant>>,
}

/// A constant's value.
#[derive(Debug, Clone)]
pub(super) struct Constant {
    pub slot: usize,
    pub ty: Type,
    pub value: Expression,
}

impl Constant {
    /// The bits of a number, as near as the type has them.
    pub fn word(&self, number: f64) -> u32 {
        match self.ty {
            Type::F32 => (number as f32).to_bits(),
            Type::U32 => number as u32,
            Type::I32 => (number as i32) as u32,
            Type::Bool => u32::from(number != 0.0),
        }
    }
}

/// Frames that steps play at most.
pub(super) fn most_frames(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |sum: u64, step| {
        sum.saturating_add(match &step.action {
            Action::Play(frames) => frames.frames,
            Action::Repeat { times, steps, .. } => times.saturating_mul(most_frames(steps)),
            _ => 0,
        })
    })
}
