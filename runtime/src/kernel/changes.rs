//! Changes to live swap chains: display mode, buffers, coverage, queue waits and adapter removal.

use super::frame_end::{Comparison, FrameComparer, frame_ended};
use super::front::SwapChainOwner;
use super::presents::Presents;
use super::swap_chain::SwapChain;
use crate::context::Context;
use crate::frames::Screen;
use taut_schemas::{AdapterId, CommandQueueId, DisplayMode, HybridPresentMode, SwapChainId, WindowState, dxgi_ddi};

impl Presents {
    pub fn chain_mut(&mut self, id: SwapChainId) -> Option<&mut SwapChain> {
        self.chains.get_mut(&id.0)
    }

    /// Indices of the displays of an adapter.
    pub fn displays_of(&self, adapter: AdapterId) -> impl Iterator<Item = u32> {
        let hangs = move |(_, display): &(usize, &super::swap_chain::ConnectedDisplay)| display.adapter == adapter;
        self.displays.iter().enumerate().filter(hangs).map(|(number, _)| number as u32)
    }

    /// Bandwidth of an adapter's link in one direction, in bytes per second; `None` without a link.
    pub fn link_of(&self, adapter: AdapterId) -> Option<u64> {
        self.parts.link_of(adapter)
    }

    /// Changes a display's mode; false if there is no such display. Recorded refresh times are dropped, since they
    /// belong to the old mode.
    pub fn set_mode(&mut self, number: u32, mode: DisplayMode) -> bool {
        let Some(display) = self.displays.get_mut(number as usize) else { return false };
        display.mode = mode;
        display.refreshes_at_ns.clear();
        let screen = Screen::new(mode.refresh_millihertz, mode.variable_refresh_from_millihertz > 0);
        if let Some(simulation) = &mut self.simulation {
            simulation.set_screen(number as usize, screen);
        }
        self.scan_out();
        true
    }

    /// Live swap chains, in order of creation.
    pub fn chain_ids(&self) -> Vec<SwapChainId> {
        self.chains.keys().copied().map(SwapChainId).collect()
    }

    /// Replaces a swap chain by a changed one; frames in flight end without being shown.
    pub fn replace(&mut self, context: &mut Context<'_>, id: SwapChainId, chain: SwapChain) {
        self.end_frames(context, id);
        // Signals that the application has not consumed, and the statistics, survive the change.
        let front = self.chains.get(&id.0).map(|old| (old.application.signals, old.application.last_shown));
        let mut chain = chain;
        (chain.application.signals, chain.application.last_shown) = front.unwrap_or((chain.application.signals, None));
        chain.application.waiting_frames.clear();
        chain.comparer = FrameComparer::default();
        self.enter(id, chain);
    }

    /// Ends all frames in flight of a chain, without showing them.
    fn end_frames(&mut self, context: &mut Context<'_>, id: SwapChainId) {
        let now_ns = self.now_ns();
        let Some((chain, simulation)) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut()) else { return };
        let mut ends = simulation.remove_chain(id.0);
        ends.extend(chain.application.end_waiting_frames(now_ns));
        for end in ends {
            chain.application.ended(&end);
            let route = chain.route(self.displays.get(chain.display as usize));
            context.mark(&frame_ended(&end, route, Comparison::default()));
        }
    }

    /// True if a chain covers its display: it is full screen, or its window is as large as the mode and not covered.
    pub fn covers(&self, chain: &SwapChain) -> bool {
        // Without a described window, the flag stays as it is; the creating call has set it.
        let Some(window) = self.desktop.window(chain.application.window_desc.window) else { return chain.covers };
        let mode = self.display(window.display).map(|display| (display.mode.width, display.mode.height));
        let is_whole = mode.is_some_and(|(width, height)| window.width >= width && window.height >= height);
        let is_gone = window.state.intersects(WindowState::MINIMISED | WindowState::HIDDEN);
        !is_gone && (chain.application.is_full_screen || is_whole && !window.state.contains(WindowState::COVERED))
    }

    /// Updates whether a chain covers its display.
    pub fn update_coverage(&mut self, id: SwapChainId) {
        let Some(covers) = self.chain(id).map(|chain| self.covers(chain)) else { return };
        if let Some(chain) = self.chains.get_mut(&id.0) {
            chain.covers = covers;
        }
        // Coverage decides which chain scan-out reads.
        self.scan_out();
    }

    /// Resumes a command queue: frames that its chains presented during the wait are in flight from now on.
    pub fn resume_queue(&mut self, queue: CommandQueueId) {
        self.desktop.queue_waits.remove(&queue.0);
        let Some(simulation) = &mut self.simulation else { return };
        for chain in self.chains.values_mut().filter(|chain| chain.application.creator == SwapChainOwner::Queue(queue))
        {
            chain.application.waiting_frames.drain(..).for_each(|frame| simulation.present(frame));
        }
    }

    /// Ends the frames of each chain that renders on or displays with the removed adapter. On the one-copy path, the
    /// remaining adapter destroys its resource.
    pub fn adapter_removed(&mut self, context: &mut Context<'_>, left: AdapterId) {
        for id in self.chain_ids() {
            let needs = |chain: &&SwapChain| [chain.render, chain.display_adapter].contains(&left);
            let Some(chain) = self.chain(id).filter(needs).cloned() else { continue };
            self.end_frames(context, id);
            if chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
                for adapter in [chain.render, chain.display_adapter].into_iter().filter(|adapter| *adapter != left) {
                    // An error of the driver has no consequence here.
                    let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
                }
            }
            if let Some(chain) = self.chains.get_mut(&id.0) {
                chain.application.is_removed = true;
                chain.mode = HybridPresentMode::NOT_HYBRID;
                chain.covers = false;
            }
        }
        self.scan_out();
    }
}
