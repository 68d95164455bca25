//! Memory of a context's handles: the runtime places them, and the analysis of a recording computes other policies.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Alignment of a handle: a pointer of a 64-bit driver.
const HANDLE_ALIGNMENT: u64 = 8;
/// Default size of a cache line, in bytes.
const LINE_BYTES: u64 = 64;

/// Placement of the handles of a deferred context. Contexts never share a cache line (rule H-33), and the handles of
/// the immediate context, which all contexts read, have whole lines by every policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HandleAllocator {
    /// Each handle has whole cache lines.
    #[default]
    Lines,
    /// Handles follow each other at multiples of 8 bytes. Memory is reused for handles of the same size.
    Packed,
    /// A line has as many handles as the sizes returned by the driver allow, each in one line; a larger handle has
    /// whole lines. Memory is reused for handles of which as many fit in a line.
    Tuned,
}

impl HandleAllocator {
    /// All policies.
    pub const ALL: [HandleAllocator; 3] = [HandleAllocator::Lines, HandleAllocator::Packed, HandleAllocator::Tuned];

    /// Returns the name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            HandleAllocator::Lines => "lines",
            HandleAllocator::Packed => "packed",
            HandleAllocator::Tuned => "tuned",
        }
    }

    /// Returns the policy of this name.
    pub fn named(name: &str) -> Option<HandleAllocator> {
        HandleAllocator::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// Returns the size class of a handle: the bytes that it has in memory.
    pub fn class_bytes(self, size_bytes: u64, line_bytes: u64) -> u64 {
        let size_bytes = size_bytes.max(1);
        let rounded = |unit: u64| size_bytes.checked_next_multiple_of(unit).unwrap_or(size_bytes);
        match self {
            HandleAllocator::Packed => rounded(HANDLE_ALIGNMENT),
            HandleAllocator::Tuned if rounded(HANDLE_ALIGNMENT) <= line_bytes / 2 => {
                let handles_per_line = line_bytes / rounded(HANDLE_ALIGNMENT);
                line_bytes / handles_per_line / HANDLE_ALIGNMENT * HANDLE_ALIGNMENT
            }
            HandleAllocator::Lines | HandleAllocator::Tuned => rounded(line_bytes),
        }
    }
}

impl fmt::Display for HandleAllocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Addresses of one context's handles. Released memory is reused by size class, last released first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandlePool {
    /// First address that no handle has had.
    pub next: u64,
    /// End of the addresses.
    pub end: u64,
    /// Released memory by size class.
    pub free: BTreeMap<u64, Vec<u64>>,
    /// Size of a cache line, in bytes, if larger than the default.
    pub line_bytes: u64,
    /// Placement of the handles; constant while handles exist.
    pub allocator: HandleAllocator,
}

impl HandlePool {
    /// Returns the size class of a handle, in bytes.
    pub fn class_bytes(&self, size_bytes: u64) -> u64 {
        self.allocator.class_bytes(size_bytes, self.line())
    }

    fn line(&self) -> u64 {
        self.line_bytes.max(LINE_BYTES)
    }

    /// Allocates memory for a handle. `None` if no addresses are left.
    pub fn allocate(&mut self, size_bytes: u64) -> Option<u64> {
        let class = self.class_bytes(size_bytes);
        if let Some(address) = self.free.get_mut(&class).and_then(Vec::pop) {
            return Some(address);
        }
        let splits_line = self.allocator == HandleAllocator::Tuned && class <= self.line() / 2;
        let taken = if splits_line { self.line() } else { class };
        let address = self.next;
        self.next = address.checked_add(taken).filter(|next| *next <= self.end)?;
        if splits_line {
            // The last one first, so that the line is used from its beginning.
            let others = (1..taken / class).rev().map(|index| address + index * class);
            self.free.entry(class).or_default().extend(others);
        }
        Some(address)
    }

    /// Releases a handle's memory for reuse.
    pub fn release(&mut self, address: u64, size_bytes: u64) {
        let class = self.class_bytes(size_bytes);
        self.free.entry(class).or_default().push(address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn h26_classes_of_each_policy() {
        let classes = |policy: HandleAllocator, line_bytes| {
            [1, 8, 17, 24, 33, 65].map(|size| policy.class_bytes(size, line_bytes))
        };
        assert_eq!(classes(HandleAllocator::Lines, 64), [64, 64, 64, 64, 64, 128]);
        assert_eq!(classes(HandleAllocator::Packed, 64), [8, 8, 24, 24, 40, 72]);
        // Eight, two and one handle per line.
        assert_eq!(classes(HandleAllocator::Tuned, 64), [8, 8, 32, 32, 64, 128]);
        assert_eq!(classes(HandleAllocator::Tuned, 128), [8, 8, 24, 24, 40, 128]);
    }

    proptest! {
        /// Rules H-11 and H-26: live handles never overlap, are aligned, and lie before the addresses that no handle has
        /// had; by the policy `tuned` a handle of at most a line has one line, by `lines` no line has two handles.
        #[test]
        fn h11_h26_handles_of_each_policy_do_not_overlap(
            policy in prop::sample::select(HandleAllocator::ALL.to_vec()),
            line_bytes in prop::sample::select(vec![64_u64, 128]),
            steps in prop::collection::vec((1_u64..300, any::<bool>()), 1..120),
        ) {
            let mut pool = HandlePool { next: 1 << 32, end: 1 << 33, line_bytes, allocator: policy, ..Default::default() };
            let mut live: Vec<(u64, u64)> = Vec::new();
            for (size_bytes, releases) in steps {
                if releases && !live.is_empty() {
                    let (address, size_bytes) = live.swap_remove(size_bytes as usize % live.len());
                    pool.release(address, size_bytes);
                    continue;
                }
                let address = pool.allocate(size_bytes).unwrap_or_default();
                prop_assert_ne!(address, 0);
                let lines = |(address, size_bytes): (u64, u64)| address / line_bytes..=(address + size_bytes - 1) / line_bytes;
                prop_assert_eq!(address % HANDLE_ALIGNMENT, 0);
                prop_assert!(address + size_bytes <= pool.next);
                for other in &live {
                    prop_assert!(address + size_bytes <= other.0 || other.0 + other.1 <= address);
                    let (a, b) = (lines((address, size_bytes)), lines(*other));
                    prop_assert!(policy != HandleAllocator::Lines || a.end() < b.start() || b.end() < a.start());
                }
                let needed = (size_bytes - 1) / line_bytes;
                let found = lines((address, size_bytes));
                prop_assert!(policy == HandleAllocator::Packed || found.end() - found.start() == needed);
                live.push((address, size_bytes));
            }
        }
    }
}
