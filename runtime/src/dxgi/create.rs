//! IDXGIFactory::CreateSwapChain, on command queues and on Direct3D 11 devices.

use super::decision::decide;
use super::errors::invalid_call;
use super::validate::{SwapChainTarget, validate};
use crate::context::Context;
use crate::d3d11::{find_object, open_device};
use crate::d3d12::open;
use crate::kernel::{ApplicationState, DisplayState, SwapChain, SwapChainOwner};
use crate::revision::Revision;
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
    if call.device == ObjectId::NULL || !call.has_desc || !call.want_swap_chain || call.window_desc.window == 0 {
        let text = format_args!("A device, a description, its window or the place for the swap chain is missing.");
        return invalid_call(context, text);
    }
    let Some(window) = display.presents.desktop.window(call.window_desc.window) else {
        return invalid_call(context, format_args!("There is no window {}.", call.window_desc.window));
    };
    let Some(shows) = display.presents.display(window.display).map(|display| display.adapter) else {
        return invalid_call(context, format_args!("The window is on no display."));
    };
    let as_queue = CommandQueueId(call.device.0);
    // pDevice is a command queue for Direct3D 12 and a device for Direct3D 11.
    let creator = if queue.queue_mut(as_queue).is_some() {
        open(context, queue, as_queue)?;
        SwapChainOwner::Queue(as_queue)
    } else {
        let device = D3d11DeviceId(call.device.0);
        open_device(context, objects, device)?;
        SwapChainOwner::Device11(device)
    };
    let is_of_queue = matches!(creator, SwapChainOwner::Queue(_));
    let target =
        SwapChainTarget { is_of_queue, samples: call.window_desc.samples, window: (window.width, window.height) };
    let desc = validate(context, call.desc, target)?;
    if let Some(missing_description) = display.presents.missing_description([call.adapter(), shows]) {
        return invalid_call(context, format_args!("CreateSwapChain: {missing_description} was not described."));
    }
    let id = display.presents.next_id();
    let front = ApplicationState::new(creator, &desc, call.window_desc);
    let mut chain = SwapChain::new(desc, call.adapter(), window.display, shows, front);
    chain.covers = display.presents.covers(&chain);
    chain.mode = decide(context, display, id, &chain)?;
    display.presents.add(id, chain);
    // A reference to a queue is counted by the live chains; one to a Direct3D 11 device by the device itself.
    if context.settings.revision >= Revision::CHAIN_REFERENCES
        && !is_of_queue
        && let Some(device) = find_object(objects, call.device)
    {
        device.count += 1;
    }
    Ok(id)
}
