//! Functions of user-mode drivers that check the planes of a display.

use super::swap_chain::{ConnectedDisplay, SwapChain, other_displays_bytes_per_second};
use crate::context::Context;
use taut_schemas::format::Format;
use taut_schemas::{MultiplaneOverlayFlags, OverlayPlane, OverlayPlanes, PlaneRect, dxgi_ddi};

/// Queries the display adapter's user-mode driver for whether a chain's buffers can be scanned out on top of the desktop's
/// primary, over the whole mode. A static check has no post composition (rule C-21).
pub(super) fn supported(
    context: &mut Context<'_>,
    displays: &[ConnectedDisplay],
    chain: &SwapChain,
    flags: MultiplaneOverlayFlags,
) -> bool {
    let Some(display) = displays.get(chain.display as usize) else { return false };
    let (adapter, mode) = (chain.display_adapter, display.mode);
    let primary = OverlayPlane {
        layer_index: 0,
        flags: MultiplaneOverlayFlags::NONE,
        width: mode.width,
        height: mode.height,
        format: Format::B8G8R8A8_UNORM,
        cross_adapter: false,
        destination: PlaneRect::new(mode.width, mode.height),
    };
    let plane = OverlayPlane {
        layer_index: 1,
        flags,
        width: chain.desc.width,
        height: chain.desc.height,
        format: chain.desc.format,
        cross_adapter: true,
        ..primary
    };
    let check = OverlayPlanes {
        planes: vec![primary, plane],
        post_composition: Vec::new(),
        mode,
        other_displays_bytes_per_second: other_displays_bytes_per_second(displays, chain),
    };
    // A driver that fails the check supports nothing.
    context.ddi_of(adapter, dxgi_ddi::CheckMultiplaneOverlaySupport { adapter, check }) == Ok(true)
}
