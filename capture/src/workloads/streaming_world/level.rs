//! A level: heaps made to measure, full of buffers and textures.

use crate::caller::Caller;
use crate::workloads::WorkloadError;
use crate::workloads::allocator::{Allocator, GENERIC_READ, HeapKind};
use crate::workloads::content::{constants, material, mesh};
use crate::workloads::random::Random;
use taut_schemas::{HeapId, ResourceId};

/// Constant buffers of a level at scale 1, of 64 to 512 bytes, all multiples of 4 about equally likely.
const CONSTANTS: u64 = 12;
/// Meshes at scale 1: log-uniform, 50 to 12,000 vertices' words and 36 to 9,000 indices.
const MESHES: u64 = 12;
/// Textures at scale 1, of 32 to 512 texels either way.
const TEXTURES: u64 = 6;

/// A level that is loaded.
pub(super) struct StreamedLevel {
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

impl StreamedLevel {
    /// Loads a level. What it holds is decided by `random`.
    pub(super) fn load<C: Caller>(
        allocator: &Allocator,
        caller: &mut C,
        random: &mut Random,
        scale: u64,
        name: &str,
    ) -> Result<StreamedLevel, WorkloadError> {
        let mut level = StreamedLevel { heaps: Vec::new(), resources: Vec::new() };
        let uniforms = (0..CONSTANTS * scale).map(|_| constants(allocator, random)).collect();
        let uniforms = (HeapKind::UPLOAD, GENERIC_READ, format!("{name} constants"), uniforms);
        let meshes = (0..MESHES * scale).flat_map(|_| mesh(allocator, random)).collect();
        let meshes = (HeapKind::BUFFERS, 0, format!("{name} mesh"), meshes);
        let materials = (0..TEXTURES * scale).map(|_| material(allocator, random)).collect();
        let materials = (HeapKind::TEXTURES, 0, format!("{name} texture"), materials);
        for (kind, initial_state, label, descs) in [uniforms, meshes, materials] {
            let (heap, placed) = allocator.place_all(caller, (kind, initial_state, &label), descs)?;
            level.heaps.extend(heap);
            level.resources.extend(placed);
        }
        Ok(level)
    }

    /// One of the level's resources.
    pub(super) fn any(&self, random: &mut Random) -> Option<ResourceId> {
        self.resources.get(random.below(self.resources.len() as u64) as usize).copied()
    }

    /// Releases everything. Heaps go first now and then: their memory stays until the last resource in them goes.
    pub(super) fn unload<C: Caller>(
        mut self,
        allocator: &Allocator,
        caller: &mut C,
        heaps_first: bool,
    ) -> Result<(), WorkloadError> {
        if heaps_first {
            self.release_heaps(allocator, caller)?;
        }
        while let Some(resource) = self.resources.pop() {
            allocator.release(caller, resource)?;
        }
        self.release_heaps(allocator, caller)
    }

    fn release_heaps<C: Caller>(&mut self, allocator: &Allocator, caller: &mut C) -> Result<(), WorkloadError> {
        while let Some(heap) = self.heaps.pop() {
            allocator.release_heap(caller, heap)?;
        }
        Ok(())
    }
}
