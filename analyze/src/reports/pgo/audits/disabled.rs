//! Audit of the modes that disable background work.

use super::order::is_refused;
use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, ModeCall, ModeCallEnded};
use taut_schemas::{BackgroundProcessingMode, HResultCode};

/// Checks that no task is queued in a mode that disables background work. A mode takes effect when
/// SetBackgroundProcessingMode returns. During the call, tasks are accepted if the previous mode accepts them, if the
/// call commits (rule B-33), or if the new mode accepts them (rule B-26).
pub(super) fn check(evidence: &Evidence<'_>) -> AuditFindings {
    let mut findings = AuditFindings::default();
    let (mut mode, mut call): (_, Option<&ModeCall>) = (BackgroundProcessingMode::ALLOWED, None);
    for (at, event) in &evidence.background.events {
        match event {
            BackgroundEvent::ModeCallBegan(began) => call = Some(began),
            BackgroundEvent::ModeCallEnded(ModeCallEnded { hr, .. }) => {
                // A failed call does not change the mode.
                if let Some(call) = call.take().filter(|_| *hr == HResultCode::S_OK) {
                    mode = call.mode;
                }
            }
            // A new device starts in the default mode.
            BackgroundEvent::DeviceDestroyed => mode = BackgroundProcessingMode::ALLOWED,
            BackgroundEvent::Queued { task, .. } => {
                let accepts = |call: &ModeCall| call.action.commits() || !call.mode.disables_work();
                let may = !mode.disables_work() || call.is_some_and(accepts);
                findings.case(at.stamp, !may && !is_refused(evidence, *task), || {
                    format!("Task {} was queued in the mode {mode:?}.", task.0)
                });
            }
            _ => {}
        }
    }
    findings
}
