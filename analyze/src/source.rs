//! What everything is made from: an open trace, its clock, and the damage that reading has met.

use crate::input_head::InputHead;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use taut_traces::{Damage, Trace};

/// An open trace that is being read.
#[derive(Debug)]
pub struct Source {
    trace: Arc<Trace>,
    /// Damage met so far, by its place in the file.
    damage: Mutex<BTreeMap<u64, Damage>>,
}

impl Source {
    /// That of an open trace. Reads nothing yet.
    pub fn new(trace: impl Into<Arc<Trace>>) -> Source {
        let trace = trace.into();
        let damage = trace.damage().iter().map(|damage| (damage.offset, damage.clone())).collect();
        Source { trace, damage: Mutex::new(damage) }
    }

    /// The trace.
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// Damage was met in the trace's blocks.
    pub fn met(&self, damage: &[Damage]) {
        let mut known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(damage.iter().map(|damage| (damage.offset, damage.clone())));
    }

    /// The damage of the file that reading has met so far, one sentence each.
    pub fn damage_met(&self) -> Vec<String> {
        let known = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        known.values().map(ToString::to_string).collect()
    }

    /// A span of the trace's clock in nanoseconds; `None` if the clock's frequency is not known.
    pub fn ticks_to_ns(&self, ticks: u64) -> Option<u64> {
        InputHead::of(&self.trace).ticks_to_ns(ticks)
    }

    /// Time of a stamp since the trace's first; `None` if the clock's frequency is not known.
    pub fn since_start_ns(&self, stamp: u64) -> Option<u64> {
        InputHead::of(&self.trace).since_start_ns(stamp)
    }
}
