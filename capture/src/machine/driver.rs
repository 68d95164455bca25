//! A driver's own thread, of a driver that has one.

use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_schemas::{AdapterId, machine};

/// Runs until the session ends: goes on whenever the driver has woken it.
pub(super) fn run<S: EventSink>(shell: &Arc<Shell>, adapter: AdapterId, sink: S) {
    let mut thread = shell.thread(sink);
    while thread.woken_driver(adapter).is_some() {
        // Refused if the device went meanwhile. What panics has removed the device.
        let _ = thread.try_call_given(&machine::RunDriverThread { adapter }, ());
    }
}
