//! GPU thread of an adapter: executes the operations of all its command queues, oldest first.

use super::effects::Effects;
use super::processor;
use super::stopwatch::Stopwatch;
use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_runtime::{Runnable, catch, panic_message};
use taut_schemas::{AdapterId, SubmissionResult, machine};

/// Runs until the session ends. A panic is a failure of the operation, not of this thread.
pub(super) fn run<S: EventSink>(shell: &Arc<Shell>, adapter: AdapterId, sink: S) {
    let mut thread = shell.thread(sink);
    let mut stopwatch = Stopwatch::new(shell.clock);
    let mut effects = None;
    while let Some(Runnable { command_queue, submission, work, effects: on_memory }) = thread.next_operation(adapter) {
        // The memory is set before the first call.
        if let (false, Some(memory)) = (on_memory.is_empty(), shell.memory.get()) {
            effects.get_or_insert_with(|| Effects::new(Arc::clone(memory))).execute(&on_memory);
        }
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
        // Fails if the command queue no longer exists.
        let completed = result.and_then(|result| thread.try_call_with(&complete, result));
        if let Err(reason) = completed {
            let _ = thread.try_call_with(&machine::FailQueueOperation { command_queue, submission, reason }, ());
        }
    }
}
