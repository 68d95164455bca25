//! Application threads of a trace and their state during replay.

use crate::live_events::LiveEvents;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, ProviderSet};
use taut_traces::ThreadWriter;

/// State of one application thread: the call being replayed and its pending events.
#[derive(Default)]
pub(crate) struct Thread {
    pub number: u32,
    /// Live events that were not matched with recorded events yet.
    pub live: LiveEvents,
    /// The call being replayed and its position among all calls.
    pub call: Option<(EventCode, u64)>,
    /// True if the rest of the current call is not compared, because the two sides have diverged.
    pub skip: bool,
    /// Writer for the thread's events in the output trace, created with the first event.
    pub writer: Option<ThreadWriter>,
    pub last_written_stamp: u64,
    /// Providers whose events the recording has for this thread.
    pub recorded: ProviderSet,
}

/// All threads by index. An index remains valid.
#[derive(Default)]
pub(crate) struct Threads {
    all: Vec<Thread>,
    by_number: BTreeMap<u32, usize>,
    /// Providers that were recorded from the beginning.
    recorded: ProviderSet,
}

impl Threads {
    pub fn new(recorded: ProviderSet) -> Threads {
        Threads { recorded, ..Threads::default() }
    }

    /// Returns the index of the thread with this number, adding it if needed. `guess` is tried first.
    #[inline]
    pub fn index(&mut self, number: u32, guess: usize) -> usize {
        if self.all.get(guess).is_some_and(|thread| thread.number == number) {
            return guess;
        }
        *self.by_number.entry(number).or_insert_with(|| {
            self.all.push(Thread { number, recorded: self.recorded, ..Thread::default() });
            self.all.len() - 1
        })
    }

    /// Closes all open calls, because a rundown is taken between calls.
    pub fn close_calls(&mut self) {
        self.all.iter_mut().for_each(|thread| thread.call = None);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Thread> {
        self.all.iter()
    }
}

impl std::ops::Index<usize> for Threads {
    type Output = Thread;

    fn index(&self, index: usize) -> &Thread {
        &self.all[index]
    }
}

impl std::ops::IndexMut<usize> for Threads {
    fn index_mut(&mut self, index: usize) -> &mut Thread {
        &mut self.all[index]
    }
}
