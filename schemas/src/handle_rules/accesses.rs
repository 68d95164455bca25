//! Accesses to the memory of the immediate context's handles: ranges read by deferred contexts, and ranges written
//! later.

use crate::d3d11_context_desc::HandleAccess;
use crate::desc::DriverHandle;
use crate::id::D3d11ContextId;
use crate::rules::{Rule, rule};
use std::collections::BTreeMap;
use std::ops::Range;

/// Size of a cache line in bytes.
pub(super) const LINE_BYTES: u64 = 64;

/// Ranges of bytes from the beginning of a handle's memory: begin and end.
type Ranges = Vec<Range<u64>>;

/// Accesses to the memory of one handle of the immediate context.
#[derive(Debug, Default)]
struct Shared {
    /// Ranges read in calls on deferred contexts.
    read: Ranges,
    /// Ranges written in calls on the immediate context, after the handle's creation.
    written: Ranges,
}

/// Accesses by handle of the immediate context.
#[derive(Debug, Default)]
pub(super) struct SharedData(BTreeMap<DriverHandle, Shared>);

fn overlaps(ranges: &Ranges, range: &Range<u64>) -> bool {
    ranges.iter().any(|other| other.start < range.end && range.start < other.end)
}

/// The cache lines that a range touches.
fn lines(range: &Range<u64>, handle: DriverHandle) -> Range<u64> {
    let line = |offset: u64| handle.0.wrapping_add(offset) / LINE_BYTES;
    line(range.start)..line(range.end.max(range.start + 1) - 1) + 1
}

impl SharedData {
    /// Forgets the accesses to a handle's memory, which has new contents.
    pub fn forget(&mut self, handle: DriverHandle) {
        self.0.remove(&handle);
    }

    /// Processes an access to the memory of a handle of the immediate context. Returns the rule that it breaks (H-31 or
    /// H-37): a range read by deferred contexts is not written, and shares no cache line with a written one.
    pub fn access(&mut self, is_deferred: bool, access: &HandleAccess) -> Option<&'static Rule> {
        let handle = access.handle;
        let shared = self.0.entry(handle).or_default();
        let range = access.offset_bytes..access.offset_bytes + u64::from(access.size_bytes);
        let (own, others) = match (is_deferred, access.is_write) {
            (true, false) => (&mut shared.read, &shared.written),
            (false, true) => (&mut shared.written, &shared.read),
            // Reads of the immediate context are harmless, and writes of deferred ones break rule H-38.
            _ => return None,
        };
        if !own.contains(&range) {
            own.push(range.clone());
        }
        let near: Ranges = others.iter().map(|other| lines(other, handle)).collect();
        match (overlaps(others, &range), overlaps(&near, &lines(&range, handle))) {
            (true, _) => Some(rule::H_37),
            (false, true) => Some(rule::H_31),
            _ => None,
        }
    }
}

/// The contexts that touched a cache line of the device's own memory.
#[derive(Debug, Default)]
struct Touched {
    writer: Option<D3d11ContextId>,
    /// Contexts that have read it; two suffice, because one of them is another than any writer.
    readers: Vec<D3d11ContextId>,
}

/// Contexts by cache line of the device's own memory, which all contexts may use.
#[derive(Debug, Default)]
pub(super) struct SharedLines(BTreeMap<u64, Touched>);

impl SharedLines {
    /// Processes an access in a call on a context. Returns true if no other context writes a touched line, nor reads a
    /// written one (rule H-32).
    pub fn access(&mut self, context: D3d11ContextId, access: &HandleAccess) -> bool {
        let end_bytes = access.offset_bytes + u64::from(access.size_bytes);
        let Range { start: first, end } = lines(&(access.offset_bytes..end_bytes), access.handle);
        let mut alone = true;
        for line in first..end.min(first + MAX_LINES) {
            let touched = self.0.entry(line).or_default();
            let is_other = |who: &D3d11ContextId| *who != context;
            alone &= !touched.writer.as_ref().is_some_and(is_other);
            if access.is_write {
                alone &= !touched.readers.iter().any(is_other);
                touched.writer = Some(context);
            } else if touched.readers.len() < 2 && !touched.readers.contains(&context) {
                touched.readers.push(context);
            }
        }
        alone
    }
}

/// Max lines of one access that are checked; bounds the time and memory that one access takes.
const MAX_LINES: u64 = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A handle whose memory does not begin at a cache line.
    const HANDLE: DriverHandle = DriverHandle(0x1000 + 40);

    fn access((is_write, offset_bytes, size_bytes): (bool, u64, u32)) -> HandleAccess {
        HandleAccess { handle: HANDLE, offset_bytes, size_bytes, is_write }
    }

    proptest! {
        /// Reads are a deferred context's, writes the immediate one's; in any order.
        #[test]
        fn h31_h37_bytes_read_by_others_share_no_line_with_written_bytes(
            accesses in prop::collection::vec((any::<bool>(), 0_u64..512, 1_u32..40), 1..12),
        ) {
            let mut shared = SharedData::default();
            let mut found = Vec::new();
            for each in &accesses {
                found.extend(shared.access(!each.0, &access(*each)).map(|rule| rule.id));
            }
            let touched = |write: bool, unit: u64| -> Vec<u64> {
                let of = accesses.iter().filter(|each| each.0 == write);
                of.flat_map(|each| (each.1..each.1 + u64::from(each.2)).map(|at| (HANDLE.0 + at) / unit)).collect()
            };
            let meet = |unit: u64| touched(true, unit).iter().any(|at| touched(false, unit).contains(at));
            prop_assert_eq!(found.contains(&"H-37"), meet(1));
            prop_assert_eq!(!found.is_empty(), meet(LINE_BYTES));
        }
    }

    proptest! {
        /// Checks rule H-32 against a direct evaluation of the accesses to one line.
        #[test]
        fn h32_a_line_written_by_one_context_is_touched_by_no_other(
            touches in prop::collection::vec((0_u64..3, any::<bool>()), 1..12),
        ) {
            let mut lines = SharedLines::default();
            let handle = DriverHandle(0x1000);
            let mut alone = true;
            for (place, (context, is_write)) in touches.iter().enumerate() {
                let access = HandleAccess { handle, offset_bytes: place as u64, size_bytes: 8, is_write: *is_write };
                alone &= lines.access(D3d11ContextId(*context), &access);
            }
            let fight = |a: &(u64, bool), b: &(u64, bool)| a.0 != b.0 && (a.1 || b.1);
            let expected = touches.iter().any(|a| touches.iter().any(|b| fight(a, b)));
            prop_assert_eq!(alone, !expected);
        }
    }

    #[test]
    fn h31_h37_a_recreated_handle_starts_without_accesses() {
        let mut shared = SharedData::default();
        assert_eq!(shared.access(true, &access((false, 0, 8))), None);
        assert_eq!(shared.access(false, &access((true, 8, 8))).map(|rule| rule.id), Some("H-31"));
        shared.forget(HANDLE);
        assert_eq!(shared.access(false, &access((true, 8, 8))), None);
    }
}
