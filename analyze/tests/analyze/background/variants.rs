//! Outcome of each specialisation, and discarded work.

use super::background_events::{Action, EVENT, Mode, PIPELINE, draw};
use super::pass_figures::figures;
use crate::trace_builder::TraceBuilder;
use serde_json::{Value, json};
use taut_schemas::{
    CancelReason, CompileOutcome, EventHandle, TaskId, VariantChange, WorkPriority, WorkVerdict, d3d12_ddi,
};

const NULL: EventHandle = EventHandle::NULL;

/// Runs a task whose result becomes the given variant (0: none).
fn run(w: &mut TraceBuilder, task: u64, variant: u64) {
    w.start(0, task, WorkPriority::IDLE);
    w.finish_task(0, task, variant);
}

/// Queues a task, adds the events of `meanwhile`, and discards the result.
fn left(meanwhile: fn(&mut TraceBuilder)) -> Value {
    figures(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 1));
        meanwhile(w);
        run(w, 1, 0);
    })
}

fn outcomes(found: &Value) -> Vec<&str> {
    found["by_variant"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect()
}

#[test]
fn a_variant_in_use_has_its_guard_what_it_served_and_what_it_saved() {
    let found = figures(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 1));
        run(w, 1, 5);
        w.frame(2, &[draw(5, 60, 100), draw(5, 70, 100), draw(0, 101, 100)]);
    });
    let [one] = &found["by_variant"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!(one["guard"], json!([{"slot": 0, "word": 1}, {"slot": 3, "word": 2}]));
    let keys = [
        "variant",
        "task",
        "outcome",
        "variant_draws",
        "instructions_before",
        "instructions_after",
        "queued",
        "compiled",
    ];
    assert_eq!(
        keys.map(|key| one[key].clone()),
        [json!(5), 1.into(), "in_use".into(), 2.into(), 200.into(), 130.into(), true.into(), true.into()]
    );
    // The clock ticks in microseconds: the number of draws is that whose saving in instructions equals the task's time.
    let (compile_ns, rate) = (one["compile_ns"].as_f64().unwrap(), found["ns_per_instruction"].as_f64().unwrap());
    assert!(compile_ns > 0.0 && rate > 0.0);
    assert_eq!(one["break_even_draws"].as_f64().unwrap(), (compile_ns / (35.0 * rate)).ceil());
}

#[test]
fn a_dropped_variant_has_a_reason() {
    for (change, outcome) in [
        (VariantChange::GUARD_MISSES, "misses"),
        (VariantChange::SLOWER, "loses"),
        (VariantChange::REPLACED, "replaced"),
    ] {
        let found = figures(|w| {
            w.begin_background();
            w.complete(1, Vec::new(), |w| w.queue(1, 1));
            run(w, 1, 5);
            w.complete(2, Vec::new(), |w| w.report(5, change));
        });
        assert_eq!(outcomes(&found), [outcome]);
        assert!(
            found["by_variant"][0]["dropped_at_stamp"].as_u64() > found["by_variant"][0]["installed_at_stamp"].as_u64()
        );
    }
}

#[test]
fn a_discarded_result_has_a_reason_and_counts_as_waste() {
    let same = left(|_| {});
    assert_eq!(outcomes(&same), ["same_guard"]);
    let waste = &same["waste"];
    assert_eq!((&waste["discarded_results"], &waste["discarded_instructions"]), (&json!(1), &json!(25)));
    assert!(waste["discarded_ns"].as_u64() > Some(0) && waste["started_after_destruction"] == 0);
    let discarded = left(|w| w.set_mode((Mode::ALLOWED, Action::DISCARD_PREVIOUS, NULL), (false, false), |_| {}));
    assert_eq!(outcomes(&discarded), ["discarded"]);
    let dead = left(|w| w.ddi(d3d12_ddi::DestroyPipelineState { pipeline_state: PIPELINE }, ()));
    assert_eq!((outcomes(&dead), &dead["waste"]["started_after_destruction"]), (vec!["pipeline_dead"], &json!(1)));
    let nothing = figures(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 1));
        w.start(0, 1, WorkPriority::IDLE);
        let outcome = CompileOutcome { length_before: 40, length_after: 40, ..Default::default() };
        w.ddi(d3d12_ddi::ProcessBackgroundWork { task: TaskId(1), context: 0, outcome }, WorkVerdict::default());
        w.stop(0, 1);
    });
    assert_eq!(outcomes(&nothing), ["nothing_folded"]);
}

#[test]
fn tasks_that_never_ran_and_variants_without_a_task_are_listed() {
    let found = figures(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| {
            w.queue(1, 1);
            w.queue_disabled(2);
            w.queue(3, 1);
            w.report(9, VariantChange::INSTALLED);
        });
        w.cancel(1, CancelReason::DISABLED, true);
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EVENT), (false, false), |_| {});
    });
    assert_eq!(outcomes(&found), ["cancelled", "cancelled", "not_finished", "in_use"]);
    let queued: Vec<&Value> = found["by_variant"].as_array().unwrap().iter().map(|one| &one["queued"]).collect();
    assert_eq!(queued, [true, false, true, false]);
    assert_eq!((&found["by_variant"][3]["task"], &found["by_variant"][3]["variant"]), (&Value::Null, &json!(9)));
}
