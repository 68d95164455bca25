//! A sequence of stores as runs: exact, in order, and short wherever a loop made it.
//!
//! An upload of 4096 x 4096 texels makes a million stores and more, but by a few nested loops. [`StoreFolder`] finds the
//! loops while the stores come, by looking whether what came last repeats what came before it at a constant distance;
//! [`StoreRuns`] walks them again. Runs stand in a flat list: a run over others is followed by those, its body.

use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::FieldSink;
use serde::{Deserialize, Serialize};
use thiserror::Error;

descs! {
    /// Stores of one width at constant distances; or runs that are repeated, each time farther on by the same distance.
    #[derive(Copy)]
    StoreRun {
        /// Offset of the first store, in bytes from the start of the mapped memory.
        offset_bytes: u64 as Offset,
        /// Bytes of each store; 0 for a run over others.
        size_bytes: u32 as Size,
        /// How often: stores, or rounds of the body. At least 1.
        repeat_count: u64 as Count,
        /// From one to the next, in bytes, wrapping around for distances backwards.
        stride: u64,
        /// How many of the runs that follow are the body, those in bodies of bodies counted too; 0 for stores.
        body_count: u32 as Count,
    }
}

/// Longest period, in runs, that is looked for.
const LONGEST_PERIOD: usize = 16;
/// Runs that are kept before they should be handed on.
const RUNS_KEPT: usize = 4096;

/// Folds stores into runs.
#[derive(Debug, Clone, Default)]
pub struct StoreFolder {
    nodes: Vec<Node>,
}

/// A run with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    run: StoreRun,
    body: Vec<Node>,
}

impl Node {
    /// The same run, `distance` farther on.
    fn is_shifted(&self, other: &Node, distance: u64) -> bool {
        let (a, b) = (&self.run, &other.run);
        b.offset_bytes == a.offset_bytes.wrapping_add(distance)
            && (a.size_bytes, a.repeat_count, a.stride) == (b.size_bytes, b.repeat_count, b.stride)
            && are_shifted(&self.body, &other.body, distance)
    }

    fn is_store(&self) -> bool {
        self.body.is_empty() && self.run.repeat_count == 1
    }

    fn flatten(&self, runs: &mut Vec<StoreRun>) {
        let at = runs.len();
        runs.push(self.run);
        self.body.iter().for_each(|node| node.flatten(runs));
        runs[at].body_count = (runs.len() - at - 1) as u32;
    }
}

fn are_shifted(nodes: &[Node], others: &[Node], distance: u64) -> bool {
    nodes.len() == others.len() && nodes.iter().zip(others).all(|(node, other)| node.is_shifted(other, distance))
}

impl StoreFolder {
    /// One more store.
    pub fn push(&mut self, offset_bytes: u64, size_bytes: u32) {
        let run = StoreRun { offset_bytes, size_bytes, repeat_count: 1, stride: 0, body_count: 0 };
        self.nodes.push(Node { run, body: Vec::new() });
        while self.extend() || self.fold() {}
    }

    /// Whether so many runs are held that it is time to [`take`](StoreFolder::take) them.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= RUNS_KEPT
    }

    /// The runs of the stores so far, which are forgotten.
    pub fn take(&mut self) -> Vec<StoreRun> {
        let mut runs = Vec::new();
        std::mem::take(&mut self.nodes).iter().for_each(|node| node.flatten(&mut runs));
        runs
    }

    /// Whether the last nodes are one more round of the run before them; then they become that.
    fn extend(&mut self) -> bool {
        let len = self.nodes.len();
        for period in 1..=LONGEST_PERIOD.min(len.saturating_sub(1)) {
            let (before, last) = self.nodes.split_at(len - period);
            let Some(repeated) = before.last() else { continue };
            let StoreRun { offset_bytes, size_bytes, repeat_count, stride, .. } = repeated.run;
            if repeat_count == 1 {
                continue;
            }
            let distance = stride.wrapping_mul(repeat_count);
            let is_round = match &repeated.body[..] {
                [] => {
                    period == 1
                        && last[0].is_store()
                        && last[0].run.size_bytes == size_bytes
                        && last[0].run.offset_bytes == offset_bytes.wrapping_add(distance)
                }
                body => are_shifted(body, last, distance),
            };
            if is_round {
                self.nodes.truncate(len - period);
                if let Some(repeated) = self.nodes.last_mut() {
                    repeated.run.repeat_count += 1;
                }
                return true;
            }
        }
        false
    }

    /// Whether the last nodes are those before them once more, at a distance; then both become a run.
    fn fold(&mut self) -> bool {
        let len = self.nodes.len();
        for period in 1..=LONGEST_PERIOD.min(len / 2) {
            let (first, second) = (&self.nodes[len - 2 * period..len - period], &self.nodes[len - period..]);
            let stride = second[0].run.offset_bytes.wrapping_sub(first[0].run.offset_bytes);
            if !are_shifted(first, second, stride) {
                continue;
            }
            self.nodes.truncate(len - period);
            let mut body = self.nodes.split_off(len - 2 * period);
            let offset_bytes = body[0].run.offset_bytes;
            let node = match &mut body[..] {
                [store] if store.is_store() => {
                    Node { run: StoreRun { repeat_count: 2, stride, ..store.run }, body: Vec::new() }
                }
                _ => {
                    Node { run: StoreRun { offset_bytes, size_bytes: 0, repeat_count: 2, stride, body_count: 0 }, body }
                }
            };
            self.nodes.push(node);
            return true;
        }
        false
    }
}

/// Runs that were found to be sound, ready to be walked.
#[derive(Debug, Clone, Copy)]
pub struct StoreRuns<'a> {
    runs: &'a [StoreRun],
    stores: u64,
}

/// Why runs cannot be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StoreRunsError {
    /// A body that reaches beyond the list or the run it is in.
    #[error("run {at}: expected a body of at most {left_runs} runs, found {found}")]
    Body {
        /// Number of the run in the list.
        at: usize,
        /// Runs left.
        left_runs: usize,
        /// The length found.
        found: u32,
    },
    /// A run that stores nothing, or one with a body that has a store's size.
    #[error("run {at}: expected stores of 1 byte or more, or a body, repeated at least once; found neither")]
    Empty {
        /// Number of the run in the list.
        at: usize,
    },
    /// Runs within runs deeper than any folder makes them.
    #[error("run {at}: expected at most {} runs around it, found more", StoreRuns::DEEPEST)]
    Deep {
        /// Number of the run in the list.
        at: usize,
    },
    /// More stores than anybody would walk.
    #[error("expected at most {most} stores, found more")]
    Many {
        /// The limit.
        most: u64,
    },
}

impl<'a> StoreRuns<'a> {
    /// Deepest nesting that is walked.
    pub const DEEPEST: usize = 32;

    /// Checks runs from a file. `most_stores` bounds the time a walk can take.
    ///
    /// # Errors
    /// The runs are nothing that [`StoreFolder`] makes, or make more than `most_stores` stores.
    pub fn new(runs: &'a [StoreRun], most_stores: u64) -> Result<StoreRuns<'a>, StoreRunsError> {
        let stores = count(runs, 0, 0, most_stores)?;
        Ok(StoreRuns { runs, stores })
    }

    /// Number of stores.
    pub fn len(&self) -> u64 {
        self.stores
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.stores == 0
    }

    /// Shows every store, in order: offset and size in bytes.
    pub fn for_each(&self, mut store: impl FnMut(u64, u32)) {
        walk(self.runs, 0, &mut store);
    }
}

/// Stores of `runs`, the first of which has number `first` in the list.
fn count(runs: &[StoreRun], first: usize, depth: usize, most: u64) -> Result<u64, StoreRunsError> {
    if depth > StoreRuns::DEEPEST {
        return Err(StoreRunsError::Deep { at: first });
    }
    let (mut at, mut total) = (0, 0_u64);
    while let Some(run) = runs.get(at) {
        let (body, left) = (run.body_count as usize, runs.len() - at - 1);
        if body > left {
            return Err(StoreRunsError::Body { at: first + at, left_runs: left, found: run.body_count });
        }
        if run.repeat_count == 0 || (run.size_bytes == 0) != (body > 0) {
            return Err(StoreRunsError::Empty { at: first + at });
        }
        let each = match body {
            0 => 1,
            _ => count(&runs[at + 1..at + 1 + body], first + at + 1, depth + 1, most)?,
        };
        let stores = each.checked_mul(run.repeat_count).and_then(|stores| stores.checked_add(total));
        total = stores.filter(|total| *total <= most).ok_or(StoreRunsError::Many { most })?;
        at += 1 + body;
    }
    Ok(total)
}

fn walk(runs: &[StoreRun], distance: u64, store: &mut impl FnMut(u64, u32)) {
    let mut at = 0;
    while let Some(run) = runs.get(at) {
        let body = &runs[at + 1..at + 1 + run.body_count as usize];
        let mut farther = distance;
        for _ in 0..run.repeat_count {
            match body {
                [] => store(run.offset_bytes.wrapping_add(farther), run.size_bytes),
                body => walk(body, farther, store),
            }
            farther = farther.wrapping_add(run.stride);
        }
        at += 1 + body.len();
    }
}
