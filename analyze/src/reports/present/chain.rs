//! Swap chains and their frames, collected from present events.

use super::audits::Audits;
use super::display_modes::DisplayModes;
use super::frame_times::{FrameTime, FrameTimes};
use super::parts::PartTimes;
use super::series::{Series, Step};
use crate::events::{At, Tracker};
use crate::presents::{Adapter, CaptureAgreement, CaptureCompared, Decision, Frame, PresentEvent, SlowLink};
use std::collections::BTreeMap;
use taut_schemas::{AdapterId, FrameOutcome, SwapChainId};

/// Maximum number of frames per swap chain that the page's timeline shows.
const FIRST_FRAMES: usize = 48;

/// A path decision with its time.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    /// Simulated time in nanoseconds.
    pub at_ns: u64,
    pub decision: Decision,
    /// Frames that were presented while the decision was in effect.
    pub frames: DecisionFrames,
}

/// Sums over the frames of a decision.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DecisionFrames {
    pub frames: u64,
    pub composed: u64,
    pub copy_1_bytes: u64,
    pub copy_2_bytes: u64,
    pub composed_bytes: u64,
}

impl DecisionFrames {
    fn add(&mut self, frame: &Frame, payload: u64, composed_bytes: u64) {
        self.frames += 1;
        self.composed += u64::from(frame.outcome == FrameOutcome::COMPOSED);
        let copies = frame.copies();
        self.copy_1_bytes = self.copy_1_bytes.saturating_add(copies.min(1) * payload);
        self.copy_2_bytes = self.copy_2_bytes.saturating_add(copies.saturating_sub(1) * payload);
        self.composed_bytes = self.composed_bytes.saturating_add(composed_bytes);
    }
}

/// Sums over the frames of a swap chain.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub frames: u64,
    pub flipped: u64,
    pub composed: u64,
    pub torn: u64,
    pub dropped: u64,
    pub copies: u64,
    pub bytes_copied: u64,
    pub copy_1_bytes: u64,
    pub copy_2_bytes: u64,
    /// Bytes read and written by the compositor.
    pub composed_bytes: u64,
    /// Pixels sampled at scan-out; `None` if no frame records them.
    pub sampled_pixels: Option<u64>,
    pub mismatched_pixels: Option<u64>,
    /// Times of the first and the last present.
    pub presented_at_ns: Option<(u64, u64)>,
}

/// Window and device of a swap chain, from its creation call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    /// Index of the display that shows the window.
    display: u32,
    /// True if the window covers the display.
    pub covers: bool,
    /// True if a Direct3D 9 device created the swap chain.
    pub is_direct3d_9: bool,
}

#[derive(Debug)]
pub(super) struct Chain {
    /// Path decisions in order; never empty.
    pub decisions: Vec<Decided>,
    /// Creation data; `None` if the creation is not in the trace.
    pub creation: Option<Origin>,
    /// Links whose bandwidth is too low for the display mode, in order of the events.
    pub slow_links: Vec<SlowLink>,
    pub sums: Sums,
    pub times: PartTimes,
    pub frame_times: FrameTimes,
    pub series: Series,
    /// The first frames, each with the stamp of its end.
    pub first_frames: Vec<(u64, Frame)>,
    /// Comparison with the capture that the presents were read from.
    pub compared: Option<CaptureCompared>,
}

/// State collected from the present events of a trace.
#[derive(Debug, Default)]
pub(super) struct Chains {
    pub system_memory_bytes_per_second: Option<u64>,
    fence_ns: u64,
    pub adapters: BTreeMap<AdapterId, Adapter>,
    pub displays: Vec<DisplayModes>,
    pub chains: BTreeMap<SwapChainId, Chain>,
    /// Link efficiency by adapter, from the machine description in the trace header.
    pub efficiencies: BTreeMap<AdapterId, f64>,
    now_ns: u64,
    /// Creation data of swap chains whose creation call is in progress, by thread. The first decision on the thread
    /// consumes it.
    creating: BTreeMap<u32, Origin>,
    pub audits: Audits,
    /// Agreement of all swap chains with their capture.
    pub agreement: Option<CaptureAgreement>,
}

impl Tracker for Chains {
    type Event<'e> = PresentEvent;
    type Output = Chains;

    fn on_event(&mut self, at: At, event: PresentEvent) {
        match event {
            PresentEvent::Machine(machine) => {
                self.system_memory_bytes_per_second = Some(machine.system_memory_bytes_per_second);
                self.fence_ns = machine.cross_adapter_fence_ns;
            }
            PresentEvent::Adapter(adapter) => drop(self.adapters.insert(adapter.adapter, adapter)),
            PresentEvent::Display(display) => self.displays.push(DisplayModes::new(self.now_ns, &display)),
            PresentEvent::ModeChange(change) => {
                if let Some(display) = self.displays.get_mut(change.display as usize) {
                    display.change(self.now_ns, &change);
                }
            }
            PresentEvent::Creation(creation) => {
                let (display, covers, is_direct3d_9) = (creation.display, creation.covers, false);
                self.creating.insert(at.thread, Origin { display, covers, is_direct3d_9 });
            }
            PresentEvent::Creation9(creation) => {
                let (display, covers, is_direct3d_9) = (creation.display, creation.covers, true);
                self.creating.insert(at.thread, Origin { display, covers, is_direct3d_9 });
            }
            PresentEvent::Advance(advance) => self.now_ns = self.now_ns.max(advance.until_at_ns),
            PresentEvent::Decision(decision) => self.decided(at.thread, decision),
            PresentEvent::SlowLink(slow) => {
                if let Some(chain) = self.chains.get_mut(&slow.swap_chain) {
                    chain.slow_links.push(slow);
                }
            }
            PresentEvent::Frame(frame) => self.ended(at.stamp, frame),
            PresentEvent::Compared(compared) => {
                self.agreement.get_or_insert_default().add(&compared);
                if let Some(chain) = self.chains.get_mut(&compared.swap_chain) {
                    chain.compared = Some(compared);
                }
            }
        }
    }

    fn finish(mut self) -> Chains {
        self.chains.values_mut().for_each(Chain::finish_frame_times);
        self
    }
}

impl Chains {
    pub fn new(efficiencies: BTreeMap<AdapterId, f64>) -> Chains {
        Chains { efficiencies, ..Chains::default() }
    }

    fn decided(&mut self, thread: u32, decision: Decision) {
        let (id, decided) =
            (decision.swap_chain, Decided { at_ns: self.now_ns, decision, frames: DecisionFrames::default() });
        // Only the first decision of a chain follows the chain's creation on the same thread.
        let creation = match self.chains.get(&id) {
            Some(chain) => chain.creation,
            None => self.creating.remove(&thread),
        };
        self.audits.decided(&decided, creation.is_some_and(|creation| creation.is_direct3d_9));
        match self.chains.get_mut(&id) {
            Some(chain) => chain.decisions.push(decided),
            None => {
                let chain = Chain {
                    decisions: vec![decided],
                    creation,
                    slow_links: Vec::new(),
                    sums: Sums::default(),
                    times: PartTimes::default(),
                    frame_times: FrameTimes::default(),
                    series: Series::default(),
                    first_frames: Vec::new(),
                    compared: None,
                };
                self.chains.insert(id, chain);
            }
        }
    }

    fn ended(&mut self, stamp: u64, frame: Frame) {
        // Without a decision the chain was created before the recording started; its frames cannot be attributed to a
        // path.
        let Some(chain) = self.chains.get(&frame.swap_chain) else { return };
        let place = chain.decision_at(frame.presented_at_ns);
        let decision = &chain.decisions[place].decision;
        self.audits.ended(&frame, &chain.decisions);
        let reads_system = |adapter| self.adapters.get(&adapter).is_some_and(|adapter| adapter.uses_system_memory);
        let (render, shows) = (reads_system(decision.render_adapter), reads_system(decision.display_adapter));
        let payload = frame.bytes_copied.checked_div(frame.copies()).unwrap_or(0);
        let composed = match (frame.outcome, self.display_of(chain)) {
            // The compositor reads the frame and writes the desktop at 4 bytes per pixel.
            (FrameOutcome::COMPOSED, Some(display)) => decision.payload_bytes.saturating_add(4 * display.pixels()),
            _ => 0,
        };
        let fence_ns = self.fence_ns;
        let Some(chain) = self.chains.get_mut(&frame.swap_chain) else { return };
        chain.sums.add(&frame, payload, composed);
        chain.decisions[place].frames.add(&frame, payload, composed);
        let known = chain.frame_times.add(&frame);
        chain.plot(&known);
        if frame.is_shown() {
            chain.times.add(&frame, fence_ns);
        }
        // A copy whose source and destination are in system memory reads and writes it; a copy from or to video memory
        // accesses system memory once.
        let once = |is_system: bool| if is_system { 2 } else { 1 };
        // The second copy does not use the rendering adapter's link.
        let copies = [(frame.copy_1_ended_at_ns, payload, once(render)), (frame.copy_2_ended_at_ns, 0, once(shows))];
        // The time of a copy that did not take place is 0.
        for (at_ns, link_bytes, times) in copies.into_iter().filter(|(at_ns, _, _)| *at_ns > 0) {
            chain.series.add(at_ns, &Step { copies: 1, link_bytes, memory_bytes: times * payload, ..Step::default() });
        }
        let latency_ns = frame.ended_at_ns.saturating_sub(frame.presented_at_ns);
        let shown = u64::from(frame.is_shown());
        let step = Step {
            frames: 1,
            shown,
            latency_sum_ns: shown * latency_ns,
            latency_worst_ns: shown * latency_ns,
            memory_bytes: if shows { composed } else { 0 },
            ..Step::default()
        };
        chain.series.add(frame.ended_at_ns, &step);
        if chain.first_frames.len() < FIRST_FRAMES {
            chain.first_frames.push((stamp, frame));
        }
    }

    /// The display of a swap chain: the display of its window, or else the first display of its display adapter.
    pub fn display_of(&self, chain: &Chain) -> Option<&DisplayModes> {
        let Decision { display, display_adapter: adapter, .. } = *chain.decision();
        let number = display.or(chain.creation.map(|creation| creation.display));
        let window_desc = number.and_then(|number| self.displays.get(number as usize));
        window_desc.or_else(|| self.displays.iter().find(|display| display.adapter == adapter))
    }
}

impl Chain {
    /// True if the window covers its display; true also if the trace does not record it.
    pub fn covers(&self) -> bool {
        self.decision().covers.or(self.creation.map(|creation| creation.covers)).unwrap_or(true)
    }

    /// Index of the decision in effect at a time.
    fn decision_at(&self, at_ns: u64) -> usize {
        self.decisions.partition_point(|decided| decided.at_ns <= at_ns).saturating_sub(1)
    }

    /// Adds frame times to the series.
    fn plot(&mut self, frame_times: &[FrameTime]) {
        for FrameTime { at_ns, ns } in frame_times.iter().copied() {
            let step = Step { frame_times: 1, frame_time_sum_ns: ns, frame_time_max_ns: ns, ..Step::default() };
            self.series.add(at_ns, &step);
        }
    }

    fn finish_frame_times(&mut self) {
        let known = self.frame_times.finish();
        self.plot(&known);
    }

    /// The decision in effect.
    pub fn decision(&self) -> &Decision {
        &self.decisions[self.decisions.len() - 1].decision
    }
}

impl Sums {
    fn add(&mut self, frame: &Frame, payload: u64, composed_bytes: u64) {
        self.frames += 1;
        *match frame.outcome {
            FrameOutcome::COMPOSED => &mut self.composed,
            FrameOutcome::TORN => &mut self.torn,
            FrameOutcome::NEVER_SHOWN => &mut self.dropped,
            _ => &mut self.flipped,
        } += 1;
        let copies = frame.copies();
        self.copies += copies;
        self.bytes_copied = self.bytes_copied.saturating_add(frame.bytes_copied);
        self.copy_1_bytes = self.copy_1_bytes.saturating_add(copies.min(1) * payload);
        self.copy_2_bytes = self.copy_2_bytes.saturating_add(copies.saturating_sub(1) * payload);
        self.composed_bytes = self.composed_bytes.saturating_add(composed_bytes);
        let sum = |sum: &mut Option<u64>, more: Option<u64>| {
            *sum = more.map_or(*sum, |more| Some(sum.unwrap_or(0).saturating_add(more)));
        };
        sum(&mut self.sampled_pixels, frame.probes);
        sum(&mut self.mismatched_pixels, frame.wrong_probes);
        let at_ns = frame.presented_at_ns;
        let (first, last) = self.presented_at_ns.unwrap_or((at_ns, at_ns));
        self.presented_at_ns = Some((first.min(at_ns), last.max(at_ns)));
    }

    /// Presents after the first one, per second between the first and the last: the inverse of the mean interval.
    pub fn frames_per_s(&self) -> Option<f64> {
        let (first, last) = self.presented_at_ns?;
        (last > first).then(|| self.frames.saturating_sub(1) as f64 * 1e9 / (last - first) as f64)
    }
}
