//! Cache lines that hold live handles.

use super::FastMap;

/// Cache lines that hold live handles, whose memory does not overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct Occupancy {
    line_bytes: u64,
    /// Numbers of handles on the first and last line of each handle. Lines between these have one handle.
    ends: FastMap<u64, u32>,
}

impl Occupancy {
    pub fn new(line_bytes: u64) -> Occupancy {
        Occupancy { line_bytes, ends: FastMap::default() }
    }

    /// First and last line of a handle, and the number of lines between.
    fn lines(&self, address: u64, size_bytes: u64) -> (u64, Option<u64>, u64) {
        let end = address.saturating_add(size_bytes.max(1) - 1);
        let (first, last) = (address / self.line_bytes, end / self.line_bytes);
        (first, Some(last).filter(|last| *last != first), (last - first).saturating_sub(1))
    }

    /// Adds a handle. Returns the bytes of the lines that had none before.
    pub fn add(&mut self, address: u64, size_bytes: u64) -> u64 {
        let (first, last, mut lines) = self.lines(address, size_bytes);
        for line in [Some(first), last].into_iter().flatten() {
            let handles = self.ends.entry(line).or_default();
            *handles += 1;
            lines += u64::from(*handles == 1);
        }
        lines.saturating_mul(self.line_bytes)
    }

    /// Removes a handle. Returns the bytes of the lines that have none afterwards.
    pub fn remove(&mut self, address: u64, size_bytes: u64) -> u64 {
        let (first, last, mut lines) = self.lines(address, size_bytes);
        for line in [Some(first), last].into_iter().flatten() {
            let Some(handles) = self.ends.get_mut(&line) else { continue };
            *handles -= 1;
            if *handles == 0 {
                self.ends.remove(&line);
                lines += 1;
            }
        }
        lines.saturating_mul(self.line_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn occupied_lines_are_the_distinct_lines_of_live_handles(
            steps in prop::collection::vec((1_u64..300, 0_u64..40, any::<bool>()), 1..60),
        ) {
            let (mut occupancy, mut live, mut next, mut bytes) = (Occupancy::new(64), Vec::new(), 0_u64, 0_u64);
            for (size_bytes, gap, removes) in steps {
                if removes && !live.is_empty() {
                    let (address, size_bytes) = live.swap_remove(gap as usize % live.len());
                    bytes -= occupancy.remove(address, size_bytes);
                } else {
                    live.push((next + gap, size_bytes));
                    bytes += occupancy.add(next + gap, size_bytes);
                    next += gap + size_bytes;
                }
                let lines: BTreeSet<u64> =
                    live.iter().flat_map(|(address, size_bytes)| address / 64..=(address + size_bytes - 1) / 64).collect();
                prop_assert_eq!(bytes, 64 * lines.len() as u64);
            }
        }
    }
}
