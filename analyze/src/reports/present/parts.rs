//! Splits the latency of frames into stages.

use super::spread::{Spread, Times};
use crate::presents::Frame;
use crate::reports::figures::figures;

figures! {
    /// Latency of shown frames by stage. The stages of a frame add up to its latency.
    #[derive(Debug, Clone, PartialEq)]
    pub struct LatencyParts {
        latency: Option<Spread>, Group, "Time from Present to the display, of shown frames.";
        rendering: Option<Spread>, Group, "Wait for the graphics engine, and rendering.";
        copy_1: Option<Spread>, Group, "The first copy, from the rendering adapter.";
        copy_2: Option<Spread>, Group, "The second copy, by the display adapter.";
        engine_wait: Option<Spread>, Group, "Wait for copy engines before the copies.";
        sync: Option<Spread>, Group, "Wait for fences of the other adapter after the copies.";
        composition: Option<Spread>, Group, "Rendering by the compositor, of composed frames.";
        refresh_wait: Option<Spread>, Group, "Wait for the refresh, for composed frames including the refresh before the composition. The stages of a frame add up to its latency.";
    }
}

/// Accumulates the stages of [`LatencyParts`] frame by frame.
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
    /// Adds a shown frame. `fence_ns` is the duration of a cross-adapter fence wait.
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

/// Durations of a shown frame: rendering, copy 1, copy 2, engine wait, fence wait, composition, refresh wait.
fn split(frame: &Frame, fence_ns: u64) -> [u64; 7] {
    // Stages are sequential: each lasts from the end of the previous stage to its own end.
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
        // The second copy waits for the fence of the first one.
        let fence = if place == 0 { 0 } else { idle.min(fence_ns) };
        (waits, syncs) = (waits + idle - fence, syncs + fence);
        copies[place] = until(ended);
    }
    syncs += until(frame.ready_at_ns);
    let at_refresh = frame.ended_at_ns.saturating_sub(before);
    let composition = frame.composition_ns().min(at_refresh);
    [rendering, copies[0], copies[1], waits, syncs, composition, at_refresh - composition]
}
