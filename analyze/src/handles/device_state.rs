//! State of one device.

use super::findings::Findings;
use crate::events::At;
use taut_schemas::handle_rules::{CallSpan, HandleAudit, HandleEvent};

/// State of one device.
#[derive(Debug, Default)]
pub(super) struct DeviceState {
    audit: HandleAudit,
}

impl DeviceState {
    /// Max distance of an open handle from its deferred context's own handle, in bytes.
    pub fn max_distance_bytes(&self) -> u64 {
        self.audit.max_distance_bytes
    }

    /// Checks the rules on an event of the device.
    pub fn on_event(&mut self, at: At, began: u64, event: &HandleEvent, findings: &mut Findings) {
        self.audit.on_event_in(CallSpan { thread: at.thread, began, at: at.stamp }, event);
        self.audit.broken.drain(..).for_each(|broken| findings.add(at, broken));
    }
}
