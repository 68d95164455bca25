//! Groups of resources with the same memory-related properties, so that each group is queried once.

use super::change::{Change, Creation};
use super::in_heaps::HEAP_STEP_BYTES;
use crate::memory::{Resource, ResourceIndex, World, round_up};
use foldhash::{HashMap, HashMapExt};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, Field, HeapType, ResourceDesc, ResourceSizes};

/// Granularity of the parts of a joined buffer. Every view of a buffer accepts offsets that are multiples of it.
const PART_BYTES: u64 = 256;
/// Size limit of joined buffers, unless a single buffer is larger.
const JOINED_BYTES: u64 = 16 << 20;

/// Group key: the common properties of the resources of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GroupKey {
    desc_number: u32,
    placed: bool,
    adapter: AdapterId,
    heap_type: HeapType,
    allocated_bytes: u64,
    in_use_bytes: u64,
}

/// A group's first resource and its number of resources.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResourceGroup {
    pub first: ResourceIndex,
    pub count: u64,
}

/// Groups by key. The map is ordered for deterministic results.
pub(super) type ResourceGroups = BTreeMap<GroupKey, ResourceGroup>;

impl GroupKey {
    /// The key of a resource in a heap of the given type; `None` if the resource has no memory.
    pub fn of(resource: &Resource, heap_type: HeapType) -> Option<GroupKey> {
        Some(GroupKey {
            desc_number: resource.desc_number,
            placed: Creation::of(resource)?.placed,
            adapter: resource.id.adapter().unwrap_or(AdapterId::FIRST),
            heap_type,
            allocated_bytes: resource.allocation?.size_bytes,
            in_use_bytes: resource.in_use_bytes(),
        })
    }
}

/// Current creation parameters and sizes of groups that earlier changes have altered; `None` for groups that became
/// parts of a joined buffer.
pub(super) type ChangedGroups = HashMap<GroupKey, Option<(Creation, u64)>>;

/// Saving of a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Saving {
    /// Number of resources changed.
    pub count: u64,
    pub bytes: u128,
    /// Part of the saving that is reclaimed: memory of implicit heaps, as opposed to memory that becomes free in
    /// explicit heaps.
    pub reclaimed_bytes: u128,
}

/// Applies a change to all groups that become smaller by it.
pub(super) fn apply_change(
    change: Change,
    world: &World,
    all: &ResourceGroups,
    sizes: &dyn ResourceSizes,
    changed_groups: &mut ChangedGroups,
) -> Saving {
    if change == Change::OneBuffer {
        return joined(world, all, sizes, changed_groups);
    }
    let mut saving = Saving::default();
    // Bytes that move from implicit into shared heaps.
    let mut moved_bytes: BTreeMap<(AdapterId, HeapType), u64> = BTreeMap::new();
    for (group_key, group) in all {
        let Some((creation, in_use_bytes)) = present(world, group_key, group, changed_groups) else { continue };
        let changed = change.apply(creation);
        let answer = changed.and_then(|changed| Some((changed, size_bytes(sizes, group_key.adapter, changed)?)));
        let Some((changed, size_bytes)) = answer.filter(|(_, size_bytes)| *size_bytes < in_use_bytes) else { continue };
        saving.add(group.count, u128::from(in_use_bytes - size_bytes), !creation.placed);
        if changed.placed && !creation.placed {
            let moved = moved_bytes.entry((group_key.adapter, group_key.heap_type)).or_default();
            *moved = moved.saturating_add(size_bytes.saturating_mul(group.count));
        }
        changed_groups.insert(*group_key, Some((changed, size_bytes)));
    }
    let tails = moved_bytes.into_values().map(|bytes| u128::from(round_up(bytes, HEAP_STEP_BYTES) - bytes));
    saving.reclaimed_bytes = saving.reclaimed_bytes.saturating_sub(tails.sum());
    saving
}

fn present(
    world: &World,
    group_key: &GroupKey,
    group: &ResourceGroup,
    changed_groups: &ChangedGroups,
) -> Option<(Creation, u64)> {
    match changed_groups.get(group_key) {
        Some(present) => *present,
        None => Some((Creation::of(world.resource(group.first))?, group_key.in_use_bytes)),
    }
}

fn size_bytes(sizes: &dyn ResourceSizes, adapter: AdapterId, Creation { placed, desc }: Creation) -> Option<u64> {
    let answer = if placed { sizes.placed(adapter, &desc) } else { sizes.committed(adapter, &desc) };
    Some(answer?.size_bytes)
}

impl Saving {
    fn add(&mut self, count: u64, each_bytes: u128, is_reclaimed: bool) {
        let bytes = u128::from(count) * each_bytes;
        self.count += count;
        self.bytes += bytes;
        self.reclaimed_bytes += if is_reclaimed { bytes } else { 0 };
    }
}

/// Buffers that can become parts of one buffer.
#[derive(Default)]
struct Joinable {
    group_keys: Vec<GroupKey>,
    count: u64,
    in_use_bytes: u128,
    joined_bytes: u128,
    /// Size of the joined buffer that is being filled.
    open_bytes: u64,
    /// True if a joined buffer of the required size is not possible.
    refused: bool,
}

/// Joins buffers of the same heap type and flags, in the order of their descriptions.
fn joined(
    world: &World,
    all: &ResourceGroups,
    sizes: &dyn ResourceSizes,
    changed_groups: &mut ChangedGroups,
) -> Saving {
    let mut joinables: BTreeMap<(AdapterId, bool, HeapType, u32), (Creation, Joinable)> = BTreeMap::new();
    for (group_key, group) in all {
        let Some((creation, in_use_bytes)) = present(world, group_key, group, changed_groups) else { continue };
        let key = (group_key.adapter, creation.placed, group_key.heap_type, creation.desc.flags.0);
        let (first, joinable) = joinables.entry(key).or_insert_with(|| (creation, Joinable::default()));
        joinable.group_keys.push(*group_key);
        joinable.in_use_bytes += u128::from(in_use_bytes) * u128::from(group.count);
        joinable.count += group.count;
        let query_size = |bytes: u64| buffer_bytes(sizes, group_key.adapter, *first, bytes);
        joinable.add(round_up(creation.desc.width.max(1), PART_BYTES), group.count, &query_size);
    }
    let mut saving = Saving::default();
    for ((adapter, ..), (first, mut joinable)) in joinables {
        joinable.close(&|bytes| buffer_bytes(sizes, adapter, first, bytes));
        if joinable.refused || joinable.joined_bytes >= joinable.in_use_bytes {
            continue;
        }
        let bytes = joinable.in_use_bytes - joinable.joined_bytes;
        saving.count += joinable.count;
        saving.bytes += bytes;
        saving.reclaimed_bytes += if first.placed { 0 } else { bytes };
        changed_groups.extend(joinable.group_keys.into_iter().map(|group_key| (group_key, None)));
    }
    saving
}

fn buffer_bytes(sizes: &dyn ResourceSizes, adapter: AdapterId, first: Creation, width: u64) -> Option<u64> {
    size_bytes(sizes, adapter, Creation { desc: ResourceDesc { width, ..first.desc }, ..first })
}

impl Joinable {
    fn add(&mut self, part_bytes: u64, mut count: u64, query_size: &dyn Fn(u64) -> Option<u64>) {
        while count > 0 {
            let fits = JOINED_BYTES.saturating_sub(self.open_bytes) / part_bytes;
            if fits == 0 && self.open_bytes > 0 {
                self.close(query_size);
                continue;
            }
            let parts = fits.clamp(1, count);
            self.open_bytes = self.open_bytes.saturating_add(part_bytes.saturating_mul(parts));
            count -= parts;
        }
    }

    fn close(&mut self, query_size: &dyn Fn(u64) -> Option<u64>) {
        if self.open_bytes == 0 {
            return;
        }
        match query_size(std::mem::take(&mut self.open_bytes)) {
            Some(bytes) => self.joined_bytes += u128::from(bytes),
            None => self.refused = true,
        }
    }
}

/// Adds a resource to its group.
pub(super) fn add(all: &mut ResourceGroups, group_key: GroupKey, index: ResourceIndex) {
    all.entry(group_key).or_insert(ResourceGroup { first: index, count: 0 }).count += 1;
}

/// The initial state, without changes.
pub(super) fn unchanged() -> ChangedGroups {
    ChangedGroups::new()
}
