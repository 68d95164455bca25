//! What the report says of passes, tasks, draws and frames.

use super::written::{Action, EVENT, Mode, PIPELINE, draw};
use crate::writing::Writing;
use serde_json::{Value, json};
use taut_analyze::budget::{Budget, LimitOutcome};
use taut_analyze::{Analysis, Findings, report};
use taut_schemas::{CancelReason, EventHandle, HResultCode, ObjectId, WorkPriority, d3d12, d3d12_ddi};

const NULL: EventHandle = EventHandle::NULL;

pub fn figures(write: impl FnOnce(&mut Writing)) -> Value {
    let mut writing = Writing::new();
    write(&mut writing);
    figures_of(&Analysis::new(writing.finish()).unwrap())
}

pub fn figures_of(analysis: &Analysis) -> Value {
    let pgo = report("pgo").unwrap();
    assert_eq!(pgo.nothing(analysis).unwrap(), None);
    pgo.run(analysis).unwrap().json
}

#[test]
fn b40_a_driver_that_desires_no_more_has_converged() {
    let found = figures(Writing::play_until_converged);
    assert_eq!((&found["converged"], &found["passes"], &found["times_asked"]), (&json!(true), &json!(4), &json!(2)));
    assert_eq!((&found["judged_by"], &found["passes_recorded"]), (&json!("answer"), &json!(4)));
    let keys = [
        "opportunities",
        "tasks_queued",
        "tasks_started",
        "tasks_finished",
        "tasks_cancelled",
        "variants",
        "abandoned",
    ];
    assert_eq!(keys.map(|key| found[key].as_u64().unwrap()), [2, 2, 2, 2, 0, 1, 1]);
    assert_eq!((&found["audits_failed"], &found["advice_not_followed"]), (&json!(0), &json!(0)), "{}", found["audits"]);
    let passes = found["by_pass"].as_array().unwrap();
    let of = |key: &str| passes.iter().map(|pass| pass[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("opportunities"), [0, 0, 2, 0, 0].map(Value::from));
    assert_eq!(of("draws"), [0, 2, 0, 2, 2].map(Value::from));
    assert_eq!(of("further_desired"), [Value::Null, Value::Null, json!(true), Value::Null, json!(false)]);
    assert_eq!(passes[4]["executed"], 161);
}

#[test]
fn b40_an_answer_of_true_at_the_end_is_no_convergence() {
    let found = figures(|w| {
        w.begin_background();
        for round in 1..=3 {
            w.set_mode((Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL, NULL), (true, round != 1), |_| {});
        }
    });
    assert_eq!((&found["converged"], &found["passes"], &found["times_asked"]), (&json!(false), &json!(3), &json!(3)));
}

#[test]
fn b07_a_driver_that_cannot_answer_is_judged_by_what_it_queues() {
    let rounds = |queued_in: &[u64]| {
        figures(|w| {
            w.begin_background();
            for round in 1..=3 {
                let (mode, measurements_action) = (Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::KEEP_ALL);
                let call = d3d12::SetBackgroundProcessingMode {
                    mode,
                    measurements_action,
                    want_further: true,
                    ..Default::default()
                };
                // Answered FALSE by the runtime, for want of an answer.
                w.api(call, Ok(Default::default()), |w| {
                    w.ddi(d3d12_ddi::SetBackgroundProcessingMode0062 { mode, measurements_action }, ());
                });
                w.submit(round, &[(0, false)]);
                w.complete(round, vec![draw(0, 100, 100)], |w| {
                    if queued_in.contains(&round) {
                        w.queue(round, round);
                    }
                });
            }
        })
    };
    let quiet = rounds(&[1]);
    assert_eq!(
        (&quiet["converged"], &quiet["passes"], &quiet["judged_by"]),
        (&json!(true), &json!(2), &json!("queued"))
    );
    assert_eq!((&quiet["times_asked"], &quiet["tasks_left"]), (&json!(0), &json!(1)));
    let busy = rounds(&[1, 3]);
    assert_eq!((&busy["converged"], &busy["passes"]), (&json!(false), &json!(3)));
}

#[test]
fn what_a_commit_queues_was_found_by_the_pass_before() {
    // Nobody asks.
    let found = figures(|w| {
        w.begin_background();
        w.frame(1, &[draw(0, 100, 100)]);
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::COMMIT_RESULTS, EVENT), (false, false), |w| w.queue(1, 1));
        w.frame(2, &[draw(0, 100, 100)]);
    });
    assert_eq!(
        (&found["converged"], &found["passes"], &found["judged_by"]),
        (&json!(false), &json!(1), &json!("queued"))
    );
}

#[test]
fn b01_a_refused_call_begins_no_pass() {
    let found = figures(|w| {
        w.begin_background();
        let call = d3d12::SetBackgroundProcessingMode { mode: Mode(9), ..Default::default() };
        w.api(call, Err(HResultCode::E_INVALIDARG), |_| {});
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (false, false), |_| {});
        w.complete(1, Vec::new(), |w| w.queue_refused());
    });
    assert_eq!((&found["passes_recorded"], &found["opportunities"]), (&json!(1), &json!(0)));
    assert_eq!((&found["converged"], &found["judged_by"]), (&json!(true), &json!("nothing")));
}

#[test]
fn b23_tasks_cancelled_at_once_were_never_in_the_queue() {
    let found = figures(|w| {
        w.begin_background();
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, NULL), (false, false), |_| {});
        w.complete(1, Vec::new(), |w| w.queue_in_vain(1));
    });
    let keys = ["opportunities", "tasks_queued", "tasks_cancelled", "tasks_left", "audits_failed"];
    assert_eq!(keys.map(|key| found[key].as_u64().unwrap()), [1, 0, 1, 0, 0]);
}

#[test]
fn what_variants_serve_is_told_for_each_pipeline_state() {
    let found = figures(|w| {
        w.play_until_converged();
        w.api(d3d12::SetName { object: ObjectId(PIPELINE.0), name: "sun".to_owned() }, Ok(()), |_| {});
    });
    let expected = json!([{
        "name": "sun", "pipeline_state": 10, "tasks_queued": 2, "variants": 1, "folded_slots": 2, "length_before": 40,
        "length_after": 25, "draws": 6, "draws_served": 3, "served_ratio": 0.5, "guard_misses": 1,
        "instructions_before": 300, "instructions_after": 180, "served_saving_ratio": 0.4, "executed": 481,
        "generic_executed": 600,
    }]);
    assert_eq!(found["pipelines"], expected);
}

#[test]
fn b61_tasks_beside_frames_and_beside_each_other() {
    let mut writing = Writing::new();
    let w = &mut writing;
    w.begin_background();
    w.complete(1, Vec::new(), |w| (1..=3).for_each(|task| w.queue(task, 0)));
    w.present();
    w.start(0, 1, WorkPriority::IDLE);
    w.start(1, 2, WorkPriority::IDLE);
    w.present();
    w.finish_task(0, 1, 1);
    w.finish_task(1, 2, 2);
    w.present();
    w.present();
    let analysis = Analysis::new(writing.finish()).unwrap();
    let found = figures_of(&analysis);
    assert_eq!(found["concurrency"]["unboosted_most"], 2);
    assert_eq!(found["concurrency"]["boosted_most"], 0);
    let overlap = &found["overlap"];
    assert_eq!(
        (&overlap["frames"], &overlap["frames_with_tasks"], &overlap["worst_frame"]),
        (&json!(3), &json!(2), &json!(2))
    );
    let background = analysis.background().unwrap();
    let busy = background.busy();
    assert_eq!(busy.len(), 1);
    // Each mark and call is one stamp apart, a microsecond.
    let waits: Vec<_> = background.tasks.iter().map(|task| task.queue_wait_ticks()).collect();
    assert_eq!(found["queue_wait"]["count"], 2);
    assert_eq!(found["queue_wait"]["max_ns"], json!(waits.iter().flatten().max().unwrap() * 1000));
}

#[test]
fn a_trace_of_something_else_has_nothing_to_report() {
    let analysis = Analysis::new(Writing::new().finish()).unwrap();
    let findings = Findings::of(&analysis, &[report("pgo").unwrap()]).unwrap();
    let said = findings.reports()["pgo"]["nothing_to_report"].as_str().unwrap().to_owned();
    assert!(said.starts_with("no background processing mode is set and no background task is queued"), "{said}");
}

#[test]
fn a_budget_can_demand_convergence() {
    let check = |found: Value| {
        let text = "limits = [\"pgo.converged == true\", \"pgo.passes <= 5\", \"pgo.audits_failed == 0\", \
                    \"pgo.audits.exactly_once.ok == true\"]";
        let checked = Budget::parse(text).unwrap().check("test", &json!({ "pgo": found })).unwrap();
        checked.into_iter().map(|one| one.verdict).collect::<Vec<_>>()
    };
    let kept = check(figures(Writing::play_until_converged));
    assert!(kept.iter().all(|verdict| *verdict == LimitOutcome::Kept), "{kept:?}");
    let broken = check(figures(|w| {
        w.begin_background();
        for _ in 0..6 {
            w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (true, true), |w| w.queue(1, 0));
        }
        w.cancel(1, CancelReason::DEVICE_DESTROYED, true);
    }));
    for verdict in broken {
        let LimitOutcome::Broken(broken) = verdict else { panic!("{verdict:?}") };
        assert!(!broken.behind.is_empty(), "{broken:?}");
    }
}
