//! Rundowns while a session goes on, of whose recording only the last is kept: a replay can start with the first that is there.

use super::recorder::Recorder;
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

/// Times as long as all locks were held for a rundown, before the next: where they are larger than a segment, each asks for another.
const REST: u32 = 9;

/// What is asked of the thread.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// A segment was begun: a rundown.
    Segment,
    /// The session ends.
    End,
}

/// The thread that makes rundowns.
pub(super) struct Rundowns {
    wishes: Sender<Wish>,
    thread: JoinHandle<()>,
}

impl Rundowns {
    /// Begins to hear wishes. The first rundown that cannot be made is told to `failed`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn begin<R: Recorder>(
        (wishes, heard): (Sender<Wish>, Receiver<Wish>),
        mut recording: AppThread<SessionSink<R::Sink>>,
        failed: impl FnOnce(String) + Send + 'static,
    ) -> io::Result<Rundowns> {
        let (mut failed, again) = (Some(failed), wishes.clone());
        let run = move || {
            while heard.recv().is_ok_and(|wish| wish == Wish::Segment) {
                let begun = Instant::now();
                let held = match recording.rundown() {
                    Ok(rundown) => rundown.held,
                    Err(error) => {
                        failed.take().into_iter().for_each(|failed| failed(error.to_string()));
                        begun.elapsed()
                    }
                };
                // What was wished for meanwhile is one wish.
                let rested = Instant::now() + held * REST;
                let mut is_wished_for = false;
                loop {
                    match heard.recv_timeout(rested.saturating_duration_since(Instant::now())) {
                        Ok(Wish::Segment) => is_wished_for = true,
                        Ok(Wish::End) | Err(RecvTimeoutError::Disconnected) => return,
                        Err(RecvTimeoutError::Timeout) => break,
                    }
                }
                if is_wished_for {
                    let _ = again.send(Wish::Segment);
                }
            }
        };
        Ok(Rundowns { wishes, thread: Builder::new().name("taut-rundown".to_owned()).spawn(run)? })
    }

    /// Lets it end the one that it is at.
    pub fn end(self) {
        let _ = self.wishes.send(Wish::End);
        let _ = self.thread.join();
    }
}
