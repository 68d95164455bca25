//! How placements that share memory lie among each other, once their sizes and alignments are others than the recorded ones.

use super::heap_life::HeapPlacement;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// Where the members of a group lie, from the group's first byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GroupLayout {
    /// By member, its offset in bytes.
    pub offsets_bytes: Vec<u64>,
    /// Bytes of the whole group.
    pub size_bytes: u64,
    /// Alignment of the whole group in bytes.
    pub alignment_bytes: u64,
}

impl GroupLayout {
    /// Lays out a group. What lies apart in the recording stays apart and in order; where that would part what overlaps in
    /// the recording, all members begin at the group's first byte.
    pub(super) fn of(members: &[&HeapPlacement]) -> GroupLayout {
        // Most share with nobody.
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

/// Each member at the lowest offset behind all that end before it in the recording; `None` if 64 bits do not hold that.
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
        // What ends before this one begins also began before it, so its offset is known.
        while let Some(before) = ended.next_if(|before| members[*before].recorded.end <= recorded.start) {
            free_from = free_from.max(offsets[before] + members[before].live.size_bytes);
        }
        offsets[member] = free_from.checked_next_multiple_of(live.alignment_bytes.max(1))?;
        offsets[member].checked_add(live.size_bytes.max(1))?;
    }
    Some(offsets)
}

/// Members that overlap in the recording still do.
fn keeps_overlaps(members: &[&HeapPlacement], offsets: &[u64]) -> bool {
    let mut by_begin: Vec<usize> = (0..members.len()).collect();
    by_begin.sort_by_key(|member| members[*member].recorded.start);
    let end = |member: usize| offsets[member] + members[member].live.size_bytes.max(1);
    // The members that reach the present one in the recording: by their end there, and their new begins and ends.
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
