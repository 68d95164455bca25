//! State machine of presents.
//!
//! The classification is that which public consumers of these events document. Objects and tokens are reused, so that an
//! event refers to the latest start with its key.

#[cfg(test)]
mod tests;

use super::event::PresentEvent;
use super::present::{ImportedPresent, ImportedPresents, PresentCounts, PresentPath, PresentSubmission};
use super::processes::Processes;
use crate::events::{At, Tracker};
use std::collections::{HashMap, VecDeque};
use taut_traces::Trace;

/// D3DKMT_PM_REDIRECTED_FLIP: the compositor draws from the present's buffer.
const REDIRECTED_FLIP: u64 = 2;

/// A present and the state that decides its path.
#[derive(Debug, Clone, Copy)]
struct Tracked {
    present: ImportedPresent,
    /// True if DXGI or Direct3D 9 made it, and its end is that of the call.
    has_api: bool,
    has_packet: bool,
    has_token: bool,
    has_kernel_end: bool,
    /// Stamp of the end of its packet.
    packet_done: Option<u64>,
}

/// Tracker of presents.
pub struct PresentTracker {
    processes: Processes,
    presents: Vec<Tracked>,
    /// Present in progress, by stream.
    current: HashMap<u32, usize>,
    /// Calls that returned without an event of the kernel, by process. Another thread may submit them.
    deferred: HashMap<u32, VecDeque<usize>>,
    /// Presents of packets, by context and submit sequence.
    packets: HashMap<(u64, u64), usize>,
    /// Flips, by submit sequence.
    flips: HashMap<u64, usize>,
    /// Open tokens.
    tokens: HashMap<u64, Option<usize>>,
    has_display: bool,
    counts: PresentCounts,
}

impl PresentTracker {
    pub fn new(trace: &Trace) -> Self {
        Self::with_processes(Processes::new(trace))
    }

    fn with_processes(processes: Processes) -> Self {
        Self {
            processes,
            presents: Vec::new(),
            current: HashMap::new(),
            deferred: HashMap::new(),
            packets: HashMap::new(),
            flips: HashMap::new(),
            tokens: HashMap::new(),
            has_display: false,
            counts: PresentCounts::default(),
        }
    }

    /// Adds a present in progress on a thread.
    fn begin(&mut self, at: At, submission: PresentSubmission) -> usize {
        let present = ImportedPresent {
            process: self.processes.of_stream(at.thread),
            stream: at.thread,
            submission,
            path: PresentPath::Unknown,
            swap_chain: None,
            window: None,
            source: None,
            start_stamp: at.stamp,
            shown_stamp: None,
            is_cross_adapter: None,
            interval_ticks: None,
            is_untracked: false,
        };
        self.presents.push(Tracked {
            present,
            has_api: submission == PresentSubmission::Api,
            has_packet: false,
            has_token: false,
            has_kernel_end: false,
            packet_done: None,
        });
        let index = self.presents.len() - 1;
        if self.current.insert(at.thread, index).is_some() {
            self.counts.starts_without_end += 1;
        }
        index
    }

    /// The present to which the kernel's first event belongs: that of the thread's call, the process's oldest call
    /// without one, or a new present.
    fn begin_in_kernel(&mut self, at: At, submission: PresentSubmission) -> usize {
        let is_api = |tracked: &Tracked| tracked.present.submission == PresentSubmission::Api;
        let current = self.current.get(&at.thread).copied();
        let (index, is_new) = match current.filter(|index| is_api(&self.presents[*index])) {
            Some(index) => (index, false),
            None => match self.deferred.get_mut(&self.processes.of_stream(at.thread)).and_then(VecDeque::pop_front) {
                Some(index) => {
                    if self.current.insert(at.thread, index).is_some() {
                        self.counts.starts_without_end += 1;
                    }
                    // The call has returned: the kernel's event is the end.
                    self.presents[index].has_api = false;
                    (index, false)
                }
                None => (self.begin(at, submission), true),
            },
        };
        if !is_new {
            self.presents[index].present.submission = submission;
        }
        index
    }

    fn flip(&mut self, at: At, source: Option<u64>) {
        // Each plane of a present has an event of its own.
        let current = self.current.get(&at.thread).map(|index| &self.presents[*index]);
        let is_same = |tracked: &Tracked| {
            tracked.present.submission == PresentSubmission::Flip && !tracked.has_packet && !tracked.has_kernel_end
        };
        if current.is_some_and(is_same) {
            return;
        }
        let index = self.begin_in_kernel(at, PresentSubmission::Flip);
        let present = &mut self.presents[index].present;
        present.path = PresentPath::HardwareLegacyFlip;
        present.source = source;
    }

    fn token_start(&mut self, at: At, token: u64, model: u64) {
        self.counts.tokens_started += 1;
        let mut index = self.current.get(&at.thread).copied().filter(|index| !self.presents[*index].has_kernel_end);
        if index.is_none_or(|index| self.presents[index].present.submission == PresentSubmission::Api)
            && model == REDIRECTED_FLIP
        {
            index = Some(self.begin_in_kernel(at, PresentSubmission::Token));
        }
        self.counts.tokens_without_present += u64::from(index.is_none());
        if let Some(index) = index {
            self.presents[index].has_token = true;
            self.set_model(index, model);
        }
        self.tokens.insert(token, index);
    }

    fn token_stop(&mut self, token: u64, model: u64) {
        match self.tokens.remove(&token) {
            Some(index) => {
                self.counts.tokens_ended += 1;
                index.into_iter().for_each(|index| self.set_model(index, model));
            }
            None => self.counts.token_ends_without_start += 1,
        }
    }

    fn set_model(&mut self, index: usize, model: u64) {
        let present = &mut self.presents[index].present;
        let is_undecided = present.path == PresentPath::Unknown;
        if present.submission == PresentSubmission::Token && is_undecided && model == REDIRECTED_FLIP {
            present.path = PresentPath::ComposedFlip;
        }
    }

    fn packet(&mut self, at: At, context: u64, sequence: u64) {
        let Some(index) = self.current.get(&at.thread).copied() else { return };
        let tracked = &mut self.presents[index];
        if tracked.has_packet || tracked.present.submission == PresentSubmission::Api {
            return;
        }
        tracked.has_packet = true;
        self.packets.insert((context, sequence), index);
        if matches!(tracked.present.submission, PresentSubmission::Flip | PresentSubmission::Token) {
            self.flips.insert(sequence, index);
        }
    }

    fn packet_done(&mut self, at: At, context: u64, sequence: u64) {
        let Some(index) = self.packets.get(&(context, sequence)).copied() else { return };
        let tracked = &mut self.presents[index];
        tracked.packet_done.get_or_insert(at.stamp);
        if tracked.present.path == PresentPath::HardwareLegacyCopyToFrontBuffer {
            self.show(index, at.stamp);
        }
    }

    fn kernel_end(&mut self, at: At, window: Option<u64>, is_cross_adapter: Option<bool>) {
        let current = self.current.get(&at.thread).copied();
        let Some(index) = current.filter(|index| !self.presents[*index].has_kernel_end) else {
            self.counts.ends_without_start += 1;
            return;
        };
        let tracked = &mut self.presents[index];
        tracked.has_kernel_end = true;
        let window = window.filter(|window| *window != 0);
        tracked.present.window = tracked.present.window.or(window);
        tracked.present.is_cross_adapter = is_cross_adapter;
        if !tracked.has_api {
            self.current.remove(&at.thread);
        }
        // The compositor receives no token: the copy's target is on the screen.
        let tracked = &mut self.presents[index];
        if tracked.present.submission == PresentSubmission::Blit && !tracked.has_token {
            tracked.present.path = PresentPath::HardwareLegacyCopyToFrontBuffer;
            if let Some(stamp) = tracked.packet_done {
                self.show(index, stamp);
            }
        }
    }

    fn api_stop(&mut self, at: At) {
        let current = self.current.get(&at.thread).copied();
        let Some(index) = current.filter(|index| self.presents[*index].has_api) else {
            self.counts.ends_without_start += 1;
            return;
        };
        self.current.remove(&at.thread);
        let present = &self.presents[index].present;
        if present.submission == PresentSubmission::Api {
            self.deferred.entry(present.process).or_default().push_back(index);
        }
    }

    fn hardware_flip(&mut self, at: At, sequence: u64, is_plane: bool, is_done: bool) {
        let Some(index) = self.flips.get(&sequence).copied() else { return };
        let present = &mut self.presents[index].present;
        present.path = match (present.path, is_plane) {
            (PresentPath::ComposedFlip, false) => PresentPath::HardwareIndependentFlip,
            (PresentPath::ComposedFlip | PresentPath::HardwareIndependentFlip, true) => {
                PresentPath::HardwareComposedIndependentFlip
            }
            (path, _) => path,
        };
        if is_done {
            self.show(index, at.stamp);
        }
    }

    fn independent_flip(&mut self, context: u64, sequence: u64) {
        let Some(index) = self.packets.get(&(context, sequence)).copied() else { return };
        let present = &mut self.presents[index].present;
        if present.path == PresentPath::ComposedFlip {
            present.path = PresentPath::HardwareIndependentFlip;
        }
    }

    /// Sets the time of display. Presents in progress at the first display are not tracked: which events before the trace
    /// belong to them is unknown.
    fn show(&mut self, index: usize, stamp: u64) {
        if !self.has_display {
            self.has_display = true;
            let others = self.presents.iter_mut().enumerate().filter(|(other, _)| *other != index);
            others.for_each(|(_, tracked)| tracked.present.is_untracked = true);
        }
        let present = &mut self.presents[index].present;
        if !present.is_untracked {
            present.shown_stamp.get_or_insert(stamp);
        }
    }
}

impl Tracker for PresentTracker {
    type Event<'e> = PresentEvent;
    type Output = ImportedPresents;

    fn on_event(&mut self, at: At, event: PresentEvent) {
        match event {
            PresentEvent::ApiStart { is_test: true, .. } => self.counts.tests += 1,
            PresentEvent::ApiStart { swap_chain, .. } => {
                let index = self.begin(at, PresentSubmission::Api);
                self.presents[index].present.swap_chain = swap_chain;
            }
            PresentEvent::ApiStop => self.api_stop(at),
            PresentEvent::Blit { window, is_redirected } => {
                let submission =
                    if is_redirected { PresentSubmission::RedirectedBlit } else { PresentSubmission::Blit };
                let index = self.begin_in_kernel(at, submission);
                self.presents[index].present.window = window.filter(|window| *window != 0);
            }
            PresentEvent::Flip { source } => self.flip(at, source),
            PresentEvent::KernelEnd { window, is_cross_adapter } => self.kernel_end(at, window, is_cross_adapter),
            PresentEvent::TokenStart { token, model } => self.token_start(at, token, model),
            PresentEvent::TokenStop { token, model } => self.token_stop(token, model),
            PresentEvent::Packet { context, sequence } => self.packet(at, context, sequence),
            PresentEvent::PacketDone { context, sequence } => self.packet_done(at, context, sequence),
            PresentEvent::IndependentFlip { context, sequence } => self.independent_flip(context, sequence),
            PresentEvent::HardwareFlip { sequence, is_plane, is_done } => {
                self.hardware_flip(at, sequence, is_plane, is_done);
            }
            PresentEvent::Sync { sequence } => {
                self.counts.vertical_syncs += 1;
                match sequence.map(|sequence| self.flips.get(&sequence).copied()) {
                    Some(Some(index)) => self.show(index, at.stamp),
                    Some(None) => self.counts.syncs_of_unknown_flips += 1,
                    None => {}
                }
            }
            PresentEvent::PlaneSync { sequences } => {
                for sequence in sequences {
                    if let Some(index) = self.flips.get(&sequence).copied() {
                        self.show(index, at.stamp);
                    }
                }
            }
        }
    }

    fn finish(mut self) -> ImportedPresents {
        self.counts.starts_without_end += self.current.len() as u64;
        self.counts.tokens_open = self.tokens.len() as u64;
        let mut presents: Vec<ImportedPresent> = self.presents.into_iter().map(|tracked| tracked.present).collect();
        let mut last = HashMap::new();
        for present in &mut presents {
            let key = (present.process, present.swap_chain, present.window, present.source);
            let before = last.insert(key, present.start_stamp);
            present.interval_ticks = before.map(|before: u64| present.start_stamp.saturating_sub(before));
        }
        ImportedPresents { presents, counts: self.counts }
    }
}
