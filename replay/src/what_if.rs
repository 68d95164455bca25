//! What would have been: the recorded calls, changed for another driver, other rules or tight alignment.
//!
//! First the whole trace is surveyed: what each heap holds and when, and what the other driver says of each resource.
//! Heaps for whose resources it says what was recorded stay as they are; in the others everything is placed anew
//! ([`taut_runtime::refit`]). Then the calls are made with the flags, offsets and heap sizes that follow. The
//! application's own decisions (which heaps, which resources, when) are not redone.

mod outcome;
mod rewrite;
mod sizes;
mod subject;
mod survey;
mod tight;

pub use outcome::{HeapChange, Place, ResourceChange, WhatIfOutcome};
pub use tight::{ParseTightError, Tight};

use foldhash::HashMap;
use sizes::Sizes;
use taut_schemas::HeapDesc;

/// What is changed of a trace's calls, and what came of it.
pub(crate) struct WhatIf {
    tight: Tight,
    /// What the other driver says of resources.
    live: Sizes,
    /// New offsets of placed resources, by the creating call's position among all API calls.
    offsets_bytes: HashMap<u64, u64>,
    /// New heaps, by the creating call's position.
    heaps: HashMap<u64, HeapDesc>,
    /// What each resource takes, recorded and now, by its recorded handle.
    sizes_bytes: HashMap<u64, (u64, u64)>,
    /// The size of each heap, recorded and now, by its recorded handle.
    heap_sizes_bytes: HashMap<u64, (u64, u64)>,
    pub outcome: WhatIfOutcome,
}

impl WhatIf {
    /// What the recording created is made again, or is not: the call fails, or has no object to be made on.
    pub fn creation(&mut self, recorded: u64, succeeds: bool) {
        self.outcome.creations += 1;
        if !succeeds {
            self.outcome.failed_creations += 1;
            return;
        }
        if let Some((recorded_bytes, live_bytes)) = self.sizes_bytes.get(&recorded) {
            self.outcome.recorded_in_both_bytes += recorded_bytes;
            self.outcome.live_in_both_bytes += live_bytes;
        }
        if let Some((recorded_bytes, live_bytes)) = self.heap_sizes_bytes.get(&recorded) {
            self.outcome.recorded_heap_bytes += recorded_bytes;
            self.outcome.live_heap_bytes += live_bytes;
        }
    }
}
