//! A worker thread for background tasks.

use super::done::Done;
use super::priority::WorkerPriorities;
use crate::shell::{EventSink, Shell};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use taut_schemas::task;

/// Runs until the session ends. Only the work itself is done at the task's priority: a thread that is hardly ever run must
/// not hold a lock that the application waits for.
pub(super) fn run<S: EventSink>(shell: &Shell, priorities: &WorkerPriorities, worker: u32, sink: S) {
    let mut thread = shell.thread(sink);
    let _attendance = priorities.attend(worker);
    while let Some((task, work)) = thread.start_work(worker) {
        priorities.begin(worker);
        let made = catch_unwind(AssertUnwindSafe(|| work.run()));
        priorities.end(worker);
        // Refused only if the task is not running, which it is.
        let _ = match made {
            Ok(product) => thread.call_with(&task::FinishBackgroundWork { task }, Some(&mut Done::Task(Some(product)))),
            Err(panic) => thread.call(&task::FailBackgroundWork { task, reason: reason(&*panic) }),
        };
    }
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}
