//! Which shader serves a draw.

use super::code::Code;
use super::pipeline::Pipeline;
use std::sync::Arc;
use taut_schemas::{Selection, VariantId};
use taut_shaders::Word;

/// What was selected for a draw.
pub(super) struct Selected {
    /// The variant's code; none: the generic shader.
    pub variant: Option<(VariantId, Arc<Code>)>,
    /// The variants whose guards did not hold.
    pub missed: Vec<VariantId>,
    /// Instructions that all guards asked cost.
    pub guard_cost: u32,
}

impl Selected {
    /// As the runtime is told.
    pub fn answer(&self) -> Selection {
        Selection {
            variant: self.variant.as_ref().map_or(VariantId::NULL, |(id, _)| *id),
            guard_missed: !self.missed.is_empty(),
            guard_cost: self.guard_cost,
        }
    }
}

/// The newest variant whose guard holds for the constants, else the generic shader (rule B-73). Guards are asked one
/// after the other, and each costs.
pub(super) fn select(pipeline: &Pipeline, constants: &[Word]) -> Selected {
    let mut selected = Selected { variant: None, missed: Vec::new(), guard_cost: 0 };
    for variant in pipeline.installed.iter().rev() {
        let cost = u32::try_from(variant.guard.cost()).unwrap_or(u32::MAX);
        selected.guard_cost = selected.guard_cost.saturating_add(cost);
        if variant.guard.holds(constants) {
            selected.variant = Some((variant.id, Arc::clone(&variant.code)));
            break;
        }
        selected.missed.push(variant.id);
    }
    selected
}
