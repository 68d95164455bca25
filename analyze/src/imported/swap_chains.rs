//! Swap chains, from events of DXGI.

use std::collections::HashMap;
use taut_schemas::windows::{SwapChainResize, SwapChainStart, SwapChainStop};

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
    pub cross_adapter_tier: Option<u64>,
    pub fallback_reason: Option<u64>,
    /// Successful calls of ResizeBuffers.
    pub resizes: u64,
    pub created_stamp: u64,
    pub destroyed_stamp: Option<u64>,
}

/// State of the swap chains.
#[derive(Debug, Default)]
pub struct SwapChains {
    chains: Vec<SwapChain>,
    /// Index of each existing chain, by process and pointer. DXGI reuses pointers.
    live: HashMap<(u32, u64), usize>,
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
            cross_adapter_tier: event.cross_adapter_tier,
            fallback_reason: event.fallback_reason,
            resizes: 0,
            created_stamp: stamp,
            destroyed_stamp: None,
        });
    }

    pub fn resize(&mut self, process: u32, event: &SwapChainResize) {
        let Some(pointer) = event.swap_chain else { return };
        // A chain from before the trace has no entry; a failed call changes nothing.
        let Some(index) = self.live.get(&(process, pointer)).filter(|_| event.result == Some(0)) else { return };
        let chain = &mut self.chains[*index];
        chain.resizes += 1;
        chain.buffers = event.buffers.or(chain.buffers);
        chain.width = event.width.or(chain.width);
        chain.height = event.height.or(chain.height);
        chain.format = event.format.or(chain.format);
        chain.hybrid_present_mode = event.hybrid_present_mode.or(chain.hybrid_present_mode);
        chain.cross_adapter_tier = event.cross_adapter_tier.or(chain.cross_adapter_tier);
        chain.fallback_reason = event.fallback_reason.or(chain.fallback_reason);
    }

    pub fn stop(&mut self, stamp: u64, process: u32, event: &SwapChainStop) {
        let Some(pointer) = event.swap_chain else { return };
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
        chains.resize(7, &resize(0x887a_0001, 20));
        chains.resize(7, &resize(0, 30));
        chains.resize(8, &resize(0, 40));
        chains.stop(5, 7, &SwapChainStop { swap_chain: Some(1) });
        chains.start(6, 7, &start(50));
        let found: Vec<_> = chains.finish().iter().map(|one| (one.width, one.resizes, one.destroyed_stamp)).collect();
        assert_eq!(found, [(Some(30), 1, Some(5)), (Some(50), 0, None)]);
    }
}
