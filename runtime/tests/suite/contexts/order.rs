//! What no driver can break, because the runtime alone decides it: which calls come first, and where.

use super::app::{App, DRIVERS};
use taut_schemas::handle_rules::{HandleEvent, HandleFeed};
use taut_schemas::{
    BindFlags, Call, ColorWriteEnable, D3d11ContextId, Decoder, EventCode, Field, Opcode, RecordedCommands, d3d11,
    d3d11_context_ddi as ddi,
};

/// What the last call says of handles.
fn told(app: &App) -> Vec<HandleEvent> {
    let (mut feed, mut told) = (HandleFeed::default(), Vec::new());
    for (code, row) in &app.world.tap.events {
        feed.hear(*code, row, &mut |event| told.push(event)).unwrap();
    }
    told
}

/// On which contexts the last call creates or opens handles.
fn created_on(app: &App) -> Vec<D3d11ContextId> {
    let on = told(app).into_iter().filter_map(|event| match event {
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

/// Rules H-45 and H-51: while a list is made, the context still is what was recorded; once it is made, handles are closed, and the
/// context is recycled before it hears of anything else.
#[test]
fn h45_h51_a_list_is_made_with_what_is_bound_and_the_context_is_recycled_before_it_records() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let context = app.deferred();
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        let made = |app: &App| {
            let code = EventCode::new(ddi::CreateCommandList::ID, Opcode::Stop);
            let (_, row) = app.world.tap.events.iter().find(|(found, _)| *found == code).unwrap();
            RecordedCommands::decode(&mut Decoder::new(row)).unwrap()
        };
        app.set_view(context, view);
        app.draw(context);
        app.finish(context, false);
        let with_view = made(&app);
        let after: Vec<u16> =
            lines(&app).into_iter().skip_while(|line| *line != ddi::CreateCommandList::ID).skip(1).collect();
        let expected = [
            ddi::CalcDeferredContextHandleSize::ID,
            ddi::DestroyShaderResourceView::ID,
            ddi::DestroyResource::ID,
            ddi::RecycleCreateDeferredContext::ID,
        ];
        assert_eq!(after, expected, "{driver}");
        // The same draw, with nothing bound: the driver has forgotten the view.
        app.draw(context);
        app.finish(context, false);
        let without = made(&app);
        assert_ne!(with_view, without, "{driver}");
        let fresh = app.deferred();
        app.draw(fresh);
        app.finish(fresh, false);
        assert_eq!(made(&app), without, "{driver}");
    }
}

/// Rule H-55: a list that is out of use goes back to the context that made it when that one finishes, not when the list is released,
/// nor when another context finishes. On which thread a context finishes is the application's to say; it is the context's own.
#[test]
fn h55_lists_go_back_to_their_context_in_its_own_next_finish() {
    for driver in DRIVERS {
        let mut app = App::new(driver);
        let (maker, other) = (app.deferred(), app.deferred());
        app.draw(maker);
        let list = app.finish(maker, false);
        app.release(list).unwrap();
        let given_back = |app: &App| -> Vec<D3d11ContextId> {
            app.world.ddi::<ddi::RecycleCommandList>().into_iter().map(|call| call.context).collect()
        };
        assert_eq!(app.world.ddi::<ddi::RecycleDestroyCommandList>().len(), 1);
        assert_eq!(given_back(&app), []);
        app.draw(other);
        app.finish(other, false);
        assert_eq!(given_back(&app), []);
        app.call(&d3d11::Flush { context: app.immediate }).unwrap();
        assert_eq!(given_back(&app), []);
        app.draw(maker);
        app.finish(maker, false);
        assert_eq!(given_back(&app), [maker]);
        assert_eq!(lines(&app)[0], ddi::RecycleCommandList::ID, "before the next list is made");
    }
}
