//! Property tests of *fit to measure*: it is true exactly if a measured phase of four times the length changes neither
//! variants nor costs of frames. Random scenarios run on the runtime alone, so that nothing depends on time.
//! `TAUT_SCENARIOS` is their number (default 64).
#![allow(clippy::expect_used)]

use crate::scenario;

use proptest::prelude::*;
use scenario::{Change, Measuring, Scenario, ScenarioResult};

fn scenarios() -> u32 {
    std::env::var("TAUT_SCENARIOS").ok().and_then(|text| text.parse().ok()).unwrap_or(64)
}

/// Scenes of a fly-through: value of the first constant in each frame.
fn fly_through() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![4 => Just(0_u8), 1 => 1..3_u8], 4..10)
}

fn scenario(change: impl Strategy<Value = Change>) -> impl Strategy<Value = Scenario> {
    let driver = (2..12_u32, 2..6_u32, 1..4_u32, prop::sample::select(vec![0_u32, 50, 1000]));
    let work = (prop::collection::btree_set(0..7_usize, 1..3), 1..4_u32, any::<bool>(), fly_through());
    let way = (any::<bool>(), any::<bool>(), prop::sample::select(Measuring::ALL.to_vec()));
    (driver, work, way, change).prop_map(|(driver, work, way, change)| {
        let (n_min, window_executions, stable_windows, max_missed_permille) = driver;
        let (shaders, draws, drifts, scenes) = work;
        let (commits, lazy, measuring) = way;
        Scenario {
            n_min,
            window_executions,
            stable_windows,
            max_missed_permille,
            shaders: shaders.into_iter().collect(),
            draws,
            drifts,
            scenes,
            commits,
            lazy,
            measuring,
            change,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: scenarios(), max_shrink_iters: 64, ..ProptestConfig::default() })]

    /// Applications that follow the documents: they query until no more is desired, and measure the same work.
    #[test]
    fn a_run_is_fit_exactly_if_four_times_as_much_changes_nothing(scenario in scenario(Just(Change::None))) {
        let (once, longer) = (scenario.simulate(1), scenario.simulate(4));
        let ScenarioResult { unfit, converged, .. } = &once;
        // With too few frames the question cannot be decided.
        prop_assume!(*converged && unfit.as_deref() != Some("too_few_frames"));
        prop_assert_eq!(unfit.is_none(), longer.is_unchanged(), "{:?}\n{:?}", unfit, longer);
    }

    /// For all applications: a run that is called fit does not change later.
    #[test]
    fn a_fit_run_stays_fit_with_any_application(
        scenario in scenario(prop::sample::select(Change::APPLICATION_CHANGES.to_vec()))
    ) {
        let once = scenario.simulate(1);
        if once.unfit.is_none() {
            let longer = scenario.simulate(4);
            prop_assert!(longer.is_unchanged(), "{:?}", longer);
        }
    }
}

/// Cancelled work must not be done in another way. The thresholds here are low enough for a few draws.
#[test]
fn b63_a_driver_that_does_cancelled_work_itself_breaks_a_rule() {
    let played = |change| {
        let scenario = Scenario { change, measuring: Measuring::WithoutWork, n_min: 4, ..Scenario::steady() };
        scenario.simulate(1).broken
    };
    assert_eq!(played(Change::WorksWhenCancelled), ["variants_built_by_tasks"]);
    assert!(played(Change::None).is_empty());
}

/// A decision becomes due in the middle of a window, and the driver's result must account for it.
#[test]
fn b40_decisions_due_before_a_window_closes_are_foreseen() {
    let scenario = Scenario {
        n_min: 4,
        window_executions: 5,
        stable_windows: 1,
        max_missed_permille: 0,
        shaders: vec![5],
        scenes: vec![0, 0, 0, 0, 1, 0],
        ..Scenario::steady()
    };
    for measuring in Measuring::ALL {
        for draws in 1..4 {
            let of =
                |times| Scenario { measuring, draws, commits: false, lazy: false, ..scenario.clone() }.simulate(times);
            let (once, longer) = (of(1), of(4));
            if once.converged && once.unfit.as_deref() != Some("too_few_frames") {
                assert_eq!(once.unfit.is_none(), longer.is_unchanged(), "{measuring:?} {draws}: {:?}", once.unfit);
            }
        }
    }
}

/// The properties would prove little if all verdicts were the same.
#[test]
fn scenarios_of_both_kinds_come_up() {
    let steady = Scenario::steady();
    assert!(steady.simulate(1).unfit.is_none(), "{:?}", steady.simulate(1));
    for (change, cause) in [
        (Change::Discards, "discarded_later"),
        (Change::AnswersTooEarly, "found_later"),
        (Change::GivesUp, "desires_more"),
    ] {
        let played = Scenario { change, ..Scenario::steady() }.simulate(4);
        assert_eq!(played.unfit.as_deref(), Some(cause), "{played:?}");
    }
}
