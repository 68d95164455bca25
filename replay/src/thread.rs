//! The application threads of a trace, as replay knows them.

use crate::live::LiveEvents;
use std::collections::BTreeMap;
use taut_schemas::{EventCode, ProviderSet};
use taut_traces::ThreadWriter;

/// One application thread's current call.
#[derive(Default)]
pub(crate) struct Thread {
    pub number: u32,
    /// What the live call said and the recorded events have not met yet.
    pub live: LiveEvents,
    /// The call being replayed and its position among all calls.
    pub call: Option<(EventCode, u64)>,
    /// The rest of the current call is not compared: both sides have gone different ways.
    pub skip: bool,
    /// Where its events are written to, if they are.
    pub writer: Option<ThreadWriter>,
    pub last_written_stamp: u64,
    /// The providers whose events the recording has of it.
    pub recorded: ProviderSet,
}

/// All threads, by index; an index stays what it is.
#[derive(Default)]
pub(crate) struct Threads {
    all: Vec<Thread>,
    by_number: BTreeMap<u32, usize>,
    /// The providers that were recorded from the begin on.
    recorded: ProviderSet,
}

impl Threads {
    pub fn new(recorded: ProviderSet) -> Threads {
        Threads { recorded, ..Threads::default() }
    }

    /// The index of the thread with this number. `guess` is the one to try first.
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

    /// No call is open, as a rundown says.
    pub fn forget_calls(&mut self) {
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
