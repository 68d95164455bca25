//! Direct3D 11 handles: events of the driver's interface, and the use of handle memory.
//!
//! [`HandleReader`] emits events in the order of all threads, a few blocks of the trace at a time; `HandleTracker`
//! passes each to the live handles, the model of cache lines, the totals and the
//! rules. Memory does not grow with the number of calls or accesses.

mod access;
mod allocators;
mod cache_lines;
mod cache_sets;
mod command_lists;
mod context_scaling;
mod context_state;
mod device_state;
mod fields;
mod findings;
mod live_handle;
mod live_handles;
mod occupancy;
mod reader;
mod recreation;
mod rule_checks;
mod series;
mod settings;
mod size_classes;
mod sums;
mod thread_feed;
mod totals;
mod tracker;

pub use crate::events::At;
pub use live_handle::HandleRecord;
pub use reader::HandleReader;
pub use settings::{CacheGeometryError, HandleSettings};
pub use thread_feed::FeedItem;

pub(crate) use allocators::AllocatorModel;
pub(crate) use cache_lines::{ContendedLine, LineAccesses, WordAccesses};
pub(crate) use cache_sets::SetConflicts;
pub(crate) use command_lists::EndedList;
pub(crate) use context_scaling::{CONTEXT_COUNTS, ProjectedHandles};
pub(crate) use context_state::ContextState;
pub(crate) use fields::{FieldModel, TypeModel};
pub(crate) use findings::RuleFindings;
pub(crate) use recreation::{CALLS_PER_OPENING, ReopenedObject};
pub(crate) use series::Key;
pub(crate) use sums::TypeSums;
pub(crate) use tracker::HandleTracker;

use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// A fast map, because it is read at every access.
type FastMap<K, V> = HashMap<K, V, RandomState>;
type FastSet<K> = HashSet<K, RandomState>;
