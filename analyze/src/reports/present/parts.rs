//! Where the time between a frame's present and the display goes.

use super::spread::{Spread, Times};
use crate::presents::Frame;
use serde::Serialize;

/// Parts of the latency of frames that were shown; of each frame they add up to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LatencyParts {
    /// From present to display.
    pub latency: Option<Spread>,
    /// Waiting for the graphics engine, and drawing.
    pub rendering: Option<Spread>,
    /// The first copy.
    pub copy_1: Option<Spread>,
    /// The second copy.
    pub copy_2: Option<Spread>,
    /// Waiting for engines that copy.
    pub engine_wait: Option<Spread>,
    /// Waiting for fences of other adapters.
    pub sync: Option<Spread>,
    /// The compositor's drawing.
    pub composition: Option<Spread>,
    /// Waiting for the refresh; of composed frames for the refresh before their composition, too.
    pub refresh_wait: Option<Spread>,
}

/// The same as frames come.
#[derive(Debug, Clone, Default)]
pub(super) struct PartTimes {
    latency: Times,
    rendering: Times,
    copy_1: Times,
    copy_2: Times,
    engine_wait: Times,
    sync: Times,
    composition: Times,
    refresh_wait: Times,
}

impl PartTimes {
    /// A frame was shown; waiting for a fence takes so long.
    pub fn add(&mut self, frame: &Frame, fence_ns: u64) {
        let split = split(frame, fence_ns);
        self.latency.add(split.iter().sum());
        let [rendering, copy_1, copy_2, engine_wait, sync, composition, refresh_wait] = split;
        self.rendering.add(rendering);
        let copies = frame.copies();
        if copies > 0 {
            self.copy_1.add(copy_1);
            self.engine_wait.add(engine_wait);
            self.sync.add(sync);
        }
        if copies > 1 {
            self.copy_2.add(copy_2);
        }
        if frame.composition_ns() > 0 {
            self.composition.add(composition);
        }
        self.refresh_wait.add(refresh_wait);
    }

    pub fn spreads(&self) -> LatencyParts {
        LatencyParts {
            latency: self.latency.spread(),
            rendering: self.rendering.spread(),
            copy_1: self.copy_1.spread(),
            copy_2: self.copy_2.spread(),
            engine_wait: self.engine_wait.spread(),
            sync: self.sync.spread(),
            composition: self.composition.spread(),
            refresh_wait: self.refresh_wait.spread(),
        }
    }
}

/// Rendering, both copies, waiting for engines, fences, composition and the refresh, of a frame that was shown.
fn split(frame: &Frame, fence_ns: u64) -> [u64; 7] {
    // Stages come one after another: each is what is between the end of what was before it and its own.
    let mut before = frame.presented_at_ns;
    let mut until = |at_ns: u64| {
        let passed = at_ns.saturating_sub(before);
        before = before.max(at_ns);
        passed
    };
    let rendering = until(frame.rendered_at_ns);
    let (mut copies, mut waits, mut syncs) = ([0; 2], 0, 0);
    let times = [
        (frame.copy_1_started_at_ns, frame.copy_1_ended_at_ns),
        (frame.copy_2_started_at_ns, frame.copy_2_ended_at_ns),
    ];
    for (place, (started, ended)) in times.into_iter().enumerate().filter(|(_, (_, ended))| *ended > 0) {
        let idle = until(started);
        // Before the second copy stands the fence of the first.
        let fence = if place == 0 { 0 } else { idle.min(fence_ns) };
        (waits, syncs) = (waits + idle - fence, syncs + fence);
        copies[place] = until(ended);
    }
    syncs += until(frame.ready_at_ns);
    let at_refresh = frame.ended_at_ns.saturating_sub(before);
    let composition = frame.composition_ns().min(at_refresh);
    [rendering, copies[0], copies[1], waits, syncs, composition, at_refresh - composition]
}
