//! Render targets and depth-stencils of the level.

use crate::bundled::WorkloadError;
use crate::bundled::allocator::{Allocator, CommittedDesc, HeapKind, HeapOffset};
use crate::bundled::content::texture;
use taut_capture::Caller;
use taut_schemas::format::Format;
use taut_schemas::{ClearValue, HeapId, HeapType, ResourceDesc, ResourceFlags, ResourceId};

/// D3D12_RESOURCE_STATE_RENDER_TARGET.
const RENDER_TARGET: u32 = 0x4;
/// D3D12_RESOURCE_STATE_DEPTH_WRITE.
const DEPTH_WRITE: u32 = 0x10;

/// Creates the targets: three committed targets, and the multisampled targets in a heap.
pub(super) fn create<C: Caller>(
    allocator: &Allocator,
    caller: &mut C,
) -> Result<(Vec<ResourceId>, HeapId), WorkloadError> {
    let color = ResourceFlags::ALLOW_RENDER_TARGET;
    let depth = ResourceFlags::ALLOW_DEPTH_STENCIL;
    let committed = [
        (texture(Format::R8G8B8A8_UNORM, 1920, 1080, color), RENDER_TARGET, "color"),
        (texture(Format::R16G16B16A16_FLOAT, 1920, 1080, color), RENDER_TARGET, "light"),
        (texture(Format::D32_FLOAT, 1920, 1080, depth), DEPTH_WRITE, "depth"),
    ];
    let mut targets = Vec::new();
    for (desc, state, name) in committed {
        let clear = ClearValue { format: desc.format, word0: 1_f32.to_bits(), ..ClearValue::default() };
        let desc = CommittedDesc { desc: allocator.tight(desc), initial_state: state, clear_value: Some(clear) };
        targets.push(allocator.commit(caller, HeapType::DEFAULT, desc, name.to_owned())?);
    }
    let multisampled = |desc: ResourceDesc| ResourceDesc { sample_count: 4, ..desc };
    let placed = [
        (multisampled(texture(Format::R8G8B8A8_UNORM, 1280, 720, color)), RENDER_TARGET, "color, 4 samples"),
        (
            allocator.tight(multisampled(texture(Format::R8G8B8A8_UNORM, 256, 256, color))),
            RENDER_TARGET,
            "map, 4 samples",
        ),
        (allocator.tight(multisampled(texture(Format::D32_FLOAT, 1280, 720, depth))), DEPTH_WRITE, "depth, 4 samples"),
    ];
    let infos = allocator.infos(caller, placed.iter().map(|(desc, ..)| *desc).collect())?;
    // A heap for multisampled textures has an alignment of 4 MiB, whatever its textures need (rule A-05).
    let heap = allocator.heap(caller, HeapKind::TARGETS, infos.size_bytes, 4 << 20)?;
    allocator.name(caller, heap.into(), "multisampled targets".to_owned())?;
    for ((desc, state, name), info) in placed.into_iter().zip(infos.infos) {
        targets.push(allocator.place(
            caller,
            HeapOffset { heap, heap_offset_bytes: info.offset_bytes },
            desc,
            state,
            name.to_owned(),
        )?);
    }
    Ok((targets, heap))
}
