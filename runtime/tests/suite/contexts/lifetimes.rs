//! Tests of references between objects, and of their lifetimes.

use super::app::{App, DRIVERS};
use crate::world::World;
use taut_schemas::{
    BindFlags, Blend, BlendDesc, BlendOp, ColorWriteEnable, CreateDeviceFlags, D3d11ContextId, HResultCode,
    RenderTargetBlendDesc, d3d11, d3d11_context_ddi as ddi,
};

#[test]
fn h02_h10_a_view_is_opened_where_it_is_first_used_and_its_resource_before_it() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let context = app.deferred();
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        assert_eq!(app.audit.open_in(context), 0, "nothing is open before it is used");
        app.set_view(context, view);
        let resources = app.world.ddi::<ddi::CreateResource>();
        let views = app.world.ddi::<ddi::CreateShaderResourceView>();
        assert_eq!((resources.len(), views.len()), (1, 1));
        assert_eq!(views[0].handle.dependency_handle, resources[0].handle.driver_handle);
        app.set_view(context, view);
        assert!(app.world.ddi::<ddi::CreateResource>().is_empty());
        // The resource is open, and is not opened again when it is used by its own id.
        let other = app.texture(BindFlags::SHADER_RESOURCE);
        app.copy(context, other, texture);
        assert_eq!(app.world.ddi::<ddi::CreateResource>().len(), 1);
        app.finish_and_end(context, &[view.0, texture.0, other.0]);
    }
}

impl App {
    fn finish_and_end(mut self, context: D3d11ContextId, objects: &[u64]) {
        let list = self.finish(context, false);
        for object in [list.0].iter().chain(objects).chain([&context.0]) {
            self.release(taut_schemas::ObjectId(*object)).unwrap();
        }
        self.end();
    }
}

#[test]
fn h03_h09_the_handle_of_the_immediate_context_goes_last() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let contexts = [app.deferred(), app.deferred()];
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        contexts.into_iter().for_each(|context| app.set_view(context, view));
        assert_eq!((app.release(texture), app.release(view)), (Ok(0), Ok(0)));
        assert!(app.world.ddi::<ddi::DestroyResource>().is_empty());
        let lists = contexts.map(|context| app.finish(context, false));
        app.release(lists[0]).unwrap();
        assert!(app.world.ddi::<ddi::DestroyResource>().is_empty(), "the other list holds it");
        app.release(lists[1]).unwrap();
        assert_eq!(app.world.ddi::<ddi::DestroyShaderResourceView>().len(), 1);
        assert_eq!(app.world.ddi::<ddi::DestroyResource>().len(), 1);
        contexts.into_iter().for_each(|context| assert_eq!(app.release(context), Ok(0)));
        app.end();
    }
}

#[test]
fn h12_state_objects_of_equal_description_are_one_object() {
    let mut app = App::new("d3d11on12-like");
    let first = app.blend(ColorWriteEnable::RED);
    assert_eq!(app.world.ddi::<ddi::CreateBlendState>().len(), 1);
    let device = app.device;
    // Unused members do not count: blending is off, so the factors are not used.
    let unused = RenderTargetBlendDesc {
        write_mask: ColorWriteEnable::RED,
        src_blend: Blend::DEST_COLOR,
        blend_op: BlendOp::MAX,
        ..Default::default()
    };
    let others = RenderTargetBlendDesc::default();
    let desc = BlendDesc { render_targets: vec![unused, others], ..Default::default() };
    assert_eq!(app.call(&d3d11::CreateBlendState { device, desc: desc.clone() }), Ok(first));
    assert!(app.world.ddi::<ddi::CreateBlendState>().is_empty());
    let desc = BlendDesc { independent_blend_enable: true, ..desc };
    let other = app.call(&d3d11::CreateBlendState { device, desc }).unwrap();
    assert_ne!(other, first);
    assert_eq!((app.release(first), app.release(first), app.release(other)), (Ok(1), Ok(0), Ok(0)));
    assert_eq!(app.release(first), Err(HResultCode::E_HANDLE));
    let second_state = app.blend(ColorWriteEnable::RED);
    assert_ne!(second_state, first, "it was gone");
    app.release(second_state).unwrap();
    app.end();
}

#[test]
fn h12_h13_a_bound_state_is_returned_by_creation() {
    let mut app = App::new("d3d11on12-like");
    let (immediate, state) = (app.immediate, app.blend(ColorWriteEnable::RED));
    app.set_blend(immediate, state);
    assert_eq!(app.release(state), Ok(0));
    assert_eq!(app.blend(ColorWriteEnable::RED), state);
    assert_eq!(app.release(state), Ok(0));
    app.call(&d3d11::ClearState { context: immediate }).unwrap();
    app.flush();
    assert_eq!(app.world.ddi::<ddi::DestroyBlendState>().len(), 1);
    app.end();
}

#[test]
fn h13_what_is_bound_lives_though_its_count_is_0() {
    let mut app = App::new("multi-size");
    let (immediate, texture) = (app.immediate, app.texture(BindFlags::SHADER_RESOURCE));
    let view = app.view(texture);
    app.set_view(immediate, view);
    assert_eq!((app.release(view), app.release(texture)), (Ok(0), Ok(0)));
    app.draw(immediate);
    app.flush();
    assert!(app.world.ddi::<ddi::DestroyShaderResourceView>().is_empty(), "it is bound");
    assert_eq!(app.call(&d3d11::AddRef { object: view.into() }), Ok(1));
    app.release(view).unwrap();
    app.call(&d3d11::ClearState { context: immediate }).unwrap();
    assert!(app.world.is_alive(view), "the next Flush lets go");
    app.flush();
    assert!(!app.world.is_alive(view) && !app.world.is_alive(texture));
    app.end();
}

#[test]
fn h24_h29_a_command_list_has_a_size_of_handle_and_a_handle_where_it_is_executed() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let [maker, user] = [app.deferred(), app.deferred()];
        let list = app.finish(maker, false);
        let size_queries = app.world.ddi::<ddi::CalcDeferredContextHandleSize>();
        assert_eq!(size_queries.len(), 1);
        app.execute(user, list, false);
        let opened = app.world.ddi::<ddi::CreateCommandList>();
        assert_eq!((opened.len(), opened[0].handle.args_null), (1, true));
        app.release(maker).unwrap();
        app.finish_and_end(user, &[list.0]);
    }
}

#[test]
fn h26_each_size_of_resource_has_its_handles() {
    let mut app = App::new("multi-size");
    let context = app.deferred();
    let flags = [BindFlags::RENDER_TARGET | BindFlags::SHADER_RESOURCE, BindFlags::SHADER_RESOURCE, BindFlags::NONE];
    let textures = flags.map(|flags| app.texture(flags));
    let mut sizes = Vec::new();
    for texture in textures {
        let other = app.texture(BindFlags::NONE);
        app.copy(context, texture, other);
        let opened = app.world.ddi::<ddi::CreateResource>();
        sizes.push(opened[0].handle.size_bytes);
        app.release(other).unwrap();
    }
    assert_eq!(sizes, [256, 128, 64]);
    app.finish_and_end(context, &textures.map(|texture| texture.0));
}

#[test]
fn h40_h62_contexts_are_rejected_without_support() {
    let mut world = World::new("reference");
    let create = d3d11::D3D11CreateDevice { feature_level: 0xb000, ..Default::default() };
    let created = world.call(&create).unwrap();
    let deferred = d3d11::CreateDeferredContext { device: created.device, flags: 0 };
    assert_eq!(world.call(&deferred), Err(HResultCode::DXGI_ERROR_UNSUPPORTED));
    let mut world = World::new("multi-size");
    let create = d3d11::D3D11CreateDevice { flags: CreateDeviceFlags::SINGLETHREADED, ..create };
    let created = world.call(&create).unwrap();
    let deferred = d3d11::CreateDeferredContext { device: created.device, flags: 0 };
    assert_eq!(world.call(&deferred), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    let mut app = App::new("multi-size");
    let deferred = d3d11::CreateDeferredContext { device: app.device, flags: 1 };
    assert_eq!(app.call(&deferred), Err(HResultCode::E_INVALIDARG));
    let (context, want_command_list) = (app.immediate, true);
    let finish = d3d11::FinishCommandList { context, restore_deferred_context_state: false, want_command_list };
    assert_eq!(app.call(&finish), Err(HResultCode::DXGI_ERROR_INVALID_CALL));
    let context = app.deferred();
    app.call(&d3d11::Flush { context }).unwrap();
    assert!(app.world.ddi::<ddi::Flush>().is_empty());
}

#[test]
fn h54_lists_return_to_the_context_that_created_them() {
    let mut app = App::new("multi-size");
    let context = app.deferred();
    let list = app.finish(context, false);
    app.release(list).unwrap();
    assert_eq!(app.world.ddi::<ddi::RecycleDestroyCommandList>().len(), 1);
    let second_state = app.finish(context, false);
    assert_eq!(app.world.ddi::<ddi::RecycleCommandList>().len(), 1);
    assert_eq!(app.world.ddi::<ddi::RecycleCreateCommandList>().len(), 1);
    app.release(context).unwrap();
    app.release(second_state).unwrap();
    assert_eq!(app.world.ddi::<ddi::DestroyCommandList>().len(), 1, "its maker is gone");
    app.end();
}
