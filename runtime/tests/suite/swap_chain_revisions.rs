//! Tests of swap chains under the settings' revisions: traces of older builds replay with the older behaviour.

use super::presents::{Laptop, desc, mode, named};
use super::swap_chains::{SHOWS, create_on, device11, window, window_desc};
use taut_runtime::{Revision, Settings};
use taut_schemas::format::Format;
use taut_schemas::{
    DeviceId, FenceId, HResult, HResultCode, PresentFlags, SwapChainDesc, SwapChainId, SwapEffect, d3d11, d3d12,
    d3d12_ddi, dxgi, mark,
};

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

/// Returns whether GetFullscreenState of a chain in full screen has a target, and whether it has one in a window.
fn has_target(revision: Revision, effect: SwapEffect) -> [bool; 2] {
    let mut laptop = laptop(revision);
    let swap_chain = chain(&mut laptop, true, effect);
    [true, false].map(|fullscreen| {
        laptop.call(&dxgi::SetFullscreenState { swap_chain, fullscreen }).unwrap();
        let state = laptop.call(&dxgi::GetFullscreenState { swap_chain, want_target: true }).unwrap();
        assert_eq!(state.fullscreen, fullscreen);
        state.target != 0
    })
}

#[test]
fn full_screen_of_the_flip_model_has_no_target_from_revision_5_on() {
    for effect in EFFECTS {
        for revision in [Revision::FIRST, Revision::PLACED_FLOOR, Revision::CHAIN_OWNERS] {
            assert_eq!(has_target(revision, effect), [true, false], "{revision:?}, {effect:?}");
        }
        for revision in [Revision::CHAIN_REFERENCES, Revision::CURRENT] {
            assert_eq!(has_target(revision, effect), [!effect.is_flip_model(), false], "{revision:?}, {effect:?}");
        }
    }
}

/// Releases the laptop's queue and then its device while chains live. Returns the counts, and the numbers of queue and
/// device destructions after each release of a chain.
fn released_under_chains(revision: Revision, chains: usize) -> ([HResult<u32>; 2], Vec<(bool, usize)>) {
    let mut laptop = laptop(revision);
    let ids: Vec<SwapChainId> = (0..chains).map(|_| chain(&mut laptop, false, SwapEffect::FLIP_DISCARD)).collect();
    let command_queue = laptop.queue;
    let queue = laptop.call(&d3d12::ReleaseCommandQueue { command_queue });
    let device = laptop.call(&d3d12::ReleaseDevice { device: DeviceId(1) });
    let after = |laptop: &mut Laptop| {
        let destroyed = laptop.tap.started::<d3d12_ddi::DestroyDevice>().len();
        let has_queue = laptop.call(&d3d12::CommandQueueSignal { command_queue, fence: FenceId(99), value: 1 });
        // A queue that lives refuses the signal for its fence.
        let messages = laptop.tap.marks::<mark::DebugMessage>();
        assert!(has_queue.is_err() && messages.len() == 1, "{messages:?}");
        (messages[0].description.contains("fence"), destroyed)
    };
    let mut found = vec![after(&mut laptop)];
    for swap_chain in ids {
        laptop.call(&dxgi::ReleaseSwapChain { swap_chain }).unwrap();
        found.push(after(&mut laptop));
    }
    ([queue, device], found)
}

#[test]
fn a_swap_chain_has_a_reference_to_its_queue_and_through_it_to_the_device_from_revision_5_on() {
    let (counts, found) = released_under_chains(Revision::CURRENT, 2);
    assert_eq!(counts, [Ok(2), Ok(2)]);
    assert_eq!(found, [(true, 0), (true, 0), (false, 1)], "the last chain destroys both");
    let (counts, found) = released_under_chains(Revision::CHAIN_OWNERS, 2);
    assert_eq!(counts, [Ok(0), Ok(0)]);
    assert!(found.iter().all(|(has_queue, _)| !has_queue), "{found:?}");
}

#[test]
fn a_queue_and_a_device_are_released_once_by_the_application() {
    let mut laptop = laptop(Revision::CURRENT);
    let swap_chain = chain(&mut laptop, false, SwapEffect::FLIP_DISCARD);
    let queue = d3d12::ReleaseCommandQueue { command_queue: laptop.queue };
    let device = d3d12::ReleaseDevice { device: DeviceId(1) };
    assert_eq!([laptop.call(&queue), laptop.call(&device)], [Ok(1), Ok(1)]);
    assert_eq!([laptop.call(&queue), laptop.call(&device)], [Err(HResultCode::E_HANDLE); 2]);
    // D3D12CreateDevice returns the live device with a new reference, which the end of the chain leaves.
    let create = d3d12::CreateDevice { minimum_feature_level: 0xb000, adapter: SHOWS };
    assert_eq!(laptop.call(&create), Ok(DeviceId(1)));
    laptop.call(&dxgi::ReleaseSwapChain { swap_chain }).unwrap();
    assert_eq!(laptop.tap.started::<d3d12_ddi::DestroyDevice>().len(), 0);
    assert_eq!(laptop.call(&queue), Err(HResultCode::E_HANDLE), "the chain's reference was the last");
    assert_eq!(laptop.call(&device), Ok(0));
}

/// Returns the counts of Release of a Direct3D 11 device in this order: before its chain, after it.
fn counts_of_device_11(revision: Revision, releases_chain_first: bool) -> [u32; 2] {
    let mut laptop = laptop(revision);
    let number = window(&mut laptop, (640, 480));
    let object = device11(&mut laptop, SHOWS);
    let counts = |laptop: &mut Laptop| {
        let more = laptop.call(&d3d11::AddRef { object });
        laptop.call(&d3d11::Release { object }).unwrap_or(0).max(more.map_or(0, |count| count - 1))
    };
    let desc = desc(640, 480, Format::B8G8R8A8_UNORM);
    let swap_chain = create_on(&mut laptop, object, desc, window_desc(number)).unwrap();
    let first = counts(&mut laptop);
    match releases_chain_first {
        true => drop(laptop.call(&dxgi::ReleaseSwapChain { swap_chain })),
        false => drop(laptop.call(&d3d11::Release { object })),
    }
    [first, counts(&mut laptop)]
}

#[test]
fn a_swap_chain_has_a_reference_to_its_direct3d_11_device_from_revision_5_on() {
    for releases_chain_first in [true, false] {
        assert_eq!(counts_of_device_11(Revision::CURRENT, releases_chain_first), [2, 1]);
    }
    assert_eq!(counts_of_device_11(Revision::CHAIN_OWNERS, true), [1, 1]);
    assert_eq!(counts_of_device_11(Revision::CHAIN_OWNERS, false), [1, 0]);
}
