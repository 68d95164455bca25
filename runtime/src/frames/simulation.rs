//! Simulation of swap-chain frames from present to display.

use super::pipeline::{Done, Pipeline, Stage, StageTimes};
use super::screen::Screen;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A presented frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub chain: u64,
    /// Number of the frame in its chain.
    pub number: u64,
    /// Minimum number of refreshes that the previous frame stays; 0 replaces frames that are not shown yet.
    pub interval: u32,
    /// The frame may be shown without waiting for a refresh if the chain flips.
    pub may_tear: bool,
    /// Stages of work until the frame can be shown.
    pub stages: Vec<Stage>,
}

/// Outcome of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SimulatedOutcome {
    /// Scanned out by the display adapter.
    Flipped,
    /// Composed into the scanned-out surface.
    Composed,
    /// Scanned out from the middle of a refresh on.
    Torn,
    /// Dropped: another frame was shown instead, or the display was removed.
    Dropped,
}

/// End of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrameEnd {
    pub chain: u64,
    pub number: u64,
    pub presented_at_ns: u64,
    /// Times of the finished stages; the stages of the composition are last.
    pub times: Vec<StageTimes>,
    /// Time at which the frame could be shown; `None` if it never could.
    pub ready_at_ns: Option<u64>,
    /// Time at which the frame was shown or dropped.
    pub ended_at_ns: u64,
    pub outcome: SimulatedOutcome,
    /// For a torn frame: the time since the refresh began, and the refresh's duration.
    pub torn_at_ns: Option<(u64, u64)>,
}

/// Decision between flip and composition.
pub(crate) trait Compositor {
    /// True if the display adapter scans out this chain's buffers now.
    fn flips(&mut self, chain: u64) -> bool;
}

#[derive(Debug, Serialize, Deserialize)]
struct Presented {
    frame: Frame,
    at_ns: u64,
    times: Vec<StageTimes>,
    ready_at_ns: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Chain {
    screen: usize,
    composition: Vec<Stage>,
    /// Frames that are not shown yet, in order.
    frames: VecDeque<Presented>,
    /// Frame that is being composed, removed from `frames`.
    composing: Option<Presented>,
    /// Composed frame that waits for the refresh.
    composed: Option<Presented>,
    last_refresh: Option<u64>,
}

/// Purpose of a job.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Purpose {
    Frame { chain: u64, number: u64 },
    Composition { chain: u64, number: u64 },
}

/// Chains, displays and engines of a machine.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Simulation {
    now_ns: u64,
    pipeline: Pipeline,
    screens: Vec<Screen>,
    chains: BTreeMap<u64, Chain>,
    jobs: BTreeMap<u64, Purpose>,
    next_job: u64,
}

impl Simulation {
    /// Creates a machine with bandwidths in bytes per second, a number of engines, and displays.
    pub fn new(capacities: Vec<u64>, engines: usize, screens: Vec<Screen>) -> Simulation {
        let pipeline = Pipeline::new(capacities, engines);
        Simulation { now_ns: 0, pipeline, screens, chains: BTreeMap::new(), jobs: BTreeMap::new(), next_job: 0 }
    }

    /// True if a restored simulation matches a machine with these numbers of bandwidths and displays.
    pub fn is_sound(&self, capacities: usize, screens: usize) -> bool {
        let Simulation { now_ns: _, pipeline, screens: own, chains, jobs: _, next_job: _ } = self;
        own.len() == screens
            && own.iter().all(|screen| screen.refresh_millihertz > 0)
            && chains
                .values()
                .all(|chain| chain.screen < screens && chain.composition.iter().all(|s| s.is_sound(capacities)))
            && pipeline.is_sound(capacities)
    }

    /// Returns nanoseconds since the begin of the session.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// Sets the bandwidth that is available for copies.
    pub fn set_capacity(&mut self, resource: usize, bytes_per_second: u64) {
        self.pipeline.set_capacity(resource, bytes_per_second);
    }

    /// Adds a display after the others.
    pub fn add_screen(&mut self, screen: Screen) {
        self.screens.push(screen);
    }

    /// Changes the mode of a display.
    pub fn set_screen(&mut self, screen: usize, mut new: Screen) {
        if let Some(screen) = self.screens.get_mut(screen) {
            new.last_at_ns = screen.last_at_ns;
            *screen = new;
        }
    }

    /// Adds a chain on a display; `composition` is the work of composing one of its frames.
    pub fn add_chain(&mut self, chain: u64, screen: usize, composition: Vec<Stage>) {
        let (frames, composing, composed) = (VecDeque::new(), None, None);
        self.chains.insert(chain, Chain { screen, composition, frames, composing, composed, last_refresh: None });
    }

    /// Removes a chain. Its frames end.
    pub fn remove_chain(&mut self, chain: u64) -> Vec<FrameEnd> {
        let Some(removed) = self.chains.remove(&chain) else { return Vec::new() };
        let left = removed.composed.into_iter().chain(removed.composing).chain(removed.frames);
        left.map(|presented| ended(presented, self.now_ns, SimulatedOutcome::Dropped)).collect()
    }

    /// Returns the number of presented frames of a chain that have not ended.
    pub fn in_flight(&self, chain: u64) -> usize {
        self.chains.get(&chain).map_or(0, |chain| {
            chain.frames.len() + usize::from(chain.composing.is_some()) + usize::from(chain.composed.is_some())
        })
    }

    /// Presents a frame now.
    pub fn present(&mut self, frame: Frame) {
        let Some(chain) = self.chains.get_mut(&frame.chain) else { return };
        let (number, stages) = (frame.number, frame.stages.clone());
        let purpose = Purpose::Frame { chain: frame.chain, number };
        chain.frames.push_back(Presented { frame, at_ns: self.now_ns, times: Vec::new(), ready_at_ns: None });
        self.submit(purpose, stages);
    }

    fn submit(&mut self, purpose: Purpose, stages: Vec<Stage>) {
        self.jobs.insert(self.next_job, purpose);
        self.pipeline.submit(self.next_job, stages);
        self.next_job += 1;
    }

    /// Returns the time of the next event.
    pub fn next_at_ns(&self) -> Option<u64> {
        let refreshes = (0..self.screens.len()).filter_map(|screen| self.refresh_at_ns(screen));
        refreshes.chain(self.pipeline.next_at_ns()).min()
    }

    /// Returns the time of a display's next refresh that has a frame to show.
    fn refresh_at_ns(&self, screen: usize) -> Option<u64> {
        let waiting = self.chains.values().filter(|chain| chain.screen == screen);
        let ready = waiting.filter_map(|chain| {
            let first = chain.frames.front().and_then(|frame| frame.ready_at_ns);
            first.into_iter().chain(chain.composed.as_ref().map(|_| self.now_ns)).min()
        });
        Some(self.screens[screen].next_at_ns(ready.min()?.max(self.now_ns)))
    }

    /// Processes all events up to a time in order; at equal times, jobs end first, then displays refresh by number.
    pub fn advance(&mut self, until_ns: u64, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        while let Some(at_ns) = self.next_at_ns().filter(|at_ns| *at_ns <= until_ns) {
            self.step(at_ns, compositor, ends);
        }
        if until_ns > self.now_ns {
            self.now_ns = until_ns;
            self.pipeline.advance_to(until_ns);
        }
    }

    /// Processes the events at the time of the next event.
    pub fn step(&mut self, at_ns: u64, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        self.now_ns = at_ns;
        let done = self.pipeline.advance_to(at_ns);
        let had_done = !done.is_empty();
        for done in done {
            self.work_is_over(done, compositor, ends);
        }
        // Ended jobs may have made frames ready for a refresh at this very time, so the next event is determined again.
        if had_done {
            return;
        }
        for screen in 0..self.screens.len() {
            if self.refresh_at_ns(screen) == Some(at_ns) {
                self.refresh(screen, compositor, ends);
            }
        }
    }

    fn work_is_over(&mut self, done: Done, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        let now_ns = self.now_ns;
        match self.jobs.remove(&done.job) {
            Some(Purpose::Frame { chain: id, number }) => {
                let Some(chain) = self.chains.get_mut(&id) else { return };
                let place = chain.frames.iter().position(|presented| presented.frame.number == number);
                let Some(presented) = place.and_then(|place| chain.frames.get_mut(place)) else { return };
                presented.times = done.times;
                presented.ready_at_ns = Some(now_ns);
                if presented.frame.may_tear && presented.frame.interval == 0 && compositor.flips(id) {
                    let place = place.unwrap_or(0);
                    // The rest of the scan-out shows this frame, so the next frame cannot be shown at this very time.
                    let torn_at_ns = Some(self.screens[chain.screen].phase_ns(now_ns));
                    self.screens[chain.screen].last_at_ns = Some(now_ns);
                    // A frame that is being composed comes too late.
                    let late = chain.composed.take().into_iter().chain(chain.composing.take());
                    ends.extend(late.map(|late| ended(late, now_ns, SimulatedOutcome::Dropped)));
                    ends.extend(
                        chain.frames.drain(..place).map(|older| ended(older, now_ns, SimulatedOutcome::Dropped)),
                    );
                    let torn = chain.frames.pop_front().map(|torn| ended(torn, now_ns, SimulatedOutcome::Torn));
                    ends.extend(torn.map(|torn| FrameEnd { torn_at_ns, ..torn }));
                }
            }
            Some(Purpose::Composition { chain, number }) => {
                let Some(chain) = self.chains.get_mut(&chain) else { return };
                // A chain that was replaced in the meantime composes other frames.
                if let Some(mut presented) = chain.composing.take_if(|composing| composing.frame.number == number) {
                    presented.times.extend(done.times);
                    chain.composed = Some(presented);
                }
            }
            None => {}
        }
    }

    /// Refreshes a display: shows the composed frame, or flips; a frame that is ready then is composed for the next
    /// refresh.
    fn refresh(&mut self, screen: usize, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        let now_ns = self.now_ns;
        self.screens[screen].last_at_ns = Some(now_ns);
        let refresh = self.screens[screen].refresh_at(now_ns);
        let on_screen = self.chains.iter().filter(|(_, chain)| chain.screen == screen);
        let ids: Vec<u64> = on_screen.map(|(id, _)| *id).collect();
        let mut compositions = Vec::new();
        for id in ids {
            let Some(chain) = self.chains.get_mut(&id) else { continue };
            let shows_composed = chain.composed.is_some();
            if let Some(composed) = chain.composed.take() {
                ends.push(ended(composed, now_ns, SimulatedOutcome::Composed));
                chain.last_refresh = Some(refresh);
            }
            let is_ready = |presented: &Presented| presented.ready_at_ns.is_some_and(|ready| ready <= now_ns);
            let Some(first) = chain.frames.front().filter(|first| is_ready(first) && chain.composing.is_none()) else {
                continue;
            };
            let earliest = chain.last_refresh.map_or(0, |last| last.saturating_add(first.frame.interval.into()));
            let flips = compositor.flips(id);
            // A composed frame is shown a refresh later; a refresh shows one frame.
            if refresh + u64::from(!flips) < earliest || flips && shows_composed {
                continue;
            }
            // Frames with interval 0 replace the frames before them.
            let replaces = |next: &Presented| is_ready(next) && next.frame.interval == 0;
            let mut chosen = 0;
            while chain.frames.get(chosen + 1).is_some_and(replaces) {
                chosen += 1;
            }
            ends.extend(chain.frames.drain(..chosen).map(|older| ended(older, now_ns, SimulatedOutcome::Dropped)));
            let Some(shown) = chain.frames.pop_front() else { continue };
            if flips {
                ends.push(ended(shown, now_ns, SimulatedOutcome::Flipped));
                chain.last_refresh = Some(refresh);
            } else {
                let number = shown.frame.number;
                chain.composing = Some(shown);
                compositions.push((Purpose::Composition { chain: id, number }, chain.composition.clone()));
            }
        }
        for (purpose, stages) in compositions {
            self.submit(purpose, stages);
        }
    }
}

fn ended(presented: Presented, ended_at_ns: u64, outcome: SimulatedOutcome) -> FrameEnd {
    let Presented { frame, at_ns, times, ready_at_ns } = presented;
    let (chain, number) = (frame.chain, frame.number);
    FrameEnd { chain, number, presented_at_ns: at_ns, times, ready_at_ns, ended_at_ns, outcome, torn_at_ns: None }
}
