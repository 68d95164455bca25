//! Calls that load a scene.

use super::change::{CHANGES, changed};
use super::content::Scene;
use super::heap_layout::HeapRules;
use super::memory::{Purpose, SceneMemory, Wanted};
use crate::bundled::allocator::{Allocator, GENERIC_READ, HeapKind};
use crate::bundled::{Parameter, Parameters, WorkloadError};
use std::borrow::Cow;
use taut_capture::{Caller, Callers};
use taut_schemas::{PhaseEdge, ResourceDesc, ResourceId, mark};

const LOAD_PARAMETERS: [Parameter; 4] = [
    Parameter::word("items", &["views", "accessors"], "source of buffers: each buffer view, or each accessor"),
    Parameter::word(
        "memory",
        &["placed", "committed"],
        "resources are placed in shared heaps by first fit, or committed with one implicit heap each",
    ),
    Parameter::word("tight", &["off", "on"], "set the tight-alignment flag of resources if the driver supports it"),
    Parameter::number(
        "heap_mib",
        64,
        1,
        4096,
        "size of a shared heap in MiB; raised to 8 times the largest resource, and limited to the total of the remaining resources",
    ),
];

/// Parameters for loading a scene.
pub const PARAMETERS: &[Parameter] = &ALL;

const ALL: [Parameter; LOAD_PARAMETERS.len() + CHANGES.len() + 1] = {
    let mut all = [API; LOAD_PARAMETERS.len() + CHANGES.len() + 1];
    let mut index = 0;
    while index < LOAD_PARAMETERS.len() + CHANGES.len() {
        let of_loading = index < LOAD_PARAMETERS.len();
        all[index] = if of_loading { LOAD_PARAMETERS[index] } else { CHANGES[index - LOAD_PARAMETERS.len()] };
        index += 1;
    }
    all
};

/// Parameter that selects the API. Direct3D 11 has its own parameters in [`super::drawing`].
pub(super) const API: Parameter =
    Parameter::word("api", &["d3d12", "d3d11"], "load the scene with Direct3D 12, or draw it with Direct3D 11");

/// Size in bytes of the constant buffer of a node or material (d3d12.h:
/// D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT).
const CONSTANT_BYTES: u64 = 256;

/// Names of the phases by number.
const PHASES: [&str; 5] = ["setup", "items", "constants", "textures", "release"];

/// Loads the scene and releases it, with one phase per kind of resource; between loading and releasing, the whole scene
/// is alive. If a call fails, the created objects are released, too.
///
/// # Errors
/// A call failed: the scene exceeds the driver's memory limit.
pub fn run<C: Callers>(scene: &Scene, callers: &C, parameters: &Parameters) -> Result<(), WorkloadError> {
    let mut caller = callers.caller(0);
    let allocator = in_phase(&mut caller, 0, Allocator::set_up)?;
    let rules = HeapRules {
        heap_bytes: parameters.get("heap_mib") << 20,
        falling_alignment: parameters.word("order_in_heaps") == "falling_alignment",
        fitted: parameters.word("tails") == "fitted_heaps",
    };
    let memory = SceneMemory::new(allocator.clone(), rules);
    let mut loading = Loading { scene, parameters, allocator, memory };
    let loaded = loading.load(&mut caller);
    let released = in_phase(&mut caller, 4, |caller| loading.memory.release(caller));
    loaded.and(released)
}

struct Loading<'a> {
    scene: &'a Scene,
    parameters: &'a Parameters,
    allocator: Allocator,
    memory: SceneMemory,
}

impl Loading<'_> {
    fn load<C: Caller>(&mut self, caller: &mut C) -> Result<(), WorkloadError> {
        let (scene, parameters) = (self.scene, self.parameters);
        in_phase(caller, 1, |caller| {
            let items = scene.items(parameters).iter();
            let wanted = items
                .map(|item| (item.name.as_str(), item.used_from.as_deref(), ResourceDesc::buffer(item.size_bytes)));
            let purpose = Purpose { kind: HeapKind::BUFFERS, initial_state: 0, name: "items" };
            let items = self.create(caller, purpose, wanted)?;
            items.into_iter().try_for_each(|item| self.allocator.address(caller, item))
        })?;
        in_phase(caller, 2, |caller| {
            let desc = ResourceDesc::buffer(CONSTANT_BYTES);
            let users = scene.constants_used_from.iter().map(Option::as_deref);
            let wanted = scene.constants.iter().zip(users).map(|(name, user)| (name.as_str(), user, desc));
            let purpose = Purpose { kind: HeapKind::UPLOAD, initial_state: GENERIC_READ, name: "constants" };
            let constants = self.create(caller, purpose, wanted)?;
            constants.into_iter().try_for_each(|constant| self.allocator.address(caller, constant))
        })?;
        in_phase(caller, 3, |caller| {
            let textures = scene.images.iter().filter_map(|image| Some((image, image.texture.ok()?)));
            let wanted = textures.map(|(image, desc)| (image.name.as_str(), image.used_from.as_deref(), desc));
            let purpose = Purpose { kind: HeapKind::TEXTURES, initial_state: 0, name: "textures" };
            self.create(caller, purpose, wanted).map(drop)
        })
    }

    /// Creates a phase's resources, with the changes of the parameters.
    fn create<'n, C: Caller>(
        &mut self,
        caller: &mut C,
        purpose: Purpose,
        wanted: impl Iterator<Item = (&'n str, Option<&'n str>, ResourceDesc)>,
    ) -> Result<Vec<ResourceId>, WorkloadError> {
        let tight = self.parameters.word("tight") == "on";
        let placed = self.parameters.word("memory") == "placed";
        let described = |desc: ResourceDesc| if tight { self.allocator.tight(desc) } else { desc };
        let of =
            |(name, used_from, desc)| Wanted { used_from, ..Wanted::of(Cow::Borrowed(name), described(desc), placed) };
        let wanted = wanted.map(of).collect();
        let wanted = changed(caller, &self.allocator, self.parameters, wanted)?;
        self.memory.create(caller, purpose, &wanted)
    }
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
