//! What changes about swap chains while they live: their windows, their buffers, their queues, the adapters they need.

use super::frame_end::{Looked, Shown, frame_ended};
use super::front::Maker;
use super::presents::{Presents, SwapChain};
use crate::context::Context;
use crate::frames::Screen;
use taut_schemas::{AdapterId, CommandQueueId, DisplayMode, HybridPresentMode, SwapChainId, WindowState, dxgi_ddi};

impl Presents {
    pub fn chain_mut(&mut self, id: SwapChainId) -> Option<&mut SwapChain> {
        self.chains.get_mut(&id.0)
    }

    /// The numbers of an adapter's displays.
    pub fn displays_of(&self, adapter: AdapterId) -> impl Iterator<Item = u32> {
        let hangs = move |(_, display): &(usize, &super::presents::ConnectedDisplay)| display.adapter == adapter;
        self.displays.iter().enumerate().filter(hangs).map(|(number, _)| number as u32)
    }

    /// One way of the link that an adapter hangs on, in bytes a second; none of one without a link.
    pub fn link_of(&self, adapter: AdapterId) -> Option<u64> {
        self.parts.link_of(adapter)
    }

    /// A display's mode changes; false if there is no such display. Times of refreshes that somebody recorded were those of the
    /// mode before.
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

    /// Swap chains that live, in order of creation.
    pub fn chain_ids(&self) -> Vec<SwapChainId> {
        self.chains.keys().copied().map(SwapChainId).collect()
    }

    /// Puts a changed swap chain in the place of what it was: frames on their way end unseen.
    pub fn replace(&mut self, context: &mut Context<'_>, id: SwapChainId, chain: SwapChain) {
        self.end_frames(context, id);
        let front = self.chains.get(&id.0).map(|old| (old.front.signals, old.front.last_shown));
        let mut chain = chain;
        (chain.front.signals, chain.front.last_shown) = front.unwrap_or((chain.front.signals, None));
        chain.front.held.clear();
        chain.shown = Shown::default();
        self.enter(id, chain);
    }

    /// Whatever is on its way ends unseen.
    fn end_frames(&mut self, context: &mut Context<'_>, id: SwapChainId) {
        let now_ns = self.now_ns();
        let Some((chain, simulation)) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut()) else { return };
        let mut ends = simulation.remove_chain(id.0);
        ends.extend(chain.front.give_up_held(now_ns));
        for end in ends {
            chain.front.ended(&end);
            context.mark(&frame_ended(&end, chain.route(), Looked::default()));
        }
    }

    /// Whether a chain's frames cover its display: it is full screen, or its window is as large and to be seen.
    pub fn covers(&self, chain: &SwapChain) -> bool {
        let Some(window) = self.desktop.window(chain.front.of_window.window) else { return chain.covers };
        let mode = self.display(window.display).map(|display| (display.mode.width, display.mode.height));
        let is_whole = mode.is_some_and(|(width, height)| window.width >= width && window.height >= height);
        let is_gone = window.state.intersects(WindowState::MINIMISED | WindowState::HIDDEN);
        !is_gone && (chain.front.is_full_screen || is_whole && !window.state.contains(WindowState::COVERED))
    }

    /// Looks again whether a chain's frames cover its display.
    pub fn look_again(&mut self, id: SwapChainId) {
        let Some(covers) = self.chain(id).map(|chain| self.covers(chain)) else { return };
        if let Some(chain) = self.chains.get_mut(&id.0) {
            chain.covers = covers;
        }
        self.scan_out();
    }

    /// A command queue goes on: what its chains presented meanwhile is on its way now.
    pub fn let_go(&mut self, queue: CommandQueueId) {
        self.desktop.queue_waits.remove(&queue.0);
        let Some(simulation) = &mut self.simulation else { return };
        for chain in self.chains.values_mut().filter(|chain| chain.front.maker == Maker::Queue(queue)) {
            chain.front.held.drain(..).for_each(|frame| simulation.present(frame));
        }
    }

    /// An adapter is gone: frames of every chain that needs it end unseen, and nothing that was created for them stays.
    pub fn adapter_left(&mut self, context: &mut Context<'_>, left: AdapterId) {
        for id in self.chain_ids() {
            let needs = |chain: &&SwapChain| [chain.render, chain.display_adapter].contains(&left);
            let Some(chain) = self.chain(id).filter(needs).cloned() else { continue };
            self.end_frames(context, id);
            if chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO {
                for adapter in [chain.render, chain.display_adapter].into_iter().filter(|adapter| *adapter != left) {
                    // What the driver answers changes nothing.
                    let _ = context.ddi_of(adapter, dxgi_ddi::DestroyResource { adapter });
                }
            }
            if let Some(chain) = self.chains.get_mut(&id.0) {
                chain.front.is_removed = true;
                chain.mode = HybridPresentMode::NOT_HYBRID;
                chain.covers = false;
            }
        }
        self.scan_out();
    }
}
