//! Loading a scene: the calls.

use super::content::Scene;
use super::memory::{Purpose, SceneMemory, Wanted};
use crate::caller::{Caller, Callers};
use crate::workloads::allocator::{Allocator, GENERIC_READ, HeapKind};
use crate::workloads::{Parameter, Parameters, WorkloadError};
use taut_schemas::{PhaseEdge, ResourceDesc, mark};

/// What loading a scene can be told.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::word("items", &["views", "accessors"], "what becomes a buffer: each buffer view, or each accessor"),
    Parameter::word("memory", &["placed", "committed"], "in shared heaps by first fit, or each resource its own heap"),
    Parameter::word("tight", &["off", "on"], "give resources the tight-alignment flag, where the driver supports it"),
    Parameter::number(
        "heap_mib",
        64,
        (1, 4096),
        "size of a shared heap in MiB; at least 8 of the largest resources, at most what is to come",
    ),
];

/// Bytes of a node's or material's constant buffer (d3d12.h: D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT).
const CONSTANT_BYTES: u64 = 256;

/// Phases, by number.
const PHASES: [&str; 5] = ["setup", "items", "constants", "textures", "release"];

/// Loads the scene and releases it again, one phase per kind of resource; between loading and releasing all of it is
/// alive. What was created is released too if a call fails.
///
/// # Errors
/// A call failed: the scene is more than the driver's memory holds.
pub fn run<C: Callers>(scene: &Scene, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
    let mut caller = callers.caller(0);
    let allocator = in_phase(&mut caller, 0, Allocator::set_up)?;
    let heap_bytes = (parameters.word("memory") == "placed").then(|| parameters.get("heap_mib") << 20);
    let mut memory = SceneMemory::new(allocator.clone(), heap_bytes);
    let tight = parameters.word("tight") == "on";
    let described = |desc: ResourceDesc| if tight { allocator.tight(desc) } else { desc };
    let loaded = load(scene, &mut caller, parameters, (&allocator, &mut memory), &described);
    let released = in_phase(&mut caller, 4, |caller| memory.release(caller));
    loaded.and(released)
}

fn load<C: Caller>(
    scene: &Scene,
    caller: &mut C,
    parameters: &Parameters,
    (allocator, memory): (&Allocator, &mut SceneMemory),
    described: &dyn Fn(ResourceDesc) -> ResourceDesc,
) -> Result<(), WorkloadError> {
    in_phase(caller, 1, |caller| {
        let items = scene.items(parameters).iter();
        let wanted =
            items.map(|item| Wanted { name: &item.name, desc: described(ResourceDesc::buffer(item.size_bytes)) });
        let purpose = Purpose { kind: HeapKind::BUFFERS, initial_state: 0, name: "items" };
        let items = memory.create(caller, purpose, &wanted.collect::<Vec<_>>())?;
        items.into_iter().try_for_each(|item| allocator.address(caller, item))
    })?;
    in_phase(caller, 2, |caller| {
        let desc = described(ResourceDesc::buffer(CONSTANT_BYTES));
        let wanted: Vec<_> = scene.constants.iter().map(|name| Wanted { name, desc }).collect();
        let purpose = Purpose { kind: HeapKind::UPLOAD, initial_state: GENERIC_READ, name: "constants" };
        let constants = memory.create(caller, purpose, &wanted)?;
        constants.into_iter().try_for_each(|constant| allocator.address(caller, constant))
    })?;
    in_phase(caller, 3, |caller| {
        let wanted = scene.images.iter().filter_map(|image| {
            let desc = image.texture.ok()?;
            Some(Wanted { name: &image.name, desc: described(desc) })
        });
        let purpose = Purpose { kind: HeapKind::TEXTURES, initial_state: 0, name: "textures" };
        memory.create(caller, purpose, &wanted.collect::<Vec<_>>()).map(drop)
    })
}

/// Runs a phase between its marks.
fn in_phase<C: Caller, R>(caller: &mut C, index: u32, run: impl FnOnce(&mut C) -> R) -> R {
    let name = PHASES.get(index as usize).copied().unwrap_or_default();
    let mark = |edge| mark::WorkloadPhase { phase_index: index, edge, name: name.to_owned() };
    caller.mark(mark(PhaseEdge::BEGIN));
    let result = run(caller);
    caller.mark(mark(PhaseEdge::END));
    result
}
