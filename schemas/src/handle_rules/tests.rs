//! Tests of the handle rules over a few events.

use super::audit::HandleAudit;
use super::event::{CallSpan, HandleEvent};
use crate::d3d11_context_desc::{CreateHandle, HandleType};
use crate::desc::DriverHandle;
use crate::id::D3d11ContextId;

const IMMEDIATE: D3d11ContextId = D3d11ContextId(1);
const CONTEXTS: [D3d11ContextId; 2] = [D3d11ContextId(2), D3d11ContextId(3)];

/// The handle of a context.
fn device(context: D3d11ContextId) -> DriverHandle {
    DriverHandle(context.0 << 20)
}

fn created(context: D3d11ContextId, address: u64, size_bytes: u64) -> HandleEvent {
    let ic_handle = DriverHandle(if context == IMMEDIATE { 0 } else { 0x40 });
    let handle = CreateHandle { driver_handle: DriverHandle(address), size_bytes, ic_handle, ..Default::default() };
    HandleEvent::Created { context, handle_type: HandleType::RESOURCE, handle, has_desc: context == IMMEDIATE }
}

fn audit() -> HandleAudit {
    let mut audit = HandleAudit::default();
    let core_layer = DriverHandle(IMMEDIATE.0);
    audit.on_event(&HandleEvent::DeviceCreated { context: IMMEDIATE, device: device(IMMEDIATE), core_layer });
    for context in CONTEXTS {
        let (device, core_layer, slots) = (device(context), DriverHandle(context.0), Vec::new());
        audit.on_event(&HandleEvent::ContextCreated { by: IMMEDIATE, context, device, core_layer, slots });
    }
    audit.on_event(&created(IMMEDIATE, 0x40, 64));
    audit.broken.clear();
    audit
}

fn ids(audit: &HandleAudit) -> Vec<&str> {
    audit.broken.iter().map(|broken| broken.rule.id).filter(|id| ["H-33", "H-36", "H-80"].contains(id)).collect()
}

#[test]
fn h33_handles_of_two_contexts_are_on_lines_of_their_own() {
    for (first, second, expected) in [(40, 24, true), (64, 64, false), (65, 8, true)] {
        let mut audit = audit();
        let base = device(CONTEXTS[1]).0;
        audit.on_event(&created(CONTEXTS[0], base + 0x80, first));
        audit.on_event(&created(CONTEXTS[1], base + 0x80 + first, second));
        assert_eq!(ids(&audit).contains(&"H-33"), expected, "{first} {second}");
        let mut other = self::audit();
        other.on_event(&created(CONTEXTS[1], base + 0x80 + first, second));
        other.on_event(&created(CONTEXTS[0], base + 0x80, first));
        assert_eq!(ids(&other), ids(&audit).into_iter().rev().collect::<Vec<_>>(), "whichever comes first");
    }
}

#[test]
fn h36_open_handles_follow_their_contexts_own_handle() {
    let mut audit = audit();
    audit.on_event(&created(CONTEXTS[0], device(CONTEXTS[0]).0 + 0x80, 64));
    assert_eq!((ids(&audit), audit.max_distance_bytes), (Vec::new(), 0x80));
    audit.on_event(&created(CONTEXTS[0], device(CONTEXTS[1]).0 + 0x80, 64));
    assert_eq!(ids(&audit), ["H-36"]);
}

#[test]
fn h80_overlapping_calls_on_a_context_are_reported_but_creations_are_not() {
    let used = |context| HandleEvent::Used { context, handles: Vec::new(), ran_out_of_memory: false };
    for (context, event, began, expected) in [
        (CONTEXTS[0], used(CONTEXTS[0]), 15, true),
        (CONTEXTS[0], used(CONTEXTS[0]), 20, false),
        (CONTEXTS[0], used(CONTEXTS[1]), 15, false),
        (IMMEDIATE, created(IMMEDIATE, 0x100, 64), 15, false),
        (IMMEDIATE, used(IMMEDIATE), 15, true),
    ] {
        let mut audit = audit();
        audit.on_event_in(CallSpan { thread: 0, began: 10, at: 20 }, &used(context));
        audit.on_event_in(CallSpan { thread: 1, began, at: 30 }, &event);
        assert_eq!(ids(&audit), if expected { vec!["H-80"] } else { Vec::new() }, "{context:?} {event:?}");
    }
}
