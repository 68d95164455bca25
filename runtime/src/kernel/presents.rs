//! Presentation: the machine's parts as described, displays, swap chains, and frames in flight.

use super::desktop::Desktop;
use super::frame_end::{Comparison, frame_ended};
use super::front::{FRAME_LATENCY, SwapChainOwner};
use super::overlay_functions;
use super::path::{MachineParts, composition, engines, stages};
use super::swap_chain::{ConnectedDisplay, SwapChain, other_displays_bytes_per_second};
use crate::context::Context;
use crate::frames::{Compositor, Frame, Simulation};
use crate::revision::Revision;

use std::collections::BTreeMap;
use taut_schemas::{
    AdapterId, CommandQueueId, HybridPresentMode, MultiplaneOverlayFlags, OverlayCheck, SwapChainId, dxgkddi,
};

/// Max frames in flight of a chain with a waitable object. Its application waits for that object, or not at all, so
/// Present does not wait below this limit.
const WAITABLE_FRAMES: usize = 16;

/// Displays, swap chains, and the machine that presents.
#[derive(Debug, Default)]
pub(crate) struct Presents {
    pub(super) parts: MachineParts,
    pub(super) displays: Vec<ConnectedDisplay>,
    pub(super) chains: BTreeMap<u64, SwapChain>,
    pub(super) last_chain: u64,
    /// Simulation of frames; `None` before the first swap chain.
    pub(super) simulation: Option<Simulation>,
    pub desktop: Desktop,
    /// Object to which the swap chain that was released last had a reference, until the shell takes it. Transient: set and
    /// taken under the locks of one call.
    dropped_owner: Option<SwapChainOwner>,
}

impl Presents {
    pub fn new(adapters: usize) -> Presents {
        Presents { parts: MachineParts::new(adapters), ..Presents::default() }
    }

    /// True if no machine, display or swap chain was described or created.
    pub fn is_new(&self) -> bool {
        // Destructured completely, so that a new field cannot be forgotten here.
        let Presents { parts, displays, chains, last_chain, simulation, desktop, dropped_owner: _ } = self;
        let is_shown = !displays.is_empty() || !chains.is_empty() || *last_chain > 0 || simulation.is_some();
        !is_shown && parts.is_new() && desktop.is_new()
    }

    /// True once a swap chain was created; the machine must not change afterwards.
    pub fn has_begun(&self) -> bool {
        self.simulation.is_some()
    }

    /// Nanoseconds since the start of the session.
    pub fn now_ns(&self) -> u64 {
        self.simulation.as_ref().map_or(0, Simulation::now_ns)
    }

    /// Adds a display.
    pub(super) fn connected(&mut self, display: ConnectedDisplay) {
        if let Some(simulation) = &mut self.simulation {
            simulation.add_screen(display.screen());
        }
        self.displays.push(display);
        self.scan_out();
    }

    pub fn display(&self, number: u32) -> Option<&ConnectedDisplay> {
        self.displays.get(number as usize)
    }

    pub fn chain(&self, id: SwapChainId) -> Option<&SwapChain> {
        self.chains.get(&id.0)
    }

    /// Returns the name of a part that swap chains on these adapters need and whose description is missing, if any.
    pub fn missing_description(&self, adapters: [AdapterId; 2]) -> Option<&'static str> {
        self.parts.missing_description(adapters)
    }

    /// The number of live swap chains that have a reference to this command queue.
    pub fn chains_of_queue(&self, queue: CommandQueueId) -> u32 {
        let is_of = |chain: &&SwapChain| chain.application.creator == SwapChainOwner::Queue(queue);
        self.chains.values().filter(is_of).count() as u32
    }

    /// The number of live swap chains that have a reference to a command queue of this adapter.
    pub fn chains_of_queues(&self, adapter: AdapterId) -> u32 {
        let is_of = |chain: &&SwapChain| chain.application.is_of_queue() && chain.render == adapter;
        self.chains.values().filter(is_of).count() as u32
    }

    /// Notes the object to which a released chain had a reference.
    pub fn drop_owner(&mut self, owner: SwapChainOwner) {
        self.dropped_owner = Some(owner);
    }

    /// Takes the object to which the chain that was released last had a reference.
    pub fn take_dropped_owner(&mut self) -> Option<SwapChainOwner> {
        self.dropped_owner.take()
    }

    /// The id of the next swap chain.
    pub fn next_id(&self) -> SwapChainId {
        SwapChainId(self.last_chain + 1)
    }

    /// Adds a new swap chain.
    pub fn add(&mut self, id: SwapChainId, chain: SwapChain) {
        self.last_chain = id.0;
        // An application starts at the time of the chain's creation.
        let process_at_ns = self.now_ns();
        self.enter(id, SwapChain { process_at_ns, ..chain });
    }

    /// Inserts a swap chain without frames in flight.
    pub(super) fn enter(&mut self, id: SwapChainId, chain: SwapChain) {
        let (parts, displays) = (&self.parts, &self.displays);
        let simulation = self.simulation.get_or_insert_with(|| {
            let screens = displays.iter().map(ConnectedDisplay::screen).collect();
            Simulation::new(parts.capacities(), engines(parts.count()), screens)
        });
        // A chain on an unknown display is not simulated.
        if let Some(display) = displays.get(chain.display as usize) {
            simulation.add_chain(id.0, chain.display as usize, composition(parts, display, &chain));
        }
        self.chains.insert(id.0, chain);
        self.scan_out();
    }

    /// Updates the bandwidth left for copies, after the continuous reads of scan-out.
    pub(super) fn scan_out(&mut self) {
        let scanned = |number: usize| {
            let covering = |chain: &&SwapChain| chain.covers && chain.display as usize == number;
            self.chains.values().find(covering)
        };
        let reads = self.displays.iter().enumerate().map(|(number, display)| (display, scanned(number)));
        let left = self.parts.left_for_copies(reads);
        if let Some(simulation) = &mut self.simulation {
            for (resource, bytes_per_second) in left.into_iter().enumerate() {
                simulation.set_capacity(resource, bytes_per_second);
            }
        }
    }

    /// Removes a swap chain; its frames in flight end without being shown.
    pub fn remove(&mut self, context: &mut Context<'_>, id: SwapChainId) -> Option<SwapChain> {
        let now_ns = self.now_ns();
        let mut removed = self.chains.remove(&id.0)?;
        let route = removed.route(self.displays.get(removed.display as usize));
        let on_their_way = self.simulation.as_mut().map_or(Vec::new(), |simulation| simulation.remove_chain(id.0));
        // A frame that never starts ends, too: the trace has an end for every present.
        for end in on_their_way.into_iter().chain(removed.application.end_waiting_frames(now_ns)) {
            context.mark(&frame_ended(&end, route, Comparison::default()));
        }
        self.scan_out();
        Some(removed)
    }

    /// Sets the CPU and GPU time of a chain's next frame; returns the time at which the CPU work ends.
    pub fn work(&mut self, id: SwapChainId, cpu_ns: u64, gpu_ns: u64) -> Option<u64> {
        let now_ns = self.now_ns();
        let chain = self.chains.get_mut(&id.0)?;
        chain.gpu_ns = gpu_ns;
        chain.process_at_ns = chain.process_at_ns.max(now_ns).saturating_add(cpu_ns);
        Some(chain.process_at_ns)
    }

    /// Presents a frame; returns its number.
    pub fn present(&mut self, id: SwapChainId, interval: u32, may_tear: bool) -> u64 {
        let Some((chain, simulation)) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut()) else { return 0 };
        chain.present_count += 1;
        chain.is_presenting = true;
        let stages = stages(&self.parts, chain);
        chain.application.presented(chain.desc.swap_effect);
        let frame = Frame { chain: id.0, number: chain.present_count, interval, may_tear, stages };
        match chain.application.creator {
            // Frames of a waiting queue start when the queue resumes.
            SwapChainOwner::Queue(queue) if self.desktop.queue_waits.contains_key(&queue.0) => {
                chain.application.waiting_frames.push(frame)
            }
            _ => simulation.present(frame),
        }
        chain.present_count
    }

    /// Completes a present if the max frame latency allows it; returns the time at which the application continues.
    pub fn finish_present(&mut self, id: SwapChainId) -> Option<u64> {
        let (chain, simulation) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut())?;
        // The device's setting replaces the default; Direct3D 12 and 9 have no such setting.
        let of_device = match chain.application.creator {
            SwapChainOwner::Device11(device) => self.desktop.device_latency.get(&device.0).copied(),
            SwapChainOwner::Queue(_) | SwapChainOwner::Device9 => None,
        };
        let latency = of_device.unwrap_or(FRAME_LATENCY) as usize;
        if simulation.in_flight(id.0) >= if chain.is_waitable() { WAITABLE_FRAMES } else { latency } {
            return None;
        }
        chain.is_presenting = false;
        // Time may have passed while the present waited.
        chain.process_at_ns = chain.process_at_ns.max(simulation.now_ns());
        Some(chain.process_at_ns)
    }

    /// Queries the display adapter's driver for whether a chain's buffers can be scanned out over the whole mode.
    pub fn check(
        &self,
        context: &mut Context<'_>,
        chain: &SwapChain,
        flags: MultiplaneOverlayFlags,
        from_application: bool,
    ) -> bool {
        let has_functions = context.settings.revision >= Revision::OVERLAY_FUNCTIONS;
        if has_functions && !overlay_functions::supported(context, &self.displays, chain, flags) {
            return false;
        }
        check_overlay_support(context, &self.displays, chain, flags, from_application)
    }
}

/// Calls DxgkDdiCheckMultiPlaneOverlaySupport3 for one chain's plane.
fn check_overlay_support(
    context: &mut Context<'_>,
    displays: &[ConnectedDisplay],
    chain: &SwapChain,
    flags: MultiplaneOverlayFlags,
    from_application: bool,
) -> bool {
    let adapter = chain.display_adapter;
    let Some(display) = displays.get(chain.display as usize) else { return false };
    let check = OverlayCheck {
        // A static check includes the desktop's primary as a second plane (rule X-17); a flip has one plane.
        planes: if flags.contains(MultiplaneOverlayFlags::STATIC_CHECK) { 2 } else { 1 },
        flags,
        width: chain.desc.width,
        height: chain.desc.height,
        format: chain.desc.format,
        cross_adapter: flags.contains(MultiplaneOverlayFlags::STATIC_CHECK)
            || chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO,
        mode: display.mode,
        other_displays_bytes_per_second: other_displays_bytes_per_second(displays, chain),
        from_application,
    };
    context.ddi_of(adapter, dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3 { adapter, check }).supported
}

/// The compositor's decision at a refresh.
pub(super) struct AtRefresh<'c, 'x> {
    pub context: &'c mut Context<'x>,
    pub displays: &'c [ConnectedDisplay],
    pub chains: &'c BTreeMap<u64, SwapChain>,
}

impl Compositor for AtRefresh<'_, '_> {
    fn flips(&mut self, id: u64) -> bool {
        let Some(chain) = self.chains.get(&id) else { return false };
        // Another chain on the display would cover part of the frame.
        let alone = self.chains.iter().all(|(other, other_chain)| *other == id || other_chain.display != chain.display);
        // With the blt model, the compositor copies even if the window covers the display.
        if !chain.covers || !alone || !chain.desc.swap_effect.is_flip_model() {
            return false;
        }
        match chain.flips_without_check {
            Some(flips) => flips,
            None => check_overlay_support(self.context, self.displays, chain, MultiplaneOverlayFlags::NONE, false),
        }
    }
}
