//! Which bytes behind the immediate context's handles deferred contexts read, and which are written once they are there.

use crate::d3d11_context_desc::HandleAccess;
use crate::desc::DriverHandle;
use crate::id::D3d11ContextId;
use crate::rules::{Rule, rule};
use std::collections::BTreeMap;

/// Bytes of a cache line.
pub(super) const LINE_BYTES: u64 = 64;

/// Ranges of bytes from the beginning of a handle's memory: first and end.
type Ranges = Vec<(u64, u64)>;

/// What was done to the memory of one handle of the immediate context.
#[derive(Debug, Default)]
struct Shared {
    /// Read in calls on deferred contexts.
    read: Ranges,
    /// Written in calls on the immediate one, after its creation.
    written: Ranges,
}

/// The memory of the immediate context's handles.
#[derive(Debug, Default)]
pub(super) struct SharedData(BTreeMap<DriverHandle, Shared>);

fn overlaps(ranges: &Ranges, (first, end): (u64, u64)) -> bool {
    ranges.iter().any(|range| range.0 < end && first < range.1)
}

/// The lines that a range touches.
fn lines((first, end): (u64, u64), handle: DriverHandle) -> (u64, u64) {
    let line = |offset: u64| handle.0.wrapping_add(offset) / LINE_BYTES;
    (line(first), line(end.max(first + 1) - 1) + 1)
}

impl SharedData {
    /// A handle's memory holds something else from now on.
    pub fn forget(&mut self, handle: DriverHandle) {
        self.0.remove(&handle);
    }

    /// An access to the memory of a handle of the immediate context. Gives the rule that it breaks (H-31 or H-37): what
    /// deferred contexts read is not written, nor does it share a line with what is.
    pub fn access(&mut self, is_deferred: bool, access: &HandleAccess) -> Option<&'static Rule> {
        let handle = access.handle;
        let shared = self.0.entry(handle).or_default();
        let range = (access.offset_bytes, access.offset_bytes + u64::from(access.size_bytes));
        let (own, others) = match (is_deferred, access.is_write) {
            (true, false) => (&mut shared.read, &shared.written),
            (false, true) => (&mut shared.written, &shared.read),
            _ => return None,
        };
        if !own.contains(&range) {
            own.push(range);
        }
        let near: Ranges = others.iter().map(|other| lines(*other, handle)).collect();
        match (overlaps(others, range), overlaps(&near, lines(range, handle))) {
            (true, _) => Some(rule::H_37),
            (false, true) => Some(rule::H_31),
            _ => None,
        }
    }
}

/// Who touched a line of the device's own memory.
#[derive(Debug, Default)]
struct Touched {
    writer: Option<D3d11ContextId>,
    /// Contexts that have read it; two are as many as need be told apart.
    readers: Vec<D3d11ContextId>,
}

/// The lines of the device's own memory, which every context's calls may use.
#[derive(Debug, Default)]
pub(super) struct SharedLines(BTreeMap<u64, Touched>);

impl SharedLines {
    /// An access in a call on a context. Whether nobody else writes what it touches, nor reads what it writes (rule H-32).
    pub fn access(&mut self, context: D3d11ContextId, access: &HandleAccess) -> bool {
        let (first, end) =
            lines((access.offset_bytes, access.offset_bytes + u64::from(access.size_bytes)), access.handle);
        let mut alone = true;
        for line in first..end.min(first + MOST_LINES) {
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

/// Lines of one access that are looked at.
const MOST_LINES: u64 = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A handle whose memory does not begin with a line.
    const HANDLE: DriverHandle = DriverHandle(0x1000 + 40);

    fn access((is_write, offset_bytes, size_bytes): (bool, u64, u32)) -> HandleAccess {
        HandleAccess { handle: HANDLE, offset_bytes, size_bytes, is_write }
    }

    proptest! {
        /// Reads are a deferred context's, writes the immediate one's; they come in any order.
        #[test]
        fn h31_h37_what_is_read_elsewhere_is_not_written_nor_on_a_line_with_what_is(
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
        /// Rule H-32, by a plain reading of the accesses to one line.
        #[test]
        fn h32_what_one_context_writes_no_other_touches(
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
    fn h31_h37_a_handle_that_is_made_again_begins_anew() {
        let mut shared = SharedData::default();
        assert_eq!(shared.access(true, &access((false, 0, 8))), None);
        assert_eq!(shared.access(false, &access((true, 8, 8))).map(|rule| rule.id), Some("H-31"));
        shared.forget(HANDLE);
        assert_eq!(shared.access(false, &access((true, 8, 8))), None);
    }
}
