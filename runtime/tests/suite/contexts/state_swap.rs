//! Tests of device context states: bindings of a state are restored with it.

use super::app::{App, DRIVERS, WITHOUT_LISTS};
use proptest::prelude::*;
use taut_schemas::{
    BindFlags, Call, D3d11ContextId, D3d11ContextStateId, D3d11ViewId, HResult, HResultCode, ObjectId, ShaderStage,
    d3d11, d3d11_context_ddi as ddi,
};

const ALL: [&str; 3] = [DRIVERS[0], DRIVERS[1], WITHOUT_LISTS];

fn state(app: &mut App) -> D3d11ContextStateId {
    let feature_levels = vec![0xb100, 0xb000];
    let new_state =
        app.call(&d3d11::CreateDeviceContextState { device: app.device, flags: 1, feature_levels }).unwrap();
    assert_eq!(new_state.chosen_feature_level, 0xb100);
    new_state.state
}

fn swap(app: &mut App, context: D3d11ContextId, state: D3d11ContextStateId) -> HResult<D3d11ContextStateId> {
    app.call(&d3d11::SwapDeviceContextState { context, state })
}

/// Returns the view bound in the immediate context; null for none.
fn bound(app: &mut App) -> D3d11ViewId {
    let (context, stage, start_slot, count) = (app.immediate, ShaderStage::PIXEL, 0, 1);
    let found = app.call(&d3d11::GetShaderResources { context, stage, start_slot, count }).unwrap();
    app.release_all(found.iter().map(|view| (*view).into()).collect());
    found[0]
}

#[test]
fn h13_what_a_state_keeps_lives_and_goes_with_it() {
    for driver in ALL {
        let mut app = App::new(driver);
        let (context, other) = (app.immediate, state(&mut app));
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let view = app.view(texture);
        app.set_view(context, view);
        let own = swap(&mut app, context, other).unwrap();
        assert_ne!(own, D3d11ContextStateId::NULL);
        assert_eq!(bound(&mut app), D3d11ViewId::NULL);
        // Only the inactive state refers to the view.
        app.release(view).unwrap();
        app.flush();
        assert_eq!(swap(&mut app, context, own), Ok(other));
        assert_eq!(bound(&mut app), view);
        app.draw(context);
        let was_called = app.world.tap.events.iter().any(|(code, _)| code.id() == ddi::SetShaderResources::ID);
        assert!(was_called, "the driver hears of it again");
        // Swapped back; then the state that holds the view is released, and the view with it.
        assert_eq!(swap(&mut app, context, other), Ok(own));
        assert_eq!([app.release(own), app.release(own)], [Ok(1), Ok(0)]);
        app.flush();
        assert_eq!(app.release(view), Err(HResultCode::E_HANDLE));
        assert_eq!(swap(&mut app, context, own), Err(HResultCode::E_HANDLE));
        app.release(texture).unwrap();
        // The active state is alive without any reference.
        assert_eq!([app.release(other), app.release(other)], [Ok(1), Ok(0)]);
        app.end();
    }
}

#[test]
fn a_deferred_context_swaps_nothing_and_a_state_has_a_level_of_the_devices() {
    for driver in ALL {
        let mut app = App::new(driver);
        let (immediate, deferred, of) = (app.immediate, app.deferred(), state(&mut app));
        assert_eq!(swap(&mut app, deferred, of), Ok(D3d11ContextStateId::NULL));
        assert_eq!(swap(&mut app, immediate, D3d11ContextStateId::NULL), Ok(D3d11ContextStateId::NULL));
        assert_eq!(swap(&mut app, immediate, D3d11ContextStateId(deferred.0)), Err(HResultCode::E_HANDLE));
        for (flags, feature_levels) in [(0, vec![]), (0, vec![7]), (2, vec![0xb000])] {
            let create = d3d11::CreateDeviceContextState { device: app.device, flags, feature_levels };
            assert_eq!(app.call(&create), Err(HResultCode::E_INVALIDARG));
        }
        for object in [deferred.0, of.0] {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}

proptest! {
    #[test]
    fn each_state_has_what_was_last_bound_with_it(
        driver in 0..ALL.len(), steps in prop::collection::vec((0..4_u8, 0..3_usize), 0..24),
    ) {
        let mut app = App::new(ALL[driver]);
        let context = app.immediate;
        let texture = app.texture(BindFlags::SHADER_RESOURCE);
        let views = [D3d11ViewId::NULL, app.view(texture), app.view(texture)];
        let created = [state(&mut app), state(&mut app)];
        // The context's own state is known from the first swap on.
        let mut states = created.to_vec();
        let (mut current, mut expected) = (None, std::collections::BTreeMap::new());
        for (step, which) in steps {
            match step {
                0 | 1 => {
                    app.set_view(context, views[which]);
                    expected.insert(current, views[which]);
                }
                2 => app.flush(),
                _ => {
                    let to = states[which % states.len()];
                    let before = swap(&mut app, context, to).unwrap();
                    match current {
                        Some(current) => prop_assert_eq!(before, current),
                        None => {
                            states.push(before);
                            if let Some(view) = expected.remove(&None) {
                                expected.insert(Some(before), view);
                            }
                        }
                    }
                    if current.is_some() {
                        app.release(before).unwrap();
                    }
                    current = Some(to);
                }
            }
            let view = expected.get(&current).copied().unwrap_or_default();
            prop_assert_eq!(bound(&mut app), view);
        }
        for object in [views[1].0, views[2].0, texture.0].into_iter().chain(states.iter().map(|state| state.0)) {
            app.release(ObjectId(object)).unwrap();
        }
        app.end();
    }
}
