//! One rundown per segment of a recording that keeps only its last segments, so that a replay can start from the first
//! rundown that remains.

use super::recorder::Recorder;
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// Minimum pause after a rundown, as a multiple of the time for which it held all locks. Without a pause, rundowns
/// larger than a segment would each trigger the next at once.
const PAUSE_FACTOR: u32 = 9;

/// Message to the rundown thread.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RundownRequest {
    /// A new segment was started and needs a rundown.
    Segment,
    /// The session ends.
    End,
}

/// Thread that records rundowns.
pub(super) struct Rundowns {
    requests: Sender<RundownRequest>,
    thread: JoinHandle<()>,
}

impl Rundowns {
    /// Starts the thread. `failed` is called with the error of the first rundown that fails.
    ///
    /// # Errors
    /// The system cannot create a thread.
    pub fn begin<R: Recorder>(
        requests: Sender<RundownRequest>,
        receiver: Receiver<RundownRequest>,
        mut recording: AppThread<SessionSink<R::Sink>>,
        failed: impl FnOnce(String) + Send + 'static,
    ) -> io::Result<Rundowns> {
        let (mut failed, sender) = (Some(failed), requests.clone());
        let run = move || {
            while receiver.recv().is_ok_and(|request| request == RundownRequest::Segment) {
                let begun = Instant::now();
                let held = match recording.rundown() {
                    Ok(rundown) => rundown.held,
                    Err(error) => {
                        failed.take().into_iter().for_each(|failed| failed(error.to_string()));
                        // Upper bound of the time for which the failed rundown held the locks.
                        begun.elapsed()
                    }
                };
                // All requests during the pause are merged into one.
                let pause_end = Instant::now() + held * PAUSE_FACTOR;
                let mut is_requested = false;
                loop {
                    match receiver.recv_timeout(pause_end.saturating_duration_since(Instant::now())) {
                        Ok(RundownRequest::Segment) => is_requested = true,
                        Ok(RundownRequest::End) | Err(RecvTimeoutError::Disconnected) => return,
                        Err(RecvTimeoutError::Timeout) => break,
                    }
                }
                if is_requested {
                    let _ = sender.send(RundownRequest::Segment);
                }
            }
        };
        Ok(Rundowns { requests, thread: Builder::new().name("taut-rundown".to_owned()).spawn(run)? })
    }

    /// Ends the thread, after the rundown in progress or already requested.
    pub fn end(self) {
        let _ = self.requests.send(RundownRequest::End);
        let _ = self.thread.join();
    }
}
