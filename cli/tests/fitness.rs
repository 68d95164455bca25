//! *Fit to measure* is true exactly if playing the measured phase four times longer changes neither variants nor what frames
//! cost: over random scenarios, each played on the runtime alone, so that nothing depends on time. `TAUT_SCENARIOS` says how
//! many there are; 64 if it is not set.
#![allow(clippy::expect_used)]

mod scenario;

use proptest::prelude::*;
use scenario::{Change, Measuring, Played, Scenario};

fn scenarios() -> u32 {
    std::env::var("TAUT_SCENARIOS").ok().and_then(|text| text.parse().ok()).unwrap_or(64)
}

/// Scenes of a fly-through: which values the first constant has, in so many frames.
fn fly_through() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![4 => Just(0_u8), 1 => 1..3_u8], 4..10)
}

fn scenario(change: impl Strategy<Value = Change>) -> impl Strategy<Value = Scenario> {
    let driver = (2..12_u32, 2..6_u32, 1..4_u32, prop::sample::select(vec![0_u32, 50, 1000]));
    let work = (prop::collection::btree_set(0..7_usize, 1..3), 1..4_u32, any::<bool>(), fly_through());
    let way = (any::<bool>(), any::<bool>(), prop::sample::select(Measuring::ALL.to_vec()));
    (driver, work, way, change).prop_map(|(driver, work, way, change)| {
        let (n_min, window_executions, stable_windows, most_missed_permille) = driver;
        let (shaders, draws, drifts, scenes) = work;
        let (commits, lazy, measuring) = way;
        Scenario {
            n_min,
            window_executions,
            stable_windows,
            most_missed_permille,
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

    /// Of applications that do as the documents say: they ask until nothing more is desired, and measure the same work.
    #[test]
    fn a_run_is_fit_exactly_if_four_times_as_much_changes_nothing(scenario in scenario(Just(Change::None))) {
        let (once, longer) = (scenario.play(1), scenario.play(4));
        let Played { unfit, rested, .. } = &once;
        // Of too few frames nobody can say anything.
        prop_assume!(*rested && unfit.as_deref() != Some("too_few_frames"));
        prop_assert_eq!(unfit.is_none(), longer.is_the_same(), "{:?}\n{:?}", unfit, longer);
    }

    /// Of others as well, what is called fit does not change.
    #[test]
    fn what_is_called_fit_stays_so_whatever_an_application_does(
        scenario in scenario(prop::sample::select(Change::OF_APPLICATIONS.to_vec()))
    ) {
        let once = scenario.play(1);
        if once.unfit.is_none() {
            let longer = scenario.play(4);
            prop_assert!(longer.is_the_same(), "{:?}", longer);
        }
    }
}

/// What is cancelled is not to be done in some other way. Here are thresholds that a few draws reach.
#[test]
fn b63_a_driver_that_does_cancelled_work_itself_breaks_a_rule() {
    let played = |change| {
        let scenario = Scenario { change, measuring: Measuring::WithoutWork, n_min: 4, ..Scenario::steady() };
        scenario.play(1).broken
    };
    assert_eq!(played(Change::WorksWhenCancelled), ["variants_made_by_tasks"]);
    assert!(played(Change::None).is_empty());
}

/// A decision falls due in the middle of a window: the answer has to foresee it.
#[test]
fn b40_what_falls_due_before_a_window_closes_is_foreseen() {
    let scenario = Scenario {
        n_min: 4,
        window_executions: 5,
        stable_windows: 1,
        most_missed_permille: 0,
        shaders: vec![5],
        scenes: vec![0, 0, 0, 0, 1, 0],
        ..Scenario::steady()
    };
    for measuring in Measuring::ALL {
        for draws in 1..4 {
            let of = |times| Scenario { measuring, draws, commits: false, lazy: false, ..scenario.clone() }.play(times);
            let (once, longer) = (of(1), of(4));
            if once.rested && once.unfit.as_deref() != Some("too_few_frames") {
                assert_eq!(once.unfit.is_none(), longer.is_the_same(), "{measuring:?} {draws}: {:?}", once.unfit);
            }
        }
    }
}

/// Neither property says much if its verdicts are all alike.
#[test]
fn scenarios_of_both_kinds_come_up() {
    let steady = Scenario::steady();
    assert!(steady.play(1).unfit.is_none(), "{:?}", steady.play(1));
    for (change, cause) in [
        (Change::Discards, "discarded_later"),
        (Change::AnswersTooEarly, "found_later"),
        (Change::GivesUp, "desires_more"),
    ] {
        let played = Scenario { change, ..Scenario::steady() }.play(4);
        assert_eq!(played.unfit.as_deref(), Some(cause), "{played:?}");
    }
}
