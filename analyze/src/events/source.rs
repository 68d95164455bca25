//! The input of all results: an open trace, its clock, and the damage found while reading.

use crate::events::InputHead;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use taut_traces::{Damage, Trace};

/// An open trace.
#[derive(Debug)]
pub struct Source {
    trace: Arc<Trace>,
    /// Damage found so far, by its offset in the file.
    damage: Mutex<BTreeMap<u64, Damage>>,
}

impl Source {
    /// Wraps an open trace. Reads no records yet.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Source {
        let trace = trace.into();
        let damage = trace.damage().iter().map(|damage| (damage.offset, damage.clone())).collect();
        Source { trace, damage: Mutex::new(damage) }
    }

    /// The trace.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// Adds damage found in the trace's blocks.
    pub fn met(&self, damage: &[Damage]) {
        // Usable after a panic of another thread, because entries are only added.
        let mut known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(damage.iter().map(|damage| (damage.offset, damage.clone())));
    }

    /// The damage found so far, one sentence each.
    pub fn damage_met(&self) -> Vec<String> {
        let known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().map(ToString::to_string).collect()
    }

    /// Converts a span of the trace's clock to nanoseconds; `None` if the clock's frequency is unknown.
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        InputHead::new(&self.trace).ticks_to_ns(ticks)
    }

    /// Time of a stamp since the trace's first, in nanoseconds; `None` if the clock's frequency is unknown.
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        InputHead::new(&self.trace).since_start_ns(stamp)
    }
}
