//! Swap chains, from events of DXGI.

use std::collections::HashMap;
use taut_schemas::windows::{SwapChainResize, SwapChainResizeStart, SwapChainStart, SwapChainStop};

/// A swap chain. Numbers without a public name stay numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SwapChain {
    pub process: u32,
    /// Pointer in the process.
    pub pointer: u64,
    pub window: Option<u64>,
    pub buffers: Option<u64>,
    pub width: Option<u64>,
    pub height: Option<u64>,
    /// DXGI_FORMAT.
    pub format: Option<u64>,
    /// DXGI_SWAP_EFFECT.
    pub swap_effect: Option<u64>,
    /// Fields of builds from 26H1 on.
    pub hybrid_present_mode: Option<u64>,
    pub is_scanout_eligible: Option<bool>,
    pub cross_adapter_tier: Option<u64>,
    pub fallback_reason: Option<u64>,
    /// Successful calls of ResizeBuffers.
    pub resizes: u64,
    /// Time in calls of ResizeBuffers whose begin and end are in the trace. `None` without one.
    pub resize_ticks: Option<u64>,
    /// `None` for a chain from before the trace.
    pub created_stamp: Option<u64>,
    pub destroyed_stamp: Option<u64>,
}

/// State of the swap chains.
#[derive(Debug, Default)]
pub struct SwapChains {
    chains: Vec<SwapChain>,
    /// Index of each existing chain, by process and pointer. DXGI reuses pointers.
    live: HashMap<(u32, u64), usize>,
    /// Begin of the call of ResizeBuffers in progress, by process and pointer.
    resizing: HashMap<(u32, u64), u64>,
}

impl SwapChains {
    pub fn start(&mut self, stamp: u64, process: u32, event: &SwapChainStart) {
        let Some(pointer) = event.swap_chain else { return };
        self.live.insert((process, pointer), self.chains.len());
        self.chains.push(SwapChain {
            process,
            pointer,
            window: event.window,
            buffers: event.buffers,
            width: event.width,
            height: event.height,
            format: event.format,
            swap_effect: event.swap_effect,
            hybrid_present_mode: event.hybrid_present_mode,
            is_scanout_eligible: event.is_scanout_eligible.map(|number| number != 0),
            cross_adapter_tier: event.cross_adapter_tier,
            fallback_reason: event.fallback_reason,
            created_stamp: Some(stamp),
            ..SwapChain::default()
        });
    }

    /// A chain from before the trace is known from its first call of ResizeBuffers on.
    pub fn resize_start(&mut self, stamp: u64, process: u32, event: &SwapChainResizeStart) {
        let Some(pointer) = event.swap_chain else { return };
        self.resizing.insert((process, pointer), stamp);
        if self.live.contains_key(&(process, pointer)) {
            return;
        }
        self.live.insert((process, pointer), self.chains.len());
        self.chains.push(SwapChain {
            process,
            pointer,
            buffers: event.buffers,
            width: event.width,
            height: event.height,
            format: event.format,
            hybrid_present_mode: event.hybrid_present_mode,
            is_scanout_eligible: event.is_scanout_eligible.map(|number| number != 0),
            cross_adapter_tier: event.cross_adapter_tier,
            fallback_reason: event.fallback_reason,
            ..SwapChain::default()
        });
    }

    pub fn resize(&mut self, stamp: u64, process: u32, event: &SwapChainResize) {
        let Some(pointer) = event.swap_chain else { return };
        let start = self.resizing.remove(&(process, pointer));
        // A chain from before the trace has no entry without the call's begin; a failed call changes nothing.
        let Some(index) = self.live.get(&(process, pointer)) else { return };
        let chain = &mut self.chains[*index];
        if let Some(ticks) = start.map(|start| stamp.saturating_sub(start)) {
            chain.resize_ticks = Some(chain.resize_ticks.unwrap_or_default().saturating_add(ticks));
        }
        if event.result != Some(0) {
            return;
        }
        chain.resizes += 1;
        chain.buffers = event.buffers.or(chain.buffers);
        chain.width = event.width.or(chain.width);
        chain.height = event.height.or(chain.height);
        chain.format = event.format.or(chain.format);
        chain.hybrid_present_mode = event.hybrid_present_mode.or(chain.hybrid_present_mode);
        chain.is_scanout_eligible = event.is_scanout_eligible.map(|number| number != 0).or(chain.is_scanout_eligible);
        chain.cross_adapter_tier = event.cross_adapter_tier.or(chain.cross_adapter_tier);
        chain.fallback_reason = event.fallback_reason.or(chain.fallback_reason);
    }

    pub fn stop(&mut self, stamp: u64, process: u32, event: &SwapChainStop) {
        let Some(pointer) = event.swap_chain else { return };
        self.resizing.remove(&(process, pointer));
        if let Some(index) = self.live.remove(&(process, pointer)) {
            self.chains[index].destroyed_stamp = Some(stamp);
        }
    }

    /// The chains in order of creation.
    pub fn finish(self) -> Vec<SwapChain> {
        self.chains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_pointer_is_another_chain_and_a_failed_resize_changes_nothing() {
        let mut chains = SwapChains::default();
        let start = |width| SwapChainStart { swap_chain: Some(1), width: Some(width), ..SwapChainStart::default() };
        let resize = |result, width| SwapChainResize {
            swap_chain: Some(1),
            result: Some(result),
            width: Some(width),
            ..SwapChainResize::default()
        };
        chains.start(1, 7, &start(10));
        chains.resize(2, 7, &resize(0x887a_0001, 20));
        chains.resize(3, 7, &resize(0, 30));
        chains.resize(4, 8, &resize(0, 40));
        chains.stop(5, 7, &SwapChainStop { swap_chain: Some(1) });
        chains.start(6, 7, &start(50));
        let found: Vec<_> = chains.finish().iter().map(|one| (one.width, one.resizes, one.destroyed_stamp)).collect();
        assert_eq!(found, [(Some(30), 1, Some(5)), (Some(50), 0, None)]);
    }
    #[test]
    fn the_begin_of_a_resize_states_the_buffers_of_a_chain_from_before_the_trace() {
        let mut chains = SwapChains::default();
        let begin = |pointer, width| SwapChainResizeStart {
            swap_chain: Some(pointer),
            width: Some(width),
            buffers: Some(2),
            ..SwapChainResizeStart::default()
        };
        let end = |pointer, result| SwapChainResize {
            swap_chain: Some(pointer),
            result: Some(result),
            width: Some(99),
            ..SwapChainResize::default()
        };
        // A failed call, and a call without an end.
        chains.resize_start(10, 7, &begin(1, 10));
        chains.resize(14, 7, &end(1, 0x887a_0001));
        chains.resize_start(20, 7, &begin(2, 20));
        // An existing chain keeps its values until the call succeeds.
        chains.start(30, 7, &SwapChainStart { swap_chain: Some(3), width: Some(30), ..SwapChainStart::default() });
        chains.resize_start(31, 7, &begin(3, 77));
        chains.resize(36, 7, &end(3, 0));
        let found = chains.finish().into_iter();
        let found: Vec<_> =
            found.map(|one| (one.created_stamp, one.width, one.buffers, one.resizes, one.resize_ticks)).collect();
        let expected = [
            (None, Some(10), Some(2), 0, Some(4)),
            (None, Some(20), Some(2), 0, None),
            (Some(30), Some(99), None, 1, Some(5)),
        ];
        assert_eq!(found, expected);
    }
}
