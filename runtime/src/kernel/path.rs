//! Engines and bandwidths that a frame uses.

use super::swap_chain::{ConnectedDisplay, SwapChain, scan_out_bytes_per_second};
use crate::frames::{Stage, Use};
use serde::{Deserialize, Serialize};
use taut_schemas::{AdapterId, AdapterParts, HybridPresentMode};

/// Index of the system memory's bandwidth.
const SYSTEM: usize = 0;
/// No limit for composition: memory bandwidth bounds it. A quarter of the max leaves room for sums.
const UNLIMITED: u64 = u64::MAX / 4;

/// The machine's parts, with their bandwidths.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MachineParts {
    pub system_memory_bytes_per_second: u64,
    pub cross_adapter_fence_ns: u64,
    /// MachineParts by adapter index.
    pub adapters: Vec<AdapterParts>,
}

fn link(adapter: AdapterId) -> usize {
    1 + 2 * adapter.index()
}

fn own_memory(adapter: AdapterId) -> usize {
    2 + 2 * adapter.index()
}

/// Number of engines: a graphics engine and a copy engine per adapter.
pub(super) fn engines(adapters: usize) -> usize {
    2 * adapters
}

fn graphics_engine(adapter: AdapterId) -> usize {
    2 * adapter.index()
}

impl MachineParts {
    pub fn new(adapters: usize) -> MachineParts {
        MachineParts { adapters: vec![default_parts(); adapters.max(1)], ..MachineParts::default() }
    }

    /// True if no part is described.
    pub fn is_new(&self) -> bool {
        *self == MachineParts::new(self.count())
    }

    pub fn count(&self) -> usize {
        self.adapters.len()
    }

    fn parts_of(&self, adapter: AdapterId) -> AdapterParts {
        self.adapters.get(adapter.index()).copied().unwrap_or_else(default_parts)
    }

    /// Returns the name of a part of the machine or of these adapters whose description is missing, if any.
    pub fn missing_description(&self, adapters: [AdapterId; 2]) -> Option<&'static str> {
        match self {
            MachineParts { system_memory_bytes_per_second: 0, .. } => Some("the machine"),
            _ if adapters.iter().any(|adapter| self.parts_of(*adapter).copy_bytes_per_second == 0) => {
                Some("an adapter")
            }
            _ => None,
        }
    }

    /// Bandwidth of an adapter's link in one direction, in bytes per second.
    pub fn link_of(&self, adapter: AdapterId) -> Option<u64> {
        let parts = self.parts_of(adapter);
        (!parts.uses_system_memory && parts.link_bytes_per_second > 0).then_some(parts.link_bytes_per_second)
    }

    /// All bandwidths, in bytes per second.
    pub fn capacities(&self) -> Vec<u64> {
        let parts_of = |parts: &AdapterParts| [parts.link_bytes_per_second, parts.memory_bytes_per_second];
        std::iter::once(self.system_memory_bytes_per_second).chain(self.adapters.iter().flat_map(parts_of)).collect()
    }

    /// Bandwidths minus the reads of scan-out; at least 1/64 of each bandwidth is left, so that copies make progress.
    pub fn left_for_copies<'d>(
        &self,
        reads: impl Iterator<Item = (&'d ConnectedDisplay, Option<&'d SwapChain>)>,
    ) -> Vec<u64> {
        let all = self.capacities();
        let mut left = all.clone();
        for (display, chain) in reads {
            let bytes = scan_out_bytes_per_second(display, chain);
            // A cross-adapter resource stays in system memory, regardless of the adapter that scans it out.
            let crosses = chain.is_some_and(|chain| chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO);
            let system = self.parts_of(display.adapter).uses_system_memory;
            // Scan-out reads system memory directly, system memory through the link, or local memory.
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

    /// A copy between an adapter's memory and system memory.
    fn copy(&self, adapter: AdapterId, bytes: u64) -> Stage {
        let parts = self.parts_of(adapter);
        let uses = match parts.uses_system_memory {
            // In system memory a copy reads and writes the same memory.
            true => vec![Use { resource: SYSTEM, weight: 2 }],
            false => [SYSTEM, link(adapter), own_memory(adapter)].map(|resource| Use { resource, weight: 1 }).into(),
        };
        // An adapter without copy engines copies on its graphics engine.
        let engine = graphics_engine(adapter) + usize::from(parts.copy_engines > 0);
        Stage::Copy { engine, bytes, limit: parts.copy_bytes_per_second, uses }
    }
}

/// Stages of a frame until it can be shown.
pub(super) fn stages(parts: &MachineParts, chain: &SwapChain) -> Vec<Stage> {
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

/// Stages of composing a frame: the display's adapter reads the frame and writes the desktop.
pub(super) fn composition(parts: &MachineParts, display: &ConnectedDisplay, chain: &SwapChain) -> Vec<Stage> {
    let adapter = display.adapter;
    let desktop = u64::from(display.mode.width) * u64::from(display.mode.height) * 4;
    let written = desktop.min(chain.payload_bytes());
    let memory = if parts.parts_of(adapter).uses_system_memory { SYSTEM } else { own_memory(adapter) };
    let uses = vec![Use { resource: memory, weight: 1 }];
    let bytes = chain.payload_bytes() + written;
    vec![Stage::Copy { engine: graphics_engine(adapter), bytes, limit: UNLIMITED, uses }]
}

/// Returns the parts of an adapter without a description.
fn default_parts() -> AdapterParts {
    AdapterParts::default()
}
