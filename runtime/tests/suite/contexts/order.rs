//! Tests of rules that no driver can break, because the runtime alone decides the order of calls and their contexts.

use super::app::{App, DRIVERS};
use taut_schemas::handle_rules::{HandleEvent, HandleFeed};
use taut_schemas::{
    BindFlags, Call, ColorWriteEnable, D3d11ContextId, Decoder, EventCode, Field, Opcode, RecordedCommands, d3d11,
    d3d11_context_ddi as ddi,
};

/// Returns the handle events of the last call.
fn handle_events(app: &App) -> Vec<HandleEvent> {
    let (mut feed, mut handle_events) = (HandleFeed::default(), Vec::new());
    for (code, row) in &app.world.tap.events {
        feed.on_event(*code, row, &mut |event| handle_events.push(event)).unwrap();
    }
    handle_events
}

/// Returns the contexts on which the last call creates or opens handles.
fn created_on(app: &App) -> Vec<D3d11ContextId> {
    let on = handle_events(app).into_iter().filter_map(|event| match event {
        HandleEvent::Created { context, .. } => Some(context),
        _ => None,
    });
    on.collect()
}

fn lines(app: &App) -> Vec<u16> {
    let starts = app.world.tap.events.iter().filter(|(code, _)| code.opcode() == Some(Opcode::Start));
    starts.map(|(code, _)| code.id()).collect()
}

#[test]
fn h04_an_object_has_no_handle_before_and_none_above_that_of_the_immediate_context() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (immediate, context) = (app.immediate, app.deferred());
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        assert_eq!(created_on(&app), [immediate], "a texture's first and only one");
        let view = app.view(texture);
        assert_eq!(created_on(&app), [immediate]);
        let blend = app.blend(ColorWriteEnable::GREEN);
        assert_eq!(created_on(&app), [immediate]);
        app.set_view(context, view);
        assert_eq!(created_on(&app), [context, context], "the view's resource, and the view");
        app.set_blend(context, blend);
        assert_eq!(created_on(&app), [context]);
    }
}

/// Rules H-45 and H-51: while a list is created, the context is still in its recorded state; afterwards, handles are
/// closed, and the context is recycled before any other call.
#[test]
fn h45_h51_a_list_is_created_with_bindings_then_the_context_is_recycled() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let context = app.deferred();
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        let created = |app: &App| {
            let code = EventCode::new(ddi::CreateCommandList::ID, Opcode::Stop);
            let (_, row) = app.world.tap.events.iter().find(|(found, _)| *found == code).unwrap();
            RecordedCommands::decode(&mut Decoder::new(row)).unwrap()
        };
        app.set_view(context, view);
        app.draw(context);
        app.finish(context, false);
        let with_view = created(&app);
        let after: Vec<u16> =
            lines(&app).into_iter().skip_while(|line| *line != ddi::CreateCommandList::ID).skip(1).collect();
        let expected = [
            ddi::CalcDeferredContextHandleSize::ID,
            ddi::DestroyShaderResourceView::ID,
            ddi::DestroyResource::ID,
            ddi::RecycleCreateDeferredContext::ID,
        ];
        assert_eq!(after, expected, "{driver}");
        // The same draw without bindings: the driver has dropped the view.
        app.draw(context);
        app.finish(context, false);
        let without = created(&app);
        assert_ne!(with_view, without, "{driver}");
        let fresh = app.deferred();
        app.draw(fresh);
        app.finish(fresh, false);
        assert_eq!(created(&app), without, "{driver}");
    }
}

/// Rule H-55: an unused list returns to the context that created it when that context finishes, not when the list is
/// released, nor when another context finishes. The application chooses the thread on which a context finishes.
#[test]
fn h55_lists_go_back_to_their_context_in_its_own_next_finish() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (maker, other) = (app.deferred(), app.deferred());
        app.draw(maker);
        let list = app.finish(maker, false);
        app.release(list).unwrap();
        let recycled_on = |app: &App| -> Vec<D3d11ContextId> {
            app.world.ddi::<ddi::RecycleCommandList>().into_iter().map(|call| call.context).collect()
        };
        assert_eq!(app.world.ddi::<ddi::RecycleDestroyCommandList>().len(), 1);
        assert_eq!(recycled_on(&app), []);
        app.draw(other);
        app.finish(other, false);
        assert_eq!(recycled_on(&app), []);
        app.call(&d3d11::Flush { context: app.immediate }).unwrap();
        assert_eq!(recycled_on(&app), []);
        app.draw(maker);
        app.finish(maker, false);
        assert_eq!(recycled_on(&app), [maker]);
        assert_eq!(lines(&app)[0], ddi::RecycleCommandList::ID, "before the next list is made");
    }
}
