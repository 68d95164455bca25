//! Thread of the level with its loaded objects.

use super::targets;
use super::transients::LevelTransients;
use crate::bundled::allocator::{Allocator, CommittedDesc, GENERIC_READ, HeapKind};
use crate::bundled::check_interrupted::check_interrupted;
use crate::bundled::content::{constants, material, mesh};
use crate::bundled::random::Random;
use crate::bundled::refusal::required;
use crate::bundled::{Parameters, WorkloadError};
use taut_capture::Caller;
use taut_schemas::{HeapId, HeapType, MemoryRange, ResourceDesc, ResourceId, d3d12};

/// D3D12_RESOURCE_STATE_COPY_DEST, which resources in readback heaps require.
const COPY_DEST: u32 = 0x400;
/// Size of the readback buffer in bytes.
const READBACK_BYTES: u64 = 12_000;
/// Number of constant buffers written per frame.
const WRITES_PER_FRAME: u64 = 2;

/// Thread of the level: loads heaps and resources, draws frames with them, and unloads.
pub(super) struct LevelThread {
    allocator: Allocator,
    thread: u32,
    random: Random,
    heaps: Vec<HeapId>,
    resources: Vec<ResourceId>,
    /// Constant buffers and their sizes in bytes; also contained in `resources`.
    constants: Vec<(ResourceId, u64)>,
    transients: Option<LevelTransients>,
}

impl LevelThread {
    /// Creates a thread without objects.
    pub(super) fn new(allocator: Allocator, thread: u32, random: Random) -> LevelThread {
        let (heaps, resources, constants) = (Vec::new(), Vec::new(), Vec::new());
        LevelThread { allocator, thread, random, heaps, resources, constants, transients: None }
    }

    /// Number of the application thread.
    pub(super) fn thread(&self) -> u32 {
        self.thread
    }

    /// Creates all objects that live until the level is unloaded.
    pub(super) fn load<C: Caller>(&mut self, caller: &mut C, parameters: &Parameters) -> Result<(), WorkloadError> {
        let count = parameters.get("constants");
        let descs: Vec<_> = (0..count).map(|_| constants(&self.allocator, &mut self.random)).collect();
        let placed = self.place_all(caller, HeapKind::UPLOAD, GENERIC_READ, "constants", descs.clone())?;
        for resource in &placed {
            self.allocator.address(caller, *resource)?;
        }
        self.constants = placed.into_iter().zip(descs).map(|(resource, desc)| (resource, desc.width)).collect();

        let meshes = (0..parameters.get("meshes")).flat_map(|_| mesh(&self.allocator, &mut self.random)).collect();
        for resource in self.place_all(caller, HeapKind::BUFFERS, 0, "mesh", meshes)? {
            self.allocator.address(caller, resource)?;
        }
        let materials = (0..parameters.get("textures")).map(|_| material(&self.allocator, &mut self.random)).collect();
        self.place_all(caller, HeapKind::TEXTURES, 0, "texture", materials)?;

        if self.thread == 0 {
            let (resources, heap) = targets::create(&self.allocator, caller)?;
            self.resources.extend(resources);
            self.heaps.push(heap);
        }
        let desc = self.allocator.tight(ResourceDesc::buffer(READBACK_BYTES));
        let readback = CommittedDesc { desc, initial_state: COPY_DEST, clear_value: None };
        let name = format!("part {} readback", self.thread);
        self.resources.push(self.allocator.commit(caller, HeapType::READBACK, readback, name)?);
        self.transients = Some(LevelTransients::new(&self.allocator, caller, self.thread)?);
        Ok(())
    }

    /// Places resources in a new heap.
    fn place_all<C: Caller>(
        &mut self,
        caller: &mut C,
        kind: HeapKind,
        initial_state: u32,
        label: &str,
        descs: Vec<ResourceDesc>,
    ) -> Result<Vec<ResourceId>, WorkloadError> {
        let label = format!("part {} {label}", self.thread);
        let (heap, placed) = self.allocator.place_all(caller, kind, initial_state, &label, descs)?;
        self.heaps.extend(heap);
        self.resources.extend(&placed);
        Ok(placed)
    }

    /// Draws frames: writes constants, streams a buffer, and sometimes queries descriptions.
    pub(super) fn play<C: Caller>(&mut self, caller: &mut C, parameters: &Parameters) -> Result<(), WorkloadError> {
        for frame in 0..parameters.get("frames") {
            check_interrupted(caller)?;
            for _ in 0..WRITES_PER_FRAME.min(self.constants.len() as u64) {
                let (resource, width) = self.constants[self.random.below(self.constants.len() as u64) as usize];
                let (subresource, nothing) = (0, MemoryRange { begin: 0, end: 0 });
                required("Map", caller.call(d3d12::Map { resource, subresource, read_range: Some(nothing) }))?;
                let written_range = Some(MemoryRange { begin: 0, end: width });
                required("Unmap", caller.call(d3d12::Unmap { resource, subresource, written_range }))?;
            }
            if let Some(transients) = &mut self.transients {
                let name = format!("part {} frame {frame}", self.thread);
                transients.stream(&self.allocator, caller, &mut self.random, name)?;
            }
            if self.random.once_in(4) {
                let resource = self.resources[self.random.below(self.resources.len() as u64) as usize];
                required("GetDesc", caller.call(d3d12::GetDesc { resource }))?;
            }
            if self.random.once_in(16) && !self.heaps.is_empty() {
                let heap = self.heaps[self.random.below(self.heaps.len() as u64) as usize];
                required("GetHeapDesc", caller.call(d3d12::GetHeapDesc { heap }))?;
            }
            caller.step_done();
        }
        Ok(())
    }

    /// Releases everything, newest first, resources before their heaps.
    pub(super) fn unload<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        if let Some(transients) = self.transients.take() {
            transients.release(&self.allocator, caller)?;
        }
        for resource in std::mem::take(&mut self.resources).into_iter().rev() {
            self.allocator.release(caller, resource)?;
        }
        for heap in std::mem::take(&mut self.heaps).into_iter().rev() {
            self.allocator.release_heap(caller, heap)?;
        }
        Ok(())
    }
}
