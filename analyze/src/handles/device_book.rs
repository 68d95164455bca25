//! What is kept of one device.

use super::findings::Findings;
use crate::event_reader::At;
use taut_schemas::handle_rules::{HandleAudit, HandleEvent};

/// One device.
#[derive(Debug, Default)]
pub(super) struct DeviceBook {
    audit: HandleAudit,
}

impl DeviceBook {
    /// The rules hear what was said of the device.
    pub fn hear(&mut self, at: At, event: &HandleEvent, findings: &mut Findings) {
        self.audit.hear_on(at.thread, event);
        self.audit.broken.drain(..).for_each(|broken| findings.add(at, broken));
    }
}
