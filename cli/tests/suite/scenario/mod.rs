//! Scenarios of an application that primes a driver and measures, run on the runtime alone.

mod stage;

use stage::Stage;
use taut_analyze::{Analysis, report};
use taut_runtime::{Background, Profile};
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Maximum number of passes before the application gives up.
const MAX_PASSES: u32 = 200;

/// Deviation of the application between the driver's last result and the measured phase, or fault of the driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    None,
    /// The application discards the measurements.
    Discards,
    /// The application queries in the mode ALLOWED, and measures in a mode with more measurements.
    RaisesMode,
    /// The application draws another scene.
    OtherScene,
    /// The application commits.
    Commits,
    /// The application queries only once.
    GivesUp,
    /// The driver returns FALSE as long as it has found nothing.
    AnswersTooEarly,
    /// Background work is always disabled, and the driver itself does the cancelled work.
    WorksWhenCancelled,
}

impl Change {
    /// Deviations of applications. A driver that returns FALSE too early cannot be detected before it finds more; the
    /// conformance kit checks it (B-40).
    pub const APPLICATION_CHANGES: [Change; 6] =
        [Change::None, Change::Discards, Change::RaisesMode, Change::OtherScene, Change::Commits, Change::GivesUp];
}

/// Mode of the measured phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measuring {
    Intrusive,
    Allowed,
    WithoutWork,
    Locked,
}

impl Measuring {
    pub const ALL: [Measuring; 4] =
        [Measuring::Intrusive, Measuring::Allowed, Measuring::WithoutWork, Measuring::Locked];

    fn mode(self) -> Mode {
        match self {
            Measuring::Intrusive => Mode::ALLOW_INTRUSIVE_MEASUREMENTS,
            Measuring::Allowed => Mode::ALLOWED,
            Measuring::WithoutWork => Mode::DISABLE_BACKGROUND_WORK,
            Measuring::Locked => Mode::DISABLE_PROFILING_BY_SYSTEM,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Scenario {
    pub n_min: u32,
    pub window_executions: u32,
    pub stable_windows: u32,
    pub max_missed_permille: u32,
    /// Indices of bundled shaders.
    pub shaders: Vec<usize>,
    /// Draws of each shader in a frame.
    pub draws: u32,
    /// True if the drifting constants drift.
    pub drifts: bool,
    /// The scene of each frame of a pass.
    pub scenes: Vec<u8>,
    /// True if every query commits.
    pub commits: bool,
    /// True if tasks run at the end of a pass, not after the frame that queued them.
    pub lazy: bool,
    pub measuring: Measuring,
    pub change: Change,
}

/// Result of a scenario.
#[derive(Debug)]
pub struct ScenarioResult {
    /// True if the application queried until no more was desired.
    pub converged: bool,
    /// Cause that the report names for not being fit.
    pub unfit: Option<String>,
    /// Audits that failed, without lints.
    pub broken: Vec<String>,
    /// Variants that were installed or removed in the measured phase.
    moved: Vec<(u64, u32)>,
    /// Executed instructions of each measured frame.
    costs: Vec<u64>,
    /// Frames of a pass.
    frames: usize,
}

impl ScenarioResult {
    /// True if no variant changed, and each pass has the costs of the first, frame by frame.
    pub fn is_unchanged(&self) -> bool {
        let (first, _) = self.costs.split_at(self.frames.min(self.costs.len()));
        self.moved.is_empty() && self.costs.chunks(self.frames).all(|pass| pass == first)
    }
}

impl Scenario {
    /// A scenario with which every driver converges.
    pub fn steady() -> Scenario {
        Scenario {
            n_min: 30,
            window_executions: 4,
            stable_windows: 2,
            max_missed_permille: 50,
            shaders: vec![0, 1],
            draws: 2,
            drifts: false,
            scenes: vec![0; 6],
            commits: false,
            lazy: false,
            measuring: Measuring::Intrusive,
            change: Change::None,
        }
    }

    fn profile(&self) -> Profile {
        let background = Background {
            n_min: self.n_min,
            window_executions: self.window_executions,
            stable_windows: self.stable_windows,
            max_missed_permille: self.max_missed_permille,
            sampling_interval: 1,
            first_tier_cost: 0,
            measured_draws: 2,
            ..Background::default()
        };
        let mut profile = Profile::named("reference").expect("a bundled profile");
        profile.background = Some(background);
        profile.faults.works_when_cancelled = self.change == Change::WorksWhenCancelled;
        profile.faults.converges_early = self.change == Change::AnswersTooEarly;
        profile
    }

    /// Runs the scenario. The measured phase has `times` times the length of a pass.
    pub fn simulate(&self, times: u32) -> ScenarioResult {
        let mut stage = Stage::new(self.profile(), &self.shaders);
        let query_mode = match self.change {
            Change::RaisesMode => Mode::ALLOWED,
            Change::WorksWhenCancelled => Mode::DISABLE_BACKGROUND_WORK,
            _ => Mode::ALLOW_INTRUSIVE_MEASUREMENTS,
        };
        stage.set(query_mode, Action::DISCARD_PREVIOUS, false);
        let max_passes = if [Change::GivesUp, Change::AnswersTooEarly].contains(&self.change) { 1 } else { MAX_PASSES };
        let converged = (0..max_passes).any(|_| {
            self.pass(&mut stage, 0);
            let action = if self.commits { Action::COMMIT_RESULTS } else { Action::KEEP_ALL };
            let further = stage.set(query_mode, action, true);
            stage.run_tasks();
            !further
        });
        let action = match self.change {
            Change::Discards => Action::DISCARD_PREVIOUS,
            Change::Commits => Action::COMMIT_RESULTS,
            _ => Action::KEEP_ALL,
        };
        stage.set(self.measuring.mode(), action, false);
        stage.run_tasks();
        stage.measure();
        for _ in 0..times {
            self.pass(&mut stage, if self.change == Change::OtherScene { 7 } else { 0 });
        }
        let (moved, costs, trace) = stage.finish();
        let analysis = Analysis::new(trace).expect("an analysis");
        let json = report("pgo").expect("the report").run(&analysis).expect("figures").json;
        let unfit = json["unfit"]["cause"].as_str().map(str::to_owned);
        assert_eq!(json["fit_to_measure"], unfit.is_none());
        let audits = json["audits"].as_array().expect("audits").iter();
        let broken = audits.filter(|audit| audit["ok"] == false && audit["lint"] == false);
        let broken = broken.filter_map(|audit| audit["name"].as_str().map(str::to_owned)).collect();
        ScenarioResult { converged, unfit, broken, moved, costs, frames: self.scenes.len() }
    }

    fn pass(&self, stage: &mut Stage, scene: u32) {
        for (frame, own) in (0..).zip(&self.scenes) {
            let drift = if self.drifts { frame } else { 0 };
            stage.frame(drift, scene ^ u32::from(*own), self.draws);
            if !self.lazy {
                stage.run_tasks();
            }
        }
        stage.run_tasks();
    }
}
