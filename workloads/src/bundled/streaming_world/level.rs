//! Level: heaps of exactly the required size, with buffers and textures.

use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, GENERIC_READ, HeapKind};
use crate::bundled::content::{constants, material, mesh};
use crate::bundled::random::Random;
use taut_capture::Caller;
use taut_schemas::{HeapId, ResourceId};

/// Number of constant buffers of a level at scale 1, of 64 to 512 bytes, with uniformly distributed multiples of 4.
const CONSTANTS: u64 = 12;
/// Number of meshes at scale 1, with log-uniform sizes: 50 to 12,000 vertex words and 36 to 9,000 indices.
const MESHES: u64 = 12;
/// Number of textures at scale 1, of 32 to 512 texels per side.
const TEXTURES: u64 = 6;

/// Loaded level.
pub(super) struct StreamedLevel {
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
}

impl StreamedLevel {
    /// Loads a level whose content follows from `random`.
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
            let (heap, placed) = allocator.place_all(caller, kind, initial_state, &label, descs)?;
            level.heaps.extend(heap);
            level.resources.extend(placed);
        }
        Ok(level)
    }

    /// Returns a random resource of the level.
    pub(super) fn any(&self, random: &mut Random) -> Option<ResourceId> {
        self.resources.get(random.below(self.resources.len() as u64) as usize).copied()
    }

    /// Releases everything. With `heaps_first` the heaps are released first: their memory then lives until their last
    /// resource is released.
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
