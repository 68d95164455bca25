//! Audit of the driver's estimates.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, ModeCall, VariantReported};
use crate::render::counted;
use std::collections::{HashMap, HashSet};
use taut_schemas::{MeasurementsAction, PipelineStateId, VariantChange};

/// State of a pipeline state object.
#[derive(Default)]
struct Known {
    /// Slots and values that estimates rejected since measurements were last discarded.
    refused: HashSet<(Vec<u32>, Vec<u32>)>,
    /// True once a variant was installed: later opportunities may build on that variant.
    is_specialised: bool,
}

/// Checks that no task is queued for a specialisation that an estimate rejected. Only tasks for a generic shader are
/// cases.
pub(super) fn check(evidence: &Evidence<'_>) -> AuditFindings {
    let mut known: HashMap<PipelineStateId, Known> = HashMap::new();
    let mut findings = AuditFindings::default();
    for (at, happening) in &evidence.background.events {
        match happening {
            BackgroundEvent::DeviceCreated => known.clear(),
            BackgroundEvent::ModeCallBegan(ModeCall { action: MeasurementsAction::DISCARD_PREVIOUS, .. }) => {
                known.values_mut().for_each(|known| known.refused.clear());
            }
            BackgroundEvent::Estimated(VariantReported { pipeline_state, slots, words, .. }) => {
                known.entry(*pipeline_state).or_default().refused.insert((slots.clone(), words.clone()));
            }
            BackgroundEvent::VariantReported(VariantReported { pipeline_state, change, .. }) => {
                known.entry(*pipeline_state).or_default().is_specialised |= *change == VariantChange::INSTALLED;
            }
            BackgroundEvent::Queued { task, item } => {
                let known = known.entry(item.pipeline_state).or_default();
                // After an installation the same values may gain more, and a task for them is legal.
                if !known.is_specialised {
                    let is_refused =
                        known.refused.contains(&(item.slots.clone(), item.words.clone().unwrap_or_default()));
                    findings.case(at.stamp, is_refused, || {
                        let slots = counted(item.slots.len() as u64, "slot");
                        let name = evidence.background.pipeline_name(item.pipeline_state);
                        format!(
                            "Task {} for {name} is queued for values of {slots} that the driver had estimated to gain too little.",
                            task.0
                        )
                    });
                }
            }
            _ => {}
        }
    }
    findings
}
