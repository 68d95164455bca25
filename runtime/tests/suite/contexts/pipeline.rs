//! Tests of state objects, bindings and their queries, hazards and query objects (rules H-12, H-13, H-41, H-58, H-67
//! and H-83).

use super::app::{App, DRIVERS, WITHOUT_LISTS};
use super::everything::{CALLS, QUERIES};
use taut_schemas::{
    BindFlags, Call, D3d11ContextId, D3d11QueryId, D3d11ViewId, GetDataFlags, HResult, HResultCode, ObjectId,
    QueryType, ShaderStage, d3d11, d3d11_context_ddi as ddi,
};

const ALL: [&str; 3] = [DRIVERS[0], DRIVERS[1], WITHOUT_LISTS];

fn views(app: &mut App, context: D3d11ContextId) -> Vec<D3d11ViewId> {
    let (stage, start_slot, count) = (ShaderStage::PIXEL, 0, 1);
    let found = app.call(&d3d11::GetShaderResources { context, stage, start_slot, count }).unwrap();
    app.release_all(found.iter().map(|view| (*view).into()).collect());
    found
}

fn targets(app: &mut App, context: D3d11ContextId, render_targets: Vec<D3d11ViewId>) {
    let set = d3d11::OMSetRenderTargets { context, render_targets, depth_stencil: D3d11ViewId::NULL };
    app.call(&set).unwrap();
}

fn data(app: &mut App, context: D3d11ContextId, query: D3d11QueryId) -> HResult<u64> {
    let get_data = d3d11::GetData { context, query, size_bytes: 8, want_data: true, flags: GetDataFlags::NONE };
    let mut found = app.call(&get_data);
    if found == Err(HResultCode::S_FALSE) {
        found = app.call(&get_data);
    }
    let found = found?;
    Ok(u64::from_le_bytes(found.0.try_into().unwrap()))
}

/// Returns how often the last call called a driver function.
fn driver_calls(app: &App, line: u16) -> usize {
    app.world.tap.events.iter().filter(|(code, _)| code.id() == line).count() / 2
}

#[test]
fn h12_state_objects_of_equal_description_are_one_object() {
    for driver in ALL {
        let mut app = App::new(driver);
        let first = app.sampler(0);
        assert_eq!(driver_calls(&app, ddi::CreateSampler::ID), 1);
        // Members that the filter does not use do not distinguish samplers.
        let second = app.sampler(8);
        assert_eq!(driver_calls(&app, ddi::CreateSampler::ID), 0);
        assert_eq!(first, second);
        assert_eq!(app.release(first), Ok(1));
        assert_eq!(app.release(first), Ok(0));
        assert_eq!(driver_calls(&app, ddi::DestroySampler::ID), 1);
        app.end();
    }
}

#[test]
fn h13_a_bound_object_with_count_0_is_returned_by_queries() {
    for driver in ALL {
        let mut app = App::new(driver);
        let immediate = app.immediate;
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        app.set_view(immediate, view);
        assert_eq!((app.release(texture), app.release(view)), (Ok(0), Ok(0)));
        assert_eq!(views(&mut app, immediate), [view]);
        app.call(&d3d11::ClearState { context: immediate }).unwrap();
        app.flush();
        assert_eq!(app.release(view), Err(HResultCode::E_HANDLE));
        app.end();
    }
}

/// Returns a context's answers to every query.
fn answers(app: &mut App, context: D3d11ContextId, of: &super::everything::Everything) -> Vec<Vec<u8>> {
    let before = app.answers.len();
    let mut returned = Vec::new();
    for question in 0..QUERIES - 1 {
        returned.extend(app.any_query(context, of, question));
    }
    let answers = app.answers[before..].to_vec();
    app.release_all(returned);
    answers
}

#[test]
fn h41_every_context_begins_with_the_state_that_clear_state_leaves() {
    for driver in ALL {
        let mut app = App::new(driver);
        let of = app.everything();
        let immediate = app.immediate;
        let fresh = app.deferred();
        let first = answers(&mut app, fresh, &of);
        assert_eq!(answers(&mut app, immediate, &of), first);
        for call in 0..24 {
            app.any_call(immediate, &of, call).unwrap();
        }
        assert_ne!(answers(&mut app, immediate, &of), first);
        let later = app.deferred();
        assert_eq!(answers(&mut app, later, &of), first);
        app.call(&d3d11::ClearState { context: immediate }).unwrap();
        assert_eq!(answers(&mut app, immediate, &of), first);
        app.flush();
        for object in of.objects().into_iter().chain([fresh.0, later.0]) {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

#[test]
fn h63_h64_every_binding_is_sent_again_when_it_is_needed() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let of = app.everything();
        let context = app.deferred();
        for call in 0..15 {
            app.any_call(context, &of, call).unwrap();
        }
        let bound = answers(&mut app, context, &of);
        let list = app.finish(context, true);
        assert_eq!(answers(&mut app, context, &of), bound);
        app.draw(context);
        let sets =
            [ddi::SetRenderTargets::ID, ddi::SetSamplers::ID, ddi::SetViewports::ID, ddi::IaSetVertexBuffers::ID];
        // The targets include the texture of the unordered view, and were unbound when that view was bound.
        assert_eq!(sets.map(|line| driver_calls(&app, line)), [0, 1, 1, 1]);
        assert_eq!(driver_calls(&app, ddi::CsSetUnorderedAccessViews::ID), 1);
        for object in of.objects().into_iter().chain([list.0, context.0]) {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

#[test]
fn h83_what_is_written_is_unbound_where_it_was_read_in_that_context_alone() {
    for driver in ALL {
        let mut app = App::new(driver);
        let (immediate, deferred) = (app.immediate, app.deferred());
        let texture = app.texture(BindFlags::SHADER_RESOURCE | BindFlags::RENDER_TARGET);
        let (input, output) = (app.view(texture), app.target(texture));
        for context in [immediate, deferred] {
            app.set_view(context, input);
        }
        targets(&mut app, deferred, vec![output]);
        if driver != WITHOUT_LISTS {
            let lines = [ddi::SetShaderResources::ID, ddi::SetRenderTargets::ID];
            let order: Vec<_> = app.world.tap.events.iter().map(|(code, _)| code.id()).collect();
            let [unbinds, binds] = lines.map(|line| order.iter().position(|id| *id == line).unwrap());
            assert!(unbinds < binds, "the driver sees the unbinding first");
        }
        assert_eq!(views(&mut app, deferred), [D3d11ViewId::NULL]);
        assert_eq!(views(&mut app, immediate), [input]);
        // In the other order, the input is rejected.
        app.set_view(deferred, input);
        assert_eq!(views(&mut app, deferred), [D3d11ViewId::NULL]);
        targets(&mut app, deferred, Vec::new());
        app.set_view(deferred, input);
        assert_eq!(views(&mut app, deferred), [input]);
        app.call(&d3d11::ClearState { context: immediate }).unwrap();
        app.flush();
        for object in [input.0, output.0, texture.0, deferred.0] {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

/// Draws a triangle over a target of 8 by 8 texels.
fn draw_over(app: &mut App, context: D3d11ContextId, target: D3d11ViewId) {
    targets(app, context, vec![target]);
    app.viewport(context, 8.0);
    app.draw(context);
}

#[test]
fn h50_h58_h67_a_query_that_ends_in_a_list_is_issued_when_that_is_executed() {
    for driver in ALL {
        let mut app = App::new(driver);
        let (immediate, deferred) = (app.immediate, app.deferred());
        let texture = app.texture(BindFlags::RENDER_TARGET);
        let (target, query) = (app.target(texture), app.query(QueryType::OCCLUSION));
        app.call(&d3d11::Begin { context: deferred, query }).unwrap();
        draw_over(&mut app, deferred, target);
        // Open bindings end with the list.
        let list = app.finish(deferred, false);
        let invalid = Err(HResultCode::DXGI_ERROR_INVALID_CALL);
        assert_eq!((data(&mut app, deferred, query), data(&mut app, immediate, query)), (invalid, invalid));
        app.call(&d3d11::Begin { context: immediate, query }).unwrap();
        let (context, command_list, restore_context_state) = (immediate, list, false);
        let execute = d3d11::ExecuteCommandList { context, command_list, restore_context_state };
        assert_eq!(app.call(&execute), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
        app.call(&d3d11::End { context: immediate, query }).unwrap();
        assert_eq!(data(&mut app, immediate, query), Ok(0));
        app.call(&execute).unwrap();
        assert_eq!((data(&mut app, deferred, query), data(&mut app, immediate, query)), (invalid, Ok(64)));
        app.flush();
        for object in [list.0, query.0, target.0, texture.0, deferred.0] {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

#[test]
fn h67_a_query_is_available_once_its_commands_are_submitted() {
    for driver in ALL {
        let mut app = App::new(driver);
        let (context, query) = (app.immediate, app.query(QueryType::EVENT));
        let get_data = |app: &mut App, flags: GetDataFlags| {
            let found = app.call(&d3d11::GetData { context, query, size_bytes: 4, want_data: true, flags });
            (found.map(|data| data.0[0]), driver_calls(app, ddi::Flush::ID))
        };
        let (early, flushes) = (Err(HResultCode::S_FALSE), 1);
        let end = d3d11::End { context, query };
        app.call(&end).unwrap();
        // Without a submission, the result never becomes available; the query that submits it is one too early.
        for _ in 0..3 {
            assert_eq!(get_data(&mut app, GetDataFlags::DONOTFLUSH), (early, 0));
        }
        assert_eq!(get_data(&mut app, GetDataFlags::NONE), (early, flushes));
        assert_eq!(get_data(&mut app, GetDataFlags::NONE), (Ok(1), 0));
        app.call(&end).unwrap();
        app.flush();
        assert_eq!(get_data(&mut app, GetDataFlags::DONOTFLUSH), (Ok(1), 0));
        assert_eq!(get_data(&mut app, GetDataFlags(2)).0, Err(HResultCode::E_INVALIDARG));
        app.release(query).unwrap();
        app.end();
    }
}

#[test]
fn h64_bindings_without_objects_are_sent_again_too() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (context, deferred) = (app.immediate, app.deferred());
        app.viewport(context, 8.0);
        let command_list = app.finish(deferred, false);
        app.execute(context, command_list, true);
        app.draw(context);
        assert_eq!(driver_calls(&app, ddi::SetViewports::ID), 1);
        for object in [command_list.0, deferred.0] {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

#[test]
fn h12_every_description_that_is_none_is_refused() {
    let mut app = App::new(DRIVERS[0]);
    let device = app.device;
    let refused = Err(HResultCode::E_INVALIDARG);
    assert_eq!(app.call(&d3d11::CreateSamplerState { device, ..Default::default() }), refused);
    assert_eq!(app.call(&d3d11::CreateRasterizerState { device, ..Default::default() }), refused);
    let mut desc = taut_schemas::D3d11DepthStencilDesc { depth_enable: true, ..Default::default() };
    assert_eq!(app.call(&d3d11::CreateDepthStencilState { device, desc }), refused);
    desc.depth_enable = false;
    let state = app.call(&d3d11::CreateDepthStencilState { device, desc }).unwrap();
    let returned_desc = app.call(&d3d11::GetDepthStencilDesc { state }).unwrap();
    assert_eq!((returned_desc.stencil_read_mask, returned_desc.depth_func), (0xff, taut_schemas::ComparisonFunc::LESS));
    app.release(state).unwrap();
    app.end();
}

#[test]
fn answers_do_not_depend_on_whether_the_driver_builds_lists() {
    let mut all = Vec::new();
    for driver in [DRIVERS[1], WITHOUT_LISTS] {
        let mut app = App::new(driver);
        let (of, context, immediate) = (app.everything(), app.deferred(), app.immediate);
        for call in 0..CALLS {
            for context in [context, immediate] {
                let _ = app.any_call(context, &of, call);
            }
            if call % 5 == 0 {
                let list = app.finish(context, call % 2 == 0);
                app.execute(immediate, list, call % 3 == 0);
                app.execute(context, list, call % 3 == 1);
                app.release(list).unwrap();
            }
            for question in 0..QUERIES {
                for context in [context, immediate] {
                    let returned = app.any_query(context, &of, question);
                    app.release_all(returned);
                }
            }
        }
        app.call(&d3d11::ClearState { context: immediate }).unwrap();
        app.flush();
        for object in of.objects().into_iter().chain([context.0]) {
            app.release(ObjectId(object)).unwrap();
        }
        all.push(app.answers.clone());
        app.end();
    }
    assert!(all[0].len() > 100);
    assert_eq!(all[0], all[1]);
}
