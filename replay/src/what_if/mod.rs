//! What-if replays: the recorded calls, changed for another driver, other rules or tight alignment.
//!
//! A first pass surveys the trace: the content of each heap over time, and the size of each resource according to the
//! other driver. Heaps whose resources have the recorded sizes stay as they are; in the others all resources are placed
//! again ([`taut_runtime::repack`]). The second pass executes the calls with the resulting flags, offsets and heap
//! sizes. The application's own decisions (which heaps, which resources, when) are not changed.

mod call_arguments;
mod change;
mod creation;
mod machine_change;
mod outcome;
mod rewrite;
mod sizes;
mod survey;
mod tight;

pub use change::{CauseChange, Changes, ParseChangeError};
pub use machine_change::MachineChange;
pub use outcome::{HeapChange, Place, ResourceChange, WhatIfOutcome};
pub use tight::{ParseTightError, Tight};

use crate::policy::Policy;
use creation::{CreatedSizes, Creation};
use foldhash::HashMap;
use sizes::Sizes;
use taut_schemas::{CodecError, EventCode, HeapDesc};

/// Changes to a trace's calls, and the result of replaying them.
pub(crate) struct WhatIf {
    changes: Changes,
    /// Resource sizes in the what-if's world, according to its driver and settings.
    other: Sizes,
    /// New offsets of placed resources, by the creating call's position among all API calls.
    offsets_bytes: HashMap<u64, u64>,
    /// Changed heap descriptions, by the creating call's position.
    heaps: HashMap<u64, HeapDesc>,
    /// Heaps and resources that the recording created, by their recorded handles.
    creations: HashMap<u64, Creation>,
    pub outcome: WhatIfOutcome,
}

impl Policy for WhatIf {
    const IS_RECORDED_WORLD: bool = false;

    fn rewrite(&mut self, code: EventCode, call_index: u64, row: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        self.rewritten(code, call_index, row)
    }

    fn skip_call(&mut self) -> bool {
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
            Some(CreatedSizes::Heap { recorded_bytes, other_bytes }) => {
                self.outcome.recorded_heap_bytes += recorded_bytes;
                self.outcome.live_heap_bytes += other_bytes;
            }
            Some(CreatedSizes::Resource { recorded_bytes, other_bytes, .. }) => {
                self.outcome.recorded_in_both_bytes += recorded_bytes;
                self.outcome.live_in_both_bytes += other_bytes;
            }
            None => {}
        }
    }

    fn creations(&mut self, recorded: usize, other: usize) {
        self.outcome.newly_failing_creations += recorded.saturating_sub(other) as u64;
        self.outcome.new_creations += other.saturating_sub(recorded) as u64;
    }

    fn changed_result(&mut self, call: impl FnOnce() -> String) {
        *self.outcome.changed_results.entry(call()).or_default() += 1;
    }
}
