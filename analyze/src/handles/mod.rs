//! Handles of Direct3D 11: what the runtime and a driver said of them, and what follows for the memory behind them.
//!
//! [`HandleReader`] gives what was said in the order of all threads, a few blocks of the trace at a time; [`HandleBook`] keeps what
//! lives, and sums. Neither grows with the number of calls or accesses.

mod access;
mod book;
mod cache_lines;
mod context_book;
mod dealing;
mod device_book;
mod findings;
mod live_handle;
mod reader;
mod series;
mod settings;
mod size_classes;
mod sums;
mod thread_feed;

pub use crate::event_reader::At;
pub use live_handle::HandleRecord;
pub use reader::HandleReader;
pub use settings::HandleSettings;
pub use thread_feed::Said;

pub(crate) use book::{HandleBook, WAYS};
pub(crate) use cache_lines::Contended;
pub(crate) use context_book::ContextBook;
pub(crate) use dealing::DEALT_TO;
pub(crate) use findings::RuleFindings;
pub(crate) use series::Key;
pub(crate) use sums::TypeSums;

use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// A map that is looked into at every access.
type FastMap<K, V> = HashMap<K, V, RandomState>;
type FastSet<K> = HashSet<K, RandomState>;
