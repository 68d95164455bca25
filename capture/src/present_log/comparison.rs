//! How many frames were shown when the log says.

use super::log::PresentLog;
use super::plan::{AT_REFRESH_NS, PresentPlan};
use super::row::LoggedChain;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::{FrameFate, SwapChainId, counted, grouped};

/// What became of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Its fate.
    pub fate: FrameFate,
    /// When it was shown or given up, in nanoseconds since the simulation began.
    pub ended_at_ns: u64,
}

/// Presents of one swap chain and mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SwapChainComparison {
    /// Whose they are.
    #[serde(flatten)]
    pub chain: LoggedChain,
    /// The log's word for how they reached the display.
    pub mode: String,
    /// How many there are.
    pub presents: u64,
    /// Shown at the refresh that the log says; in the middle of one within half a millisecond.
    pub shown_as_logged: u64,
    /// Not shown, as the log says.
    pub never_shown_as_logged: u64,
    /// Shown at another time, or shown or not shown otherwise than the log says.
    pub otherwise: u64,
    /// Could not be presented: too many frames were on their way.
    pub not_presented: u64,
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PresentComparison {
    /// By swap chain and mode, in order of their first presents.
    pub swap_chains: Vec<SwapChainComparison>,
    /// Presents of the compositor, which is simulated.
    pub of_compositor: u64,
    /// Displays.
    pub displays: u64,
    /// Swap chains whose frames took more than one of the two ways over time. The way of each present is the log's.
    pub changing_chains: u64,
}

/// A frame in the middle of a refresh was shown when the log says where it was so close.
const TORN_NS: u64 = 500_000;

/// Compares. `frames` says what each present became, `ended` what became of the frames.
pub fn compare(
    log: &PresentLog,
    plan: &PresentPlan,
    frames: &[Option<(SwapChainId, u64)>],
    ended: &BTreeMap<(SwapChainId, u64), Ended>,
) -> PresentComparison {
    let mut swap_chains = Vec::new();
    let mut changing_chains = 0;
    for chain in &plan.chains {
        let mut by_mode: BTreeMap<&str, SwapChainComparison> = BTreeMap::new();
        let mut ways = [false; 2];
        for place in &chain.presents {
            let Some(logged) = log.presents.get(*place) else { continue };
            ways[usize::from(logged.is_flipped())] = true;
            let new = || SwapChainComparison {
                chain: chain.chain.clone(),
                mode: logged.mode.clone(),
                presents: 0,
                shown_as_logged: 0,
                never_shown_as_logged: 0,
                otherwise: 0,
                not_presented: 0,
            };
            let counts = by_mode.entry(&logged.mode).or_insert_with(new);
            counts.presents += 1;
            let shown = logged.shown_at_ns().map(|at_ns| at_ns.saturating_sub(plan.begin_ns));
            let end = frames.get(*place).copied().flatten().and_then(|frame| ended.get(&frame));
            match (end, shown) {
                (None, _) => counts.not_presented += 1,
                (Some(Ended { fate: FrameFate::NEVER_SHOWN, .. }), None) => counts.never_shown_as_logged += 1,
                (Some(Ended { fate: FrameFate::NEVER_SHOWN, .. }), Some(_)) | (Some(_), None) => counts.otherwise += 1,
                (Some(end), Some(shown)) => {
                    let close = if end.fate == FrameFate::TORN { TORN_NS } else { AT_REFRESH_NS };
                    let is_close = end.ended_at_ns.abs_diff(shown) < close;
                    *if is_close { &mut counts.shown_as_logged } else { &mut counts.otherwise } += 1;
                }
            }
        }
        changing_chains += u64::from(ways == [true; 2]);
        swap_chains.extend(by_mode.into_values());
    }
    let of_compositor = log.presents.iter().filter(|present| present.chain.is_compositor()).count() as u64;
    PresentComparison { swap_chains, of_compositor, displays: plan.displays.len() as u64, changing_chains }
}

/// A line for each swap chain and mode, and what the model lacks.
impl fmt::Display for PresentComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let presents = self.swap_chains.iter().map(|one| one.presents).sum::<u64>();
        let displays = counted(self.displays, "display");
        write!(f, "{} of programs on {displays}", counted(presents, "present"))?;
        write!(f, "; {} of the compositor say when displays refresh", grouped(self.of_compositor))?;
        for one in &self.swap_chains {
            let LoggedChain { application, swap_chain, .. } = &one.chain;
            write!(f, "\n{application} {swap_chain}, {}: {}, ", one.mode, counted(one.presents, "present"))?;
            write!(f, "{} shown at the refresh the log says, ", grouped(one.shown_as_logged))?;
            write!(f, "{} not shown as the log says, ", grouped(one.never_shown_as_logged))?;
            write!(f, "{} otherwise", grouped(one.otherwise))?;
            if one.not_presented > 0 {
                write!(f, ", {} not presented", grouped(one.not_presented))?;
            }
        }
        if self.changing_chains > 0 {
            let chains = counted(self.changing_chains, "swap chain");
            write!(
                f,
                "\n{chains} went from composition to scan-out or back: of each present the way is the log's, the time is not"
            )?;
        }
        Ok(())
    }
}
