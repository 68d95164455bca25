//! The checks after a driver runs out of memory for a deferred context's recording (rules H-52, H-74 and H-76).

use super::event::HandleEvent;
use crate::error_class::ErrorVerdict;
use crate::id::D3d11ContextId;
use crate::rules::{Rule, rule};
use std::collections::BTreeMap;

/// State of a failed recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failed {
    /// Memory is out, and AbandonCommandList has not been called yet.
    Poisoned,
    /// AbandonCommandList has been called.
    Abandoned,
    /// The device is removed or to be removed: these rules no longer apply.
    Lost,
}

/// The deferred contexts with failed recordings. A context that records has no entry.
#[derive(Debug, Default)]
pub(super) struct Recordings(BTreeMap<D3d11ContextId, Failed>);

impl Recordings {
    /// Processes an error in a call on a deferred context. Returns the rule that it breaks if it follows an earlier
    /// error.
    pub fn reported(&mut self, context: D3d11ContextId, verdict: ErrorVerdict) -> Option<&'static Rule> {
        let before = self.0.get(&context).copied();
        let next = match verdict {
            ErrorVerdict::LocalRemoval if before.is_none() => Failed::Poisoned,
            ErrorVerdict::Returned => return None,
            _ => Failed::Lost,
        };
        self.0.insert(context, next);
        let repeated = matches!(verdict, ErrorVerdict::LocalRemoval | ErrorVerdict::Returned) && before.is_some();
        (repeated && before != Some(Failed::Lost)).then_some(rule::H_76)
    }

    /// Processes an event of a deferred context. Returns the violated rule, the context and the reason.
    pub fn on_event(&mut self, event: &HandleEvent) -> Option<(&'static Rule, D3d11ContextId, &'static str)> {
        if let HandleEvent::ContextRecycled(context) | HandleEvent::ContextDestroyed(context) = event {
            self.0.remove(context);
            return None;
        }
        if self.0.is_empty() {
            return None;
        }
        match event {
            HandleEvent::Abandoned(context) => {
                let failed = self.0.get_mut(context)?;
                match failed {
                    Failed::Poisoned => *failed = Failed::Abandoned,
                    Failed::Abandoned => return Some((rule::H_52, *context, "is told to abandon its recording twice")),
                    Failed::Lost => {}
                }
                None
            }
            HandleEvent::Destroyed { context, .. } => {
                let early = self.0.get(context) == Some(&Failed::Poisoned);
                early.then_some((rule::H_52, *context, "closes a handle before it is told to abandon its recording"))
            }
            HandleEvent::Created { context, .. }
            | HandleEvent::Used { context, ran_out_of_memory: false, .. }
            | HandleEvent::RecordedOn(context)
            | HandleEvent::ListExecuted { context, .. } => {
                let silent = matches!(self.0.get(context), Some(Failed::Poisoned | Failed::Abandoned));
                silent.then_some((rule::H_74, *context, "receives a call although it is out of memory"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ErrorVerdict::{Critical, LocalRemoval};

    const CONTEXT: D3d11ContextId = D3d11ContextId(7);

    fn ids(events: &[HandleEvent]) -> Vec<&'static str> {
        let mut recordings = Recordings::default();
        assert_eq!(recordings.reported(CONTEXT, LocalRemoval), None);
        events.iter().filter_map(|event| recordings.on_event(event)).map(|(rule, _, _)| rule.id).collect()
    }

    #[test]
    fn h52_h74_a_recording_is_thrown_away_first_then_handles_are_closed_and_nothing_is_recorded() {
        let (context, handle) = (CONTEXT, Default::default());
        let closed = HandleEvent::Destroyed { context, handle_type: Default::default(), handle };
        let abandoned = HandleEvent::Abandoned(context);
        let drawn = HandleEvent::RecordedOn(context);
        let recycled = HandleEvent::ContextRecycled(context);
        let fine = [abandoned.clone(), closed.clone(), recycled.clone(), drawn.clone(), closed.clone()];
        assert_eq!(ids(&fine), [""; 0]);
        assert_eq!(ids(&[closed, abandoned.clone(), recycled]), ["H-52"]);
        assert_eq!(ids(&[abandoned.clone(), drawn, abandoned]), ["H-74", "H-52"]);
    }

    #[test]
    fn h74_the_call_that_ran_out_of_memory_is_not_a_later_call() {
        let used = |ran_out_of_memory| HandleEvent::Used { context: CONTEXT, handles: Vec::new(), ran_out_of_memory };
        assert_eq!(ids(&[used(true)]), [""; 0]);
        assert_eq!(ids(&[used(false)]), ["H-74"]);
    }

    #[test]
    fn h76_a_second_error_removes_the_device() {
        let mut recordings = Recordings::default();
        let found = [LocalRemoval, LocalRemoval, LocalRemoval].map(|verdict| recordings.reported(CONTEXT, verdict));
        assert_eq!(found.map(|rule| rule.map(|rule| rule.id)), [None, Some("H-76"), None]);
        assert_eq!(recordings.on_event(&HandleEvent::RecordedOn(CONTEXT)), None);
        assert_eq!(Recordings::default().reported(CONTEXT, Critical), None);
    }
}
