//! Merging of buffers into larger buffers.

use super::memory::Wanted;
use std::borrow::Cow;
use std::collections::BTreeMap;
use taut_schemas::{ResourceDesc, counted};

/// Alignment in bytes of the parts of a buffer, which is valid for every kind of view.
const PART_BYTES: u64 = 256;
/// Maximum size in bytes of a merged buffer, unless a single part is larger.
const MAX_MERGED_BYTES: u64 = 16 << 20;

/// Merges buffers of one phase and cause that have the same flags, grouped by description, in the order in which the
/// descriptions first occur.
pub(super) fn merged(parts: Vec<Wanted<'_>>) -> Vec<Wanted<'_>> {
    let mut descs: Vec<(bool, ResourceDesc, Vec<Wanted<'_>>)> = Vec::new();
    let mut known: BTreeMap<(bool, u64, u32), usize> = BTreeMap::new();
    for part in parts {
        let key = (part.placed, part.desc.width, part.desc.flags.0);
        let at = *known.entry(key).or_insert_with(|| {
            descs.push((part.placed, part.desc, Vec::new()));
            descs.len() - 1
        });
        descs[at].2.push(part);
    }
    let mut open: BTreeMap<(bool, u32), Vec<Wanted<'_>>> = BTreeMap::new();
    for (placed, desc, parts) in descs {
        open.entry((placed, desc.flags.0)).or_default().extend(parts);
    }
    open.into_values().flat_map(pack).collect()
}

/// Packs parts into buffers; each is filled before the next is started.
fn pack(parts: Vec<Wanted<'_>>) -> Vec<Wanted<'_>> {
    let mut full: Vec<Wanted<'_>> = Vec::new();
    let mut parts = parts.into_iter();
    let Some(first) = parts.next() else { return full };
    let mut open = start_buffer(first);
    for part in parts {
        let part = start_buffer(part);
        let together = open.desc.width.saturating_add(part.desc.width);
        if together > MAX_MERGED_BYTES {
            full.push(std::mem::replace(&mut open, part));
            continue;
        }
        open.desc.width = together;
        open.parts += part.parts;
    }
    full.push(open);
    for buffer in full.iter_mut().filter(|buffer| buffer.parts > 1) {
        buffer.name = Cow::Owned(format!("{} and {}", buffer.name, counted(buffer.parts - 1, "other")));
    }
    full
}

fn start_buffer(part: Wanted<'_>) -> Wanted<'_> {
    let width = part.desc.width.max(1).checked_next_multiple_of(PART_BYTES).unwrap_or(part.desc.width);
    Wanted { desc: ResourceDesc { width, ..part.desc }, ..part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_part_has_its_space_and_no_merged_buffer_exceeds_the_maximum(
            widths in prop::collection::vec(1_u64..12 << 20, 0..40),
        ) {
            let part = |width: &u64| Wanted::of("part".into(), ResourceDesc::buffer(*width), true);
            let buffers = merged(widths.iter().map(part).collect());
            prop_assert_eq!(buffers.iter().map(|buffer| buffer.parts).sum::<u64>(), widths.len() as u64);
            let room: u64 = widths.iter().map(|width| width.next_multiple_of(PART_BYTES)).sum();
            prop_assert_eq!(buffers.iter().map(|buffer| buffer.desc.width).sum::<u64>(), room);
            prop_assert!(buffers.iter().all(|buffer| buffer.desc.width <= MAX_MERGED_BYTES || buffer.parts == 1));
        }
    }
}
