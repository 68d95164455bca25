//! Plan for repeating a log: displays, their refreshes, and the swap chains presented on each.

use super::flip_queue::WaitingFlip;
use super::log::PresentLog;
use super::model::PresentModel;
use super::refresh_rate::{DerivedRate, derive};
use super::row::{LoggedChain, LoggedPresent};
use crate::bundled::Parameters;
use serde::Serialize;
use std::collections::BTreeMap;

/// Source of a display's refresh rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RefreshSource {
    /// Presents of the compositor.
    Compositor,
    /// Inferred from the times at which programs' frames were shown.
    DisplayTimes,
    /// Parameter `fps`.
    Parameter,
    /// The capture has too few display times.
    Assumed,
}

/// Display found in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDisplay {
    /// Refresh rate in thousandths of a hertz; with a variable rate, the maximum.
    pub refresh_millihertz: u64,
    /// True if refreshes wait for frames.
    pub is_variable: bool,
    pub source: RefreshSource,
    /// Refresh times in nanoseconds since the start of the simulation; empty if the log has none.
    pub refreshes_at_ns: Vec<u64>,
}

/// Swap chain that will be presented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChain {
    /// Swap chain in the log.
    pub chain: LoggedChain,
    /// Position of the window at each present.
    pub positions: Vec<WindowPosition>,
    /// Indices of its presents in the log.
    pub presents: Vec<usize>,
    pub model: PresentModel,
    /// True if any present may tear.
    pub tears: bool,
    /// Effect of a flip without interval on a waiting frame.
    pub waiting_flip: WaitingFlip,
    /// HybridPresent: true if any present crossed to another adapter. `None` where the log does not have it.
    pub is_hybrid: Option<bool>,
}

/// Position of a window at a present. Of the present itself only the logged mode is used, not the logged time, which is
/// to be predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowPosition {
    /// Index, from 0, of the display at whose refreshes most of the chain's earlier frames were shown.
    pub display: u32,
    /// True if the logged mode is a flip: the window covers the display, and no other window covers it.
    pub covers: bool,
}

/// Plan made from a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentPlan {
    /// Offset in nanoseconds: logged time minus simulated time.
    pub begin_ns: u64,
    /// Displays, in order of the compositor's swap chains.
    pub displays: Vec<LoggedDisplay>,
    /// Swap chains of programs, in order of first present. The compositor's are not presented, because it is simulated.
    pub chains: Vec<PlannedChain>,
}

/// Simulated time before the first present, in nanoseconds.
const LEAD_NS: u64 = 100_000_000;
/// Maximum distance in nanoseconds between a frame's time and the refresh at which it was shown.
pub(super) const AT_REFRESH_NS: u64 = 1_000_000;
/// Number of refreshes without a present of the compositor after which the display is assumed to continue at its rate,
/// if a program flips meanwhile.
const SILENT_REFRESHES: u64 = 3;

/// Lifetime in nanoseconds of a swap chain after its last present, so that its last frames are still shown.
pub(super) const LAST_FRAMES_NS: u64 = 150_000_000;
/// Refresh rate of a display whose capture has too few display times, in thousandths of a hertz.
const ASSUMED_MILLIHERTZ: u64 = 60_000;
/// Maximum time in nanoseconds over which refreshes are filled in: a program that shows nothing for longer is paused,
/// and a damaged time must not produce refreshes without end.
const MAX_FILLED_NS: u64 = 10_000_000_000;

/// Creates the plan for a log. Of `parameters`, `fps` is the refresh rate of displays for which the log has no presents
/// of the compositor (0 infers the rate), and `flips` is the effect of a flip on a waiting frame.
pub fn plan(log: &PresentLog, parameters: &Parameters) -> PresentPlan {
    let refresh_millihertz = parameters.get("fps") * 1000;
    let waiting_flip = WaitingFlip::from_parameter(parameters.word("flips"));
    let times = log.presents.iter().map(|present| present.at_ns);
    let begin_ns = times.min().unwrap_or(0).saturating_sub(LEAD_NS);
    let mut chains: BTreeMap<&LoggedChain, Vec<usize>> = BTreeMap::new();
    for (place, present) in log.presents.iter().enumerate() {
        chains.entry(&present.chain).or_default().push(place);
    }
    let compositor = chains.iter().filter(|(chain, _)| chain.is_compositor());
    let refreshes: Vec<Vec<u64>> = compositor.map(|(_, places)| refreshes(log, places, begin_ns)).collect();
    let all: usize = refreshes.iter().map(Vec::len).sum();
    // A swap chain to which the compositor rarely presents is not a display of its own.
    let often = refreshes.into_iter().filter(|times| times.len() > 1 && times.len() * 10 >= all);
    let flipped = log.presents.iter().filter(|present| present.is_flipped() && !present.chain.is_compositor());
    let mut flipped_at_ns: Vec<u64> =
        flipped.filter_map(|present| Some(present.shown_at_ns()?.saturating_sub(begin_ns))).collect();
    flipped_at_ns.sort_unstable();
    let mut displays: Vec<LoggedDisplay> =
        often.map(|times| LoggedDisplay::of_compositor(times, &flipped_at_ns)).collect();
    let programs: Vec<(&LoggedChain, Vec<usize>)> =
        chains.into_iter().filter(|(chain, _)| !chain.is_compositor()).collect();
    let groups = if displays.is_empty() { display_groups(log, &programs) } else { Vec::new() };
    for group in 0..groups.iter().map(|group| group + 1).max().unwrap_or(0) {
        let of_group = programs.iter().zip(&groups).filter(|(_, of)| **of == group);
        let shown = of_group.map(|((_, places), _)| shown_at_refreshes(log, places, begin_ns));
        displays.push(LoggedDisplay::of_programs(shown.collect(), refresh_millihertz));
    }
    if displays.is_empty() {
        displays.push(LoggedDisplay::of_programs(Vec::new(), refresh_millihertz));
    }
    let planned = |(number, (chain, presents)): (usize, (&LoggedChain, Vec<usize>))| {
        let mut planned = planned(log, &displays, begin_ns, chain, presents);
        if let Some(group) = groups.get(number) {
            planned.positions.iter_mut().for_each(|position| position.display = *group);
        }
        planned.waiting_flip = waiting_flip.unwrap_or(planned.waiting_flip);
        planned
    };
    let mut chains: Vec<PlannedChain> = programs.into_iter().enumerate().map(planned).collect();
    chains.sort_by_key(|chain| chain.presents.first().and_then(|place| Some(log.presents.get(*place)?.at_ns)));
    PresentPlan { begin_ns, displays, chains }
}

/// Assigns a display to each swap chain, where the log does not show displays. A program flips only while it is alone
/// on its display, so programs that flip at the same time are on different displays.
fn display_groups(log: &PresentLog, programs: &[(&LoggedChain, Vec<usize>)]) -> Vec<u32> {
    struct Lifetime {
        at_ns: std::ops::Range<u64>,
        flips: bool,
    }
    let lifetime = |places: &Vec<usize>| {
        let present = |place: Option<&usize>| log.presents.get(*place?);
        let begin = present(places.first()).map_or(0, |first| first.at_ns);
        let end = present(places.last()).map_or(0, |last| last.at_ns.saturating_add(LAST_FRAMES_NS));
        let flips = places.iter().any(|place| present(Some(place)).is_some_and(LoggedPresent::is_flipped));
        Lifetime { at_ns: begin..end, flips }
    };
    let lifetimes: Vec<Lifetime> = programs.iter().map(|(_, places)| lifetime(places)).collect();
    let mut groups: Vec<u32> = Vec::with_capacity(programs.len());
    for own in &lifetimes {
        let excludes = |other: &Lifetime| {
            let overlaps = other.at_ns.start < own.at_ns.end && own.at_ns.start < other.at_ns.end;
            overlaps && (own.flips || other.flips)
        };
        let is_free = |group: &u32| !lifetimes.iter().zip(&groups).any(|(other, of)| of == group && excludes(other));
        let group = (0..).find(is_free).unwrap_or(0);
        groups.push(group);
    }
    groups
}

fn planned(
    log: &PresentLog,
    displays: &[LoggedDisplay],
    begin_ns: u64,
    chain: &LoggedChain,
    presents: Vec<usize>,
) -> PlannedChain {
    let of: Vec<&LoggedPresent> = presents.iter().filter_map(|place| log.presents.get(*place)).collect();
    let hybrid = of.iter().filter_map(|present| present.is_hybrid);
    PlannedChain {
        chain: chain.clone(),
        positions: positions(displays, &of, begin_ns),
        model: PresentModel::from_presents(of.iter().copied()),
        tears: of.iter().any(|present| present.allows_tearing),
        waiting_flip: WaitingFlip::infer(of.iter().copied()),
        is_hybrid: hybrid.reduce(|any, one| any | one),
        presents,
    }
}

/// Returns the times, in order, at which frames of a swap chain were shown at a refresh, without frames that may have
/// torn.
fn shown_at_refreshes(log: &PresentLog, places: &[usize], begin_ns: u64) -> Vec<u64> {
    let presents = places.iter().filter_map(|place| log.presents.get(*place));
    let shown = presents.filter(|present| !(present.tears() && present.is_flipped()));
    let mut times: Vec<u64> =
        shown.filter_map(|present| Some(present.shown_at_ns()?.saturating_sub(begin_ns))).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// Returns the times at which frames of one of the compositor's swap chains were shown.
fn refreshes(log: &PresentLog, places: &[usize], begin_ns: u64) -> Vec<u64> {
    let shown = places.iter().filter_map(|place| log.presents.get(*place)?.shown_at_ns());
    let mut times: Vec<u64> = shown.map(|at_ns| at_ns.saturating_sub(begin_ns).max(1)).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// Returns the position of a chain's window at each present. The display follows from the frames shown before that
/// present; among equals it is the first.
fn positions(displays: &[LoggedDisplay], presents: &[&LoggedPresent], begin_ns: u64) -> Vec<WindowPosition> {
    let mut hits = vec![0_u64; displays.len()];
    let mut known = 0;
    let mut positions = Vec::with_capacity(presents.len());
    for (place, present) in presents.iter().enumerate() {
        while let Some(before) = presents.get(known).filter(|_| known < place) {
            let shown = before.shown_at_ns();
            if shown.is_some_and(|at_ns| at_ns > present.at_ns) {
                break;
            }
            let at_ns = shown.map(|at_ns| at_ns.saturating_sub(begin_ns));
            for (hits, display) in hits.iter_mut().zip(displays) {
                *hits += u64::from(at_ns.is_some_and(|at_ns| display.refreshes_at(at_ns)));
            }
            known += 1;
        }
        // `Reverse` prefers the first display among equals.
        let best = (0_u32..).zip(&hits).max_by_key(|(number, hits)| (**hits, std::cmp::Reverse(*number)));
        positions.push(WindowPosition { display: best.map_or(0, |(number, _)| number), covers: present.is_flipped() });
    }
    positions
}

impl LoggedDisplay {
    /// Creates a display from the times of the compositor's frames, at least two, and the times of programs' flips.
    /// Missing refreshes are filled in where only programs presented.
    fn of_compositor(recorded: Vec<u64>, flipped_at_ns: &[u64]) -> LoggedDisplay {
        let mut steps: Vec<u64> = recorded.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.sort_unstable();
        // The median is robust against refreshes at which the compositor did not present.
        let period_ns = steps.get(steps.len() / 2).copied().unwrap_or(0).max(1_000_000);
        let mut refreshes_at_ns: Vec<u64> = Vec::new();
        for at_ns in recorded {
            let mut last = refreshes_at_ns.last().copied().unwrap_or(at_ns);
            let others = flipped_at_ns.partition_point(|flipped| *flipped <= last)
                < flipped_at_ns.partition_point(|flipped| *flipped < at_ns);
            let silent_ns = SILENT_REFRESHES * period_ns + period_ns / 2..MAX_FILLED_NS;
            if others && silent_ns.contains(&(at_ns - last)) {
                while at_ns - last > period_ns + period_ns / 2 {
                    last += period_ns;
                    refreshes_at_ns.push(last);
                }
            }
            refreshes_at_ns.push(at_ns);
        }
        LoggedDisplay {
            refresh_millihertz: 1_000_000_000_000 / period_ns,
            is_variable: false,
            source: RefreshSource::Compositor,
            refreshes_at_ns,
        }
    }

    /// Creates a display from the times at which frames of each program's swap chain were shown. Refreshes at which
    /// nothing was shown are filled in. `refresh_millihertz` is the rate, or 0 to derive it.
    fn of_programs(shown_at_ns: Vec<Vec<u64>>, refresh_millihertz: u64) -> LoggedDisplay {
        let (rate, source) = match refresh_millihertz {
            0 => (derive(&shown_at_ns), RefreshSource::DisplayTimes),
            rate => (
                Some(DerivedRate { period_ns: 1_000_000_000_000 / rate, is_variable: false }),
                RefreshSource::Parameter,
            ),
        };
        let Some(DerivedRate { period_ns, is_variable }) = rate else {
            let (refresh_millihertz, source) = (ASSUMED_MILLIHERTZ, RefreshSource::Assumed);
            return LoggedDisplay { refresh_millihertz, is_variable: false, source, refreshes_at_ns: Vec::new() };
        };
        let mut all: Vec<u64> = shown_at_ns.into_iter().flatten().collect();
        all.sort_unstable();
        let refreshes_at_ns = if is_variable { Vec::new() } else { fill(&all, period_ns.max(1)) };
        let refresh_millihertz = 1_000_000_000_000 / period_ns.max(1);
        LoggedDisplay { refresh_millihertz, is_variable, source, refreshes_at_ns }
    }

    fn refreshes_at(&self, at_ns: u64) -> bool {
        let next = self.refreshes_at_ns.partition_point(|refresh| *refresh < at_ns);
        let neighbours = [next.checked_sub(1), Some(next)].into_iter().flatten();
        neighbours.filter_map(|place| self.refreshes_at_ns.get(place)).any(|near| near.abs_diff(at_ns) < AT_REFRESH_NS)
    }
}

/// Returns the refreshes of a display until the last display time: the sorted display times, and evenly between them
/// and before them those that are missing.
fn fill(shown_at_ns: &[u64], period_ns: u64) -> Vec<u64> {
    let Some(first) = shown_at_ns.first().copied() else { return Vec::new() };
    let filled_ns = first.saturating_sub(1).min(MAX_FILLED_NS) / period_ns * period_ns;
    let mut refreshes_at_ns = vec![(first - filled_ns).max(1)];
    for at_ns in shown_at_ns {
        let last = refreshes_at_ns.last().copied().unwrap_or(0);
        let passed_ns = at_ns.saturating_sub(last);
        // Display times of several programs at one refresh differ by little.
        let missing = match passed_ns {
            0..MAX_FILLED_NS => (passed_ns + period_ns / 2) / period_ns,
            _ => 1,
        };
        refreshes_at_ns.extend((1..=missing).map(|refresh| match passed_ns {
            0..MAX_FILLED_NS => last + passed_ns * refresh / missing,
            _ => *at_ns,
        }));
    }
    refreshes_at_ns
}
