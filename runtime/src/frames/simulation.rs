//! Swap chains' frames from their presents to the displays.

use super::pipeline::{Done, Pipeline, Stage, StageTimes};
use super::screen::Screen;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A frame as it is presented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub chain: u64,
    /// Its number among the chain's.
    pub number: u64,
    /// Refreshes that the frame before it stays at least; with 0 it takes the place of frames that are not shown yet.
    pub interval: u32,
    /// It need not wait for a refresh, where it is flipped to.
    pub may_tear: bool,
    /// What has to be done until it can be shown.
    pub stages: Vec<Stage>,
}

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The display adapter scanned it out.
    Flipped,
    /// The compositor drew it into what was scanned out.
    Composed,
    /// It was scanned out from the middle of a refresh on.
    Torn,
    /// Another was shown in its place, or the display went away.
    NeverShown,
}

/// A frame's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FrameEnd {
    pub chain: u64,
    pub number: u64,
    pub presented_at_ns: u64,
    /// Of its stages, those that were over; those of its composition come last.
    pub times: Vec<StageTimes>,
    /// When it could have been shown; none if it never could.
    pub ready_at_ns: Option<u64>,
    /// When it was shown or given up.
    pub ended_at_ns: u64,
    pub fate: Fate,
    /// Of one that tore: how far into its refresh the display was, and how long that is.
    pub torn_at_ns: Option<(u64, u64)>,
}

/// Who decides whether a chain's frames are flipped to.
pub(crate) trait Compositor {
    /// Whether the display adapter scans this chain's buffers out, now.
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
    /// The frame that is being composed: taken from `frames`.
    composing: Option<Presented>,
    /// It is composed, and waits for the refresh.
    composed: Option<Presented>,
    last_refresh: Option<u64>,
}

/// What a piece of work is for.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Purpose {
    Frame { chain: u64, number: u64 },
    Composition { chain: u64, number: u64 },
}

/// Chains, displays and engines.
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
    /// A machine: bandwidths in bytes a second, so many engines, and its displays.
    pub fn new(capacities: Vec<u64>, engines: usize, screens: Vec<Screen>) -> Simulation {
        let pipeline = Pipeline::new(capacities, engines);
        Simulation { now_ns: 0, pipeline, screens, chains: BTreeMap::new(), jobs: BTreeMap::new(), next_job: 0 }
    }

    /// Whether one that was read is of a machine with so many bandwidths and displays.
    pub fn is_sound(&self, capacities: usize, screens: usize) -> bool {
        let Simulation { now_ns: _, pipeline, screens: own, chains, jobs: _, next_job: _ } = self;
        own.len() == screens
            && own.iter().all(|screen| screen.refresh_millihertz > 0)
            && chains
                .values()
                .all(|chain| chain.screen < screens && chain.composition.iter().all(|s| s.is_sound(capacities)))
            && pipeline.is_sound(capacities)
    }

    /// Nanoseconds since the session began.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// What is left of a bandwidth for copies changes.
    pub fn set_capacity(&mut self, resource: usize, bytes_per_second: u64) {
        self.pipeline.set_capacity(resource, bytes_per_second);
    }

    /// A display appears, behind the others.
    pub fn add_screen(&mut self, screen: Screen) {
        self.screens.push(screen);
    }

    /// A display is in another mode.
    pub fn set_screen(&mut self, screen: usize, mut new: Screen) {
        if let Some(screen) = self.screens.get_mut(screen) {
            new.last_at_ns = screen.last_at_ns;
            *screen = new;
        }
    }

    /// A chain appears on a display; `composition` is what composing one of its frames takes.
    pub fn add_chain(&mut self, chain: u64, screen: usize, composition: Vec<Stage>) {
        let (frames, composing, composed) = (VecDeque::new(), None, None);
        self.chains.insert(chain, Chain { screen, composition, frames, composing, composed, last_refresh: None });
    }

    /// A chain goes: its frames end.
    pub fn remove_chain(&mut self, chain: u64) -> Vec<FrameEnd> {
        let Some(removed) = self.chains.remove(&chain) else { return Vec::new() };
        let left = removed.composed.into_iter().chain(removed.composing).chain(removed.frames);
        left.map(|presented| ended(presented, self.now_ns, Fate::NeverShown)).collect()
    }

    /// Frames of a chain that are presented and have not ended.
    pub fn in_flight(&self, chain: u64) -> usize {
        self.chains.get(&chain).map_or(0, |chain| {
            chain.frames.len() + usize::from(chain.composing.is_some()) + usize::from(chain.composed.is_some())
        })
    }

    /// A frame is presented, now.
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

    /// When something happens next.
    pub fn next_at_ns(&self) -> Option<u64> {
        let refreshes = (0..self.screens.len()).filter_map(|screen| self.refresh_at_ns(screen));
        refreshes.chain(self.pipeline.next_at_ns()).min()
    }

    /// When a display's refresh next matters.
    fn refresh_at_ns(&self, screen: usize) -> Option<u64> {
        let waiting = self.chains.values().filter(|chain| chain.screen == screen);
        let ready = waiting.filter_map(|chain| {
            let first = chain.frames.front().and_then(|frame| frame.ready_at_ns);
            first.into_iter().chain(chain.composed.as_ref().map(|_| self.now_ns)).min()
        });
        Some(self.screens[screen].next_at_ns(ready.min()?.max(self.now_ns)))
    }

    /// Everything that happens up to a time, in order of time; at one time, work ends first, then displays refresh by number.
    pub fn advance(&mut self, until_ns: u64, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        while let Some(at_ns) = self.next_at_ns().filter(|at_ns| *at_ns <= until_ns) {
            self.step(at_ns, compositor, ends);
        }
        if until_ns > self.now_ns {
            self.now_ns = until_ns;
            self.pipeline.advance_to(until_ns);
        }
    }

    /// What happens at the time of the next event.
    pub fn step(&mut self, at_ns: u64, compositor: &mut dyn Compositor, ends: &mut Vec<FrameEnd>) {
        self.now_ns = at_ns;
        let done = self.pipeline.advance_to(at_ns);
        let had_done = !done.is_empty();
        for done in done {
            self.work_is_over(done, compositor, ends);
        }
        // What ended may have made frames ready for a refresh at this very time, which is looked for anew.
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
                    // Scan-out goes on from here: what comes next is not shown at this very time.
                    let torn_at_ns = Some(self.screens[chain.screen].phase_ns(now_ns));
                    self.screens[chain.screen].last_at_ns = Some(now_ns);
                    // A frame that was to be composed comes too late.
                    let late = chain.composed.take().into_iter().chain(chain.composing.take());
                    ends.extend(late.map(|late| ended(late, now_ns, Fate::NeverShown)));
                    ends.extend(chain.frames.drain(..place).map(|older| ended(older, now_ns, Fate::NeverShown)));
                    let torn = chain.frames.pop_front().map(|torn| ended(torn, now_ns, Fate::Torn));
                    ends.extend(torn.map(|torn| FrameEnd { torn_at_ns, ..torn }));
                }
            }
            Some(Purpose::Composition { chain, number }) => {
                let Some(chain) = self.chains.get_mut(&chain) else { return };
                // A chain that was replaced meanwhile composes other frames.
                if let Some(mut presented) = chain.composing.take_if(|composing| composing.frame.number == number) {
                    presented.times.extend(done.times);
                    chain.composed = Some(presented);
                }
            }
            None => {}
        }
    }

    /// A display refreshes: it shows what the compositor has drawn, or flips; what is then ready is drawn for the next one.
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
                ends.push(ended(composed, now_ns, Fate::Composed));
                chain.last_refresh = Some(refresh);
            }
            let is_ready = |presented: &Presented| presented.ready_at_ns.is_some_and(|ready| ready <= now_ns);
            let Some(first) = chain.frames.front().filter(|first| is_ready(first) && chain.composing.is_none()) else {
                continue;
            };
            let earliest = chain.last_refresh.map_or(0, |last| last.saturating_add(first.frame.interval.into()));
            let flips = compositor.flips(id);
            // What is drawn now is shown a refresh later; one refresh shows one frame.
            if refresh + u64::from(!flips) < earliest || flips && shows_composed {
                continue;
            }
            // Frames that do not wait take the places of those before them.
            let replaces = |next: &Presented| is_ready(next) && next.frame.interval == 0;
            let mut chosen = 0;
            while chain.frames.get(chosen + 1).is_some_and(replaces) {
                chosen += 1;
            }
            ends.extend(chain.frames.drain(..chosen).map(|older| ended(older, now_ns, Fate::NeverShown)));
            let Some(shown) = chain.frames.pop_front() else { continue };
            if flips {
                ends.push(ended(shown, now_ns, Fate::Flipped));
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

fn ended(presented: Presented, ended_at_ns: u64, fate: Fate) -> FrameEnd {
    let Presented { frame, at_ns, times, ready_at_ns } = presented;
    let (chain, number) = (frame.chain, frame.number);
    FrameEnd { chain, number, presented_at_ns: at_ns, times, ready_at_ns, ended_at_ns, fate, torn_at_ns: None }
}
