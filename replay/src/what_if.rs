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
    pub outcome: WhatIfOutcome,
}
