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
    /// What the guard of the variant asks for whose shader it is; none of a generic shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneath: Option<Guard>,
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
        let guard = self.beneath.as_ref().map_or_else(|| variant.guard.clone(), |beneath| beneath.and(&variant.guard));
        let outcome = CompileOutcome {
            length_before: count(self.shader.length()),
            length_after: count(variant.shader.length()),
            folded_slots: count(guard.values().len()),
            text_hash: variant.shader.text_hash(),
        };
        let gains = match &self.beneath {
            None => !variant.is_generic(),
            // A further level may unroll what the first had no room for, with no slot more.
            Some(_) => variant.shader.most_executed() < self.shader.most_executed(),
        };
        let code = gains.then(|| Arc::new(Code::new(Arc::new(variant.shader))));
        Made { guard, code, outcome }
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
