//! An adapter's graphics processor: one thread that does what all its command queues have to do, oldest first.

use super::processor;
use super::stopwatch::Stopwatch;
use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_runtime::{Runnable, catch, panic_message};
use taut_schemas::{AdapterId, SubmissionResult, machine};

/// Runs until the session ends. What panics is an operation's failure, not this thread's.
pub(super) fn run<S: EventSink>(shell: &Arc<Shell>, adapter: AdapterId, sink: S) {
    let mut thread = shell.thread(sink);
    let mut stopwatch = Stopwatch::new(shell.clock);
    while let Some(Runnable { command_queue, submission, work }) = thread.next_operation(adapter) {
        let mut complete = machine::CompleteQueueOperation { command_queue, ..Default::default() };
        let run = || {
            work.map(|work| {
                let runs = work.run();
                if let Some(stopwatch) = &mut stopwatch {
                    (complete.processor, complete.times) = (processor::current(), stopwatch.take(&*work, &runs));
                }
                SubmissionResult { submission, runs }
            })
        };
        let result = catch(run).map_err(|panic| panic_message(&*panic));
        // Refused if the command queue is gone by now.
        let completed = result.and_then(|result| thread.try_call_given(&complete, result));
        if let Err(reason) = completed {
            let _ = thread.try_call_given(&machine::FailQueueOperation { command_queue, submission, reason }, ());
        }
    }
}
