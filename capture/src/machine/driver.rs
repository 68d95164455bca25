//! Thread of a driver that has one of its own.

use crate::event_stream::EventSink;
use crate::shell::Shell;
use std::sync::Arc;
use taut_schemas::{AdapterId, machine};

/// Runs until the session ends: makes the input RunDriverThread each time the driver has woken the thread.
pub(super) fn run<S: EventSink>(shell: &Arc<Shell>, adapter: AdapterId, sink: S) {
    let mut thread = shell.thread(sink);
    while thread.woken_driver(adapter).is_some() {
        // Fails if the device was removed meanwhile. A panic has already removed the device.
        let _ = thread.try_call_with(&machine::RunDriverThread { adapter }, ());
    }
}
