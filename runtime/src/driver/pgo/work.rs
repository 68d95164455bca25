//! The work of a background task: a variant and its code.

use super::code::Code;
use super::windows::Key;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, WorkProduct};
use taut_shaders::{Guard, Shader, Unrolling, specialise};

/// Specialises a shader for values of its slots. It has the shader's text and nothing else of the pipeline state
/// (rule B-71).
#[derive(Serialize, Deserialize)]
pub(super) struct Specialisation {
    #[serde(with = "super::shared")]
    pub shader: Arc<Shader>,
    pub key: Key,
    /// As a faulty driver's: it is never done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panics: bool,
}

/// What a task made.
#[derive(Default)]
pub(super) struct Made {
    pub guard: Guard,
    /// None if no value folded anything away.
    pub code: Option<Arc<Code>>,
    pub outcome: CompileOutcome,
}

impl Specialisation {
    /// Does the work.
    pub fn make(&self) -> Made {
        // Slots come from the shader's own profile, so the specialiser knows them all.
        let Ok(variant) = specialise(&self.shader, &self.key, Unrolling::default()) else { return Made::default() };
        let outcome = CompileOutcome {
            length_before: count(self.shader.length()),
            length_after: count(variant.shader.length()),
            folded_slots: count(variant.guard.values().len()),
            text_hash: variant.shader.text_hash(),
        };
        let code = (!variant.is_generic()).then(|| Arc::new(Code::new(Arc::new(variant.shader))));
        Made { guard: variant.guard, code, outcome }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl BackgroundWork for Specialisation {
    fn run(&self) -> WorkProduct {
        assert!(!self.panics, "the driver's task panics");
        let made = self.make();
        WorkProduct { outcome: made.outcome, product: Arc::new(made) }
    }

    fn save(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }
}
