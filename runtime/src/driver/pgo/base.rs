//! Variant that is the input of a further specialisation.

use super::installed::Installed;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use taut_schemas::VariantId;
use taut_shaders::{Guard, Shader};

/// Variant that is to be specialised further.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Base {
    pub variant: VariantId,
    pub level: u32,
    pub guard: Guard,
    #[serde(with = "super::shared")]
    pub shader: Arc<Shader>,
}

impl Base {
    /// Creates a base from an installed variant.
    pub fn new(variant: &Installed) -> Base {
        let (shader, guard) = (Arc::clone(variant.code.shader()), variant.guard.clone());
        Base { variant: variant.id, level: variant.level, guard, shader }
    }
}
