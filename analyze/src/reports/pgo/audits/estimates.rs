//! What the driver said that it did not make.

use super::{AuditFindings, Evidence};
use crate::background::{BackgroundEvent, ModeCall, VariantReported};
use crate::render::counted;
use std::collections::{HashMap, HashSet};
use taut_schemas::{MeasurementsAction, PipelineStateId, VariantChange};

/// What is known of a pipeline state.
#[derive(Default)]
struct Known {
    /// Slots and values of what was refused since measurements were last discarded.
    refused: HashSet<(Vec<u32>, Vec<u32>)>,
    /// A variant came into use: what is found from then on may be made of that.
    is_specialised: bool,
}

/// No task for what an estimate refused. Each task of a generic shader is a case.
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
                if !known.is_specialised {
                    let is_refused =
                        known.refused.contains(&(item.slots.clone(), item.words.clone().unwrap_or_default()));
                    findings.case(at.stamp, is_refused, || {
                        let slots = counted(item.slots.len() as u64, "slot");
                        let name = evidence.background.pipeline_name(item.pipeline_state);
                        format!(
                            "Task {} for {name} is queued for values of {slots} that the driver had said promise too little.",
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
