//! Comparison of simulated frames with the log: which were shown at the logged time.

use super::flip_queue::WaitingFlip;
use super::gpu_cost::overtaking_frames;
use super::log::PresentLog;
use super::plan::{AT_REFRESH_NS, LoggedDisplay, PresentPlan, RefreshSource};
use super::row::{LoggedChain, LoggedPresent};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use taut_schemas::{FrameOutcome, SwapChainId, counted, grouped, mark};

/// Outcome of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub outcome: FrameOutcome,
    /// Time at which the frame was shown or dropped, in nanoseconds since the start of the simulation.
    pub ended_at_ns: u64,
}

/// Presents of one swap chain in one present mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SwapChainComparison {
    /// Swap chain of the presents.
    #[serde(flatten)]
    pub chain: LoggedChain,
    /// PresentMode in the log.
    pub mode: String,
    /// Effect of a flip without interval on a waiting frame, in the replay; only of modes that flip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flips: Option<WaitingFlip>,
    #[serde(flatten)]
    pub agreement: Agreement,
    /// Frames that were never shown, among the frames that agree.
    pub never_shown_as_logged: u64,
}

/// Numbers of presents by agreement with the log.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Number of presents.
    pub presents: u64,
    /// Frames shown at the logged refresh, or, with tearing, within half a millisecond of the logged time; and frames
    /// never shown, in the simulation as in the log.
    pub as_logged: u64,
    /// Frames whose outcome or time differs from the log.
    pub otherwise: u64,
    /// Presents that could not be replayed.
    pub not_played: u64,
}

/// Refreshes of a display.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedDisplay {
    /// Refresh rate; with a variable rate, the maximum.
    pub refresh_hz: f64,
    pub is_variable: bool,
    /// Source of the rate.
    pub refresh_from: RefreshSource,
}

/// Comparison of all presents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PresentComparison {
    /// Sums of all swap chains.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// By swap chain and mode, in order of first present.
    pub swap_chains: Vec<SwapChainComparison>,
    /// Frames that the driver generated or repeated; they are no presents of programs.
    pub generated_frames: u64,
    /// Frames whose GPU work ended before that of an earlier frame of another program: the capture does not have how
    /// programs share the engine.
    pub overtaking_frames: u64,
    /// Presents of the compositor, which is simulated and not replayed.
    pub compositor_presents: u64,
    /// Number of displays.
    pub displays: u64,
    /// Refreshes of the displays.
    pub refreshes: Vec<ComparedDisplay>,
    /// Number of adapters of the simulated machine.
    pub adapters: u64,
    /// True if the capture does not name adapters: the column HybridPresent is missing.
    pub adapters_assumed: bool,
    /// True if HybridPresent of the capture is 1 for any present.
    #[serde(skip)]
    pub crosses_adapters: bool,
    /// Swap chains that changed between composition and flipping over time. The kind of each present is the log's.
    pub changing_chains: u64,
    /// Results of each swap chain, for the trace.
    #[serde(skip)]
    pub marks: Vec<mark::CaptureCompared>,
}

/// Maximum distance in nanoseconds between simulated and logged time of a torn frame.
const TORN_NS: u64 = 500_000;

/// Outcome of the comparison of one frame.
enum Outcome {
    Shown,
    NeverShown,
    Otherwise,
    NotPlayed,
}

/// Compares simulation and log. `frames` is the frame of each present, `ended` the outcome of each frame.
pub(super) fn compare(
    log: &PresentLog,
    plan: &PresentPlan,
    frames: &[Option<(SwapChainId, u64)>],
    ended: &BTreeMap<(SwapChainId, u64), Ended>,
    adapters: u64,
) -> PresentComparison {
    let (mut swap_chains, mut marks) = (Vec::new(), Vec::new());
    let mut changing_chains = 0;
    for chain in &plan.chains {
        let mut by_mode: BTreeMap<&str, SwapChainComparison> = BTreeMap::new();
        let mut ways = [false; 2];
        for place in &chain.presents {
            let Some(logged) = log.presents.get(*place) else { continue };
            ways[usize::from(logged.is_flipped())] = true;
            let end = frames.get(*place).copied().flatten().and_then(|frame| ended.get(&frame));
            let counts = by_mode.entry(&logged.mode).or_insert_with(|| SwapChainComparison {
                chain: chain.chain.clone(),
                mode: logged.mode.to_string(),
                flips: logged.is_flipped().then_some(chain.waiting_flip),
                agreement: Agreement::default(),
                never_shown_as_logged: 0,
            });
            counts.add(&outcome(plan, logged, end));
        }
        changing_chains += u64::from(ways == [true; 2]);
        let agreement = by_mode.values().map(|one| one.agreement).sum();
        let played = chain.presents.iter().find_map(|place| frames.get(*place).copied().flatten());
        let generated_frames = log.generated.iter().filter(|frame| *frame.chain == chain.chain).count() as u64;
        let swap_chain = played.map_or(SwapChainId(0), |(swap_chain, _)| swap_chain);
        marks.push(compared_mark(swap_chain, &chain.chain, agreement, generated_frames));
        swap_chains.extend(by_mode.into_values());
    }
    let compositor_presents = log.presents.iter().filter(|present| present.chain.is_compositor()).count() as u64;
    PresentComparison {
        agreement: swap_chains.iter().map(|one| one.agreement).sum(),
        swap_chains,
        generated_frames: log.generated.len() as u64,
        overtaking_frames: overtaking_frames(log, &plan.chains),
        compositor_presents,
        displays: plan.displays.len() as u64,
        refreshes: plan.displays.iter().map(ComparedDisplay::from).collect(),
        adapters,
        adapters_assumed: !log.names_adapters(),
        crosses_adapters: log.is_hybrid(),
        changing_chains,
        marks,
    }
}

fn compared_mark(
    swap_chain: SwapChainId,
    chain: &LoggedChain,
    agreement: Agreement,
    generated_frames: u64,
) -> mark::CaptureCompared {
    let Agreement { presents, as_logged, otherwise, not_played } = agreement;
    mark::CaptureCompared {
        swap_chain,
        application: chain.application.clone(),
        address: chain.swap_chain.clone(),
        presents,
        as_logged,
        otherwise,
        not_played,
        generated_frames,
    }
}

fn outcome(plan: &PresentPlan, logged: &LoggedPresent, end: Option<&Ended>) -> Outcome {
    let shown = logged.shown_at_ns().map(|at_ns| at_ns.saturating_sub(plan.begin_ns));
    match (end, shown) {
        (None, _) => Outcome::NotPlayed,
        (Some(Ended { outcome: FrameOutcome::NEVER_SHOWN, .. }), None) => Outcome::NeverShown,
        (Some(Ended { outcome: FrameOutcome::NEVER_SHOWN, .. }), Some(_)) | (Some(_), None) => Outcome::Otherwise,
        (Some(end), Some(shown)) => {
            let close = if end.outcome == FrameOutcome::TORN { TORN_NS } else { AT_REFRESH_NS };
            if end.ended_at_ns.abs_diff(shown) < close { Outcome::Shown } else { Outcome::Otherwise }
        }
    }
}

impl SwapChainComparison {
    fn add(&mut self, outcome: &Outcome) {
        self.agreement.presents += 1;
        match outcome {
            Outcome::Shown => self.agreement.as_logged += 1,
            Outcome::NeverShown => {
                self.agreement.as_logged += 1;
                self.never_shown_as_logged += 1;
            }
            Outcome::Otherwise => self.agreement.otherwise += 1,
            Outcome::NotPlayed => self.agreement.not_played += 1,
        }
    }
}

impl std::iter::Sum for Agreement {
    fn sum<I: Iterator<Item = Agreement>>(all: I) -> Agreement {
        all.fold(Agreement::default(), |sum, one| Agreement {
            presents: sum.presents + one.presents,
            as_logged: sum.as_logged + one.as_logged,
            otherwise: sum.otherwise + one.otherwise,
            not_played: sum.not_played + one.not_played,
        })
    }
}

impl Agreement {
    /// True if the recording does not represent the capture: presents were not replayed, or fewer than half agree.
    pub fn is_poor(&self) -> bool {
        self.not_played > 0 || self.as_logged * 2 < self.presents
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let presents = counted(self.presents, "present");
        let (otherwise, not_played) = (grouped(self.otherwise), grouped(self.not_played));
        write!(f, "{} of {presents} as in the capture", grouped(self.as_logged))?;
        write!(f, ", {otherwise} differ, {not_played} not replayed")
    }
}

impl From<&LoggedDisplay> for ComparedDisplay {
    fn from(display: &LoggedDisplay) -> ComparedDisplay {
        ComparedDisplay {
            refresh_hz: display.refresh_millihertz as f64 / 1000.0,
            is_variable: display.is_variable,
            refresh_from: display.source,
        }
    }
}

impl fmt::Display for ComparedDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_variable { "variable refresh up to" } else { "refreshes at" };
        let source = match self.refresh_from {
            RefreshSource::Compositor => "by the compositor's presents",
            RefreshSource::DisplayTimes => "inferred from the times at which frames were shown",
            RefreshSource::Parameter => "as set by fps",
            RefreshSource::Assumed => "assumed, because too few frames were shown at refreshes (--set fps=N sets it)",
        };
        write!(f, "{kind} {:.2} Hz, {source}", self.refresh_hz)
    }
}

/// Prints the displays, one line per swap chain and mode, and the presents that the model does not cover.
impl fmt::Display for PresentComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of the compositor, which is simulated", counted(self.compositor_presents, "present"))?;
        for (number, display) in (1..).zip(&self.refreshes) {
            write!(f, "\ndisplay {number}: {display}")?;
        }
        if self.adapters_assumed {
            let assumed = match self.adapters {
                0 | 1 => "one adapter is assumed; --machine hybrid-laptop renders on one GPU and displays on another"
                    .to_owned(),
                several => format!("{} are assumed, and all frames cross between them", counted(several, "adapter")),
            };
            write!(f, "\nthe capture does not name adapters (no column HybridPresent): {assumed}")?;
        }
        if self.crosses_adapters {
            write!(
                f,
                "\nthe capture does not contain the drivers' cross-adapter tiers (HybridPresent is 1): --driver and --machine \
                 decide the number of copies"
            )?;
        }
        for one in &self.swap_chains {
            let LoggedChain { application, swap_chain, .. } = &one.chain;
            write!(f, "\n{application} {swap_chain}, {}: {}", one.mode, one.agreement)?;
            if one.never_shown_as_logged > 0 {
                write!(f, "; {} dropped in both", grouped(one.never_shown_as_logged))?;
            }
            if one.flips == Some(WaitingFlip::Queue) {
                write!(f, "; flips queue")?;
            }
        }
        if self.generated_frames > 0 {
            let frames = counted(self.generated_frames, "frame");
            write!(f, "\n{frames} generated by the driver: not presents, and not replayed")?;
        }
        if self.overtaking_frames > 0 {
            let frames = counted(self.overtaking_frames, "frame");
            write!(
                f,
                "\n{frames} ended before an earlier frame of another program: the capture does not determine how programs share \
                 the graphics engine, and the model executes frames in order of Present"
            )?;
        }
        if self.changing_chains > 0 {
            let chains = counted(self.changing_chains, "swap chain");
            write!(
                f,
                "\n{chains} changed between composition and scan-out: presents have the present mode of the capture, and times of the \
                 model"
            )?;
        }
        Ok(())
    }
}
