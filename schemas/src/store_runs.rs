//! A sequence of stores as runs: exact, in order, and short wherever a loop produced the stores.
//!
//! An upload of 4096 x 4096 texels consists of a million stores or more, produced by a few nested loops.
//! [`StoreFolder`] finds the loops as stores arrive, by checking if the last stores repeat those before them at a
//! constant distance; [`StoreRuns`] replays them. Runs form a flat list: a run with a body is followed by the runs of
//! its body.

use crate::desc::descs;
use crate::field::{Field, HandleMap};
use crate::row::{CodecError, Decoder, Encoder};
use crate::schema::FieldSink;
use serde::{Deserialize, Serialize};
use thiserror::Error;

descs! {
    /// Stores of one width at constant distances; or repeated runs, each time shifted by the same distance.
    #[derive(Copy)]
    StoreRun {
        /// Offset of the first store, in bytes from the start of the mapped memory.
        offset_bytes: u64 as Offset,
        /// Bytes of each store; 0 for a run with a body.
        size_bytes: u32 as Size,
        /// Number of stores, or of rounds of the body; at least 1.
        repeat_count: u64 as Count,
        /// Distance from one to the next, in bytes, modulo 2^64 for negative distances.
        stride: u64,
        /// Number of following runs that are the body, nested bodies included; 0 for stores.
        body_count: u32 as Count,
    }
}

/// Max period that is searched for, in runs. It bounds the cost of each pushed store.
const LONGEST_PERIOD: usize = 16;
/// Number of held runs from which on they should be taken.
const MAX_HELD_RUNS: usize = 4096;

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
    /// True if `other` is the same run, shifted by `distance`.
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
    /// Adds a store.
    pub fn push(&mut self, offset_bytes: u64, size_bytes: u32) {
        let run = StoreRun { offset_bytes, size_bytes, repeat_count: 1, stride: 0, body_count: 0 };
        self.nodes.push(Node { run, body: Vec::new() });
        while self.extend() || self.fold() {}
    }

    /// True if so many runs are held that they should be [taken](StoreFolder::take).
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= MAX_HELD_RUNS
    }

    /// Returns the runs of the stores so far, and forgets them.
    pub fn take(&mut self) -> Vec<StoreRun> {
        let mut runs = Vec::new();
        std::mem::take(&mut self.nodes).iter().for_each(|node| node.flatten(&mut runs));
        runs
    }

    /// Merges the last nodes into the run before them if they are one more round of it; returns true if so.
    fn extend(&mut self) -> bool {
        let len = self.nodes.len();
        for period in 1..=LONGEST_PERIOD.min(len.saturating_sub(1)) {
            let (before, last) = self.nodes.split_at(len - period);
            let Some(repeated) = before.last() else { continue };
            let StoreRun { offset_bytes, size_bytes, repeat_count, stride, .. } = repeated.run;
            // A single round has no stride to continue.
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

    /// Folds the last nodes and those before them into a run if they are equal but for a distance; returns true if so.
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
                // Two single stores become a plain run; anything else needs a body.
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

/// Validated runs, ready to be walked.
#[derive(Debug, Clone, Copy)]
pub struct StoreRuns<'a> {
    runs: &'a [StoreRun],
    stores: u64,
}

/// Reason why runs cannot be walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StoreRunsError {
    /// A body that reaches beyond the list or the run it is in.
    #[error("run {at}: expected a body of at most {left_runs} runs, found {found}")]
    Body {
        /// Index of the run in the list.
        at: usize,
        left_runs: usize,
        /// The body's length found.
        found: u32,
    },
    /// A run that stores nothing, or one with a body that has a store's size.
    #[error("run {at}: expected stores of 1 byte or more, or a body, repeated at least once; found neither")]
    Empty {
        /// Index of the run in the list.
        at: usize,
    },
    /// Runs nested deeper than any folder nests them.
    #[error("run {at}: expected at most {} runs around it, found more", StoreRuns::DEEPEST)]
    Deep {
        /// Index of the run in the list.
        at: usize,
    },
    /// More stores than the limit.
    #[error("expected at most {max} stores, found more")]
    Many { max: u64 },
}

impl<'a> StoreRuns<'a> {
    /// Max nesting depth that is walked; it bounds the recursion on a damaged file.
    pub const DEEPEST: usize = 32;

    /// Validates runs from a file. `max_stores` bounds the time of a walk.
    ///
    /// # Errors
    /// The runs are not of the form that [`StoreFolder`] produces, or have more than `max_stores` stores.
    pub fn new(runs: &'a [StoreRun], max_stores: u64) -> Result<StoreRuns<'a>, StoreRunsError> {
        let stores = count(runs, 0, 0, max_stores)?;
        Ok(StoreRuns { runs, stores })
    }

    /// Number of stores.
    pub fn len(&self) -> u64 {
        self.stores
    }

    /// True if there are no stores.
    pub fn is_empty(&self) -> bool {
        self.stores == 0
    }

    /// Calls `store` with every store, in order: offset and size in bytes.
    pub fn for_each(&self, mut store: impl FnMut(u64, u32)) {
        walk(self.runs, 0, &mut store);
    }
}

/// Counts the stores of `runs`; the first run has index `first` in the list.
fn count(runs: &[StoreRun], first: usize, depth: usize, max: u64) -> Result<u64, StoreRunsError> {
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
            _ => count(&runs[at + 1..at + 1 + body], first + at + 1, depth + 1, max)?,
        };
        // Counts of a damaged file may overflow.
        let stores = each.checked_mul(run.repeat_count).and_then(|stores| stores.checked_add(total));
        total = stores.filter(|total| *total <= max).ok_or(StoreRunsError::Many { max })?;
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
