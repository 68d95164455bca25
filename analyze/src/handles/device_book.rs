//! What is kept of one device.

use super::findings::Findings;
use crate::event_reader::At;
use taut_schemas::handle_rules::{HandleAudit, HandleEvent, HeardIn};

/// One device.
#[derive(Debug, Default)]
pub(super) struct DeviceBook {
    audit: HandleAudit,
}

impl DeviceBook {
    /// How far, at most, what a deferred context has open lies behind its own handle.
    pub fn farthest_bytes(&self) -> u64 {
        self.audit.farthest_bytes
    }

    /// The rules hear what was said of the device.
    pub fn hear(&mut self, (at, began): (At, u64), event: &HandleEvent, findings: &mut Findings) {
        self.audit.hear_in(HeardIn { thread: at.thread, began, at: at.stamp }, event);
        self.audit.broken.drain(..).for_each(|broken| findings.add(at, broken));
    }
}
