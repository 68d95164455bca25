//! Every audit passes for a valid trace and fails for a violation.

use super::background_events::{Action, EVENT, Mode, draw};
use super::pass_figures::{figures, figures_of};
use crate::plain_text::draw as drawn;
use crate::trace_builder::TraceBuilder;
use serde_json::Value;
use std::collections::BTreeSet;
use taut_analyze::{Analysis, report};
use taut_schemas::{CancelReason, DrawRun, EventHandle, VariantChange, WorkPriority};
use taut_traces::Trace;

const IDLE: WorkPriority = WorkPriority::IDLE;

/// A violation: the audit, the text of its first finding, and the events to write.
type Broken = (&'static str, &'static str, fn(&mut TraceBuilder));

const BROKEN: &[Broken] = &[
    ("exactly_once", "Task 1 was accepted 2 times.", |w| {
        w.complete(1, Vec::new(), |w| {
            w.queue(1, 0);
            w.queue(1, 0);
        });
        run(w, 1);
    }),
    ("variants_built_by_tasks", "Draw 0 of submission 1 uses variant 1, which no task built.", |w| {
        w.complete(9, Vec::new(), |w| w.queue(1, 0));
        w.frame(1, &[draw(1, 60, 100)]);
        run(w, 1);
        w.frame(2, &[draw(1, 60, 100)]);
    }),
    // The driver installs a variant in the name of a cancelled task.
    ("variants_built_by_tasks", "Draw 0 of submission 1 uses variant 1, which no task built.", |w| {
        w.complete(9, Vec::new(), |w| w.queue_disabled(1));
        w.process(1, 1);
        w.frame(1, &[draw(1, 60, 100)]);
    }),
    (
        "estimates_respected",
        "Task 1 for lighting is queued for values of 2 slots that the driver had estimated to gain too little.",
        |w| {
            w.complete(9, Vec::new(), |w| {
                w.report(0, VariantChange::ESTIMATED);
                w.queue(1, 0);
            });
            run(w, 1);
        },
    ),
    (
        "overfit",
        "Variant 1 of lighting was built by a commit after one frame and folds 2 slots, of which 1 changes its value later.",
        |w| {
            w.frame(1, &[draw(0, 100, 100)]);
            w.set_mode((Mode::ALLOWED, Action::COMMIT_RESULTS, EVENT), (false, false), |w| w.queue(1, 1));
            run(w, 1);
            w.submit_bound(2, &[1, 9, 9, 2]);
            w.submit_bound(3, &[1, 8, 8, 3]);
            w.submit_bound(4, &[1, 8, 8, 4]);
        },
    ),
    ("exactly_once", "Task 1 was accepted 0 times.", |w| {
        run(w, 1);
        w.complete(1, Vec::new(), |w| w.queue(2, 0));
        run(w, 2);
    }),
    ("exactly_once", "Task 1 started 2 times and was cancelled 0 times.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.start(0, 1, IDLE);
        run(w, 1);
    }),
    ("exactly_once", "Task 1 started once and was cancelled once.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
        w.cancel(1, CancelReason::DISABLED, true);
    }),
    ("exactly_once", "Task 1 neither started nor was cancelled before the device was destroyed.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.destroy_device();
    }),
    ("exactly_once", "Task 1 started once and stopped 2 times.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
        w.stop(0, 1);
    }),
    ("exactly_once", "Task 1 started and did not stop.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.start(0, 1, IDLE);
    }),
    ("exactly_once", "Task 1 was cancelled once with a cancel callback, which was called 0 times.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.cancel(1, CancelReason::DEVICE_DESTROYED, false);
    }),
    ("exactly_once", "Task 1 stopped once and passed its result to the driver 2 times.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.start(0, 1, IDLE);
        w.process(1, 0);
        w.finish_task(0, 1, 1);
    }),
    ("fifo_start_order", "Task 2 started out of turn: task 1 was accepted before it and still waits.", |w| {
        w.complete(1, Vec::new(), |w| (1..=2).for_each(|task| w.queue(task, 0)));
        run(w, 2);
        run(w, 1);
    }),
    ("max_concurrent_tasks", "Task 3 started at idle priority as one of 3; at most 2 may run.", |w| {
        w.complete(1, Vec::new(), |w| (1..=3).for_each(|task| w.queue(task, 0)));
        (1..=3).for_each(|task| w.start(task as u32, task, IDLE));
        (1..=3).for_each(|task| w.finish_task(task as u32, task, task));
    }),
    ("max_concurrent_tasks", "Task 5 started above idle priority as one of 5; at most 4 may run.", |w| {
        w.complete(1, Vec::new(), |w| (1..=5).for_each(|task| w.queue(task, 0)));
        (1..=5).for_each(|task| w.start(task as u32, task, WorkPriority::ABOVE_IDLE));
        (1..=5).for_each(|task| w.finish_task(task as u32, task, task));
    }),
    ("commit_sets", "Commit 1 does not wait for task 1, which has not ended.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[(2, 0)], &[2]);
        run(w, 1);
        run(w, 2);
        w.commit_done(1);
    }),
    ("commit_sets", "Commit 1 waits for task 1, which is not queued and does not run.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[], &[1]);
        w.commit_done(1);
    }),
    ("commit_events", "Commit 1 is done before its task 1 has ended.", |w| {
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[(1, 0)], &[1]);
        w.commit_done(1);
        run(w, 1);
    }),
    ("commit_events", "Commit 1 is done a second time.", |w| {
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[], &[]);
        w.commit_done(1);
    }),
    ("commit_events", "Commit 7 is done, but was not requested.", |w| w.commit_done(7)),
    ("commit_events", "Commit 1 is not done, although all its tasks have ended.", |w| {
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[(1, 0)], &[1]);
        run(w, 1);
    }),
    ("commit_events", "Commit 1 is not done when the device is destroyed: its event is never signalled.", |w| {
        w.commit((Mode::ALLOWED, 1, EVENT), true, &[(1, 0)], &[1]);
        run(w, 1);
        w.destroy_device();
    }),
    ("none_while_disabled", "Task 1 was queued in the mode DISABLE_BACKGROUND_WORK.", |w| {
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
    }),
    ("none_after_destruction", "The device is destroyed before a task has ended.", |w| {
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        w.destroy_device();
    }),
    ("none_after_destruction", "Task 1 is queued after the device was destroyed.", |w| {
        w.destroy_device();
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
    }),
    (
        "same_outputs",
        "The outputs of draw 1 of submission 1 differ between variant 4 of lighting and the generic shader.",
        |w| {
            w.submit(1, &[(0, false), (4, false)]);
            let wrong = DrawRun { output_hash: 8, ..draw(4, 60, 100) };
            w.complete(1, vec![draw(0, 100, 100), wrong], |_| {});
        },
    ),
    ("decided_on_collected_work", "Task 1 was decided by submission 1, whose measurements had not been read.", |w| {
        w.submit(1, &[(0, false)]);
        w.complete(2, Vec::new(), |w| w.queue(1, 1));
        w.complete(1, vec![draw(0, 100, 100)], |_| {});
        run(w, 1);
    }),
    ("drained_before_measuring", "Submission 1 draws for a measurement before a background task has ended.", |w| {
        w.commit((Mode::DISABLE_PROFILING_BY_SYSTEM, 1, EVENT), true, &[(1, 0)], &[1]);
        w.frame(1, &[draw(0, 100, 100)]);
        run(w, 1);
        w.commit_done(1);
    }),
    (
        "drained_before_mode_change",
        "DISABLE_BACKGROUND_WORK with KEEP_ALL is set before a submission is done: whether their draws are measured is undefined.",
        |w| {
            w.submit(1, &[(0, false)]);
            w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
            w.complete(1, vec![draw(0, 100, 100)], |_| {});
        },
    ),
    ("commit_awaited", "Submission 1 draws after commit 1 of 1 task, which has no event to wait for.", |w| {
        w.commit((Mode::DISABLE_PROFILING_BY_SYSTEM, 1, EventHandle::NULL), true, &[(1, 0)], &[1]);
        // The task happens to end in time.
        run(w, 1);
        w.commit_done(1);
        w.frame(1, &[draw(0, 100, 100)]);
    }),
];

/// Runs a task on its own.
fn run(w: &mut TraceBuilder, task: u64) {
    w.start(0, task, IDLE);
    w.finish_task(0, task, task);
}

fn audit<'f>(found: &'f Value, name: &str) -> &'f Value {
    found["audits"].as_array().unwrap().iter().find(|audit| audit["name"] == name).unwrap()
}

#[test]
fn every_audit_fails_for_a_violation() {
    for (name, wording, write) in BROKEN {
        let found = figures(|w| {
            w.begin_background();
            w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
            write(w);
        });
        let audit = audit(&found, name);
        assert_eq!(
            (&audit["ok"], &audit["first_findings"][0]["description"]),
            (&false.into(), &(*wording).into()),
            "{audit}"
        );
        let counted = if audit["lint"] == true { "advice_not_followed" } else { "audits_failed" };
        assert!(found[counted].as_u64() >= Some(1), "{name}");
    }
    let seen: BTreeSet<&str> = BROKEN.iter().map(|(name, ..)| *name).collect();
    let found = figures(TraceBuilder::play_until_converged);
    let all: BTreeSet<&str> =
        found["audits"].as_array().unwrap().iter().map(|audit| audit["name"].as_str().unwrap()).collect();
    assert_eq!(seen, all, "an audit that no trace breaks");
}

#[test]
fn a_valid_trace_passes_every_audit_and_each_audit_checks_a_case() {
    let found = figures(TraceBuilder::play_until_converged);
    for audit in found["audits"].as_array().unwrap() {
        assert_eq!((&audit["ok"], &audit["findings"]), (&true.into(), &0.into()), "{audit}");
        assert!(audit["checked"].as_u64() >= Some(1), "{audit}");
    }
}

#[test]
fn b29_queries_are_always_legal_and_changes_wait_for_submissions() {
    let poll = (Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL);
    let found = figures(|w| {
        w.begin_background();
        w.submit(1, &[(0, false)]);
        w.set_mode(poll, (true, true), |_| {});
        w.complete(1, vec![draw(0, 100, 100)], |_| {});
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
    });
    let audit = audit(&found, "drained_before_mode_change");
    assert_eq!((audit["ok"].as_bool(), audit["checked"].as_u64()), (Some(true), Some(1)));
}

#[test]
fn b33_the_call_that_commits_may_queue_though_it_disables() {
    let found = figures(|w| {
        w.begin_background();
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        w.commit((Mode::DISABLE_BACKGROUND_WORK, 1, EVENT), true, &[(1, 0)], &[1]);
        run(w, 1);
        w.commit_done(1);
        // Rule B-26: a mode that allows tasks accepts them while the call is in progress.
        w.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (false, false), |w| w.queue(2, 0));
        run(w, 2);
    });
    assert_eq!(found["audits_failed"], 0, "{}", found["audits"]);
}

#[test]
fn tasks_queued_at_the_end_of_a_recording_are_counted_but_violate_nothing() {
    let found = figures(|w| {
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
    });
    assert_eq!((&found["tasks_left"], &found["audits_failed"]), (&1.into(), &0.into()));
}

#[test]
fn a_new_device_resets_all_audits() {
    let found = figures(|w| {
        w.begin_background();
        w.set_mode((Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        w.destroy_device();
        w.begin_background();
        w.complete(1, Vec::new(), |w| w.queue(1, 0));
        run(w, 1);
        w.destroy_device();
    });
    assert_eq!(found["audits_failed"], 0, "{}", found["audits"]);
}

#[test]
fn a_truncated_trace_fails_no_audit_and_reports_uncertainty() {
    for (name, _, write) in BROKEN.iter().filter(|(name, ..)| *name != "same_outputs") {
        let mut trace_builder = TraceBuilder::new();
        trace_builder.begin_background();
        trace_builder.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        write(&mut trace_builder);
        let mut bytes = trace_builder.bytes();
        bytes.truncate(bytes.len() - 10);
        let analysis = Analysis::new(Trace::from_bytes(bytes).unwrap()).unwrap();
        assert!(!analysis.head().unwrap().is_whole());
        let found = figures_of(&analysis);
        let audit = audit(&found, name);
        let unsure = audit["findings"].as_u64() > Some(0);
        assert_eq!((&audit["ok"], &audit["uncertain"]), (&true.into(), &unsure.into()), "{audit}");
        assert_eq!(found["whole"], false);
        let text = drawn(&report("pgo").unwrap().run(&analysis).unwrap().document);
        assert!(text.contains("The trace is incomplete"), "{text}");
    }
}

/// A discard resets the rejected estimates, and a variant may gain what the generic shader does not.
#[test]
fn b74_an_estimate_holds_until_measurements_are_discarded_or_a_variant_is_in_use() {
    let queued_after = |meanwhile: fn(&mut TraceBuilder)| {
        let found = figures(|w| {
            w.begin_background();
            w.complete(1, Vec::new(), |w| w.report(0, VariantChange::ESTIMATED));
            meanwhile(w);
            w.complete(2, Vec::new(), |w| w.queue(1, 1));
            run(w, 1);
        });
        audit(&found, "estimates_respected")["findings"].as_u64()
    };
    assert_eq!(queued_after(|_| {}), Some(1));
    assert_eq!(queued_after(|w| w.complete(3, Vec::new(), |w| w.report(7, VariantChange::INSTALLED))), Some(0));
    let discard = |w: &mut TraceBuilder| {
        w.set_mode((Mode::ALLOWED, Action::DISCARD_PREVIOUS, EventHandle::NULL), (false, false), |_| {});
    };
    assert_eq!(queued_after(discard), Some(0));
}

/// Measurements of two frames do not count as overfit.
#[test]
fn b38_a_commit_after_two_frames_is_not_called_overfit() {
    let found = figures(|w| {
        w.begin_background();
        w.frame(1, &[draw(0, 100, 100)]);
        w.frame(2, &[draw(0, 100, 100)]);
        w.set_mode((Mode::ALLOWED, Action::COMMIT_RESULTS, EVENT), (false, false), |w| w.queue(1, 1));
        run(w, 1);
        w.submit_bound(3, &[7, 7, 7, 7]);
    });
    assert_eq!((&audit(&found, "overfit")["checked"], &audit(&found, "overfit")["ok"]), (&0.into(), &true.into()));
}
