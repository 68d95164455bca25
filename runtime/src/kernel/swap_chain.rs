//! Connected displays and the swap chains that they show.

use super::frame_end::{FrameComparer, Route};
use super::front::ApplicationState;
use crate::frames::Screen;
use serde::{Deserialize, Serialize};
use taut_schemas::{
    AdapterId, DisplayMode, HybridPresentMode, PlaneRect, PrimaryDesc, SwapChainDesc, SwapChainFlags, pixel_bytes,
};

/// A display that is connected to an adapter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ConnectedDisplay {
    pub adapter: AdapterId,
    pub mode: DisplayMode,
    /// Times of its refreshes that a trace recorded, if any.
    pub refreshes_at_ns: Vec<u64>,
}

impl ConnectedDisplay {
    /// The simulated screen with the display's refresh rate.
    pub(super) fn screen(&self) -> Screen {
        Screen::new(self.mode.refresh_millihertz, self.mode.variable_refresh_from_millihertz > 0)
            .recorded(self.refreshes_at_ns.clone())
    }
}

/// A swap chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SwapChain {
    pub desc: SwapChainDesc,
    /// The render adapter.
    pub render: AdapterId,
    /// Index of the display.
    pub display: u32,
    pub display_adapter: AdapterId,
    /// True if the chain's window covers the display.
    pub covers: bool,
    pub mode: HybridPresentMode,
    /// Number of frames presented.
    pub present_count: u64,
    /// True between the start and the end of a Present1.
    pub is_presenting: bool,
    /// Time of the application's next present.
    pub process_at_ns: u64,
    /// Time of the next frame's work on the graphics engine, in nanoseconds.
    pub gpu_ns: u64,
    /// Flip decision without an overlay check: `Some` if the driver has no DxgkDdiCheckMultiPlaneOverlaySupport3.
    #[serde(rename = "flips_unasked")]
    pub(super) flips_without_check: Option<bool>,
    /// State of the comparison of shown frames.
    #[serde(rename = "shown")]
    pub(super) comparer: FrameComparer,
    #[serde(rename = "front")]
    pub application: ApplicationState,
}

impl SwapChain {
    /// Creates a chain whose path is not chosen yet.
    pub fn new(
        desc: SwapChainDesc,
        render: AdapterId,
        display: u32,
        display_adapter: AdapterId,
        application: ApplicationState,
    ) -> SwapChain {
        SwapChain {
            desc,
            render,
            display,
            display_adapter,
            covers: false,
            mode: HybridPresentMode::NOT_HYBRID,
            present_count: 0,
            is_presenting: false,
            process_at_ns: 0,
            gpu_ns: 0,
            flips_without_check: None,
            comparer: FrameComparer::default(),
            application,
        }
    }

    /// True if the chain has a waitable object, for which the application waits instead of Present.
    pub fn is_waitable(&self) -> bool {
        self.desc.flags.contains(SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT)
    }

    /// Size of a frame, in bytes.
    pub fn payload_bytes(&self) -> u64 {
        PrimaryDesc::new(self.desc.width, self.desc.height, self.desc.format).payload_bytes()
    }

    /// The route of the chain's frames to their display, if it is known.
    pub(super) fn route(&self, display: Option<&ConnectedDisplay>) -> Route {
        let desc = PrimaryDesc::new(self.desc.width, self.desc.height, self.desc.format);
        let (width, height) =
            display.map_or((desc.width, desc.height), |display| (display.mode.width, display.mode.height));
        let destination = PlaneRect::new(width, height);
        Route { desc, mode: self.mode, display_adapter: self.display_adapter, destination }
    }
}

/// Bandwidth of scanning out a display's whole mode, in bytes per second, in the format of a chain that covers it.
pub(super) fn scan_out_bytes_per_second(display: &ConnectedDisplay, chain: Option<&SwapChain>) -> u64 {
    display.mode.scan_out_bytes_per_second(chain.map_or(4, |chain| pixel_bytes(chain.desc.format)))
}

/// Scan-out bandwidth of the other displays of a chain's display adapter, in bytes per second.
pub(super) fn other_displays_bytes_per_second(displays: &[ConnectedDisplay], chain: &SwapChain) -> u64 {
    let is_other = |(number, other): &(usize, &ConnectedDisplay)| {
        *number != chain.display as usize && other.adapter == chain.display_adapter
    };
    let others = displays.iter().enumerate().filter(is_other);
    others.map(|(_, other)| other.mode.scan_out_bytes_per_second(4)).sum()
}
