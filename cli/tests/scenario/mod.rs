//! A scenario: an application that primes a driver and measures, played on the runtime alone.

mod stage;

use stage::Stage;
use taut_analyze::{Analysis, report};
use taut_runtime::{Background, Profile};
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};

/// Passes after which an application gives up.
const MOST_PASSES: u32 = 200;

/// What an application does between the driver's last answer and what it measures, or who its driver is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    None,
    /// It discards what was measured.
    Discards,
    /// It was asked in the mode ALLOWED, and measures in one in which more is measured.
    RaisesMode,
    /// It draws another scene.
    OtherScene,
    /// It commits.
    Commits,
    /// It asks but once.
    GivesUp,
    /// Its driver answers FALSE as long as it has found nothing.
    AnswersTooEarly,
    /// Background work is disabled all along, and its driver does itself what is cancelled.
    WorksWhenCancelled,
}

impl Change {
    /// What an application does. Of a driver that answers too early nobody knows before it finds more: that is for the kit (B-40).
    pub const OF_APPLICATIONS: [Change; 6] =
        [Change::None, Change::Discards, Change::RaisesMode, Change::OtherScene, Change::Commits, Change::GivesUp];
}

/// The mode that is measured in.
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
    pub most_missed_permille: u32,
    /// Places of bundled shaders.
    pub shaders: Vec<usize>,
    /// Draws of each shader in a frame.
    pub draws: u32,
    /// Constants that drift do so.
    pub drifts: bool,
    /// The scene of each frame of a pass.
    pub scenes: Vec<u8>,
    /// Every question comes with a commit.
    pub commits: bool,
    /// Tasks run at the end of a pass, not with the frame that they were found in.
    pub lazy: bool,
    pub measuring: Measuring,
    pub change: Change,
}

/// What came of it.
#[derive(Debug)]
pub struct Played {
    /// The application asked until nothing more was desired.
    pub rested: bool,
    /// What keeps it from being fit, as the report says.
    pub unfit: Option<String>,
    /// The audits that are not ok, advice left out.
    pub broken: Vec<String>,
    /// Variants that came into use or went out of it while it was measured.
    moved: Vec<(u64, u32)>,
    /// What each measured frame executed.
    costs: Vec<u64>,
    /// Frames of a pass.
    frames: usize,
}

impl Played {
    /// No variant moved, and each pass costs what the first did, frame by frame.
    pub fn is_the_same(&self) -> bool {
        let (first, _) = self.costs.split_at(self.frames.min(self.costs.len()));
        self.moved.is_empty() && self.costs.chunks(self.frames).all(|pass| pass == first)
    }
}

impl Scenario {
    /// One that every driver comes to rest with.
    pub fn steady() -> Scenario {
        Scenario {
            n_min: 30,
            window_executions: 4,
            stable_windows: 2,
            most_missed_permille: 50,
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
            most_missed_permille: self.most_missed_permille,
            sampling_interval: 1,
            first_tier_cost: 0,
            measured_draws: 2,
            ..Background::default()
        };
        let mut profile = Profile::named("reference").expect("a bundled profile");
        profile.background = Some(background);
        profile.faults.works_when_cancelled = self.change == Change::WorksWhenCancelled;
        profile.faults.answers_too_early = self.change == Change::AnswersTooEarly;
        profile
    }

    /// Plays it. What is measured is as long as what came between two questions, and that `times`.
    pub fn play(&self, times: u32) -> Played {
        let mut stage = Stage::new(self.profile(), &self.shaders);
        let asked_in = match self.change {
            Change::RaisesMode => Mode::ALLOWED,
            Change::WorksWhenCancelled => Mode::DISABLE_BACKGROUND_WORK,
            _ => Mode::ALLOW_INTRUSIVE_MEASUREMENTS,
        };
        stage.set(asked_in, Action::DISCARD_PREVIOUS, false);
        let most = if [Change::GivesUp, Change::AnswersTooEarly].contains(&self.change) { 1 } else { MOST_PASSES };
        let rested = (0..most).any(|_| {
            self.pass(&mut stage, 0);
            let action = if self.commits { Action::COMMIT_RESULTS } else { Action::KEEP_ALL };
            let further = stage.set(asked_in, action, true);
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
        Played { rested, unfit, broken, moved, costs, frames: self.scenes.len() }
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
