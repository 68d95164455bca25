//! IDXGIFactory::CreateSwapChain, on queues and on Direct3D 11 devices.

use super::checked::{Asked, checked};
use super::decision::decide;
use super::said::invalid;
use crate::context::Context;
use crate::d3d11::open_device;
use crate::d3d12::open;
use crate::kernel::{DisplayState, Front, Maker, SwapChain};
use crate::state::Objects;
use crate::submission::SubmissionState;
use taut_schemas::{Call, CommandQueueId, D3d11DeviceId, HResult, ObjectId, SwapChainId, dxgi};

/// IDXGIFactory::CreateSwapChain.
pub(crate) fn create_swap_chain(
    context: &mut Context<'_>,
    queue: &mut SubmissionState,
    display: &mut DisplayState,
    objects: &mut dyn Objects,
    call: &dxgi::CreateSwapChain,
) -> HResult<SwapChainId> {
    if call.device == ObjectId::NULL || !call.has_desc || !call.want_swap_chain || call.of_window.window == 0 {
        let text = format_args!("A device, a description, its window or the place for the swap chain is missing.");
        return invalid(context, text);
    }
    let Some(window) = display.presents.desktop.window(call.of_window.window) else {
        return invalid(context, format_args!("There is no window {}.", call.of_window.window));
    };
    let Some(shows) = display.presents.display(window.display).map(|display| display.adapter) else {
        return invalid(context, format_args!("The window is on no display."));
    };
    let as_queue = CommandQueueId(call.device.0);
    let maker = if queue.queue_mut(as_queue).is_some() {
        open(context, queue, as_queue)?;
        Maker::Queue(as_queue)
    } else {
        let device = D3d11DeviceId(call.device.0);
        open_device(context, objects, device)?;
        Maker::Device11(device)
    };
    let is_of_queue = matches!(maker, Maker::Queue(_));
    let asked = Asked { is_of_queue, samples: call.of_window.samples, window: (window.width, window.height) };
    let desc = checked(context, call.desc, asked)?;
    if let Some(lacking) = display.presents.lacking([call.adapter(), shows]) {
        return invalid(context, format_args!("CreateSwapChain: {lacking} was not described."));
    }
    let id = display.presents.next_id();
    let front = Front::new(maker, &desc, call.of_window);
    let mut chain = SwapChain::new(desc, call.adapter(), (window.display, shows), front);
    chain.covers = display.presents.covers(&chain);
    chain.mode = decide(context, display, (id, &chain))?;
    display.presents.add(id, chain);
    Ok(id)
}
