//! Work of a background task: builds a variant with its code.

use super::code::Code;
use super::windows::Key;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::{BackgroundWork, CompileOutcome, WorkProduct};
use taut_shaders::{Guard, Shader, Unrolling, specialise};

/// Specialisation of a shader for values of its slots. Contains the shader's text and nothing else of the pipeline
/// state (rule B-71).
#[derive(Serialize, Deserialize)]
pub(super) struct Specialisation {
    #[serde(with = "super::shared")]
    pub shader: Arc<Shader>,
    pub key: Key,
    /// Fault: the work panics; the task ends by `FailBackgroundWork`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub panics: bool,
    /// Guard of the variant whose shader this is; `None` for a generic shader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "beneath")]
    pub base_guard: Option<Guard>,
}

/// Product of a specialisation task.
#[derive(Default)]
pub(super) struct SpecialisationProduct {
    pub guard: Guard,
    /// `None` if the variant gains nothing: it folds no slot or, at a further level, may execute as many
    /// instructions as before.
    pub code: Option<Arc<Code>>,
    pub outcome: CompileOutcome,
}

impl Specialisation {
    /// Specialises the shader and compiles the variant.
    pub fn make(&self) -> SpecialisationProduct {
        // Slots come from the shader's own profile, so the specialiser knows them all.
        let Ok(variant) = specialise(&self.shader, &self.key, Unrolling::default()) else {
            return SpecialisationProduct::default();
        };
        let guard = self.base_guard.as_ref().map_or_else(|| variant.guard.clone(), |base| base.and(&variant.guard));
        let outcome = CompileOutcome {
            length_before: count(self.shader.length()),
            length_after: count(variant.shader.length()),
            folded_slots: count(guard.values().len()),
            text_hash: variant.shader.text_hash(),
        };
        let gains = match &self.base_guard {
            None => !variant.is_generic(),
            // A further level may unroll loops that exceeded the first level's size limit, with the same slots.
            Some(_) => variant.shader.max_executed() < self.shader.max_executed(),
        };
        let code = gains.then(|| Arc::new(Code::new(Arc::new(variant.shader))));
        SpecialisationProduct { guard, code, outcome }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl BackgroundWork for Specialisation {
    fn run(&self) -> WorkProduct {
        assert!(!self.panics, "the driver's task panics");
        let built = self.make();
        WorkProduct { outcome: built.outcome, product: Arc::new(built) }
    }

    fn save(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }
}
