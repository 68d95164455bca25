//! Tests of swap chains under the settings' revisions: traces of older builds replay with the older behaviour.

use super::presents::{Laptop, desc, mode, named};
use super::swap_chains::{SHOWS, create_on, device11, window, window_desc};
use taut_runtime::{Revision, Settings};
use taut_schemas::format::Format;
use taut_schemas::{HResult, HResultCode, PresentFlags, SwapChainDesc, SwapChainId, SwapEffect, dxgi};

const EFFECTS: [SwapEffect; 4] =
    [SwapEffect::DISCARD, SwapEffect::SEQUENTIAL, SwapEffect::FLIP_DISCARD, SwapEffect::FLIP_SEQUENTIAL];

/// Returns a machine with one adapter, under a revision.
fn laptop(revision: Revision) -> Laptop {
    let settings = Settings { revision, ..Settings::default() };
    Laptop::under(settings, &[named("igpu-tier3")], &[mode(1920, 1080, 0)])
}

/// Creates a chain of two buffers for a window, on a Direct3D 11 device or on the laptop's queue.
fn chain(laptop: &mut Laptop, on_11: bool, swap_effect: SwapEffect) -> SwapChainId {
    let number = window(laptop, (640, 480));
    let device = if on_11 { device11(laptop, SHOWS) } else { laptop.queue.into() };
    let desc = SwapChainDesc { swap_effect, ..desc(640, 480, Format::B8G8R8A8_UNORM) };
    create_on(laptop, device, desc, window_desc(number)).unwrap()
}

/// Returns the results of ResizeBuffers1 with queues and without.
fn resized(revision: Revision, on_11: bool) -> [HResult<()>; 2] {
    let mut laptop = laptop(revision);
    let swap_chain = chain(&mut laptop, on_11, SwapEffect::FLIP_DISCARD);
    let queue = laptop.queue;
    [vec![queue; 2], Vec::new()].map(|queues| {
        laptop.call(&dxgi::ResizeBuffers1 { swap_chain, node_masks: vec![1; 2], queues, ..Default::default() })
    })
}

#[test]
fn a_chain_of_a_direct3d_11_device_has_no_queues_from_revision_3_on() {
    let refused = Err(HResultCode::DXGI_ERROR_INVALID_CALL);
    for revision in [Revision::FIRST, Revision::STATE_FIRST, Revision::PLACED_FLOOR] {
        assert_eq!(resized(revision, true), [Ok(()), Ok(())], "{revision:?}");
        assert_eq!(resized(revision, false), [Ok(()), refused], "each buffer of a queue's chain needs one");
    }
    for revision in [Revision::CHAIN_OWNERS, Revision::CURRENT] {
        assert_eq!(resized(revision, true), [refused, Ok(())], "{revision:?}");
        assert_eq!(resized(revision, false), [Ok(()), refused], "{revision:?}");
    }
}

/// Returns whether a chain is full screen after ReleaseOwnership of its output and a present.
fn is_full_screen_after_release(revision: Revision, effect: SwapEffect) -> bool {
    let mut laptop = laptop(revision);
    let swap_chain = chain(&mut laptop, true, effect);
    laptop.call(&dxgi::SetFullscreenState { swap_chain, fullscreen: true }).unwrap();
    let output = laptop.call(&dxgi::GetContainingOutput { swap_chain }).unwrap();
    laptop.call(&dxgi::ReleaseOwnership { output }).unwrap();
    laptop.present(swap_chain, 0, PresentFlags::NONE).unwrap();
    laptop.call(&dxgi::GetFullscreenState { swap_chain, want_target: false }).unwrap().fullscreen
}

#[test]
fn full_screen_of_the_flip_model_owns_no_output_that_it_could_release_from_revision_3_on() {
    for effect in EFFECTS {
        for revision in [Revision::FIRST, Revision::STATE_FIRST, Revision::PLACED_FLOOR] {
            assert!(!is_full_screen_after_release(revision, effect), "{revision:?}, {effect:?}");
        }
        for revision in [Revision::CHAIN_OWNERS, Revision::CURRENT] {
            let stays = is_full_screen_after_release(revision, effect);
            assert_eq!(stays, effect.is_flip_model(), "{revision:?}, {effect:?}");
        }
    }
}
