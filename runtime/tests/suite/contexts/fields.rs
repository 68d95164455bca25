//! Tests of the accesses to the fields that a driver profile describes.

use super::app::App;
use taut_runtime::{Profile, Settings, driver};
use taut_schemas::{BindFlags, HandleAccess, ObjectId, SEPARATE_AREA, d3d11, mark};

/// Beginning of the fields that are never written, in a handle of the immediate context without written ones.
const IMMEDIATE_FIELDS: u64 = 64;
/// Upper half of the addresses of the immediate context's handles, on the first adapter.
const IMMEDIATE_RANGE: u64 = (1 << 60) >> 32;
/// Number of calls that a recording makes with the view.
const USES: usize = 5;

/// Driver whose views have one field, `view_info` of 48 bytes, in this place.
fn placed(placement: &str) -> Profile {
    Profile::named("dxvk-like").unwrap().with_field_placement("SHADERRESOURCEVIEW.view_info", placement).unwrap()
}

/// Accesses of a deferred context's recording that sets a view, as (handle is the context's own, offset, size, is a
/// write), by call with accesses.
fn recorded(profile: &Profile) -> Vec<Vec<(bool, u64, u32, bool)>> {
    let settings = Settings { handle_accesses: true, ..Settings::default() };
    let mut app = App::on(driver(profile), settings);
    let context = app.deferred();
    let texture = app.texture(BindFlags::SHADER_RESOURCE);
    let view = app.view(texture);
    let mut found = Vec::new();
    for _ in 0..USES {
        app.set_view(context, view);
        let marks: Vec<mark::HandleAccesses> = app.world.marks::<mark::HandleAccesses>().into_iter().collect();
        found.extend(marks.iter().filter(|mark| mark.context == context).map(|mark| {
            let access = |access: &HandleAccess| {
                // The upper half of an address identifies the context.
                let is_own = access.handle.0 >> 32 != IMMEDIATE_RANGE;
                (is_own, access.offset_bytes, access.size_bytes, access.is_write)
            };
            mark.accesses.iter().map(access).collect()
        }));
    }
    let list = app.finish(context, false);
    app.execute(app.immediate, list, false);
    for object in [list.0, view.0, texture.0, context.0] {
        app.release(ObjectId(object)).unwrap();
    }
    app.end();
    found
}

#[test]
fn a_shared_field_is_read_in_memory_of_the_immediate_context_at_each_use() {
    let calls = recorded(&placed("shared"));
    let reads = |call: &&Vec<(bool, u64, u32, bool)>| call.contains(&(false, IMMEDIATE_FIELDS, 48, false));
    assert_eq!(calls.iter().filter(reads).count(), USES);
    assert!(calls.iter().flatten().all(|access| access.0 || !access.3), "no write to memory of the immediate context");
}

#[test]
fn a_copied_field_is_read_in_memory_of_the_immediate_context_only_when_it_is_opened() {
    let calls = recorded(&placed("per_context"));
    let walks = calls.iter().flatten().filter(|access| **access == (false, IMMEDIATE_FIELDS, 48, false));
    assert_eq!(walks.count(), 1);
    let copies = calls.iter().flatten().filter(|access| **access == (true, 16, 48, true));
    assert_eq!(copies.count(), 1, "{calls:?}");
    let uses = calls.iter().filter(|call| call.contains(&(true, 16, 48, false)));
    assert_eq!(uses.count(), USES, "{calls:?}");
}

#[test]
fn a_separate_field_is_in_the_context_behind_a_pointer_in_the_handle() {
    let calls = recorded(&placed("separate"));
    let all = || calls.iter().flatten();
    assert_eq!(all().filter(|access| **access == (true, SEPARATE_AREA, 48, true)).count(), 1, "{calls:?}");
    assert_eq!(all().filter(|access| **access == (true, SEPARATE_AREA, 48, false)).count(), USES);
    // The pointer follows the words of the object and of its dependency.
    assert_eq!(all().filter(|access| access.0 && access.1 == 16 && !access.3).count(), USES);
}

#[test]
fn h34_a_context_without_room_for_separate_fields_is_out_of_memory() {
    let mut app = App::on(driver(&placed("separate")), Settings::default());
    let (context, texture) = (app.deferred(), app.texture(BindFlags::SHADER_RESOURCE));
    // 16 KiB have room for 256 blocks of one line.
    let views: Vec<_> = (0..257).map(|_| app.view(texture)).collect();
    for _ in 0..2 {
        for view in &views {
            app.set_view(context, *view);
        }
        let finish =
            d3d11::FinishCommandList { context, restore_deferred_context_state: false, want_command_list: true };
        assert_eq!(app.call(&finish), Err(taut_schemas::HResultCode::E_OUTOFMEMORY));
    }
    for view in &views[..256] {
        app.set_view(context, *view);
    }
    app.finish(context, false);
}

#[test]
fn a_profile_without_fields_accesses_none() {
    let mut profile = placed("shared");
    let contexts = profile.contexts.as_mut().unwrap();
    contexts.fields.clear();
    let sizes = contexts.sizes();
    assert!(sizes.iter().all(|size| size.size_bytes <= 16), "{sizes:?}");
    assert!(recorded(&profile).iter().flatten().all(|access| access.2 <= 16));
}

#[test]
fn every_n_accesses_a_field_at_every_nth_command() {
    let mut profile = placed("shared");
    let fields = &mut profile.contexts.as_mut().unwrap().fields;
    fields.iter_mut().filter(|field| field.handle_type == "SHADERRESOURCEVIEW").for_each(|field| field.every_n = 2);
    let calls = recorded(&profile);
    let reads = |call: &&Vec<(bool, u64, u32, bool)>| call.contains(&(false, IMMEDIATE_FIELDS, 48, false));
    // At the first, third and fifth of five commands.
    assert_eq!(calls.iter().filter(reads).count(), USES.div_ceil(2));
}
