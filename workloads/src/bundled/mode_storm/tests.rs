use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, run};
use taut_schemas::{Call, Decoder, EventHandle, HResultCode, d3d12, win32};

fn played(driver: &str) -> Vec<Event> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == "mode-storm").unwrap();
    let session = MemorySession::with_driver(driver);
    let overrides = [("frames".to_owned(), "100".to_owned())];
    run("mode-storm", &session, &Parameters::new(workload.parameters, overrides.into()).unwrap()).unwrap();
    session.events()
}

/// Returns the mode changes and their results.
fn changes(events: &[Event]) -> Vec<(d3d12::SetBackgroundProcessingMode, HResultCode)> {
    let changes = events.iter().filter(|event| event.name == d3d12::SetBackgroundProcessingMode::NAME);
    let decoded = |event: &Event| d3d12::SetBackgroundProcessingMode::decode(&mut Decoder::new(&event.row)).unwrap();
    changes.map(|event| (decoded(event), event.hr.unwrap())).collect()
}

#[test]
fn b01_values_beyond_the_enumerations_are_refused_whatever_else_is_right() {
    for driver in ["reference", "legacy"] {
        let changes = changes(&played(driver));
        let beyond: Vec<_> =
            changes.iter().filter(|(call, _)| call.mode.0 > 3 || call.measurements_action.0 > 3).collect();
        assert!(beyond.len() > 10 && beyond.iter().all(|(_, hr)| *hr == HResultCode::E_INVALIDARG), "{beyond:?}");
    }
}

#[test]
fn b02_events_are_for_commits_only_and_must_exist() {
    let changes = changes(&played("reference"));
    let known = changes.iter().filter(|(call, _)| call.mode.0 <= 3 && call.measurements_action.0 <= 3);
    let with_event: Vec<_> = known.filter(|(call, _)| call.event != EventHandle::NULL).collect();
    let (commits, others): (Vec<_>, Vec<_>) =
        with_event.into_iter().partition(|(call, _)| call.measurements_action.commits());
    assert!(others.len() > 10 && others.iter().all(|(_, hr)| *hr == HResultCode::E_INVALIDARG), "{others:?}");
    assert!(commits.iter().any(|(_, hr)| *hr == HResultCode::E_HANDLE));
    assert!(commits.iter().any(|(_, hr)| *hr == HResultCode::S_OK));
}

#[test]
fn b04_gated_modes_are_refused_while_developer_mode_is_off_and_the_others_never() {
    let events = played("reference");
    let mut enabled = true;
    let mut seen = [0; 2];
    for event in &events {
        if event.name == win32::SetDeveloperMode::NAME {
            enabled = win32::SetDeveloperMode::decode(&mut Decoder::new(&event.row)).unwrap().enabled;
        }
        for (call, hr) in changes(std::slice::from_ref(event)) {
            let gated = matches!(call.mode.0, 2 | 3) || call.measurements_action.0 == 2;
            if call.mode.0 > 3 || call.measurements_action.0 > 3 || call.event != EventHandle::NULL {
                continue;
            }
            seen[usize::from(enabled)] += 1;
            assert_eq!(hr == HResultCode::S_OK, enabled || !gated, "{call:?}");
        }
    }
    assert!(seen.iter().all(|seen| *seen > 3), "{seen:?}");
}
