//! Tests of errors that drivers report, and of their consequences (rules H-70 to H-79).

use super::reporting::{Report, RunLog, When, run};
use crate::world::World;
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{
    Call, ColorWriteEnable, D3d11CommandListId, ErrorClass, ErrorVerdict, HResult, HResultCode, d3d11,
    d3d11_context_ddi as ddi,
};

const DRIVER: &str = "multi-size";

const CODES: [HResultCode; 6] = [
    HResultCode::S_OK,
    HResultCode::E_FAIL,
    HResultCode::E_INVALIDARG,
    HResultCode::E_OUTOFMEMORY,
    HResultCode::DXGI_ERROR_DEVICE_REMOVED,
    HResultCode::DXGI_ERROR_WAS_STILL_DRAWING,
];

/// Functions that may report errors, and whether they belong to a deferred context.
const LINES: [(u16, bool); 22] = [
    (ddi::CreateDeferredContext::ID, false),
    (ddi::CalcDeferredContextHandleSize::ID, false),
    (ddi::CreateResource::ID, false),
    (ddi::CreateShaderResourceView::ID, false),
    (ddi::CreateBlendState::ID, false),
    (ddi::CreateCommandList::ID, false),
    (ddi::ResourceCopy::ID, false),
    (ddi::StagingResourceMap::ID, false),
    (ddi::DynamicResourceMap::ID, false),
    (ddi::SetShaderResources::ID, false),
    (ddi::Draw::ID, false),
    (ddi::Flush::ID, false),
    (ddi::CommandListExecute::ID, false),
    (ddi::CreateResource::ID, true),
    (ddi::CreateShaderResourceView::ID, true),
    (ddi::CreateCommandList::ID, true),
    (ddi::DynamicResourceMap::ID, true),
    (ddi::DynamicResourceUnmap::ID, true),
    (ddi::SetBlendState::ID, true),
    (ddi::SetConstantBuffers::ID, true),
    (ddi::Draw::ID, true),
    (ddi::CommandListExecute::ID, true),
];

fn reported(when: When, codes: &[HResultCode]) -> RunLog {
    run(DRIVER, Report { when, codes: codes.to_vec(), core_layer: None }, Settings::default())
}

/// Returns the consequences of an error.
fn seen(run_log: &RunLog, code: HResultCode) -> ErrorVerdict {
    match (run_log.removed, run_log.rules.is_empty()) {
        (Some(_), true) => ErrorVerdict::Removal,
        (Some(_), false) => ErrorVerdict::Critical,
        // A recording is discarded only if the driver is notified.
        _ if run_log.deferred.iter().any(|context| run_log.names(*context).contains(&"AbandonCommandList")) => {
            assert!(run_log.answered(HResultCode::E_OUTOFMEMORY), "FinishCommandList says so");
            ErrorVerdict::LocalRemoval
        }
        _ => {
            assert!(run_log.answered(code), "a call answers it");
            ErrorVerdict::Returned
        }
    }
}

#[test]
fn h72_h76_every_error_has_the_consequences_of_its_call_s_class() {
    for (line, deferred) in LINES {
        for code in CODES {
            let run_log = reported(When::First(line, deferred), &[code]);
            let expected = ErrorClass::from_line(line).verdict(deferred, code);
            assert_eq!(
                seen(&run_log, code),
                expected,
                "line {line}, deferred {deferred}: {code:?}, {:?}",
                run_log.rules
            );
            let critical = (expected == ErrorVerdict::Critical).then(|| ErrorClass::broken_rule(line).id);
            assert_eq!(run_log.rules, critical.as_slice());
        }
    }
}

#[test]
fn h76_an_error_after_another_removes_the_device() {
    let twice = [HResultCode::E_OUTOFMEMORY; 2];
    let run_log = reported(When::First(ddi::Draw::ID, true), &twice);
    assert_eq!(
        (run_log.rules, run_log.removed),
        (vec!["H-76".to_owned()], Some(HResultCode::DXGI_ERROR_DEVICE_REMOVED))
    );
}

/// The immediate context's handle is that of the device (H-70).
#[test]
fn h70_h71_an_error_is_reported_with_the_handle_of_its_context() {
    for (deferred, strict) in [(false, false), (true, false), (true, true)] {
        let codes = vec![HResultCode::E_OUTOFMEMORY];
        let report = Report { when: When::First(ddi::CreateResource::ID, deferred), codes, core_layer: Some(99) };
        let run_log = run(DRIVER, report, Settings { strict, ..Settings::default() });
        assert_eq!(run_log.rules, [if deferred { "H-71" } else { "H-70" }]);
        assert_eq!(run_log.removed.is_some(), strict, "else it is taken for that of the call's context");
    }
}

#[test]
fn h53_h78_h79_objects_that_failed_to_create_get_no_calls() {
    let code = [HResultCode::E_OUTOFMEMORY];
    for (line, create, destroy, deferred) in [
        (ddi::CreateResource::ID, "CreateResource", "DestroyResource", false),
        (ddi::CreateBlendState::ID, "CreateBlendState", "DestroyBlendState", false),
        (ddi::CreateCommandList::ID, "CreateCommandList", "", false),
        (ddi::CreateResource::ID, "CreateResource", "DestroyResource", true),
        (ddi::CreateCommandList::ID, "CreateCommandList", "DestroyCommandList", true),
    ] {
        let run_log = reported(When::First(line, deferred), &code);
        let context = if deferred { run_log.deferred[0] } else { run_log.events[0].0.max(2) };
        let names = run_log.names(context);
        let count = |name: &str| names.iter().filter(|found| **found == name).count();
        if !destroy.is_empty() {
            assert_eq!(count(create), count(destroy) + 1, "{names:?}");
        }
        let at = names.iter().position(|name| *name == create).unwrap();
        assert_ne!(names.get(at + 1), Some(&"CalcDeferredContextHandleSize"));
    }
}

/// Rules H-52, H-73, H-74 and H-75: memory that runs out in any call affects no other context.
#[test]
fn h52_h73_h74_h75_memory_that_runs_out_anywhere_is_one_contexts_matter() {
    for driver in ["d3d11on12-like", DRIVER] {
        let report = |at| Report { when: When::At(at), codes: vec![HResultCode::E_OUTOFMEMORY], core_layer: None };
        let sound = run(driver, report(0), Settings::default());
        assert!(sound.answers.iter().all(|(_, answer)| answer == "Ok(())"), "{:?}", sound.answers);
        let (mut thrown_away, mut unanswered) = (0, 0);
        for at in 1..=sound.calls {
            let run_log = run(driver, report(at), Settings::default());
            if run_log.removed.is_some() {
                // The immediate context must not run out where nothing is created, nor where the size is returned.
                assert_eq!(run_log.rules, ["H-72"], "{at}");
                continue;
            }
            assert!(run_log.rules.is_empty(), "{at}: {:?}", run_log.rules);
            unanswered += u32::from(!run_log.answered(HResultCode::E_OUTOFMEMORY));
            if run_log.deferred != sound.deferred {
                // No device, or no context.
                continue;
            }
            let abandons = |context: &u64| run_log.names(*context).contains(&"AbandonCommandList");
            if let Some(victim) = run_log.deferred.iter().position(abandons) {
                thrown_away += 1;
                let (victim, other) = (run_log.deferred[victim], run_log.deferred[1 - victim]);
                // The immediate context's handles that a list holds depend on how many there are.
                let own = |run_log: &RunLog| -> Vec<(u16, Vec<u8>)> {
                    let own =
                        run_log.of(other).into_iter().filter(|(code, _)| code.id() != ddi::RecycleCommandList::ID);
                    own.map(|(code, row)| (code.0, row.to_vec())).collect()
                };
                assert!(own(&run_log) == own(&sound), "{at}: {:?}", run_log.names(other));
                let of = |run_log: &RunLog| -> Vec<String> {
                    run_log
                        .answers
                        .iter()
                        .filter(|(context, _)| *context == other)
                        .map(|(_, text)| text.clone())
                        .collect()
                };
                assert_eq!(of(&run_log), of(&sound));
                let names = run_log.names(victim);
                let abandoned = names.iter().position(|name| *name == "AbandonCommandList").unwrap();
                // H-52 and H-74: open handles are closed, and then no call follows until the context is recycled.
                let after = names[abandoned + 1..].iter().take_while(|name| name.starts_with("Destroy")).count();
                let next = names.get(abandoned + 1 + after);
                assert!(
                    next.is_none_or(|name| name.starts_with("Create") || *name == "RecycleCommandList"),
                    "{next:?}"
                );
                // H-75: the context records again, until its end.
                assert!(names.iter().filter(|name| **name == "Draw").count() > 1);
            }
        }
        assert!(thrown_away > 30, "{thrown_away}");
        assert_eq!(unanswered, 2, "each context's last recycling: there is no FinishCommandList to say so");
    }
}

#[test]
fn h73_a_device_that_is_gone_is_gone_for_every_context() {
    let report =
        |at| Report { when: When::At(at), codes: vec![HResultCode::DXGI_ERROR_DEVICE_REMOVED], core_layer: None };
    let sound = run(DRIVER, report(0), Settings::default());
    let mut removed = 0;
    for at in 2..=sound.calls {
        let run_log = run(DRIVER, report(at), Settings::default());
        let gone = HResultCode::DXGI_ERROR_DEVICE_REMOVED;
        if run_log.removed.is_none() {
            // The report came after the query.
            continue;
        }
        removed += 1;
        assert_eq!(run_log.removed, Some(gone), "{at}");
        let finishes = |context: u64| -> Vec<&String> {
            run_log
                .answers
                .iter()
                .filter(|(of, answer)| *of == context && !answer.starts_with("Ok"))
                .map(|(_, a)| a)
                .collect()
        };
        let last = run_log.answers.iter().rposition(|(of, _)| run_log.deferred.contains(of));
        // The immediate context's last calls follow those of the others.
        if run_log.events.iter().filter(|(_, code, _)| code.id() == ddi::CommandListExecute::ID).count() < 6 {
            for context in run_log.deferred {
                assert!(!finishes(context).is_empty(), "{at}, {last:?}: {:?}", run_log.answers);
            }
        }
    }
    assert!(removed > 60, "{removed}");
}

/// Creates a driver with this budget per deferred context.
fn with_budget(budget_bytes: u64, call_bytes: u64, open_bytes: u64) -> Box<dyn taut_schemas::Driver> {
    let mut profile = Profile::named(DRIVER).unwrap();
    let contexts = profile.contexts.as_mut().unwrap();
    (contexts.budget_bytes, contexts.call_bytes, contexts.open_bytes) = (budget_bytes, call_bytes, open_bytes);
    driver(&profile)
}

#[test]
fn h46_each_recording_has_the_full_budget() {
    // A blend state is opened, and then draws follow.
    for (budget, draws) in [(0, u64::MAX), (100, 6), (60, 2), (10, 0)] {
        let mut world = World::with(with_budget(budget, 10, 30), Settings::default());
        let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
        let device = world.call(&create).unwrap().device;
        let context = world.call(&d3d11::CreateDeferredContext { device, flags: 0 }).unwrap();
        let target = taut_schemas::RenderTargetBlendDesc { write_mask: ColorWriteEnable::RED, ..Default::default() };
        let desc = taut_schemas::BlendDesc { render_targets: vec![target], ..Default::default() };
        let blend_state = world.call(&d3d11::CreateBlendState { device, desc }).unwrap();
        for recorded in [0, 1, 2, 3, 6, 7, 0, 6] {
            let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
            world.call(&d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask }).unwrap();
            for _ in 0..recorded {
                world.call(&d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 }).unwrap();
            }
            let (restore_deferred_context_state, want_command_list) = (false, true);
            let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
            let created: HResult<D3d11CommandListId> = world.call(&finish);
            let expected = if budget == 10 || recorded > draws { Err(HResultCode::E_OUTOFMEMORY) } else { Ok(()) };
            assert_eq!(created.map(|_| ()), expected, "{budget} {recorded}");
        }
        assert!(world.call(&d3d11::GetDeviceRemovedReason { device }).is_ok());
    }
}

#[test]
fn h63_h75_x08_bindings_persist_through_a_finish_that_fails_where_it_requests_that() {
    for restores in [false, true] {
        let mut world = World::with(with_budget(100, 10, 30), Settings::default());
        let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
        let device = world.call(&create).unwrap().device;
        let context = world.call(&d3d11::CreateDeferredContext { device, flags: 0 }).unwrap();
        let target = taut_schemas::RenderTargetBlendDesc { write_mask: ColorWriteEnable::RED, ..Default::default() };
        let desc = taut_schemas::BlendDesc { render_targets: vec![target], ..Default::default() };
        let blend_state = world.call(&d3d11::CreateBlendState { device, desc }).unwrap();
        let (blend_factor, sample_mask) = (Vec::new(), u32::MAX);
        world.call(&d3d11::OMSetBlendState { context, blend_state, blend_factor, sample_mask }).unwrap();
        let draw = d3d11::Draw { context, vertex_count: 3, start_vertex_location: 0 };
        (0..8).for_each(|_| world.call(&draw).unwrap());
        let (restore_deferred_context_state, want_command_list) = (restores, true);
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list };
        assert_eq!(world.call(&finish), Err(HResultCode::E_OUTOFMEMORY));
        world.call(&draw).unwrap();
        assert_eq!(world.ddi::<ddi::SetBlendState>().len(), usize::from(restores), "restores: {restores}");
        assert!(world.call(&finish).is_ok());
    }
}

#[test]
fn h77_functions_that_recycle_answer_and_do_not_call_back() {
    // The function returns them; reports by callback are covered by its error class.
    for line in [ddi::RecycleCreateDeferredContext::ID, ddi::RecycleCreateCommandList::ID] {
        for code in CODES {
            assert_eq!(ErrorClass::from_line(line).verdict(false, code), ErrorVerdict::Critical);
        }
        let run_log = reported(When::First(line, false), &[HResultCode::E_OUTOFMEMORY]);
        assert!(run_log.rules.is_empty() && run_log.removed.is_none());
        assert!(run_log.answered(HResultCode::E_OUTOFMEMORY), "the next FinishCommandList, or this one");
    }
}
