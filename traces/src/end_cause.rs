//! What ends a recording before its program does, and who is told.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why a recording is to end. What its threads are at is recorded yet, so that the trace is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndCause {
    /// The trace has come near the size, in bytes, that was set for it.
    Size(u64),
    /// It has gone on for the time that was set for it.
    Time(Duration),
    /// Another process asked for it.
    Asked,
}

/// The cause, as what comes behind "the recording ended: ".
impl fmt::Display for EndCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndCause::Size(bytes) => write!(f, "the trace has reached the size set for it, {bytes} bytes"),
            EndCause::Time(time) => write!(f, "it has gone on for the time set for it, {time:?}"),
            EndCause::Asked => f.write_str("another process asked for it"),
        }
    }
}

type OnEnd = Box<dyn FnOnce(EndCause) + Send>;

#[derive(Default)]
struct State {
    reached: Option<EndCause>,
    on_end: Option<OnEnd>,
    /// Somebody listens, or did.
    has_listener: bool,
}

/// Tells once that a recording is to end.
#[derive(Default)]
pub(crate) struct EndWatch(Mutex<State>);

impl fmt::Debug for EndWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EndWatch").field(&self.state().reached).finish()
    }
}

impl EndWatch {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There is a cause; the first is told. `false` if there is nobody to hear of it.
    pub fn reach(&self, cause: EndCause) -> bool {
        let mut state = self.state();
        let (first, call) = (*state.reached.get_or_insert(cause), state.on_end.take());
        let has_listener = state.has_listener;
        drop(state);
        if let Some(call) = call {
            call(first);
        }
        has_listener
    }

    /// Has `call` hear of it, at once if there is a cause already.
    pub fn on_end(&self, call: OnEnd) {
        let mut state = self.state();
        state.has_listener = true;
        match state.reached {
            Some(cause) => {
                drop(state);
                call(cause);
            }
            None => state.on_end = Some(call),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_first_cause_is_told_once_whoever_comes_first() {
        for listens_first in [true, false] {
            let (watch, (told, heard)) = (EndWatch::default(), channel());
            let call = Box::new(move |cause| told.send(cause).unwrap());
            if listens_first {
                watch.on_end(call);
                assert!(watch.reach(EndCause::Size(7)));
            } else {
                assert!(!watch.reach(EndCause::Size(7)));
                watch.on_end(call);
            }
            assert!(watch.reach(EndCause::Asked));
            assert_eq!(heard.iter().collect::<Vec<_>>(), [EndCause::Size(7)]);
        }
    }
}
