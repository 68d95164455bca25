//! What the alignment report asks for, done by the program that loads a scene: a parameter for each cause of waste that a scene
//! can have, called what the report's `causes` call it, and the changes by their names there.

use super::memory::Wanted;
use crate::caller::Caller;
use crate::workloads::allocator::Allocator;
use crate::workloads::{Parameter, Parameters, WorkloadError};
use std::collections::BTreeMap;
use taut_schemas::{AllocationInfo, MipRegion, ResourceDesc, RoundingCause, requested_bytes};

/// Implicit heaps come in pages that divide this.
const PAGES_BYTES: u64 = 64 << 10;
/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT.
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;

const OF_BUFFERS: &[&str] = &["as_is", "tight", "placed_tight", "one_buffer"];
const OF_TEXTURES: &[&str] = &["as_is", "tight", "alignment_4_kib", "placed_tight"];

/// The changes of resources, by cause.
pub(super) const CHANGES: [Parameter; 10] = [
    Parameter::word("buffers_below_256_b", OF_BUFFERS, "what to change about them, as the alignment report asks"),
    Parameter::word("buffers_below_4_kib", OF_BUFFERS, "the same of those from 256 B"),
    Parameter::word("buffers_below_64_kib", OF_BUFFERS, "the same of those from 4 KiB"),
    Parameter::word("larger_buffers", OF_BUFFERS, "the same of those from 64 KiB"),
    Parameter::word("small_textures", OF_TEXTURES, "the same of textures below 64 KiB"),
    Parameter::word(
        "textures_below_their_tiles",
        OF_TEXTURES,
        "the same of those that take at least twice their texels",
    ),
    Parameter::word("texture_layout", OF_TEXTURES, "the same of other textures"),
    Parameter::word(
        "committed_granularity",
        &["as_is", "placed", "placed_tight"],
        "the same of committed resources whose implicit heaps are larger than they",
    ),
    Parameter::word("order_in_heaps", &["as_is", "falling_alignment"], "the same of the order of resources in a heap"),
    Parameter::word("tails", &["as_is", "fitted_heaps"], "the same of the ends of heaps"),
];

/// The cause for which a resource's size is more than it asks for, if it is.
fn cause_of_rounding(desc: &ResourceDesc, info: AllocationInfo) -> Option<&'static str> {
    let requested_bytes = requested_bytes(desc, MipRegion::default()).unwrap_or(info.size_bytes);
    let is_more = requested_bytes != info.size_bytes;
    is_more.then(|| RoundingCause::of(desc, requested_bytes, info.size_bytes).name())
}

/// A resource as it is to be, and what the driver says of it.
#[derive(Debug, Clone, Copy)]
struct Present {
    desc: ResourceDesc,
    placed: bool,
    info: AllocationInfo,
}

/// Changes a phase's resources as the parameters say. Nothing is asked of the driver where they say nothing.
///
/// # Errors
/// The driver refuses a resource as the scene has it.
pub(super) fn changed<'a, C: Caller>(
    caller: &mut C,
    allocator: &Allocator,
    parameters: &Parameters,
    wanted: Vec<Wanted<'a>>,
) -> Result<Vec<Wanted<'a>>, WorkloadError> {
    let heaps_alone = ["order_in_heaps", "tails"];
    let of_resources = CHANGES.iter().filter(|change| !heaps_alone.contains(&change.name));
    if of_resources.into_iter().all(|change| parameters.word(change.name) == "as_is") {
        return Ok(wanted);
    }
    let mut kept = Vec::with_capacity(wanted.len());
    let mut parts: BTreeMap<&str, Vec<Wanted<'_>>> = BTreeMap::new();
    for one in wanted {
        let info = allocator.info(caller, one.desc)?;
        let cause = cause_of_rounding(&one.desc, info).unwrap_or_default();
        let rounding = parameters.word(cause);
        let is_granular = !one.placed && info.size_bytes % PAGES_BYTES != 0;
        let granularity = if is_granular { parameters.word("committed_granularity") } else { "as_is" };
        let mut present = Present { desc: one.desc, placed: one.placed, info };
        present = present.changed(caller, allocator, rounding);
        present = present.changed(caller, allocator, granularity);
        let one = Wanted { desc: present.desc, placed: present.placed, ..one };
        if rounding == "one_buffer" { parts.entry(cause).or_default().push(one) } else { kept.push(one) }
    }
    kept.extend(parts.into_values().flat_map(super::joined::joined));
    Ok(kept)
}

impl Present {
    /// What a change makes of it, if the driver takes that and it is less.
    fn changed<C: Caller>(self, caller: &mut C, allocator: &Allocator, change: &str) -> Present {
        let tight = allocator.tight(self.desc);
        let (desc, placed) = match change {
            "tight" => (tight, self.placed),
            "placed_tight" => (tight, true),
            "placed" => (self.desc, true),
            "alignment_4_kib" => (ResourceDesc { alignment_bytes: SMALL_ALIGNMENT_BYTES, ..self.desc }, self.placed),
            _ => return self,
        };
        let info = if desc == self.desc { Some(self.info) } else { allocator.accepted(caller, desc) };
        let Some(info) = info else { return self };
        // Whoever is placed is spared the rest of a page.
        let spares_page = placed && !self.placed && info.size_bytes % PAGES_BYTES != 0;
        if spares_page || info.size_bytes < self.info.size_bytes { Present { desc, placed, info } } else { self }
    }
}
