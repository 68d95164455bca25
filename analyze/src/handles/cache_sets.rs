//! Hot cache lines of each set in the recordings of one context (rule H-35).

use super::{FastMap, HandleSettings};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Ratio of the max accesses of a recording's handles below which a handle, or a line of the context's own memory, is
/// hot.
const HOT: u64 = 8;
/// Max closed handles that are stored before their sets are counted.
const MAX_CLOSED: usize = 1 << 16;

/// Conflicts in one set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SetConflicts {
    /// Recordings with more hot lines than ways.
    pub recordings: u64,
    /// Max hot lines of one recording.
    pub max_hot_lines: u64,
}

/// A closed handle with accesses.
#[derive(Debug, Clone, Copy)]
struct ClosedHandle {
    address: u64,
    size_bytes: u64,
    accesses: u64,
}

/// Hot lines of one context.
#[derive(Debug, Default)]
pub(crate) struct HotLines {
    /// Handles closed in this recording.
    closed: Vec<ClosedHandle>,
    /// Accesses to lines of the context's own memory in this recording.
    own_lines: FastMap<u64, u64>,
    /// Max hot lines in one set of a recording, and the set.
    pub max_in_set: (u64, u64),
    /// Sets of recordings with more hot lines than ways.
    pub crowded: u64,
    /// Conflicts by set.
    pub conflicts: BTreeMap<u64, SetConflicts>,
}

impl HotLines {
    /// Adds a closed handle.
    pub fn close(&mut self, address: u64, size_bytes: u64, accesses: u64) {
        if accesses > 0 {
            self.closed.push(ClosedHandle { address, size_bytes, accesses });
        }
    }

    /// Counts an access to a line of the context's own memory.
    pub fn access_own(&mut self, line: u64) {
        *self.own_lines.entry(line).or_default() += 1;
    }

    /// True if so many handles are closed that their sets have to be counted before the recording ends. For an
    /// immediate context, its whole lifetime is one recording.
    pub fn is_full(&self) -> bool {
        self.closed.len() >= MAX_CLOSED
    }

    /// Counts the hot lines of each set.
    pub fn count_sets(&mut self, settings: &HandleSettings) {
        let (number, line_bytes) = (settings.sets(), settings.cache_line_bytes);
        let mut sets: FastMap<u64, u64> = FastMap::default();
        // Lines that all sets have, of handles that span all sets.
        let mut everywhere = 0_u64;
        let max = self.closed.iter().map(|handle| handle.accesses).max().unwrap_or_default();
        let is_hot = |accesses: u64| accesses.saturating_mul(HOT) > max;
        for handle in self.closed.drain(..).filter(|handle| is_hot(handle.accesses)) {
            let ClosedHandle { address, size_bytes, .. } = handle;
            let (first, last) = (address / line_bytes, address.saturating_add(size_bytes.max(1) - 1) / line_bytes);
            let lines = last - first + 1;
            everywhere = everywhere.saturating_add(lines / number);
            (0..lines % number).for_each(|line| *sets.entry((first + line) % number).or_default() += 1);
        }
        for (line, _) in self.own_lines.drain().filter(|(_, accesses)| is_hot(*accesses)) {
            *sets.entry(line % number).or_default() += 1;
        }
        let is_crowded = everywhere > settings.cache_ways;
        if is_crowded && sets.len() < number as usize {
            for set in 0..number {
                sets.entry(set).or_default();
            }
        } else if everywhere > 0 && sets.is_empty() {
            sets.insert(0, 0);
        }
        let counts = sets.iter().map(|(set, lines)| (lines.saturating_add(everywhere), Reverse(*set)));
        let fullest = counts.max().filter(|(lines, _)| *lines > self.max_in_set.0);
        if let Some((lines, Reverse(set))) = fullest {
            self.max_in_set = (lines, set);
        }
        for (set, lines) in sets {
            let lines = lines.saturating_add(everywhere);
            if lines > settings.cache_ways {
                self.crowded += 1;
                let conflicts = self.conflicts.entry(set).or_default();
                conflicts.recordings += 1;
                conflicts.max_hot_lines = conflicts.max_hot_lines.max(lines);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rule H-35, against each line of each hot handle.
        #[test]
        fn h35_a_hot_handle_counts_on_all_its_lines(
            handles in prop::collection::vec((0_u64..8192, 1_u64..9000, 1_u64..20), 1..20),
            own in prop::collection::vec(0_u64..200, 0..40),
            geometry in prop::sample::select(vec!["4KiB:2:64", "1KiB:1:128", "512:8:64", "32KiB:8:64"]),
        ) {
            let settings: HandleSettings = geometry.parse().unwrap();
            let mut found = HotLines::default();
            let max = handles.iter().map(|handle| handle.2).max().unwrap();
            let mut sets = BTreeMap::<u64, u64>::new();
            for (address, size_bytes, accesses) in &handles {
                found.close(*address, *size_bytes, *accesses);
                let lines = address / settings.cache_line_bytes..=(address + size_bytes - 1) / settings.cache_line_bytes;
                for line in lines.filter(|_| accesses * HOT > max) {
                    *sets.entry(line % settings.sets()).or_default() += 1;
                }
            }
            let mut own_lines = BTreeMap::<u64, u64>::new();
            for line in &own {
                found.access_own(*line);
                *own_lines.entry(*line).or_default() += 1;
            }
            for (line, _) in own_lines.iter().filter(|(_, accesses)| **accesses * HOT > max) {
                *sets.entry(line % settings.sets()).or_default() += 1;
            }
            found.count_sets(&settings);
            let max_lines = sets.values().copied().max().unwrap();
            let first = sets.iter().find(|(_, lines)| **lines == max_lines).map(|(set, _)| *set).unwrap();
            prop_assert_eq!(found.max_in_set, (max_lines, first));
            let crowded: BTreeMap<u64, SetConflicts> = sets
                .into_iter()
                .filter(|(_, lines)| *lines > settings.cache_ways)
                .map(|(set, max_hot_lines)| (set, SetConflicts { recordings: 1, max_hot_lines }))
                .collect();
            prop_assert_eq!(found.crowded, crowded.len() as u64);
            prop_assert_eq!(found.conflicts, crowded);
        }
    }
}
