//! Rules of contexts and their handles, checked device by device.

use super::device_state::DeviceState;
use super::findings::{Findings, RuleFindings};
use crate::events::At;
use std::collections::{BTreeMap, HashMap};
use taut_schemas::ThreadingCaps;
use taut_schemas::handle_rules::HandleEvent;

/// Checks of the rules on all events.
#[derive(Debug, Default)]
pub(super) struct RuleChecks {
    devices: Vec<DeviceState>,
    /// State of contexts that the trace does not create.
    strays: DeviceState,
    /// True if the recording starts mid-stream: earlier contexts are unknown, so rules are not checked on them.
    pub starts_in_mid_stream: bool,
    /// Per thread, the capabilities that were queried before a device was created.
    caps: HashMap<u32, ThreadingCaps>,
    findings: Findings,
    /// Start of the call of the current event.
    pub began: u64,
}

impl RuleChecks {
    /// Adds a device. Returns its index.
    pub fn add_device(&mut self) -> usize {
        self.devices.push(DeviceState::default());
        self.devices.len() - 1
    }

    /// Stores capabilities for the device that the thread creates next.
    pub fn store_caps(&mut self, thread: u32, caps: ThreadingCaps) {
        self.caps.insert(thread, caps);
    }

    pub fn take_caps(&mut self, thread: u32) -> Option<ThreadingCaps> {
        self.caps.remove(&thread)
    }

    /// Checks an event of a device, or of a context that the trace does not create.
    pub fn on_event(&mut self, at: At, device: Option<usize>, event: &HandleEvent) {
        let device = device.and_then(|device| self.devices.get_mut(device));
        if device.is_none() && self.starts_in_mid_stream {
            return;
        }
        device.unwrap_or(&mut self.strays).on_event(at, self.began, event, &mut self.findings);
    }

    /// Violations by rule id.
    pub fn by_rule(&self) -> &BTreeMap<&'static str, RuleFindings> {
        &self.findings.by_rule
    }

    /// Number of violations so far.
    pub fn count(&self) -> u64 {
        self.findings.count
    }

    /// Max distance of an open handle from its deferred context's own handle, in bytes.
    pub fn max_distance_bytes(&self) -> u64 {
        self.devices.iter().chain([&self.strays]).map(DeviceState::max_distance_bytes).max().unwrap_or_default()
    }

    /// Number of devices created.
    pub fn device_count(&self) -> u64 {
        self.devices.len() as u64
    }
}
