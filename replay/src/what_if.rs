//! What would have been: the recorded calls, changed for another driver, other rules or tight alignment.
//!
//! First the whole trace is surveyed: what each heap holds and when, and what the other driver says of each resource.
//! Heaps for whose resources it says what was recorded stay as they are; in the others everything is placed anew
//! ([`taut_runtime::refit`]). Then the calls are made with the flags, offsets and heap sizes that follow. The
//! application's own decisions (which heaps, which resources, when) are not redone.

mod change;
mod outcome;
mod rewrite;
mod sizes;
mod subject;
mod survey;
mod tight;

pub use change::{CauseChange, Changes, ParseChangeError};
pub use outcome::{HeapChange, Place, ResourceChange, WhatIfOutcome};
pub use tight::{ParseTightError, Tight};

use crate::policy::Policy;
use foldhash::HashMap;
use sizes::Sizes;
use survey::{CreatedSizes, Creation};
use taut_schemas::{CodecError, EventCode, HeapDesc};

/// What is changed of a trace's calls, and what came of it.
pub(crate) struct WhatIf {
    changes: Changes,
    /// What the other driver says of resources.
    live: Sizes,
    /// New offsets of placed resources, by the creating call's position among all API calls.
    offsets_bytes: HashMap<u64, u64>,
    /// New heaps, by the creating call's position.
    heaps: HashMap<u64, HeapDesc>,
    /// The heaps and resources created when recorded, by their recorded handles.
    creations: HashMap<u64, Creation>,
    pub outcome: WhatIfOutcome,
}

impl Policy for WhatIf {
    const IS_RECORDED_WORLD: bool = false;

    fn rewrite(&mut self, code: EventCode, call_index: u64, row: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        self.rewritten(code, call_index, row)
    }

    fn leave_out(&mut self) -> bool {
        self.outcome.skipped_calls += 1;
        true
    }

    fn creation(&mut self, recorded: u64, succeeds: bool) {
        self.outcome.creations += 1;
        if !succeeds {
            self.outcome.failed_creations += 1;
            return;
        }
        match self.creations.get(&recorded).map(|creation| creation.sizes) {
            Some(CreatedSizes::Heap { recorded_bytes, live_bytes }) => {
                self.outcome.recorded_heap_bytes += recorded_bytes;
                self.outcome.live_heap_bytes += live_bytes;
            }
            Some(CreatedSizes::Resource { recorded_bytes, live_bytes, .. }) => {
                self.outcome.recorded_in_both_bytes += recorded_bytes;
                self.outcome.live_in_both_bytes += live_bytes;
            }
            None => {}
        }
    }

    fn creations(&mut self, recorded: usize, live: usize) {
        self.outcome.refused_creations += recorded.saturating_sub(live) as u64;
        self.outcome.new_creations += live.saturating_sub(recorded) as u64;
    }

    fn changed_result(&mut self, call: impl FnOnce() -> String) {
        *self.outcome.changed_results.entry(call()).or_default() += 1;
    }
}
