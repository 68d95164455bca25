//! What is said of the recording, in its trace or at once.

use super::Pool;
use crate::clock::Clock;
use crate::clock_reading::ClockReading;
use crate::own::Own;
use crate::stream_info::StreamInfo;
use std::fmt;

/// What is to be called when slots cannot be made in the sidecar.
pub(super) struct OnUnkept(Box<dyn FnOnce(&str) + Send>);

impl fmt::Debug for OnUnkept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnUnkept")
    }
}

impl Pool {
    /// Says something of the recording in the trace.
    pub fn tell(&self, own: Own) {
        self.state().own.push(own);
        self.filled.notify_one();
    }

    /// Stamps are of this clock. By the logical one nothing is said that is not the same in equal runs.
    pub fn keep_time(&self, clock: Clock) {
        self.state().clock = Some(clock).filter(|clock| !matches!(clock, Clock::Logical));
        self.read_clock();
    }

    /// What time it is.
    pub fn time(&self) -> Option<ClockReading> {
        let clock = self.state().clock;
        clock.and_then(|clock| ClockReading::now(&clock))
    }

    /// Says what time it is.
    pub fn read_clock(&self) {
        self.time().into_iter().for_each(|reading| self.tell(Own::Clock(reading)));
    }

    /// Says that the thread which calls is this stream's.
    pub fn introduce(&self, stream: u32) {
        if self.state().clock.is_some() {
            self.tell(Own::Stream(StreamInfo::of_this_thread(stream)));
        }
    }

    /// Says once why what is recorded from now on may not outlive the process.
    pub fn cannot_keep(&self, why: &std::io::Error) {
        let why = why.to_string();
        self.tell(Own::Unkept(why.clone()));
        let mut state = self.state();
        match state.on_unkept.take() {
            Some(OnUnkept(call)) => {
                drop(state);
                call(&why);
            }
            None => state.unkept = Some(why),
        }
    }

    /// Has `call` hear of it.
    pub fn on_unkept(&self, call: Box<dyn FnOnce(&str) + Send>) {
        let mut state = self.state();
        match state.unkept.take() {
            Some(why) => {
                drop(state);
                call(&why);
            }
            None => state.on_unkept = Some(OnUnkept(call)),
        }
    }
}
