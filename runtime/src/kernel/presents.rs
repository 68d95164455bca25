//! What is shown: the machine's parts as they were described, its swap chains, and the frames on their way.

use super::desktop::Desktop;
use super::frame_end::{Looked, Route, Shown, frame_ended};
use super::front::{FRAME_LATENCY, Front, Maker};
use super::path::{Parts, composition, engines, stages};
use super::state::DisplayState;
use crate::context::Context;
use crate::frames::{Compositor, Frame, Screen, Simulation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use taut_schemas::{
    AdapterId, AdapterParts, DisplayMode, FlipCaps, HybridPresentMode, MultiplaneOverlayFlags, OverlayCheck,
    PrimaryDesc, SwapChainDesc, SwapChainFlags, SwapChainId, dxgkddi, pixel_bytes,
};

/// Frames that may be on their way at once where Present does not wait: the application waits for the chain's object, or presents when it likes.
const WAITABLE_FRAMES: usize = 16;

/// A display at an adapter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ConnectedDisplay {
    pub adapter: AdapterId,
    pub mode: DisplayMode,
    /// When it refreshes, as far as that was recorded.
    pub refreshes_at_ns: Vec<u64>,
}

impl ConnectedDisplay {
    /// Its refreshes.
    fn screen(&self) -> Screen {
        Screen::new(self.mode.refresh_millihertz, self.mode.variable_refresh_from_millihertz > 0)
            .recorded(self.refreshes_at_ns.clone())
    }
}

/// A swap chain.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SwapChain {
    pub desc: SwapChainDesc,
    /// The adapter that renders.
    pub render: AdapterId,
    /// The display, by its number.
    pub display: u32,
    pub display_adapter: AdapterId,
    /// Its window covers the display.
    pub covers: bool,
    pub mode: HybridPresentMode,
    /// Frames presented.
    pub present_count: u64,
    /// A Present1 has begun and not ended.
    pub is_presenting: bool,
    /// When its application presents next.
    pub process_at_ns: u64,
    /// What its next frame costs the graphics engine.
    pub gpu_ns: u64,
    /// The overlay check lacks: a driver without DxgkDdiCheckMultiPlaneOverlaySupport3 flips to what covers the display.
    flips_unasked: Option<bool>,
    /// What its frames look like on their way.
    pub(super) shown: Shown,
    pub front: Front,
}

impl SwapChain {
    /// A chain before its path is decided.
    pub fn new(desc: SwapChainDesc, render: AdapterId, display: (u32, AdapterId), front: Front) -> SwapChain {
        SwapChain {
            desc,
            render,
            display: display.0,
            display_adapter: display.1,
            covers: false,
            mode: HybridPresentMode::NOT_HYBRID,
            present_count: 0,
            is_presenting: false,
            process_at_ns: 0,
            gpu_ns: 0,
            flips_unasked: None,
            shown: Shown::default(),
            front,
        }
    }

    /// It has an object that its application waits for instead of its Present.
    pub fn is_waitable(&self) -> bool {
        self.desc.flags.contains(SwapChainFlags::FRAME_LATENCY_WAITABLE_OBJECT)
    }

    /// Bytes of a frame.
    pub fn payload_bytes(&self) -> u64 {
        PrimaryDesc::new(self.desc.width, self.desc.height, self.desc.format).payload_bytes()
    }

    /// The way of its frames.
    pub(super) fn route(&self) -> Route {
        let desc = PrimaryDesc::new(self.desc.width, self.desc.height, self.desc.format);
        Route { desc, mode: self.mode, display_adapter: self.display_adapter }
    }
}

/// What is shown, and by what.
#[derive(Debug, Default)]
pub(crate) struct Presents {
    pub(super) parts: Parts,
    pub(super) displays: Vec<ConnectedDisplay>,
    pub(super) chains: BTreeMap<u64, SwapChain>,
    pub(super) last_chain: u64,
    /// From the first swap chain on.
    pub(super) simulation: Option<Simulation>,
    pub desktop: Desktop,
}

impl Presents {
    pub fn new(adapters: usize) -> Presents {
        Presents { parts: Parts::new(adapters), ..Presents::default() }
    }

    /// Nothing was said of a machine, of displays and of swap chains.
    pub fn is_new(&self) -> bool {
        let Presents { parts, displays, chains, last_chain, simulation, desktop } = self;
        let is_shown = !displays.is_empty() || !chains.is_empty() || *last_chain > 0 || simulation.is_some();
        !is_shown && parts.is_new() && desktop.is_new()
    }

    /// There has been a swap chain: the machine stays as it is.
    pub fn has_begun(&self) -> bool {
        self.simulation.is_some()
    }

    /// Nanoseconds since the session began.
    pub fn now_ns(&self) -> u64 {
        self.simulation.as_ref().map_or(0, Simulation::now_ns)
    }

    /// A display appears.
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

    /// What a machine needs that swap chains are created on.
    pub fn lacking(&self, adapters: [AdapterId; 2]) -> Option<&'static str> {
        self.parts.lacking(adapters)
    }

    /// The number of the next swap chain.
    pub fn next_id(&self) -> SwapChainId {
        SwapChainId(self.last_chain + 1)
    }

    /// A swap chain was created.
    pub fn add(&mut self, id: SwapChainId, chain: SwapChain) {
        self.last_chain = id.0;
        let process_at_ns = self.now_ns();
        self.enter(id, SwapChain { process_at_ns, ..chain });
    }

    /// A swap chain is there, with nothing on its way.
    pub(super) fn enter(&mut self, id: SwapChainId, chain: SwapChain) {
        let (parts, displays) = (&self.parts, &self.displays);
        let simulation = self.simulation.get_or_insert_with(|| {
            let screens = displays.iter().map(ConnectedDisplay::screen).collect();
            Simulation::new(parts.capacities(), engines(parts.count()), screens)
        });
        if let Some(display) = displays.get(chain.display as usize) {
            simulation.add_chain(id.0, chain.display as usize, composition(parts, display, &chain));
        }
        self.chains.insert(id.0, chain);
        self.scan_out();
    }

    /// What displays read all the time is not there for copies.
    pub(super) fn scan_out(&mut self) {
        let scanned = |number: usize| {
            let covering = |chain: &&SwapChain| chain.covers && chain.display as usize == number;
            self.chains.values().find(covering)
        };
        let reads = self.displays.iter().enumerate().map(|(number, display)| (display, scanned(number)));
        let left = self.parts.left_beside(reads);
        if let Some(simulation) = &mut self.simulation {
            for (resource, bytes_per_second) in left.into_iter().enumerate() {
                simulation.set_capacity(resource, bytes_per_second);
            }
        }
    }

    /// A swap chain goes, and its frames with it.
    pub fn remove(&mut self, context: &mut Context<'_>, id: SwapChainId) -> Option<SwapChain> {
        let now_ns = self.now_ns();
        let mut removed = self.chains.remove(&id.0)?;
        let on_their_way = self.simulation.as_mut().map_or(Vec::new(), |simulation| simulation.remove_chain(id.0));
        for end in on_their_way.into_iter().chain(removed.front.give_up_held(now_ns)) {
            context.mark(&frame_ended(&end, removed.route(), Looked::default()));
        }
        self.scan_out();
        Some(removed)
    }

    /// What the next frame of a chain costs its application; gives when that is done.
    pub fn work(&mut self, id: SwapChainId, cpu_ns: u64, gpu_ns: u64) -> Option<u64> {
        let now_ns = self.now_ns();
        let chain = self.chains.get_mut(&id.0)?;
        chain.gpu_ns = gpu_ns;
        chain.process_at_ns = chain.process_at_ns.max(now_ns).saturating_add(cpu_ns);
        Some(chain.process_at_ns)
    }

    /// A frame is presented; gives its number.
    pub fn present(&mut self, id: SwapChainId, interval: u32, may_tear: bool) -> u64 {
        let Some((chain, simulation)) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut()) else { return 0 };
        chain.present_count += 1;
        chain.is_presenting = true;
        let stages = stages(&self.parts, chain);
        chain.front.presented(chain.desc.swap_effect);
        let frame = Frame { chain: id.0, number: chain.present_count, interval, may_tear, stages };
        match chain.front.maker {
            Maker::Queue(queue) if self.desktop.queue_waits.contains_key(&queue.0) => chain.front.held.push(frame),
            _ => simulation.present(frame),
        }
        chain.present_count
    }

    /// The application goes on, if it may; gives the time.
    pub fn finish_present(&mut self, id: SwapChainId) -> Option<u64> {
        let (chain, simulation) = self.chains.get_mut(&id.0).zip(self.simulation.as_mut())?;
        let of_device = match chain.front.maker {
            Maker::Device11(device) => self.desktop.device_latency.get(&device.0).copied(),
            Maker::Queue(_) | Maker::Device9 => None,
        };
        let latency = of_device.unwrap_or(FRAME_LATENCY) as usize;
        if simulation.in_flight(id.0) >= if chain.is_waitable() { WAITABLE_FRAMES } else { latency } {
            return None;
        }
        chain.is_presenting = false;
        chain.process_at_ns = chain.process_at_ns.max(simulation.now_ns());
        Some(chain.process_at_ns)
    }

    /// Asks the display adapter's driver whether a chain's buffers can be scanned out, over the whole mode.
    pub fn check(
        &self,
        context: &mut Context<'_>,
        chain: &SwapChain,
        flags: MultiplaneOverlayFlags,
        from_application: bool,
    ) -> bool {
        ask(context, &self.displays, chain, flags, from_application)
    }
}

/// DxgkDdiCheckMultiPlaneOverlaySupport3 about one chain's plane.
fn ask(
    context: &mut Context<'_>,
    displays: &[ConnectedDisplay],
    chain: &SwapChain,
    flags: MultiplaneOverlayFlags,
    from_application: bool,
) -> bool {
    let adapter = chain.display_adapter;
    let Some(display) = displays.get(chain.display as usize) else { return false };
    let others = displays
        .iter()
        .enumerate()
        .filter(|(number, other)| *number != chain.display as usize && other.adapter == adapter);
    let check = OverlayCheck {
        // A static check has the desktop's primary beside its plane (ambiguity A2.15); a flip has the plane alone.
        planes: if flags.contains(MultiplaneOverlayFlags::STATIC_CHECK) { 2 } else { 1 },
        flags,
        width: chain.desc.width,
        height: chain.desc.height,
        format: chain.desc.format,
        cross_adapter: flags.contains(MultiplaneOverlayFlags::STATIC_CHECK)
            || chain.mode == HybridPresentMode::ONE_COPY_PATH_CASO,
        mode: display.mode,
        other_displays_bytes_per_second: others.map(|(_, other)| other.mode.scan_out_bytes_per_second(4)).sum(),
        from_application,
    };
    context.ddi_of(adapter, dxgkddi::DxgkDdiCheckMultiPlaneOverlaySupport3 { adapter, check }).supported
}

/// The compositor, at a refresh.
struct AtRefresh<'c, 'x> {
    context: &'c mut Context<'x>,
    displays: &'c [ConnectedDisplay],
    chains: &'c BTreeMap<u64, SwapChain>,
}

impl Compositor for AtRefresh<'_, '_> {
    fn flips(&mut self, id: u64) -> bool {
        let Some(chain) = self.chains.get(&id) else { return false };
        let alone = self.chains.iter().all(|(other, beside)| *other == id || beside.display != chain.display);
        // The blt model has the compositor copy, whatever its window covers.
        if !chain.covers || !alone || !chain.desc.swap_effect.is_flip_model() {
            return false;
        }
        match chain.flips_unasked {
            Some(flips) => flips,
            None => ask(self.context, self.displays, chain, MultiplaneOverlayFlags::NONE, false),
        }
    }
}

impl DisplayState {
    /// Simulated time goes on; gives the time of the next event.
    pub(super) fn advance(&mut self, context: &mut Context<'_>, until_ns: u64) -> u64 {
        self.note_who_flips_unasked();
        let Presents { displays, chains, simulation, .. } = &mut self.presents;
        let Some(simulation) = simulation else { return u64::MAX };
        let mut ends = Vec::new();
        // One event at a time, so that what is told comes in order of time.
        loop {
            let at_ns = simulation.next_at_ns().map_or(until_ns, |next| next.min(until_ns));
            let mut compositor = AtRefresh { context: &mut *context, displays, chains };
            simulation.advance(at_ns, &mut compositor, &mut ends);
            for end in ends.drain(..) {
                if let Some(chain) = chains.get_mut(&end.chain) {
                    chain.front.ended(&end);
                    let route = chain.route();
                    let looked = chain.shown.look_at(context, &end, route);
                    context.mark(&frame_ended(&end, route, looked));
                }
            }
            if simulation.now_ns() >= until_ns && simulation.next_at_ns().is_none_or(|next| next > until_ns) {
                return simulation.next_at_ns().unwrap_or(u64::MAX);
            }
        }
    }

    fn note_who_flips_unasked(&mut self) {
        let unasked: Vec<(u64, Option<bool>)> = self
            .presents
            .chains
            .iter()
            .map(|(id, chain)| {
                let kernel = self.started(chain.display_adapter);
                let flips = kernel.is_some_and(|kernel| kernel.caps.flip_caps.contains(FlipCaps::FLIP_INDEPENDENT));
                let asks = kernel.is_some_and(|kernel| kernel.functions.check_multiplane_overlay_support3);
                (*id, (!asks).then_some(flips))
            })
            .collect();
        for (id, flips) in unasked {
            if let Some(chain) = self.presents.chains.get_mut(&id) {
                chain.flips_unasked = flips;
            }
        }
    }
}

/// What scanning a display's whole mode out takes, in bytes a second; of a chain that covers it, in the chain's format.
pub(super) fn scan_out_bytes_per_second(display: &ConnectedDisplay, chain: Option<&SwapChain>) -> u64 {
    display.mode.scan_out_bytes_per_second(chain.map_or(4, |chain| pixel_bytes(chain.desc.format)))
}

/// What an adapter is made of where nobody has described it.
pub(super) fn undescribed() -> AdapterParts {
    AdapterParts::default()
}
