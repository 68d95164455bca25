//! An adapter's graphics processor: one thread that does what all its command queues have to do, oldest first.

use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_runtime::Runnable;
use taut_schemas::{AdapterId, SubmissionResult, machine};

/// Runs until the session ends.
pub(super) fn run<S: EventSink>(shell: &Arc<Shell>, adapter: AdapterId, sink: S) {
    let mut thread = shell.thread(sink);
    while let Some(Runnable { command_queue, submission, work }) = thread.next_operation(adapter) {
        let result = work.map(|work| SubmissionResult { submission, runs: work.run() });
        // Refused if the command queue is gone by now.
        let _ = thread.call_given(&machine::CompleteQueueOperation { command_queue }, result);
    }
}
