//! What a context has bound, as the application sees it.

use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{D3d11ResourceId, D3d11StateId, D3d11ViewId, ObjectId, ShaderStage};

/// A slot of a stage.
pub(crate) type StageSlot = (u32, u32);

/// The blend state bound, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlendBinding {
    /// Null is the default.
    pub state: D3d11StateId,
    /// The bits of four floats; none is four times 1.
    pub factor: Vec<u32>,
    pub sample_mask: u32,
}

impl Default for BlendBinding {
    fn default() -> Self {
        BlendBinding { state: D3d11StateId::NULL, factor: Vec::new(), sample_mask: u32::MAX }
    }
}

/// Everything bound; what is not there is not bound.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bindings {
    pub blend: BlendBinding,
    pub views: BTreeMap<StageSlot, D3d11ViewId>,
    pub constant_buffers: BTreeMap<StageSlot, D3d11ResourceId>,
}

impl Bindings {
    /// Binds these to the slots of a stage from one on; null is nothing.
    pub fn set<T: Copy + PartialEq + Default>(
        bound: &mut BTreeMap<StageSlot, T>,
        stage: ShaderStage,
        start: u32,
        new: &[T],
    ) {
        for (slot, object) in (start..).zip(new) {
            match *object == T::default() {
                true => drop(bound.remove(&(stage.0, slot))),
                false => drop(bound.insert((stage.0, slot), *object)),
            }
        }
    }

    /// The objects bound.
    pub fn objects(&self) -> BTreeSet<ObjectId> {
        let views = self.views.values().map(|view| ObjectId::from(*view));
        let buffers = self.constant_buffers.values().map(|buffer| ObjectId::from(*buffer));
        let state = Some(ObjectId::from(self.blend.state)).filter(|state| *state != ObjectId::NULL);
        views.chain(buffers).chain(state).collect()
    }
}
