//! Stop request of a recording whose session may not have begun yet.

use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_capture::Stop;

/// Stops a recording, from any thread. It can be requested before the session begins: a trace has its name before its
/// session can be stopped.
#[derive(Default)]
pub struct StopRequest(Mutex<State>);

#[derive(Default)]
enum State {
    /// The session begins, and no stop was requested.
    #[default]
    Beginning,
    /// The session begins, and a stop was requested.
    Requested,
    /// The session has begun.
    Begun(Stop),
}

impl StopRequest {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the session now, or as soon as it has begun.
    pub fn request(&self) {
        let mut state = self.state();
        match &*state {
            State::Begun(stop) => stop.request(),
            State::Beginning | State::Requested => *state = State::Requested,
        }
    }

    /// The session has begun: stops it if a stop was requested.
    pub(super) fn pass_to(&self, stop: Stop) {
        let mut state = self.state();
        if matches!(*state, State::Requested) {
            stop.request();
        }
        *state = State::Begun(stop);
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use taut_capture::{Adapters, Clock, Session};
    use taut_runtime::Settings;

    #[test]
    fn a_request_before_or_after_the_session_begins_stops_it() {
        for is_early in [true, false] {
            let adapters = Adapters::named("reference").expect("a bundled driver");
            let session = Session::unrecorded(adapters, Settings::default(), Clock::Logical);
            let stop = StopRequest::default();
            if is_early {
                stop.request();
            }
            stop.pass_to(session.stop());
            assert_eq!(session.is_interrupted(), is_early);
            stop.request();
            assert!(session.is_interrupted());
        }
    }
}
