//! Changes that the alignment report suggests, applied by the program that loads a scene. Parameters are named after
//! the causes in the report, their values after the changes there.

use super::memory::Wanted;
use crate::bundled::allocator::Allocator;
use crate::bundled::{Parameter, Parameters, WorkloadError};
use std::collections::BTreeMap;
use taut_capture::Caller;
use taut_schemas::{AllocationInfo, MipRegion, ResourceDesc, RoundingCause, requested_bytes};

/// Upper bound of the page size of implicit heaps, in bytes. Page sizes divide it, so a size that is a multiple of it
/// fills all its pages.
const PAGES_BYTES: u64 = 64 << 10;
/// D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT.
const SMALL_ALIGNMENT_BYTES: u64 = 4 << 10;

// Changes of buffers and of textures, by their names in the alignment report.
const BUFFER_CHANGES: &[&str] = &["as_is", "tight", "placed_tight", "one_buffer"];
const TEXTURE_CHANGES: &[&str] = &["as_is", "tight", "alignment_4_kib", "placed_tight"];

/// Parameters for the changes of heaps.
const HEAP_CHANGES: [&str; 2] = ["order_in_heaps", "tails"];

/// Parameters for the changes, by cause.
pub(super) const CHANGES: [Parameter; 10] = [
    Parameter::word(
        "buffers_below_256_b",
        BUFFER_CHANGES,
        "change for buffers below 256 B, with the value that the alignment report names",
    ),
    Parameter::word("buffers_below_4_kib", BUFFER_CHANGES, "change for buffers from 256 B to 4 KiB"),
    Parameter::word("buffers_below_64_kib", BUFFER_CHANGES, "change for buffers from 4 KiB to 64 KiB"),
    Parameter::word("larger_buffers", BUFFER_CHANGES, "change for buffers from 64 KiB"),
    Parameter::word("small_textures", TEXTURE_CHANGES, "change for textures below 64 KiB"),
    Parameter::word(
        "textures_below_their_tiles",
        TEXTURE_CHANGES,
        "change for textures that occupy at least twice their texel data",
    ),
    Parameter::word("texture_layout", TEXTURE_CHANGES, "change for all other textures"),
    Parameter::word(
        "committed_granularity",
        &["as_is", "placed", "placed_tight"],
        "change for committed resources whose implicit heaps are larger than the resources; needs memory=committed",
    ),
    Parameter::word("order_in_heaps", &["as_is", "falling_alignment"], "order of the resources in a heap"),
    Parameter::word("tails", &["as_is", "fitted_heaps"], "change for the unused ends of heaps"),
];

/// Checks that the parameters have an effect together.
///
/// # Errors
/// A change of committed resources is set, but every resource is placed; or a change of heaps, but every resource is
/// committed.
pub fn check_changes(parameters: &Parameters) -> Result<(), WorkloadError> {
    let is_set = |name: &str| parameters.word(name) != "as_is";
    let places = |change: &Parameter| parameters.word(change.name).starts_with("placed");
    let (committed, placed) = ("memory=committed", "memory=placed");
    let (name, with, reason, needs) = match parameters.word("memory") {
        "placed" if is_set("committed_granularity") => {
            ("committed_granularity", placed, "no resource is committed", committed)
        }
        "committed" if !CHANGES.iter().any(places) => match HEAP_CHANGES.iter().find(|name| is_set(name)) {
            Some(name) => (*name, committed, "no resource is placed in a heap", placed),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    Err(WorkloadError::ParameterWithoutEffect { name, value: parameters.word(name), with, reason, needs })
}

/// Returns the cause for which a resource's size exceeds its requested bytes, if it does.
fn cause_of_rounding(desc: &ResourceDesc, info: AllocationInfo) -> Option<&'static str> {
    let requested_bytes = requested_bytes(desc, MipRegion::default()).unwrap_or(info.size_bytes);
    let is_more = requested_bytes != info.size_bytes;
    is_more.then(|| RoundingCause::new(desc, requested_bytes, info.size_bytes).name())
}

/// Resource with the changes applied so far, and its allocation info.
#[derive(Debug, Clone, Copy)]
struct ChangedResource {
    desc: ResourceDesc,
    placed: bool,
    info: AllocationInfo,
}

/// Applies the parameters' changes to a phase's resources. The driver is not queried if no parameter is set.
///
/// # Errors
/// The driver rejects a resource as the scene has it.
pub(super) fn changed<'a, C: Caller>(
    caller: &mut C,
    allocator: &Allocator,
    parameters: &Parameters,
    wanted: Vec<Wanted<'a>>,
) -> Result<Vec<Wanted<'a>>, WorkloadError> {
    let of_resources = CHANGES.iter().filter(|change| !HEAP_CHANGES.contains(&change.name));
    if of_resources.into_iter().all(|change| parameters.word(change.name) == "as_is") {
        return Ok(wanted);
    }
    let mut unmerged = Vec::with_capacity(wanted.len());
    let mut parts: BTreeMap<&str, Vec<Wanted<'_>>> = BTreeMap::new();
    for one in wanted {
        let info = allocator.info(caller, one.desc)?;
        let cause = cause_of_rounding(&one.desc, info).unwrap_or_default();
        let rounding = parameters.word(cause);
        let is_granular = !one.placed && info.size_bytes % PAGES_BYTES != 0;
        let granularity = if is_granular { parameters.word("committed_granularity") } else { "as_is" };
        let mut changed_resource = ChangedResource { desc: one.desc, placed: one.placed, info };
        changed_resource = changed_resource.changed(caller, allocator, rounding);
        changed_resource = changed_resource.changed(caller, allocator, granularity);
        let one = Wanted { desc: changed_resource.desc, placed: changed_resource.placed, ..one };
        if rounding == "one_buffer" { parts.entry(cause).or_default().push(one) } else { unmerged.push(one) }
    }
    unmerged.extend(parts.into_values().flat_map(super::merged::merged));
    Ok(unmerged)
}

impl ChangedResource {
    /// Applies a change if the driver accepts the result and it saves memory.
    fn changed<C: Caller>(self, caller: &mut C, allocator: &Allocator, change: &str) -> ChangedResource {
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
        // Placing a committed resource saves the rest of its implicit heap's last page.
        let spares_page = placed && !self.placed && info.size_bytes % PAGES_BYTES != 0;
        if spares_page || info.size_bytes < self.info.size_bytes {
            ChangedResource { desc, placed, info }
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_committed_or_placed_resources_needs_such_resources() {
        let checked = |sets: &[(&str, &str)]| {
            let values = sets.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let parameters = Parameters::new(crate::scene::PARAMETERS, values.collect()).expect("valid parameters");
            check_changes(&parameters).map_err(|error| error.to_string())
        };
        assert_eq!(checked(&[]), Ok(()));
        assert_eq!(checked(&[("committed_granularity", "placed"), ("memory", "committed")]), Ok(()));
        let refused = "parameter committed_granularity=placed has no effect with memory=placed: no resource is committed; set \
                       memory=committed too";
        assert_eq!(checked(&[("committed_granularity", "placed")]), Err(refused.to_owned()));
        let heaps =
            |more: &[(&str, &str)]| checked(&[&[("tails", "fitted_heaps"), ("memory", "committed")], more].concat());
        assert_eq!(
            (heaps(&[("small_textures", "placed_tight")]), checked(&[("tails", "fitted_heaps")])),
            (Ok(()), Ok(()))
        );
        let refused = "parameter tails=fitted_heaps has no effect with memory=committed: no resource is placed in a heap; set \
                       memory=placed too";
        assert_eq!(heaps(&[]), Err(refused.to_owned()));
    }
}
