//! Chart data of variants, and the separate counts of calls and frames.

use super::background_events::{Action, Mode, QUEUE, draw};
use crate::plain_text::draw as drawn_document;
use crate::trace_builder::TraceBuilder;
use serde_json::{Value, json};
use taut_analyze::page::{PageContext, page};
use taut_analyze::{Analysis, Findings, report};
use taut_schemas::{CommandQueueId, EventHandle, VariantChange, WorkPriority};

fn background_events(write: impl FnOnce(&mut TraceBuilder)) -> Analysis {
    let mut trace_builder = TraceBuilder::new();
    write(&mut trace_builder);
    Analysis::new(trace_builder.finish()).unwrap()
}

/// The report's part of the page.
fn on_page(analysis: &Analysis) -> Value {
    let findings = Findings::of(analysis, &[report("pgo").unwrap()]).unwrap();
    let page = page(&[("written".to_owned(), analysis, &findings)], &PageContext::default()).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    data["traces"][0]["reports"][0].clone()
}

fn page_data(analysis: &Analysis) -> Value {
    on_page(analysis)["page_data"].clone()
}

/// The first screen shows whether the run may be compared, and what to change.
#[test]
fn the_top_of_the_page_states_comparability_and_advice() {
    let wording = |queried: bool, more: fn(&mut TraceBuilder)| {
        let analysis = background_events(|w| {
            w.begin_background();
            w.frame(1, &[draw(0, 100, 100)]);
            w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (queried, false), |_| {});
            (2..8).for_each(|frame| w.frame(frame, &[draw(0, 100, 100)]));
            more(w);
        });
        let reported = on_page(&analysis);
        let found = report("pgo").unwrap().run(&analysis).unwrap().json;
        assert_eq!(reported["verdict"]["advice"], found["verdict"]["advice"]);
        reported["verdict"]["advice"].as_str().unwrap().to_owned()
    };
    assert_eq!(wording(true, |_| {}), "The run may be compared with other runs from frame 2 on, the first of pass 1.");
    let unasked = wording(false, |_| {});
    assert!(
        unasked.starts_with("Do not compare the run with other runs. No background task ran in this trace")
            && unasked.contains("Pass pbFurtherMeasurementsDesired"),
        "{unasked}"
    );
    // No event invalidates the answer, but a rule is violated.
    let broken = wording(true, |w| w.commit_done(7));
    assert!(
        broken.starts_with(
            "Do not compare the run with other runs before the driver keeps its rules (B-31, B-34, B-58): "
        ),
        "{broken}"
    );
    assert!(broken.ends_with("Commit 7 is done, but was not requested."), "{broken}");
    let lint = wording(true, |w| {
        w.submit(30, &[(0, false)]);
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        w.complete(30, vec![draw(0, 100, 100)], |_| {});
    });
    assert!(
        lint.starts_with(
            "The run may be compared with other runs from frame 2 on, the first of pass 1. Lint warning (B-29): "
        ),
        "{lint}"
    );
}

/// One frame without variants, and one after each installation or removal of a variant.
#[test]
fn variants_that_went_out_of_use_are_no_longer_drawn_as_in_use() {
    for change in [VariantChange::GUARD_MISSES, VariantChange::SLOWER, VariantChange::REPLACED] {
        let analysis = background_events(|w| {
            w.begin_background();
            w.frame(1, &[draw(0, 100, 100)]);
            w.complete(2, Vec::new(), |w| [1, 2].into_iter().for_each(|task| w.queue(task, 1)));
            for task in [1, 2] {
                w.start(0, task, WorkPriority::IDLE);
                w.finish_task(0, task, task + 4);
                w.frame(10 + task, &[draw(task + 4, 60, 100)]);
            }
            w.complete(3, Vec::new(), |w| w.report(6, change));
            w.frame(20, &[draw(5, 60, 100)]);
            w.complete(4, Vec::new(), |w| w.report(5, change));
            w.frame(21, &[draw(0, 100, 100)]);
        });
        assert_eq!(page_data(&analysis)["curve"]["variants"], json!([0, 1, 2, 1, 0]), "{change:?}");
    }
}

#[test]
fn a_variant_of_before_the_recording_is_not_taken_from_those_that_came_into_use_in_it() {
    let analysis = background_events(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 1));
        w.start(0, 1, WorkPriority::IDLE);
        w.finish_task(0, 1, 5);
        w.frame(2, &[draw(5, 60, 100)]);
        w.complete(3, Vec::new(), |w| w.report(99, VariantChange::GUARD_MISSES));
        w.frame(4, &[draw(5, 60, 100)]);
    });
    assert_eq!(page_data(&analysis)["curve"]["variants"], json!([1, 1]));
}

#[test]
fn frames_of_two_command_queues_that_are_drawn_side_by_side_are_one_point_each() {
    let analysis = background_events(|w| {
        w.begin_background();
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (true, false), |_| {});
        for submission in 1..=6 {
            let command_queue = if submission % 2 == 0 { QUEUE } else { CommandQueueId(QUEUE.0 + 100) };
            w.submit_on(command_queue, submission, &[(0, false)]);
            w.complete_on((command_queue, submission), vec![draw(0, 100, 100)], |_| {});
        }
    });
    let curve = &page_data(&analysis)["curve"];
    assert_eq!((&curve["frame"], &curve["draws"]), (&json!([1, 2]), &json!([3, 3])));
}

/// Two calls per frame, as tools make them: one before and one after it.
#[test]
fn frames_that_were_played_and_calls_that_set_the_mode_are_counted_apart() {
    for (frames, calls) in [(1, 1), (3, 7)] {
        let analysis = background_events(|w| {
            w.begin_background();
            let mut left = calls;
            let mut set = |w: &mut TraceBuilder, max_length: u64| {
                for _ in 0..max_length.min(left) {
                    w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (true, false), |_| {});
                    left -= 1;
                }
            };
            for frame in 0..frames {
                set(w, 2);
                w.frame(frame + 1, &[draw(0, 100, 100)]);
            }
            set(w, u64::MAX);
        });
        let found = report("pgo").unwrap().run(&analysis).unwrap();
        let keys = ["mode_calls", "driver_answers", "presents"];
        assert_eq!(keys.map(|key| found.json[key].as_u64().unwrap()), [calls, calls, frames]);
        let by_pass: Vec<u64> =
            found.json["by_pass"].as_array().unwrap().iter().map(|pass| pass["presents"].as_u64().unwrap()).collect();
        assert_eq!((by_pass.len() as u64, by_pass.iter().sum::<u64>()), (calls + 1, frames));
        let text = drawn_document(&found.document);
        let has_row = |name: &str, count: u64| {
            text.lines().any(|line| line.starts_with(name) && line.ends_with(&format!(" {count}")))
        };
        assert!(has_row("frames ", frames) && has_row("passes (", calls), "{text}");
        let figures = found.json["verdict"]["figures"].as_array().unwrap();
        let played = figures.iter().find(|figure| figure["name"] == "frames presented").unwrap();
        assert!(played.to_string().contains(&frames.to_string()), "{played}");
        let sentence = found.json["verdict"]["sentence"].as_str().unwrap();
        assert!(!sentence.contains(" passes"), "{sentence}");
    }
}
