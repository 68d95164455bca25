//! Resources that are alike in all that memory is a matter of, told as one with their number.

use super::change::{Change, Creation};
use crate::world::{Resource, ResourceIndex, World, round_up};
use foldhash::{HashMap, HashMapExt};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, Field, HeapType, ResourceDesc, ResourceSizes};

/// Where the parts of one buffer begin: at multiples of this, which every view of a buffer takes.
const PART_BYTES: u64 = 256;
/// Buffers that are made of several grow no larger than this, unless one alone is.
const JOINED_BYTES: u64 = 16 << 20;

/// What resources that are alike have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Likeness {
    desc_number: u32,
    placed: bool,
    adapter: AdapterId,
    heap_type: HeapType,
    allocated_bytes: u64,
    taken_bytes: u64,
}

/// How many are alike, and the first of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Alike {
    pub first: ResourceIndex,
    pub count: u64,
}

/// Resources by their likeness, always in the same order.
pub(super) type AllAlike = BTreeMap<Likeness, Alike>;

impl Likeness {
    /// That of a resource in a heap of a type; none if it has no memory.
    pub fn of(resource: &Resource, heap_type: HeapType) -> Option<Likeness> {
        Some(Likeness {
            desc_number: resource.desc_number,
            placed: Creation::of(resource)?.placed,
            adapter: resource.id.adapter().unwrap_or(AdapterId::FIRST),
            heap_type,
            allocated_bytes: resource.allocation?.size_bytes,
            taken_bytes: resource.taken_bytes(),
        })
    }
}

/// What resources have become by the changes made so far: what they are created as, and what they take. None where they
/// are parts of another one.
pub(super) type Become = HashMap<Likeness, Option<(Creation, u64)>>;

/// What a change saves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Saving {
    /// Resources that it changes.
    pub count: u64,
    pub bytes: u128,
    /// What of that is no longer held: it was no part of a heap that stays.
    pub given_back_bytes: u128,
}

/// Makes a change of all that save by it.
pub(super) fn make(
    change: Change,
    world: &World,
    all: &AllAlike,
    sizes: &dyn ResourceSizes,
    become_: &mut Become,
) -> Saving {
    if change == Change::OneBuffer {
        return joined(world, all, sizes, become_);
    }
    let mut saving = Saving::default();
    for (likeness, alike) in all {
        let Some((creation, taken_bytes)) = present(world, likeness, alike, become_) else { continue };
        let changed = change.apply(creation);
        let answer = changed.and_then(|changed| Some((changed, size_bytes(sizes, likeness.adapter, changed)?)));
        let Some((changed, size_bytes)) = answer.filter(|(_, size_bytes)| *size_bytes < taken_bytes) else { continue };
        saving.add(alike.count, u128::from(taken_bytes - size_bytes), !creation.placed);
        become_.insert(*likeness, Some((changed, size_bytes)));
    }
    saving
}

fn present(world: &World, likeness: &Likeness, alike: &Alike, become_: &Become) -> Option<(Creation, u64)> {
    match become_.get(likeness) {
        Some(present) => *present,
        None => Some((Creation::of(world.resource(alike.first))?, likeness.taken_bytes)),
    }
}

fn size_bytes(sizes: &dyn ResourceSizes, adapter: AdapterId, Creation { placed, desc }: Creation) -> Option<u64> {
    let answer = if placed { sizes.placed(adapter, &desc) } else { sizes.committed(adapter, &desc) };
    Some(answer?.size_bytes)
}

impl Saving {
    fn add(&mut self, count: u64, each_bytes: u128, given_back: bool) {
        let bytes = u128::from(count) * each_bytes;
        self.count += count;
        self.bytes += bytes;
        self.given_back_bytes += if given_back { bytes } else { 0 };
    }
}

/// Buffers that can be parts of one.
#[derive(Default)]
struct Joinable {
    likenesses: Vec<Likeness>,
    count: u64,
    taken_bytes: u128,
    joined_bytes: u128,
    /// Bytes of the buffer that the next ones become part of.
    open_bytes: u64,
    /// A size of which no buffer can be.
    refused: bool,
}

/// Makes buffers of one heap type and flags parts of larger ones, in the order of their descriptions.
fn joined(world: &World, all: &AllAlike, sizes: &dyn ResourceSizes, become_: &mut Become) -> Saving {
    let mut joinables: BTreeMap<(AdapterId, bool, HeapType, u32), (Creation, Joinable)> = BTreeMap::new();
    for (likeness, alike) in all {
        let Some((creation, taken_bytes)) = present(world, likeness, alike, become_) else { continue };
        let key = (likeness.adapter, creation.placed, likeness.heap_type, creation.desc.flags.0);
        let (first, joinable) = joinables.entry(key).or_insert_with(|| (creation, Joinable::default()));
        joinable.likenesses.push(*likeness);
        joinable.taken_bytes += u128::from(taken_bytes) * u128::from(alike.count);
        joinable.count += alike.count;
        let ask = |bytes: u64| buffer_bytes(sizes, likeness.adapter, *first, bytes);
        joinable.add(round_up(creation.desc.width.max(1), PART_BYTES), alike.count, &ask);
    }
    let mut saving = Saving::default();
    for ((adapter, ..), (first, mut joinable)) in joinables {
        joinable.close(&|bytes| buffer_bytes(sizes, adapter, first, bytes));
        if joinable.refused || joinable.joined_bytes >= joinable.taken_bytes {
            continue;
        }
        let bytes = joinable.taken_bytes - joinable.joined_bytes;
        saving.count += joinable.count;
        saving.bytes += bytes;
        saving.given_back_bytes += if first.placed { 0 } else { bytes };
        become_.extend(joinable.likenesses.into_iter().map(|likeness| (likeness, None)));
    }
    saving
}

fn buffer_bytes(sizes: &dyn ResourceSizes, adapter: AdapterId, first: Creation, width: u64) -> Option<u64> {
    size_bytes(sizes, adapter, Creation { desc: ResourceDesc { width, ..first.desc }, ..first })
}

impl Joinable {
    fn add(&mut self, part_bytes: u64, mut count: u64, ask: &dyn Fn(u64) -> Option<u64>) {
        while count > 0 {
            let fits = JOINED_BYTES.saturating_sub(self.open_bytes) / part_bytes;
            if fits == 0 && self.open_bytes > 0 {
                self.close(ask);
                continue;
            }
            let parts = fits.clamp(1, count);
            self.open_bytes = self.open_bytes.saturating_add(part_bytes.saturating_mul(parts));
            count -= parts;
        }
    }

    fn close(&mut self, ask: &dyn Fn(u64) -> Option<u64>) {
        if self.open_bytes == 0 {
            return;
        }
        match ask(std::mem::take(&mut self.open_bytes)) {
            Some(bytes) => self.joined_bytes += u128::from(bytes),
            None => self.refused = true,
        }
    }
}

/// Puts a resource among those that it is like.
pub(super) fn add(all: &mut AllAlike, likeness: Likeness, index: ResourceIndex) {
    all.entry(likeness).or_insert(Alike { first: index, count: 0 }).count += 1;
}

/// Nothing changed yet.
pub(super) fn unchanged() -> Become {
    Become::new()
}
