//! Which displays there are, when they refresh, and what is presented on each.

use super::log::PresentLog;
use super::row::{LoggedChain, LoggedPresent};
use std::collections::BTreeMap;

/// A display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDisplay {
    /// Its rate, in thousandths of a hertz.
    pub refresh_millihertz: u64,
    /// Its refreshes, in nanoseconds since the simulation began; none where the log tells of none.
    pub refreshes_at_ns: Vec<u64>,
}

/// A swap chain that is presented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChain {
    /// Whose it is.
    pub chain: LoggedChain,
    /// Where its window is at each of its presents.
    pub seats: Vec<Seat>,
    /// Places of its presents in the log.
    pub presents: Vec<usize>,
}

/// Where a window is. Of a present's own end the log's word for its way is used, and no time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// The display, from 0: the one at whose refreshes most frames were shown by then.
    pub display: u32,
    /// The log says of this present that it was scanned out: nothing is before the window, and it covers the display.
    pub covers: bool,
}

/// What is made of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresentPlan {
    /// What the log's times are ahead of the simulation's.
    pub begin_ns: u64,
    /// Displays.
    pub displays: Vec<LoggedDisplay>,
    /// Swap chains of programs, in order of their first presents. The compositor's are not presented: it is simulated.
    pub chains: Vec<PlannedChain>,
}

/// The simulation begins so long before the log.
const LEAD_NS: u64 = 100_000_000;
/// A frame was shown at a refresh where it was shown so close to it.
pub(super) const AT_REFRESH_NS: u64 = 1_000_000;
/// Where the compositor is silent for so many refreshes and somebody else flips, the display goes on at its rate.
const SILENT_REFRESHES: u64 = 3;

/// What is to be done for a log; where it tells of no refresh, displays refresh at this rate.
pub fn plan(log: &PresentLog, refresh_millihertz: u64) -> PresentPlan {
    let times = log.presents.iter().map(|present| present.at_ns);
    let begin_ns = times.min().unwrap_or(0).saturating_sub(LEAD_NS);
    let mut chains: BTreeMap<&LoggedChain, Vec<usize>> = BTreeMap::new();
    for (place, present) in log.presents.iter().enumerate() {
        chains.entry(&present.chain).or_default().push(place);
    }
    let compositor = chains.iter().filter(|(chain, _)| chain.is_compositor());
    let refreshes: Vec<Vec<u64>> = compositor.map(|(_, places)| refreshes(log, places, begin_ns)).collect();
    let all: usize = refreshes.iter().map(Vec::len).sum();
    // What the compositor seldom presents to is no display of its own.
    let often = refreshes.into_iter().filter(|times| times.len() > 1 && times.len() * 10 >= all);
    let flipped = log.presents.iter().filter(|present| present.is_flipped() && !present.chain.is_compositor());
    let mut flipped_at_ns: Vec<u64> =
        flipped.filter_map(|present| Some(present.shown_at_ns()?.saturating_sub(begin_ns))).collect();
    flipped_at_ns.sort_unstable();
    let mut displays: Vec<LoggedDisplay> = often.map(|times| LoggedDisplay::of(times, &flipped_at_ns)).collect();
    if displays.is_empty() {
        displays.push(LoggedDisplay { refresh_millihertz, refreshes_at_ns: Vec::new() });
    }
    let programs = chains.into_iter().filter(|(chain, _)| !chain.is_compositor());
    let mut chains: Vec<PlannedChain> = programs
        .map(|(chain, presents)| {
            let of: Vec<&LoggedPresent> = presents.iter().filter_map(|place| log.presents.get(*place)).collect();
            PlannedChain { chain: chain.clone(), seats: seats(&displays, &of, begin_ns), presents }
        })
        .collect();
    chains.sort_by_key(|chain| chain.presents.first().and_then(|place| Some(log.presents.get(*place)?.at_ns)));
    PresentPlan { begin_ns, displays, chains }
}

/// When a swap chain of the compositor was shown.
fn refreshes(log: &PresentLog, places: &[usize], begin_ns: u64) -> Vec<u64> {
    let shown = places.iter().filter_map(|place| log.presents.get(*place)?.shown_at_ns());
    let mut times: Vec<u64> = shown.map(|at_ns| at_ns.saturating_sub(begin_ns).max(1)).collect();
    times.sort_unstable();
    times.dedup();
    times
}

/// Where a chain's window is at each of its presents. The display follows from what was shown before the present; the first of
/// several.
fn seats(displays: &[LoggedDisplay], presents: &[&LoggedPresent], begin_ns: u64) -> Vec<Seat> {
    let mut hits = vec![0_u64; displays.len()];
    let mut known = 0;
    let mut seats = Vec::with_capacity(presents.len());
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
        let best = (0_u32..).zip(&hits).max_by_key(|(number, hits)| (**hits, std::cmp::Reverse(*number)));
        seats.push(Seat { display: best.map_or(0, |(number, _)| number), covers: present.is_flipped() });
    }
    seats
}

impl LoggedDisplay {
    /// A display that the compositor refreshed at these times, two at least, beside programs that flipped at others.
    fn of(recorded: Vec<u64>, flipped_at_ns: &[u64]) -> LoggedDisplay {
        let mut steps: Vec<u64> = recorded.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.sort_unstable();
        let period_ns = steps.get(steps.len() / 2).copied().unwrap_or(0).max(1_000_000);
        let mut refreshes_at_ns: Vec<u64> = Vec::new();
        for at_ns in recorded {
            let mut last = refreshes_at_ns.last().copied().unwrap_or(at_ns);
            let others = flipped_at_ns.partition_point(|flipped| *flipped <= last)
                < flipped_at_ns.partition_point(|flipped| *flipped < at_ns);
            if others && at_ns - last > SILENT_REFRESHES * period_ns + period_ns / 2 {
                while at_ns - last > period_ns + period_ns / 2 {
                    last += period_ns;
                    refreshes_at_ns.push(last);
                }
            }
            refreshes_at_ns.push(at_ns);
        }
        LoggedDisplay { refresh_millihertz: 1_000_000_000_000 / period_ns, refreshes_at_ns }
    }

    fn refreshes_at(&self, at_ns: u64) -> bool {
        let next = self.refreshes_at_ns.partition_point(|refresh| *refresh < at_ns);
        let beside = [next.checked_sub(1), Some(next)].into_iter().flatten();
        beside.filter_map(|place| self.refreshes_at_ns.get(place)).any(|near| near.abs_diff(at_ns) < AT_REFRESH_NS)
    }
}
