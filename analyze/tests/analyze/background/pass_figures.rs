//! Figures of passes, tasks, draws and frames.

use super::background_events::{Action, Mode, PIPELINE};
use crate::trace_builder::TraceBuilder;
use serde_json::{Value, json};
use taut_analyze::{Analysis, Findings, report};
use taut_schemas::{EventHandle, HResultCode, ObjectId, WorkPriority, d3d12};

const NULL: EventHandle = EventHandle::NULL;

pub fn figures(write: impl FnOnce(&mut TraceBuilder)) -> Value {
    let mut trace_builder = TraceBuilder::new();
    write(&mut trace_builder);
    figures_of(&Analysis::new(trace_builder.finish()).unwrap())
}

pub fn figures_of(analysis: &Analysis) -> Value {
    let pgo = report("pgo").unwrap();
    assert_eq!(pgo.not_applicable(analysis).unwrap(), None);
    pgo.run(analysis).unwrap().json
}

#[test]
fn opportunities_and_tasks_are_counted_per_pass() {
    let found = figures(TraceBuilder::play_until_converged);
    assert_eq!((&found["mode_calls"], &found["presents"], &found["driver_answers"]), (&json!(4), &json!(3), &json!(2)));
    let keys = [
        "opportunities",
        "tasks_queued",
        "tasks_started",
        "tasks_finished",
        "tasks_cancelled",
        "variants",
        "discarded",
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
fn b01_a_refused_call_begins_no_pass() {
    let found = figures(|w| {
        w.begin_background();
        let call = d3d12::SetBackgroundProcessingMode { mode: Mode(9), ..Default::default() };
        w.api(call, Err(HResultCode::E_INVALIDARG), |_| {});
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, NULL), (false, false), |_| {});
        w.complete(1, Vec::new(), |w| w.queue_refused());
    });
    assert_eq!((&found["mode_calls"], &found["opportunities"]), (&json!(1), &json!(0)));
}

#[test]
fn b23_tasks_cancelled_at_once_were_never_in_the_queue() {
    let found = figures(|w| {
        w.begin_background();
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, NULL), (false, false), |_| {});
        w.complete(1, Vec::new(), |w| w.queue_disabled(1));
    });
    let keys = ["opportunities", "tasks_queued", "tasks_cancelled", "tasks_left", "audits_failed"];
    assert_eq!(keys.map(|key| found[key].as_u64().unwrap()), [1, 0, 1, 0, 0]);
}

#[test]
fn variant_usage_is_reported_per_pipeline_state() {
    let found = figures(|w| {
        w.play_until_converged();
        w.api(d3d12::SetName { object: ObjectId(PIPELINE.0), name: "sun".to_owned() }, Ok(()), |_| {});
    });
    let expected = json!([{
        "name": "sun", "pipeline_state": 10, "tasks_queued": 2, "variants": 1, "specialised_slots": 2, "length_before": 40,
        "length_after": 25, "draws": 6, "variant_draws": 3, "variant_draw_ratio": 0.5, "guard_misses": 1,
        "instructions_before": 300, "instructions_after": 180, "served_saving_ratio": 0.4, "executed": 481,
        "generic_executed": 600, "requests_measurements": false,
    }]);
    assert_eq!(found["pipelines"], expected);
}

#[test]
fn b61_tasks_overlap_frames_and_each_other() {
    let mut trace_builder = TraceBuilder::new();
    let w = &mut trace_builder;
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
    let analysis = Analysis::new(trace_builder.finish()).unwrap();
    let found = figures_of(&analysis);
    assert_eq!(found["concurrency"]["max_idle_tasks"], 2);
    assert_eq!(found["concurrency"]["max_boosted_tasks"], 0);
    let overlap = &found["overlap"];
    assert_eq!(
        (&overlap["frames"], &overlap["frames_with_tasks"], &overlap["worst_frame"]),
        (&json!(3), &json!(2), &json!(3))
    );
    let background = analysis.background().unwrap();
    let busy = background.busy();
    assert_eq!(busy.len(), 1);
    // Consecutive events are one timestamp apart: one microsecond.
    let waits: Vec<_> = background.tasks.iter().map(|task| task.queue_wait_ticks()).collect();
    assert_eq!(found["queue_wait"]["count"], 2);
    assert_eq!(found["queue_wait"]["max_ns"], json!(waits.iter().flatten().max().unwrap() * 1000));
}

#[test]
fn a_trace_of_something_else_has_nothing_to_report() {
    let analysis = Analysis::new(TraceBuilder::new().finish()).unwrap();
    let findings = Findings::of(&analysis, &[report("pgo").unwrap()]).unwrap();
    let wording = findings.reports()["pgo"]["not_applicable"].as_str().unwrap().to_owned();
    assert!(
        wording.starts_with("the trace sets no background processing mode and queues no background task"),
        "{wording}"
    );
}
