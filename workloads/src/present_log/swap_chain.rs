//! Creation of a captured swap chain, through the interface and with the swap effect that the capture shows.

use super::devices::Devices;
use super::model::PresentModel;
use super::plan::{PlannedChain, WindowPosition};
use crate::bundled::WorkloadError;
use crate::bundled::presented_machine::PresentedMachine;
use crate::bundled::refusal::required;
use taut_capture::Caller;
use taut_schemas::format::Format;
use taut_schemas::{
    AdapterId, ObjectId, SwapChainDesc, SwapChainFlags, SwapChainId, SwapChainWindowDesc, SwapEffect, WindowState, dxgi,
};

/// Swap chain, with its window if that moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlayedChain {
    pub swap_chain: SwapChainId,
    pub window: Option<u64>,
    pub position: WindowPosition,
    /// True if the swap chain was created with ALLOW_TEARING.
    pub allows_tearing: bool,
}

/// Interface through which a swap chain is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interface {
    /// DXGI's flip model, on a Direct3D 12 queue.
    Flip,
    /// DXGI's blt model, on a Direct3D 11 device: a queue has only the flip model.
    Blt,
    /// IDirect3DDevice9::CreateAdditionalSwapChain.
    Direct3D9,
}

/// Adapter that renders a swap chain. HybridPresent of the capture decides, where it has that column; else the frames
/// cross over if the machine has two adapters.
pub(super) fn adapter(machine: &PresentedMachine, chain: &PlannedChain) -> AdapterId {
    match chain.is_hybrid {
        Some(false) => machine.display_adapter(),
        Some(true) | None => machine.render_adapter(),
    }
}

pub(super) fn window_state(position: WindowPosition) -> WindowState {
    if position.covers { WindowState::NONE } else { WindowState::COVERED }
}

/// Selects the interface. Only the flip model may take the path with one copy, so other swap chains that cross to
/// another adapter are not created with it. On one adapter, swap chains that flipped are created with the flip model
/// where the model has no other way to flip them: the blt model is always composed, and windows of Direct3D 9 neither
/// move nor tear.
fn interface(chain: &PlannedChain, crosses: bool) -> Interface {
    let first = chain.positions.first();
    let moves = chain.positions.iter().any(|position| Some(position) != first);
    match chain.model {
        PresentModel::Flip => Interface::Flip,
        PresentModel::Blt => Interface::Blt,
        PresentModel::Direct3D9 if !moves && (crosses || !chain.tears) => Interface::Direct3D9,
        PresentModel::Direct3D9 | PresentModel::LegacyFlip if crosses => Interface::Blt,
        PresentModel::Direct3D9 | PresentModel::LegacyFlip => Interface::Flip,
    }
}

/// Creates a swap chain at its first present.
pub(super) fn create<K: Caller>(
    caller: &mut K,
    machine: &PresentedMachine,
    devices: &mut Devices,
    chain: &PlannedChain,
    (width, height): (u32, u32),
) -> Result<Option<PlayedChain>, WorkloadError> {
    let Some(position) = chain.positions.first().copied() else { return Ok(None) };
    let adapter = adapter(machine, chain);
    let interface = interface(chain, adapter != machine.display_adapter());
    // The program's wait for frame latency is part of the logged times, so no thread waits here.
    let waits = SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT;
    let allows_tearing = chain.tears && interface == Interface::Flip;
    let desc = SwapChainDesc {
        width,
        height,
        format: Format::B8G8R8A8_UNORM,
        buffer_count: 3,
        swap_effect: match interface {
            Interface::Flip => SwapEffect::FLIP_DISCARD,
            Interface::Direct3D9 if position.covers => SwapEffect::FLIP_SEQUENTIAL,
            Interface::Blt | Interface::Direct3D9 => SwapEffect::DISCARD,
        },
        flags: match interface {
            Interface::Flip if allows_tearing => waits | SwapChainFlags::ALLOW_TEARING,
            Interface::Flip => waits,
            Interface::Blt | Interface::Direct3D9 => SwapChainFlags::NONE,
        },
    };
    let WindowPosition { display, covers } = position;
    let (swap_chain, window) = match interface {
        Interface::Direct3D9 => {
            let create = dxgi::CreateAdditionalSwapChain { adapter, desc, display, covers };
            (required("CreateAdditionalSwapChain", caller.call(create))?, None)
        }
        Interface::Flip if chain.positions.iter().all(|other| *other == position) => {
            let command_queue = devices.queue(caller, adapter)?;
            let create = dxgi::CreateSwapChainForHwnd { command_queue, desc, display, covers };
            (required("CreateSwapChainForHwnd", caller.call(create))?, None)
        }
        Interface::Flip => {
            let device = ObjectId(devices.queue(caller, adapter)?.0);
            in_window(caller, device, desc, position)?
        }
        Interface::Blt => {
            let device = devices.device_11(caller, adapter)?.into();
            in_window(caller, device, desc, position)?
        }
    };
    Ok(Some(PlayedChain { swap_chain, window, position, allows_tearing }))
}

/// Creates a swap chain in a window that can move.
fn in_window<K: Caller>(
    caller: &mut K,
    device: ObjectId,
    desc: SwapChainDesc,
    position: WindowPosition,
) -> Result<(SwapChainId, Option<u64>), WorkloadError> {
    let (client_width, client_height, display) = (desc.width, desc.height, position.display);
    let create = dxgi::CreateWindow { client_width, client_height, display, state: window_state(position) };
    let window = required("CreateWindow", caller.call(create))?;
    let window_desc = SwapChainWindowDesc { samples: 1, window, windowed: true, ..SwapChainWindowDesc::default() };
    let create = dxgi::CreateSwapChain { device, desc, window_desc, has_desc: true, want_swap_chain: true };
    Ok((required("CreateSwapChain", caller.call(create))?, Some(window)))
}
