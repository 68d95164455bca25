//! Fitness to measure, and the first reason against it.

use super::background_events::{Action, EVENT, Mode, draw};
use super::pass_figures::{figures, figures_of};
use crate::trace_builder::TraceBuilder;
use proptest::prelude::*;
use serde_json::{Value, json};
use taut_analyze::background::FitSettings;
use taut_analyze::budget::{Budget, LimitOutcome};
use taut_analyze::{Analysis, report};
use taut_schemas::{CancelReason, EventHandle, FurtherMeasurements, VariantChange, WorkPriority, d3d12, d3d12_ddi};

const NULL: EventHandle = EventHandle::NULL;
const INTRUSIVE: Mode = Mode::ALLOW_INTRUSIVE_MEASUREMENTS;

/// One frame, then a query, then five frames with the same work.
fn measure(w: &mut TraceBuilder, change: impl FnOnce(&mut TraceBuilder, &mut Vec<u64>)) {
    w.begin_background();
    w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, true), |_| {});
    w.frame(1, &[draw(0, 100, 100)]);
    w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, false), |_| {});
    let mut costs = vec![100; 5];
    change(w, &mut costs);
    for (submission, cost) in (10..).zip(costs) {
        w.frame(submission, &[draw(0, cost, 100)]);
    }
    w.destroy_device();
}

fn measured(change: impl FnOnce(&mut TraceBuilder, &mut Vec<u64>)) -> Value {
    figures(|w| measure(w, change))
}

fn cause(found: &Value) -> &str {
    assert_eq!(found["fit_to_measure"], json!(found["unfit"].is_null()), "{found}");
    found["unfit"]["cause"].as_str().unwrap_or("fit")
}

#[test]
fn a_driver_at_rest_and_frames_that_cost_the_same_are_fit_to_measure() {
    let found = measured(|_, _| {});
    assert_eq!(cause(&found), "fit");
    let measured = json!({
        "frames": 5, "frames_same_work": 5, "executed_per_frame": 100, "generic_per_frame": 100, "saving_ratio": 0.0,
        "time_saving_ratio": null, "spread_ratio": 0.0,
    });
    assert_eq!(found["measured"], measured);
    assert!(found["verdict"]["sentence"].as_str().unwrap().starts_with("The run is stable"), "{found}");
}

#[test]
fn a_driver_that_was_not_queried_or_desires_more_is_not_fit() {
    let never = figures(|w| {
        w.begin_background();
        w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, false), |_| {});
        (1..9).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
    });
    assert_eq!((cause(&never), &never["driver_answers"]), ("not_queried", &json!(0)));
    let more = measured(|w, _| w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, true), |_| {}));
    assert_eq!((cause(&more), &more["unfit"]["call"]), ("desires_more", &json!("SetBackgroundProcessingMode")));
    let reason = more["unfit"]["description"].as_str().unwrap();
    assert!(reason.starts_with("the driver still requests measurements after pass "), "{reason}");
    assert!(more["unfit"]["at_ns"].as_u64() > Some(0) && more["expected_pass"].as_u64() > Some(0), "{more}");
    let unsupported = figures(|w| {
        w.begin_background();
        let (mode, measurements_action) = (INTRUSIVE, Action::KEEP_ALL);
        let call =
            d3d12::SetBackgroundProcessingMode { mode, measurements_action, want_further: true, ..Default::default() };
        // The runtime returns FALSE because the driver gave no answer.
        w.api(call, Ok(FurtherMeasurements::default()), |w| {
            w.ddi(d3d12_ddi::SetBackgroundProcessingMode0062 { mode, measurements_action }, ());
        });
        (1..9).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
    });
    assert_eq!(cause(&unsupported), "unsupported");
    let wording = unsupported["unfit"]["description"].as_str().unwrap();
    assert_eq!(
        wording,
        "the application queried the driver 1 time for further measurements, and the driver does not support the query"
    );
}

#[test]
fn events_after_the_answer_invalidate_it() {
    let found_later = measured(|w, _| w.complete(2, Vec::new(), |w| w.queue(1, 1)));
    assert_eq!((cause(&found_later), &found_later["unfit"]["call"]), ("found_later", &json!("QueueProcessingWork")));
    // The task is cancelled immediately but counts as an opportunity.
    assert_eq!(cause(&measured(|w, _| w.complete(2, Vec::new(), |w| w.queue_disabled(1)))), "found_later");
    assert_eq!(
        cause(&measured(|w, _| w.complete(2, Vec::new(), |w| w.report(1, VariantChange::GUARD_MISSES)))),
        "dropped_later"
    );
    assert_eq!(
        cause(&measured(|w, _| w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, false), |_| {}))),
        "discarded_later"
    );
    // A mode that measures less cannot lead to new results.
    let less = |mode| measured(|w, _| w.set_mode((mode, Action::KEEP_ALL, NULL), (false, false), |_| {}));
    assert_eq!(cause(&less(Mode::ALLOWED)), "fit");
    assert_eq!(cause(&less(Mode::DISABLE_PROFILING_BY_SYSTEM)), "fit");
}

#[test]
fn a_mode_that_measures_more_requires_a_new_answer() {
    let found = |last: (Mode, bool)| {
        figures(|w| {
            w.begin_background();
            w.frame(1, &[draw(0, 100, 100)]);
            w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (true, false), |_| {});
            w.set_mode((last.0, Action::KEEP_ALL, NULL), (last.1, false), |_| {});
            (10..15).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
        })
    };
    assert_eq!(cause(&found((INTRUSIVE, false))), "mode_later");
    assert_eq!(cause(&found((INTRUSIVE, true))), "fit");
}

#[test]
fn work_that_has_not_ended_breaks_it() {
    let unfinished = |ends: bool| {
        figures(|w| {
            w.begin_background();
            w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, true), |_| {});
            w.frame(1, &[draw(0, 100, 100)]);
            w.complete(2, Vec::new(), |w| w.queue(1, 1));
            if ends {
                w.cancel(1, CancelReason::DISABLED, true);
            }
            w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, false), |_| {});
            (10..15).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
            if !ends {
                w.start(0, 1, WorkPriority::IDLE);
                w.finish_task(0, 1, 1);
            }
        })
    };
    let left = unfinished(false);
    assert_eq!(cause(&left), "queue_not_empty");
    assert!(left["unfit"]["advice"].as_str().unwrap().contains("wait for the event"), "{left}");
    assert_eq!(cause(&unfinished(true)), "fit");
}

#[test]
fn work_that_the_driver_had_not_measured_breaks_it() {
    let found = measured(|w, _| {
        let mut other = draw(0, 50, 50);
        other.pipeline_state.0 += 1;
        w.frame(5, &[other]);
    });
    assert_eq!((cause(&found), &found["unfit"]["call"]), ("new_work", &json!("CollectMeasurements")));
}

/// A slot that varies has no new values; for a slot with few values, another value is new.
#[test]
fn a_scene_that_the_driver_had_not_measured_breaks_it() {
    let measured = |drifts: u32, later: &[u32]| {
        figures(|w| {
            w.begin_background();
            w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, true), |_| {});
            let bound = |w: &mut TraceBuilder, submission: u64, word: u32| {
                w.submit_bound(submission, &[5, word]);
                w.present();
                w.complete(submission, vec![draw(0, 100, 100)], |_| {});
            };
            (0..drifts).for_each(|word| bound(w, u64::from(word) + 1, word));
            w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, false), |_| {});
            for (submission, word) in (100..).zip(later) {
                bound(w, submission, *word);
            }
        })
    };
    assert_eq!(cause(&measured(3, &[2, 2, 0, 1])), "fit");
    let new = measured(3, &[2, 2, 3, 1]);
    assert_eq!(cause(&new), "new_work");
    assert!(new["unfit"]["description"].as_str().unwrap().contains("slot 1 of lighting"), "{new}");
    assert_eq!(cause(&measured(20, &[21, 22, 23, 24])), "fit");
}

/// A slot with the given values before the first and the second answer, then with `measured`.
fn with_values(before: [&[u32]; 2], measured: &[u32]) -> Value {
    figures(|w| {
        w.begin_background();
        w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, true), |_| {});
        let mut submission = 0;
        let mut frame = |w: &mut TraceBuilder, value: u32| {
            submission += 1;
            w.submit_bound(submission, &[value]);
            w.present();
            w.complete(submission, vec![draw(0, 100, 100)], |_| {});
        };
        for (values, further) in before.into_iter().zip([true, false]) {
            values.iter().for_each(|value| frame(w, *value));
            w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, further), |_| {});
        }
        measured.iter().for_each(|value| frame(w, *value));
    })
}

#[test]
fn a_value_that_came_between_two_answers_is_not_new_after_the_last() {
    assert_eq!(cause(&with_values([&[1, 1], &[1, 2, 2]], &[1, 2, 1, 2, 1, 2, 1, 2])), "fit");
    let found = with_values([&[1, 1], &[1, 2, 2]], &[1, 2, 1, 2, 1, 2, 3, 2]);
    assert_eq!(cause(&found), "new_work");
    assert!(found["unfit"]["description"].as_str().unwrap().contains("that is new to the driver"), "{found}");
}

#[test]
fn a_constant_that_moved_before_the_answer_and_rests_after_it_breaks_it() {
    let found = with_values([&[1, 2], &[1, 2]], &[2; 8]);
    assert_eq!(cause(&found), "new_work");
    assert!(found["unfit"]["description"].as_str().unwrap().contains("kept one of the values"), "{found}");
    assert_eq!(cause(&with_values([&[2, 2], &[2, 2]], &[2; 8])), "fit");
}

/// For a run that is fit to measure, the headline does not depend on the duration of the driver's learning phase.
#[test]
fn the_gain_of_a_fit_run_is_that_of_what_is_measured() {
    let gain = |learning: u64| {
        let found = figures(|w| {
            w.begin_background();
            w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, true), |_| {});
            (1..=learning).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
            w.complete(900, Vec::new(), |w| w.queue(1, 1));
            w.start(0, 1, WorkPriority::IDLE);
            w.finish_task(0, 1, 5);
            w.set_mode((INTRUSIVE, Action::KEEP_ALL, NULL), (true, false), |_| {});
            (1000..1005).for_each(|frame| w.frame(frame, &[draw(5, 60, 100)]));
        });
        assert_eq!(cause(&found), "fit");
        (found["verdict"]["sentence"].clone(), found["measured"]["saving_ratio"].clone())
    };
    assert_eq!(gain(1), gain(50));
    assert_eq!(gain(1).1, json!(0.4));
}

/// Without DDI events or task events the driver's behaviour is unknown; neither driver nor application is blamed.
#[test]
fn a_recording_without_a_provider_breaks_no_rule_and_is_not_fit() {
    for providers in [["api", "ddi"], ["api", "task"], ["ddi", "task"]] {
        let mut trace_builder = TraceBuilder::of_providers(&providers);
        measure(&mut trace_builder, |_, _| {});
        let found = figures_of(&Analysis::new(trace_builder.finish()).unwrap());
        assert_eq!((cause(&found), &found["audits_failed"]), ("not_whole", &json!(0)), "{providers:?}");
        let wording = found["unfit"]["description"].as_str().unwrap();
        let missing = ["api", "ddi", "task"].into_iter().find(|name| !providers.contains(name)).unwrap();
        assert_eq!(wording, format!("the recording has no events of the provider `{missing}`"));
    }
}

#[test]
fn four_frames_of_the_same_work_within_one_part_of_a_hundred_are_needed() {
    let of = |all: &[u64]| measured(|_, costs| *costs = all.to_vec());
    assert_eq!(cause(&of(&[100, 100, 100, 100])), "fit");
    let few = of(&[100, 100, 100]);
    assert_eq!((cause(&few), &few["measured"]["frames_same_work"]), ("too_few_frames", &json!(3)));
    assert_eq!(cause(&of(&[1005, 1010, 1000, 1003])), "fit");
    let moves = of(&[1000, 1000, 1011, 1000, 1000]);
    assert_eq!((cause(&moves), &moves["unfit"]["call"]), ("cost_moves", &json!("ExecuteCommandLists")));
    assert_eq!(cause(&of(&[])), "too_few_frames");
}

#[test]
fn the_number_of_frames_and_the_tolerance_are_settings() {
    let under = |frames_needed, tolerance_ratio| {
        let mut trace_builder = TraceBuilder::new();
        measure(&mut trace_builder, |_, costs| *costs = vec![1000, 1020]);
        let analysis = Analysis::new(trace_builder.finish()).unwrap();
        let found = figures_of(&analysis.with_fit_settings(FitSettings { frames_needed, tolerance_ratio }));
        assert_eq!(found["fit_settings"], json!({"frames_needed": frames_needed, "tolerance_ratio": tolerance_ratio}));
        cause(&found).to_owned()
    };
    assert_eq!([under(2, 0.05), under(3, 0.05), under(2, 0.01)], ["fit", "too_few_frames", "cost_moves"]);
}

#[test]
fn a_run_whose_device_was_removed_names_the_removal_and_the_failed_task() {
    let found = measured(|w, _| {
        w.queue(7, 1);
        w.start(0, 7, WorkPriority::IDLE);
        w.fail_task(0, 7);
    });
    assert_eq!((cause(&found), &found["unfit"]["call"]), ("device_removed", &json!("FailBackgroundWork")));
    let sentence = found["verdict"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("the device was removed when the work of task 7") && sentence.contains("1 task failed"));
    let advice = found["verdict"]["advice"].as_str().unwrap();
    assert!(advice.contains("FailBackgroundWork") && !advice.contains("same work"), "{advice}");
}

#[test]
fn a_trace_that_is_not_whole_is_never_called_fit() {
    let mut trace_builder = TraceBuilder::new();
    measure(&mut trace_builder, |_, _| {});
    let mut bytes = trace_builder.bytes();
    bytes.truncate(bytes.len() - 10);
    let analysis = Analysis::new(taut_traces::Trace::from_bytes(bytes).unwrap()).unwrap();
    assert_ne!(cause(&figures_of(&analysis)), "fit");
}

#[test]
fn a_budget_can_require_fitness_and_names_the_reason_against_it() {
    let check = |found: Value| {
        let text = "limits = [\"pgo.fit_to_measure == true\"]";
        let checked = Budget::parse(text).unwrap().check("test", &json!({ "pgo": found })).unwrap();
        checked.into_iter().map(|one| one.verdict).next().unwrap()
    };
    assert_eq!(check(measured(|_, _| {})), LimitOutcome::Passed);
    let LimitOutcome::Broken(broken) = check(measured(|_, costs| costs.truncate(2))) else { panic!() };
    assert!(broken.contributors[0].contains("2 frames of the same work"), "{broken:?}");
    assert!(broken.contributors[1].starts_with("Repeat the same frame"), "{broken:?}");
}

#[test]
fn a_budget_on_the_figure_that_was_is_refused_and_the_new_one_named() {
    let error = Budget::parse("limits = [\"pgo.converged == true\"]").unwrap_err().to_string();
    assert!(error.contains("there is no figure `pgo.converged` any more: `pgo.fit_to_measure`"), "{error}");
}

#[test]
fn every_cause_has_its_words_in_the_documentation() {
    let definitions = report("pgo").unwrap().definitions();
    let documented = definitions.iter().find(|one| one.key == "cause").unwrap().meaning;
    for cause in ["not_queried", "desires_more", "queue_not_empty", "found_later", "dropped_later", "not_whole"] {
        assert!(documented.contains(cause), "{cause}");
    }
}

proptest! {
    /// Only events after the last answer count, and a run that is not fit has a timestamp, a description and advice.
    #[test]
    fn a_run_is_fit_exactly_if_nothing_breaks_it(
        answers in prop::collection::vec(any::<bool>(), 1..5), later in 0..6_usize, frames in 0..9_u64
    ) {
        let found = figures(|w| {
            w.begin_background();
            w.frame(1, &[draw(0, 100, 100)]);
            for answer in &answers {
                w.set_mode((INTRUSIVE, Action::KEEP_ALL, EVENT), (true, *answer), |_| {});
            }
            match later {
                0 => w.complete(2, Vec::new(), |w| w.queue(1, 1)),
                1 => w.set_mode((INTRUSIVE, Action::DISCARD_PREVIOUS, NULL), (false, false), |_| {}),
                _ => {}
            }
            (10..10 + frames).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
        });
        let fit = !answers[answers.len() - 1] && later > 1 && frames >= 4;
        prop_assert_eq!(cause(&found) == "fit", fit, "{}", &found["unfit"]);
        if !fit {
            let unfit = &found["unfit"];
            prop_assert!(unfit["at_stamp"].as_u64() > Some(0));
            prop_assert!(unfit["description"].as_str().unwrap().len() > 10);
            prop_assert!(unfit["advice"].as_str().unwrap().ends_with('.'));
        }
    }
}
