//! Data that a background task shares with its pipeline state.

use super::base::Base;
use super::windows::Key;
use serde::{Deserialize, Serialize};
use taut_schemas::PipelineStateId;
use taut_shaders::Word;

/// Shared data of a task and its pipeline state: the task finds its pipeline state with it, if that is still alive
/// (rule B-70).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VariantTask {
    /// `None` once the pipeline state is destroyed.
    pub pipeline_state: Option<PipelineStateId>,
    pub key: Key,
    /// Number of discards before the task was queued.
    pub(super) generation: u64,
    /// Variant that is specialised further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base: Option<Base>,
    /// Branch of the variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) branch: Option<Word>,
    /// The task tunes a policy instead of specialising a shader.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) tunes: bool,
}
