//! Recording health: lost events, unreturned calls, debug messages, clock steps.

use super::kinds::{Message, Violation};
use std::collections::HashMap;
use taut_schemas::{EventCode, HResultCode};

/// Max unreturned calls that are listed; further ones are only counted.
const MAX_LISTED: usize = 100;

/// A call that has not returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenCall {
    /// Code of its start record.
    pub code: EventCode,
    /// Stamp of its start record.
    pub stamp: u64,
}

/// A message, or a violation of a rule, that may be recorded more than once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub count: u64,
    /// Stamp of the first one.
    pub first_stamp: u64,
    /// Description of the first one.
    pub description: String,
}

/// Steps between the stamps of consecutive records of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Steps {
    /// Number of all steps.
    pub count: u64,
    /// Steps of one tick: the next stamp was forced past the last, or the clock is coarse.
    pub one_tick: u64,
    /// Steps of no tick: an error in a recording of this project, valid in a trace of Windows.
    pub equal: u64,
    /// Steps backwards: the recording's order is broken.
    pub backward: u64,
    /// The smallest step of more than one tick.
    pub smallest_ticks: Option<u64>,
}

impl Steps {
    #[inline]
    pub(super) fn step(&mut self, before: Option<u64>, stamp: u64) {
        let Some(before) = before else { return };
        self.count += 1;
        match stamp.checked_sub(before) {
            None => self.backward += 1,
            Some(0) => self.equal += 1,
            Some(1) => self.one_tick += 1,
            Some(ticks) if self.smallest_ticks.is_none_or(|smallest| ticks < smallest) => {
                self.smallest_ticks = Some(ticks);
            }
            Some(_) => {}
        }
    }

    /// Adds the steps of two threads.
    pub fn plus(self, other: Steps) -> Steps {
        Steps {
            count: self.count + other.count,
            one_tick: self.one_tick + other.one_tick,
            equal: self.equal + other.equal,
            backward: self.backward + other.backward,
            smallest_ticks: self.smallest_ticks.into_iter().chain(other.smallest_ticks).min(),
        }
    }
}

/// Health of one thread, or of all together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ThreadHealth {
    /// Calls that never returned, by the code of their start records.
    pub never_returned: HashMap<EventCode, u64>,
    /// The first unreturned calls, with their threads.
    pub first_never_returned: Vec<(OpenCall, u32)>,
    /// Calls that were open where records are missing.
    pub calls_cut_by_loss: u64,
    /// Stop records without a start.
    pub stops_without_start: u64,
    /// API calls that failed, by the code of their stop records.
    pub failed: HashMap<(EventCode, HResultCode), u64>,
    /// Messages of the debug layer, by severity and id.
    pub messages: HashMap<(u32, u32), Repeated>,
    /// Driver violations, by rule; true if the rule is only advice.
    pub violations: HashMap<(String, bool), Repeated>,
    pub steps: Steps,
}

impl ThreadHealth {
    /// Adds a call that will never return.
    pub(super) fn cut(&mut self, call: OpenCall) {
        *self.never_returned.entry(call.code).or_default() += 1;
        if self.first_never_returned.len() < MAX_LISTED {
            self.first_never_returned.push((call, 0));
        }
    }

    /// Adds a message; `description` is called for the first of its kind.
    pub(super) fn message(&mut self, stamp: u64, message: &Message, description: impl FnOnce() -> String) {
        let found = self.messages.entry((message.severity.0, message.message_id.0));
        found.or_insert_with(|| Repeated { count: 0, first_stamp: stamp, description: description() }).count += 1;
    }

    /// Adds a driver's violation.
    pub(super) fn violation(&mut self, stamp: u64, violation: Violation, description: impl FnOnce() -> String) {
        let found = self.violations.entry((violation.rule, violation.lint == Some(true)));
        found.or_insert_with(|| Repeated { count: 0, first_stamp: stamp, description: description() }).count += 1;
    }

    /// Adds another thread's health.
    pub(super) fn add(&mut self, thread: u32, other: ThreadHealth) {
        other
            .never_returned
            .into_iter()
            .for_each(|(code, count)| *self.never_returned.entry(code).or_default() += count);
        self.first_never_returned.extend(other.first_never_returned.into_iter().map(|(call, _)| (call, thread)));
        self.first_never_returned.sort_by_key(|(call, thread)| (call.stamp, *thread));
        self.first_never_returned.truncate(MAX_LISTED);
        self.calls_cut_by_loss += other.calls_cut_by_loss;
        self.stops_without_start += other.stops_without_start;
        other.failed.into_iter().for_each(|(what, count)| *self.failed.entry(what).or_default() += count);
        other.messages.into_iter().for_each(|(what, found)| add(&mut self.messages, what, found));
        other.violations.into_iter().for_each(|(what, found)| add(&mut self.violations, what, found));
        self.steps = self.steps.plus(other.steps);
    }
}

/// Merges counts; the description of the earlier first one is kept.
fn add<K: std::hash::Hash + Eq>(known: &mut HashMap<K, Repeated>, what: K, found: Repeated) {
    match known.entry(what) {
        std::collections::hash_map::Entry::Vacant(place) => {
            place.insert(found);
        }
        std::collections::hash_map::Entry::Occupied(mut place) => {
            let count = place.get().count + found.count;
            if found.first_stamp < place.get().first_stamp {
                place.insert(found);
            }
            place.get_mut().count = count;
        }
    }
}
