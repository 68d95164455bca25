//! Which engines and bandwidths a frame takes on its way.

use super::presents::{ConnectedDisplay, SwapChain, scan_out_bytes_per_second, undescribed};
use crate::frames::{Stage, Use};
use serde::{Deserialize, Serialize};
use taut_schemas::{AdapterId, AdapterParts, HybridPresentMode};

/// The system's memory among the bandwidths.
const SYSTEM: usize = 0;
/// Faster than anything: what the graphics engine composes is bound by memory.
const UNLIMITED: u64 = u64::MAX / 4;

/// The machine's parts as bandwidths.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parts {
    pub system_memory_bytes_per_second: u64,
    pub cross_adapter_fence_ns: u64,
    /// By the adapters' places.
    pub adapters: Vec<AdapterParts>,
}

fn link(adapter: AdapterId) -> usize {
    1 + 2 * adapter.index()
}

fn own_memory(adapter: AdapterId) -> usize {
    2 + 2 * adapter.index()
}

/// Engines of so many adapters: each has one that draws and one that copies.
pub(super) fn engines(adapters: usize) -> usize {
    2 * adapters
}

fn graphics_engine(adapter: AdapterId) -> usize {
    2 * adapter.index()
}

impl Parts {
    pub fn new(adapters: usize) -> Parts {
        Parts { adapters: vec![undescribed(); adapters.max(1)], ..Parts::default() }
    }

    /// Nothing was said of them.
    pub fn is_new(&self) -> bool {
        *self == Parts::new(self.count())
    }

    pub fn count(&self) -> usize {
        self.adapters.len()
    }

    fn of(&self, adapter: AdapterId) -> AdapterParts {
        self.adapters.get(adapter.index()).copied().unwrap_or_else(undescribed)
    }

    /// What nobody has described yet, of the machine and of these adapters.
    pub fn lacking(&self, adapters: [AdapterId; 2]) -> Option<&'static str> {
        match self {
            Parts { system_memory_bytes_per_second: 0, .. } => Some("the machine"),
            _ if adapters.iter().any(|adapter| self.of(*adapter).copy_bytes_per_second == 0) => Some("an adapter"),
            _ => None,
        }
    }

    /// One way of an adapter's link, in bytes a second.
    pub fn link_of(&self, adapter: AdapterId) -> Option<u64> {
        let parts = self.of(adapter);
        (!parts.uses_system_memory && parts.link_bytes_per_second > 0).then_some(parts.link_bytes_per_second)
    }

    /// All bandwidths.
    pub fn capacities(&self) -> Vec<u64> {
        let of = |parts: &AdapterParts| [parts.link_bytes_per_second, parts.memory_bytes_per_second];
        std::iter::once(self.system_memory_bytes_per_second).chain(self.adapters.iter().flat_map(of)).collect()
    }

    /// What displays leave of the bandwidths; a sixty-fourth of each stays whatever they read.
    pub fn left_beside<'d>(
        &self,
        reads: impl Iterator<Item = (&'d ConnectedDisplay, Option<&'d SwapChain>)>,
    ) -> Vec<u64> {
        let all = self.capacities();
        let mut left = all.clone();
        for (display, chain) in reads {
            let bytes = scan_out_bytes_per_second(display, chain);
            // A cross-adapter resource stays in the system's memory, whoever scans it out.
            let crosses = chain.is_some_and(|chain| chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO);
            let system = self.of(display.adapter).uses_system_memory;
            let through: &[usize] = match (system, crosses) {
                (true, _) => &[SYSTEM],
                (false, true) => &[SYSTEM, link(display.adapter)],
                (false, false) => &[own_memory(display.adapter)],
            };
            for resource in through {
                left[*resource] = left[*resource].saturating_sub(bytes);
            }
        }
        left.into_iter().zip(all).map(|(left, all)| left.max(all / 64)).collect()
    }

    /// A copy between an adapter's memory and the system's.
    fn copy(&self, adapter: AdapterId, bytes: u64) -> Stage {
        let parts = self.of(adapter);
        let uses = match parts.uses_system_memory {
            true => vec![Use { resource: SYSTEM, weight: 2 }],
            false => [SYSTEM, link(adapter), own_memory(adapter)].map(|resource| Use { resource, weight: 1 }).into(),
        };
        let engine = graphics_engine(adapter) + usize::from(parts.copy_engines > 0);
        Stage::Copy { engine, bytes, limit: parts.copy_bytes_per_second, uses }
    }
}

/// What has to be done until a frame can be shown.
pub(super) fn stages(parts: &Parts, chain: &SwapChain) -> Vec<Stage> {
    let fence = Stage::Wait { ns: parts.cross_adapter_fence_ns };
    let bytes = chain.payload_bytes();
    let mut stages = vec![Stage::Work { engine: graphics_engine(chain.render), ns: chain.gpu_ns }];
    if chain.mode != HybridPresentMode::NOT_HYBRID {
        stages.extend([parts.copy(chain.render, bytes), fence.clone()]);
    }
    if chain.mode == HybridPresentMode::TWO_COPY_PATH {
        stages.extend([parts.copy(chain.display_adapter, bytes), fence]);
    }
    stages
}

/// What composing a frame takes: the display's adapter reads it and writes the desktop.
pub(super) fn composition(parts: &Parts, display: &ConnectedDisplay, chain: &SwapChain) -> Vec<Stage> {
    let adapter = display.adapter;
    let desktop = u64::from(display.mode.width) * u64::from(display.mode.height) * 4;
    let written = desktop.min(chain.payload_bytes());
    let memory = if parts.of(adapter).uses_system_memory { SYSTEM } else { own_memory(adapter) };
    let uses = vec![Use { resource: memory, weight: 1 }];
    let bytes = chain.payload_bytes() + written;
    vec![Stage::Copy { engine: graphics_engine(adapter), bytes, limit: UNLIMITED, uses }]
}
