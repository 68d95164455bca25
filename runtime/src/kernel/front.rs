//! What an application sees of a swap chain beside its frames.

use crate::frames::{Fate, Frame, FrameEnd};
use serde::{Deserialize, Serialize};
use taut_schemas::{
    ColorSpace, CommandQueueId, D3d11DeviceId, DxgiUsage, SwapChainDesc, SwapChainFlags, SwapChainWindowDesc,
    SwapEffect,
};

/// Frames that may be on their way at once where nobody says otherwise (rule D-09).
pub(crate) const FRAME_LATENCY: u32 = 3;

/// What a swap chain was created with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Maker {
    Queue(CommandQueueId),
    Device11(D3d11DeviceId),
    /// A device of Direct3D 9, of which nothing else is simulated.
    Device9,
}

/// A back buffer: by its place, which is not that of its memory where contents move.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Buffer {
    pub reference_count: u32,
    /// The bits of the one colour that it is filled with, if its contents are defined.
    pub color: Option<[u32; 4]>,
}

/// What an application sees of a swap chain beside its frames.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Front {
    pub maker: Maker,
    pub of_window: SwapChainWindowDesc,
    pub buffers: Vec<Buffer>,
    /// The buffer that is drawn to next.
    pub index: u32,
    pub is_full_screen: bool,
    /// Full screen ends at the next present.
    pub is_ownership_released: bool,
    /// Of a chain with a waitable object: frames that may be on their way.
    pub latency: u32,
    /// How often its waitable object can be waited for without waiting.
    pub signals: u32,
    /// Frames that their queue does not let go yet.
    pub held: Vec<Frame>,
    /// The frame that was shown last, and when.
    pub last_shown: Option<(u64, u64)>,
    pub color_space: ColorSpace,
    /// An adapter that it needs has gone.
    pub is_removed: bool,
}

impl Front {
    /// That of a new swap chain.
    pub fn new(maker: Maker, desc: &SwapChainDesc, of_window: SwapChainWindowDesc) -> Front {
        Front {
            maker,
            of_window,
            buffers: vec![Buffer::default(); desc.buffer_count as usize],
            index: 0,
            is_full_screen: !of_window.windowed,
            is_ownership_released: false,
            latency: 1,
            signals: u32::from(desc.flags.contains(SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT)),
            held: Vec::new(),
            last_shown: None,
            color_space: ColorSpace::RGB_FULL_G22_NONE_P709,
            is_removed: false,
        }
    }

    /// What a chain has that nobody described further.
    pub fn plain(queue: CommandQueueId, desc: &SwapChainDesc) -> Front {
        let usage = DxgiUsage::RENDER_TARGET_OUTPUT;
        let of_window = SwapChainWindowDesc { samples: 1, usage, windowed: true, ..SwapChainWindowDesc::default() };
        Front::new(Maker::Queue(queue), desc, of_window)
    }

    pub fn is_of_queue(&self) -> bool {
        matches!(self.maker, Maker::Queue(_))
    }

    /// The application holds a buffer.
    pub fn is_referenced(&self) -> bool {
        self.buffers.iter().any(|buffer| buffer.reference_count > 0)
    }

    /// New buffers, whose contents nobody knows.
    pub fn resized(&mut self, buffer_count: u32) {
        self.buffers = vec![Buffer::default(); buffer_count as usize];
        self.index = 0;
    }

    /// A frame is presented: the index goes round, or the contents do (rules D-07, D-08).
    pub fn presented(&mut self, effect: SwapEffect) {
        let keeps = matches!(effect, SwapEffect::SEQUENTIAL | SwapEffect::FLIP_SEQUENTIAL);
        if !keeps && let Some(buffer) = self.buffers.get_mut(self.index as usize) {
            buffer.color = None;
        }
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

    /// A frame has come to its end: whoever waits for the chain goes on (rule D-09).
    pub fn ended(&mut self, end: &FrameEnd) {
        self.signals = self.signals.saturating_add(1);
        if end.fate != Fate::NeverShown {
            self.last_shown = Some((end.number, end.ended_at_ns));
        }
    }

    /// Frames that their queue did not let go end unseen.
    pub fn give_up_held(&mut self, now_ns: u64) -> Vec<FrameEnd> {
        let held = std::mem::take(&mut self.held);
        let ended = |frame: Frame| FrameEnd {
            chain: frame.chain,
            number: frame.number,
            presented_at_ns: now_ns,
            times: Vec::new(),
            ready_at_ns: None,
            ended_at_ns: now_ns,
            fate: Fate::NeverShown,
            torn_at_ns: None,
        };
        held.into_iter().map(ended).collect()
    }
}
