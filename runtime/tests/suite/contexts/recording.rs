//! Tests of recording, finishing and executing command lists.

use super::app::{App, DRIVERS, WITHOUT_LISTS};
use taut_schemas::{
    BindFlags, Call, ColorWriteEnable, Decoder, EventCode, Field, HResultCode, MapType, Opcode, RecordedCommands,
    d3d11, d3d11_context_ddi as ddi,
};

/// Returns the driver's commands of the list in the last call.
fn commands<C: Call<Output = RecordedCommands>>(app: &App) -> RecordedCommands {
    let code = EventCode::new(C::ID, Opcode::Stop);
    let (_, row) = app.world.tap.events.iter().find(|(found, _)| *found == code).unwrap();
    RecordedCommands::decode(&mut Decoder::new(row)).unwrap()
}

#[test]
fn h50_finishing_ends_maps_makes_the_list_closes_handles_and_recycles_the_context() {
    let mut app = App::new("multi-size");
    let (context, buffer) = (app.deferred(), app.dynamic());
    app.map(context, buffer, MapType::WRITE_DISCARD).unwrap();
    let list = app.finish(context, false);
    let starts = app.world.tap.events.iter().filter(|(code, _)| code.opcode() == Some(Opcode::Start));
    let lines: Vec<u16> = starts.map(|(code, _)| code.id()).collect();
    let expected = [
        ddi::DynamicResourceUnmap::ID,
        ddi::CalcPrivateCommandListSize::ID,
        ddi::CreateCommandList::ID,
        ddi::CalcDeferredContextHandleSize::ID,
        ddi::DestroyResource::ID,
        ddi::RecycleCreateDeferredContext::ID,
    ];
    assert_eq!(lines, expected);
    for object in [list.0, buffer.0, context.0] {
        app.release(taut_schemas::ObjectId(object)).unwrap();
    }
    app.end();
}

#[test]
fn h58_a_list_is_not_executed_where_what_it_maps_is_mapped() {
    let mut app = App::new("d3d11on12-like");
    let (context, buffer) = (app.deferred(), app.dynamic());
    app.map(context, buffer, MapType::WRITE_DISCARD).unwrap();
    let command_list = app.finish(context, false);
    let immediate = app.immediate;
    app.map(immediate, buffer, MapType::WRITE_DISCARD).unwrap();
    let execute = d3d11::ExecuteCommandList { context: immediate, command_list, restore_context_state: false };
    assert_eq!(app.call(&execute), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    assert!(app.world.ddi::<ddi::CommandListExecute>().is_empty());
    app.unmap(immediate, buffer).unwrap();
    assert_eq!(app.call(&execute), Ok(()));
}

#[test]
fn h61_a_deferred_context_maps_dynamic_resources_and_discards_first() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (context, other, buffer) = (app.deferred(), app.deferred(), app.dynamic());
        let first = HResultCode::D3D11_ERROR_DEFERRED_CONTEXT_MAP_WITHOUT_INITIAL_DISCARD;
        assert_eq!(app.map(context, buffer, MapType::WRITE_NO_OVERWRITE), Err(first));
        assert_eq!(app.map(context, buffer, MapType::WRITE), Err(HResultCode::E_INVALIDARG));
        assert_eq!(app.map(context, buffer, MapType::READ), Err(HResultCode::E_INVALIDARG));
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        assert_eq!(app.map(context, texture, MapType::WRITE_DISCARD), Err(HResultCode::E_INVALIDARG));
        let discarded = app.map(context, buffer, MapType::WRITE_DISCARD).unwrap();
        assert_eq!(discarded.size_bytes, 256);
        assert_eq!(app.map(context, buffer, MapType::WRITE_DISCARD), Err(HResultCode::E_INVALIDARG));
        app.unmap(context, buffer).unwrap();
        assert_eq!(app.unmap(context, buffer), Err(HResultCode::E_INVALIDARG));
        assert_eq!(app.map(context, buffer, MapType::WRITE_NO_OVERWRITE).unwrap(), discarded);
        app.unmap(context, buffer).unwrap();
        let second = app.map(context, buffer, MapType::WRITE_DISCARD).unwrap();
        assert_ne!(second.base_address, discarded.base_address, "each discard has memory of its own");
        let other_map = app.map(other, buffer, MapType::WRITE_DISCARD).unwrap();
        assert!(other_map.base_address != second.base_address && other_map.base_address != discarded.base_address);
        app.finish(context, false);
        assert_eq!(app.map(context, buffer, MapType::WRITE_NO_OVERWRITE), Err(first), "a new recording");
    }
}

#[test]
fn h63_finishing_restores_what_was_bound_or_leaves_the_default() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let context = app.deferred();
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let (view, blend, buffer) = (app.view(texture), app.blend(ColorWriteEnable::RED), app.dynamic());
        app.set_view(context, view);
        app.set_blend(context, blend);
        app.set_buffer(context, buffer);
        app.release(view).unwrap();
        let list = app.finish(context, true);
        assert_eq!(app.audit.open_in(context), 0, "opened again when it is needed");
        app.release(list).unwrap();
        assert!(app.world.is_alive(view), "it is bound");
        app.draw(context);
        assert_eq!(app.world.ddi::<ddi::SetShaderResources>().len(), 1);
        assert_eq!(app.world.ddi::<ddi::SetConstantBuffers>().len(), 1);
        assert_eq!(app.world.ddi::<ddi::SetBlendState>().len(), 1);
        app.draw(context);
        assert!(app.world.ddi::<ddi::SetBlendState>().is_empty(), "once is enough");
        let restore_deferred_context_state = false;
        let finish = d3d11::FinishCommandList { context, restore_deferred_context_state, want_command_list: false };
        assert_eq!(app.call(&finish).map(|list| list.0), Ok(0));
        assert!(!app.world.is_alive(view), "what was recorded is dropped");
        app.draw(context);
        assert!(app.world.ddi::<ddi::SetBlendState>().is_empty());
        for object in [blend.0, buffer.0, texture.0, context.0] {
            app.release(taut_schemas::ObjectId(object)).unwrap();
        }
        app.end();
    }
}

#[test]
fn h57_h64_executing_restores_what_was_bound_or_leaves_the_default() {
    let mut app = App::new("multi-size");
    let (immediate, deferred) = (app.immediate, app.deferred());
    let list = app.finish(deferred, false);
    let blend = app.blend(ColorWriteEnable::RED);
    for context in [immediate, deferred] {
        for restore in [true, false] {
            app.set_blend(context, blend);
            app.execute(context, list, restore);
            assert!(app.world.ddi::<ddi::SetBlendState>().is_empty(), "set anew when it is needed");
            app.draw(context);
            assert_eq!(app.world.ddi::<ddi::SetBlendState>().len(), usize::from(restore));
        }
    }
    app.flush();
    let last = app.finish(deferred, false);
    for object in [last.0, list.0, blend.0, deferred.0] {
        app.release(taut_schemas::ObjectId(object)).unwrap();
    }
    app.end();
}

#[test]
fn h59_h65_a_list_is_executed_repeatedly_and_outlives_its_context() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (immediate, maker, nested) = (app.immediate, app.deferred(), app.deferred());
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        app.set_view(maker, view);
        app.draw(maker);
        let inner = app.finish(maker, false);
        let created = commands::<ddi::CreateCommandList>(&app);
        app.release(view).unwrap();
        app.release(texture).unwrap();
        app.release(maker).unwrap();
        for _ in 0..2 {
            app.execute(immediate, inner, false);
            assert_eq!(commands::<ddi::CommandListExecute>(&app), created);
            app.execute(nested, inner, true);
            assert_eq!(commands::<ddi::CommandListExecute>(&app), created);
        }
        app.release(inner).unwrap();
        let outer = app.finish(nested, false);
        app.execute(immediate, outer, false);
        assert_eq!(commands::<ddi::CommandListExecute>(&app).commands, 2);
        assert!(app.world.is_alive(view), "lists hold what they recorded");
        app.release(nested).unwrap();
        app.release(outer).unwrap();
        assert!(!app.world.is_alive(inner) && !app.world.is_alive(view) && !app.world.is_alive(texture));
        app.end();
    }
}

/// Rule H-59: lists nest to any depth, and a list that is reached in several ways is destroyed once. Fails, or does not
/// end, if nested lists are visited recursively or once per path.
#[test]
fn h59_lists_nest_without_limit_and_each_is_let_go_of_once() {
    // On a driver with lists, each list executes the two before it: there are exponentially many paths to the first
    // list. Without driver lists, the runtime itself plays every path, so each list executes one.
    for (driver, before) in [(DRIVERS[0], 2), (DRIVERS[1], 2), (WITHOUT_LISTS, 1)] {
        let mut app = App::new(driver);
        let context = app.deferred();
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        app.set_view(context, view);
        let mut lists = vec![app.finish(context, false)];
        for _ in 0..DEPTH {
            for inner in lists.iter().rev().take(before).copied().collect::<Vec<_>>() {
                app.execute(context, inner, false);
            }
            lists.push(app.finish(context, false));
        }
        app.execute(app.immediate, *lists.last().unwrap(), false);
        for list in &lists {
            app.release(*list).unwrap();
        }
        assert!(!app.world.is_alive(lists[0]) && !app.world.is_alive(lists[DEPTH]));
        app.release(view).unwrap();
        app.release(texture).unwrap();
        app.release(context).unwrap();
        assert!(!app.world.is_alive(view) && !app.world.is_alive(texture));
        app.end();
    }
}

/// Nesting depth at which recursion overflows a test's stack.
const DEPTH: usize = 6_000;

/// Rule H-66: the same recording is the same list on any context.
#[test]
fn h66_a_list_depends_on_its_recording_alone() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let textures = [(); 2].map(|()| app.texture(BindFlags::SHADER_RESOURCE));
        let views = textures.map(|texture| app.view(texture));
        let blend = app.blend(ColorWriteEnable::RED);
        let mut created = Vec::new();
        for (at, before) in [0, 1, 2, 0].into_iter().enumerate() {
            let context = app.deferred();
            // Earlier recordings, and the addresses of handles, make no difference.
            for _ in 0..before {
                app.set_view(context, views[before % 2]);
                app.set_blend(context, blend);
                app.finish(context, false);
            }
            app.copy(context, textures[0], textures[1]);
            app.set_view(context, views[usize::from(at == 3)]);
            app.draw(context);
            app.finish(context, false);
            created.push(commands::<ddi::CreateCommandList>(&app));
        }
        assert!(created[0] == created[1] && created[1] == created[2], "{created:?}");
        assert_ne!(created[0].digest, created[3].digest, "another view");
    }
}
