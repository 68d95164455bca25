//! What drivers do to the memory behind their handles, as it is told.

use super::app::{App, DRIVERS};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{BindFlags, Call, EventCode, Mark, ObjectId, Opcode, d3d11_context_ddi as ddi, mark};

/// Every event of a short program, call by call, and what was accessed.
fn program(name: &str, handle_accesses: bool) -> (Vec<(EventCode, Vec<u8>)>, Vec<mark::HandleAccesses>) {
    let settings = Settings { handle_accesses, ..Settings::default() };
    let mut app = App::on(driver(&Profile::named(name).unwrap()), settings);
    let (mut events, mut accesses) = (Vec::new(), Vec::new());
    let mut keep = |app: &App| {
        events.extend(app.world.tap.events.clone());
        accesses.extend(app.world.marks::<mark::HandleAccesses>());
    };
    let context = app.deferred();
    keep(&app);
    let textures = [(); 2].map(|()| app.texture(BindFlags::SHADER_RESOURCE));
    keep(&app);
    let view = app.view(textures[0]);
    keep(&app);
    app.copy(context, textures[0], textures[1]);
    keep(&app);
    app.set_view(context, view);
    keep(&app);
    let list = app.finish(context, false);
    keep(&app);
    app.execute(app.immediate, list, false);
    keep(&app);
    for object in [list.0, view.0, textures[0].0, textures[1].0, context.0] {
        app.release(ObjectId(object)).unwrap();
        keep(&app);
    }
    app.end();
    (events, accesses)
}

#[test]
fn accesses_are_told_where_they_are_asked_for_and_change_nothing_else() {
    for name in DRIVERS {
        let (without, none) = program(name, false);
        let (mut with, some) = program(name, true);
        assert!(none.is_empty() && some.len() > 8);
        let told = EventCode::new(mark::HandleAccesses::ID, Opcode::Info);
        // A mark follows the end of its call.
        for pair in with.windows(2).filter(|pair| pair[1].0 == told) {
            assert_eq!(pair[0].0.opcode(), Some(Opcode::Stop));
        }
        with.retain(|(code, _)| *code != told);
        assert_eq!(with, without);
    }
}

/// Rule H-38: what a sound driver touches is behind a handle, and a deferred context writes to none of the immediate one's.
#[test]
fn h38_a_sound_driver_touches_handles_alone() {
    for name in DRIVERS {
        let (events, told) = program(name, true);
        let created = EventCode::new(ddi::CreateDeferredContext::ID, Opcode::Start);
        assert!(events.iter().any(|(code, _)| *code == created));
        let immediate = told[0].context;
        // A context's addresses, by their upper half.
        let range = |handle: u64| handle >> 32;
        let own = told.iter().filter(|told| told.context != immediate).flat_map(|told| &told.accesses);
        let writes: Vec<u64> = own.filter(|access| access.is_write).map(|access| range(access.handle.0)).collect();
        assert!(!writes.is_empty() && writes.iter().all(|found| *found == writes[0]), "{writes:?}");
        let all = told.iter().flat_map(|told| &told.accesses);
        assert!(all.clone().all(|access| access.handle.0 != 0 && access.offset_bytes < 512));
        let list = all.filter(|access| access.size_bytes > 8);
        assert!(list.count() > 0, "accesses without a gap are one");
    }
}
