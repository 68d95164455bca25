//! Application-side state of swap chains.

use crate::frames::{Frame, FrameEnd, SimulatedOutcome};
use serde::{Deserialize, Serialize};
use taut_schemas::{
    ColorSpace, CommandQueueId, D3d11DeviceId, DxgiUsage, SwapChainDesc, SwapChainFlags, SwapChainWindowDesc,
    SwapEffect,
};

/// Default max frame latency (rule D-09).
pub(crate) const FRAME_LATENCY: u32 = 3;

/// The object that a swap chain was created with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SwapChainOwner {
    Queue(CommandQueueId),
    Device11(D3d11DeviceId),
    /// A Direct3D 9 device; only its swap chains are simulated.
    Device9,
}

/// A back buffer, by index. In chains where contents rotate, an index is not bound to a block of memory.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Buffer {
    pub reference_count: u32,
    /// The bits of the colour that fills the buffer, if its contents are defined.
    pub color: Option<[u32; 4]>,
}

/// Application-side state of a swap chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ApplicationState {
    #[serde(rename = "maker")]
    pub creator: SwapChainOwner,
    #[serde(rename = "of_window")]
    pub window_desc: SwapChainWindowDesc,
    pub buffers: Vec<Buffer>,
    /// Index of the current back buffer.
    pub index: u32,
    pub is_full_screen: bool,
    /// True if full screen ends at the next present.
    pub is_ownership_released: bool,
    /// Max frame latency of a chain with a waitable object.
    pub latency: u32,
    /// Number of waits for the waitable object that succeed without blocking.
    pub signals: u32,
    /// Frames that wait for their command queue.
    #[serde(rename = "held")]
    pub waiting_frames: Vec<Frame>,
    /// Number and time of the last frame shown.
    pub last_shown: Option<(u64, u64)>,
    pub color_space: ColorSpace,
    /// True once an adapter that the chain needs was removed.
    pub is_removed: bool,
}

impl ApplicationState {
    /// Creates the state of a new swap chain.
    pub fn new(creator: SwapChainOwner, desc: &SwapChainDesc, window_desc: SwapChainWindowDesc) -> ApplicationState {
        ApplicationState {
            creator,
            window_desc,
            buffers: vec![Buffer::default(); desc.buffer_count as usize],
            index: 0,
            is_full_screen: !window_desc.windowed,
            is_ownership_released: false,
            latency: 1,
            signals: u32::from(desc.flags.contains(SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT)),
            waiting_frames: Vec::new(),
            last_shown: None,
            color_space: ColorSpace::RGB_FULL_G22_NONE_P709,
            is_removed: false,
        }
    }

    /// Creates the state of a chain for which the call specifies no window properties.
    pub fn plain(queue: CommandQueueId, desc: &SwapChainDesc) -> ApplicationState {
        let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
        let window_desc = SwapChainWindowDesc { samples: 1, usage, windowed: true, ..SwapChainWindowDesc::default() };
        ApplicationState::new(SwapChainOwner::Queue(queue), desc, window_desc)
    }

    pub fn is_of_queue(&self) -> bool {
        matches!(self.creator, SwapChainOwner::Queue(_))
    }

    /// True if the application has a reference to a buffer.
    pub fn is_referenced(&self) -> bool {
        self.buffers.iter().any(|buffer| buffer.reference_count > 0)
    }

    /// Replaces the buffers by new buffers with undefined contents.
    pub fn resized(&mut self, buffer_count: u32) {
        self.buffers = vec![Buffer::default(); buffer_count as usize];
        self.index = 0;
    }

    /// Updates the buffers for a present: with a queue the current index advances, otherwise contents rotate (rules
    /// D-07, D-08).
    pub fn presented(&mut self, effect: SwapEffect) {
        let keeps = matches!(effect, SwapEffect::SEQUENTIAL | SwapEffect::FLIP_SEQUENTIAL);
        if !keeps && let Some(buffer) = self.buffers.get_mut(self.index as usize) {
            buffer.color = None;
        }
        // Direct3D 12 applications select the buffer by index; Direct3D 11 always draws to buffer 0 and contents move.
        if self.is_of_queue() {
            self.index = (self.index + 1) % (self.buffers.len() as u32).max(1);
        } else if keeps {
            let mut colors: Vec<Option<[u32; 4]>> = self.buffers.iter().map(|buffer| buffer.color).collect();
            colors.rotate_left(1);
            for (buffer, color) in self.buffers.iter_mut().zip(colors) {
                buffer.color = color;
            }
        }
    }

    /// Signals the waitable object at the end of a frame (rule D-09).
    pub fn ended(&mut self, end: &FrameEnd) {
        self.signals = self.signals.saturating_add(1);
        if end.outcome != SimulatedOutcome::Dropped {
            self.last_shown = Some((end.number, end.ended_at_ns));
        }
    }

    /// Ends the frames that wait for their command queue, without showing them.
    pub fn end_waiting_frames(&mut self, now_ns: u64) -> Vec<FrameEnd> {
        let waiting = std::mem::take(&mut self.waiting_frames);
        let ended = |frame: Frame| FrameEnd {
            chain: frame.chain,
            number: frame.number,
            presented_at_ns: now_ns,
            times: Vec::new(),
            ready_at_ns: None,
            ended_at_ns: now_ns,
            outcome: SimulatedOutcome::Dropped,
            torn_at_ns: None,
        };
        waiting.into_iter().map(ended).collect()
    }
}
