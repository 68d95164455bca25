//! Layout of placements that share memory, after their sizes and alignments have changed.

use super::heap_lifetime::HeapPlacement;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Layout of the members of a group, relative to the group's first byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GroupLayout {
    /// Offset in bytes by member.
    pub offsets_bytes: Vec<u64>,
    pub size_bytes: u64,
    pub alignment_bytes: u64,
}

impl GroupLayout {
    /// Lays out a group. Placements that are disjoint in the recording stay disjoint and in order; if that would
    /// separate placements that overlap in the recording, all members begin at the group's first byte.
    pub(super) fn new(members: &[&HeapPlacement]) -> GroupLayout {
        // Most placements share memory with no other.
        if let [HeapPlacement { live, .. }] = members {
            let alignment_bytes = live.alignment_bytes.max(1);
            return GroupLayout { offsets_bytes: vec![0], size_bytes: live.size_bytes.max(1), alignment_bytes };
        }
        let apart = offsets_apart(members).filter(|offsets| keeps_overlaps(members, offsets));
        let offsets_bytes = apart.unwrap_or_else(|| vec![0; members.len()]);
        let ends = members.iter().zip(&offsets_bytes).map(|(member, offset)| offset + member.live.size_bytes.max(1));
        let size_bytes = ends.max().unwrap_or(0);
        let alignment_bytes = members.iter().map(|member| member.live.alignment_bytes.max(1)).max().unwrap_or(1);
        GroupLayout { offsets_bytes, size_bytes, alignment_bytes }
    }
}

/// Returns for each member the lowest offset after all members that end before it in the recording; `None` if the
/// offsets overflow 64 bits.
fn offsets_apart(members: &[&HeapPlacement]) -> Option<Vec<u64>> {
    let mut by_begin: Vec<usize> = (0..members.len()).collect();
    by_begin.sort_by_key(|member| members[*member].recorded.start);
    let mut by_end: Vec<usize> = (0..members.len()).collect();
    by_end.sort_by_key(|member| members[*member].recorded.end);
    let mut ended = by_end.into_iter().peekable();
    let mut offsets = vec![0_u64; members.len()];
    let mut free_from = 0;
    for member in by_begin {
        let HeapPlacement { recorded, live, .. } = members[member];
        // A member that ends before this one begins has also begun before it, so its offset is known.
        while let Some(before) = ended.next_if(|before| members[*before].recorded.end <= recorded.start) {
            free_from = free_from.max(offsets[before] + members[before].live.size_bytes);
        }
        offsets[member] = free_from.checked_next_multiple_of(live.alignment_bytes.max(1))?;
        offsets[member].checked_add(live.size_bytes.max(1))?;
    }
    Some(offsets)
}

/// True if members that overlap in the recording overlap at these offsets.
fn keeps_overlaps(members: &[&HeapPlacement], offsets: &[u64]) -> bool {
    let mut by_begin: Vec<usize> = (0..members.len()).collect();
    by_begin.sort_by_key(|member| members[*member].recorded.start);
    let end = |member: usize| offsets[member] + members[member].live.size_bytes.max(1);
    // Members that overlap the current one in the recording: their recorded end, and their new begins and ends.
    let mut open = BinaryHeap::new();
    let (mut begins, mut ends) = (BTreeSet::new(), BTreeSet::new());
    for member in by_begin {
        let begin = members[member].recorded.start;
        while let Some(Reverse((recorded_end, over))) = open.peek().copied()
            && recorded_end <= begin
        {
            open.pop();
            begins.remove(&(offsets[over], over));
            ends.remove(&(end(over), over));
        }
        let latest_begin = begins.last().map_or(0, |(begin, _)| *begin);
        let earliest_end = ends.first().map_or(u64::MAX, |(end, _)| *end);
        if offsets[member] >= earliest_end || latest_begin >= end(member) {
            return false;
        }
        open.push(Reverse((members[member].recorded.end, member)));
        begins.insert((offsets[member], member));
        ends.insert((end(member), member));
    }
    true
}
