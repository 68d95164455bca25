//! Tests of recorded accesses of drivers to handle memory.

use super::app::{App, DRIVERS};
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{BindFlags, Call, EventCode, Mark, ObjectId, Opcode, d3d11_context_ddi as ddi, mark};

/// Returns every event of a short program, and the recorded accesses.
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
fn accesses_are_recorded_on_request_and_change_nothing_else() {
    for name in DRIVERS {
        let (without, none) = program(name, false);
        let (mut with, some) = program(name, true);
        assert!(none.is_empty() && some.len() > 8);
        let accesses_mark = EventCode::new(mark::HandleAccesses::ID, Opcode::Info);
        // A mark follows the end of its call.
        for pair in with.windows(2).filter(|pair| pair[1].0 == accesses_mark) {
            assert_eq!(pair[0].0.opcode(), Some(Opcode::Stop));
        }
        with.retain(|(code, _)| *code != accesses_mark);
        assert_eq!(with, without);
    }
}

/// Rule H-38: a conforming driver accesses handle memory only, and a deferred context never writes to the immediate
/// context's.
#[test]
fn h38_a_sound_driver_touches_handles_alone() {
    for name in DRIVERS {
        let (events, accesses_mark) = program(name, true);
        let created = EventCode::new(ddi::CreateDeferredContext::ID, Opcode::Start);
        assert!(events.iter().any(|(code, _)| *code == created));
        let immediate = accesses_mark[0].context;
        // The upper half of an address identifies the context.
        let range = |handle: u64| handle >> 32;
        let own = accesses_mark
            .iter()
            .filter(|accesses_mark| accesses_mark.context != immediate)
            .flat_map(|accesses_mark| &accesses_mark.accesses);
        let writes: Vec<u64> = own.filter(|access| access.is_write).map(|access| range(access.handle.0)).collect();
        assert!(!writes.is_empty() && writes.iter().all(|found| *found == writes[0]), "{writes:?}");
        let all = accesses_mark.iter().flat_map(|accesses_mark| &accesses_mark.accesses);
        assert!(all.clone().all(|access| access.handle.0 != 0 && access.offset_bytes < 512));
        let list = all.filter(|access| access.size_bytes > 8);
        assert!(list.count() > 0, "accesses without a gap are one");
    }
}
