//! Sums over passes equal the totals for arbitrary event sequences.

use super::background_events::{Action, Mode, draw};
use super::pass_figures::figures_of;
use crate::trace_builder::TraceBuilder;
use proptest::prelude::*;
use serde_json::Value;
use taut_analyze::Analysis;
use taut_analyze::background::TaskState;
use taut_schemas::{CancelReason, EventHandle, VariantId, WorkPriority};
use taut_tables::TABLES;

/// An event; the numbers select among the existing objects.
#[derive(Debug, Clone)]
enum Step {
    Mode { mode: u32, action: u32, queries_driver: bool, desired: bool, queues: u64 },
    Queue { in_vain: bool },
    Start(usize),
    Finish { task: usize, variant: bool },
    Cancel(usize),
    Draw { served: bool, executed: u64, collect: bool },
    Present,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0_u32..4, 0_u32..4, any::<bool>(), any::<bool>(), 0_u64..3).prop_map(
            |(mode, action, queries_driver, desired, queues)| Step::Mode {
                mode,
                action,
                queries_driver,
                desired,
                queues
            }
        ),
        any::<bool>().prop_map(|in_vain| Step::Queue { in_vain }),
        any::<usize>().prop_map(Step::Start),
        (any::<usize>(), any::<bool>()).prop_map(|(task, variant)| Step::Finish { task, variant }),
        any::<usize>().prop_map(Step::Cancel),
        (any::<bool>(), 0_u64..1000, any::<bool>()).prop_map(|(served, executed, collect)| Step::Draw {
            served,
            executed,
            collect
        }),
        Just(Step::Present),
    ]
}

#[derive(Default)]
struct Playing {
    tasks: u64,
    waiting: Vec<u64>,
    running: Vec<u64>,
    submissions: u64,
    variants: u64,
}

impl Playing {
    fn queue(&mut self, w: &mut TraceBuilder) {
        self.tasks += 1;
        w.queue(self.tasks, 0);
        self.waiting.push(self.tasks);
    }

    fn step(&mut self, w: &mut TraceBuilder, step: &Step) {
        match step {
            Step::Mode { mode, action, queries_driver, desired, queues } => {
                let call = (Mode(*mode), Action(*action), EventHandle::NULL);
                w.set_mode(call, (*queries_driver, *desired), |w| (0..*queues).for_each(|_| self.queue(w)));
            }
            Step::Queue { in_vain: true } => {
                self.tasks += 1;
                let task = self.tasks;
                w.complete(0, Vec::new(), |w| w.queue_disabled(task));
            }
            Step::Queue { in_vain: false } => w.complete(0, Vec::new(), |w| self.queue(w)),
            Step::Start(number) if !self.waiting.is_empty() => {
                let task = self.waiting.remove(number % self.waiting.len());
                self.running.push(task);
                w.start(
                    (task % 3) as u32,
                    task,
                    if task.is_multiple_of(2) { WorkPriority::IDLE } else { WorkPriority::ABOVE_IDLE },
                );
            }
            Step::Finish { task, variant } if !self.running.is_empty() => {
                let task = self.running.remove(task % self.running.len());
                self.variants += u64::from(*variant);
                w.finish_task((task % 3) as u32, task, if *variant { task } else { 0 });
            }
            Step::Cancel(number) if !self.waiting.is_empty() => {
                let task = self.waiting.remove(number % self.waiting.len());
                w.cancel(task, CancelReason::DISABLED, true);
            }
            Step::Draw { served, executed, collect } => {
                self.submissions += 1;
                let variant = u64::from(*served);
                w.submit(self.submissions, &[(variant, !served)]);
                if *collect {
                    w.complete(self.submissions, vec![draw(variant, *executed, 500)], |_| {});
                }
            }
            Step::Present => w.present(),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn sums_over_passes_are_the_totals(steps in prop::collection::vec(step(), 0..60)) {
        let (mut trace_builder, mut playing) = (TraceBuilder::new(), Playing::default());
        trace_builder.begin_background();
        trace_builder.set_mode((Mode::ALLOWED, Action::KEEP_ALL, EventHandle::NULL), (false, false), |_| {});
        steps.iter().for_each(|step| playing.step(&mut trace_builder, step));
        let analysis = Analysis::new(trace_builder.finish()).unwrap();
        let found = figures_of(&analysis);
        let background = analysis.background().unwrap();
        let tasks = |fits: &dyn Fn(&taut_analyze::background::Task) -> bool| {
            background.tasks.iter().filter(|task| fits(task)).count() as u64
        };
        let draws = &background.draws;
        let expected = [
            ("opportunities", playing.tasks),
            ("tasks_queued", tasks(&|task| !task.refused)),
            ("tasks_started", tasks(&|task| task.started.is_some())),
            ("tasks_finished", tasks(&|task| task.state() == TaskState::Finished)),
            ("tasks_cancelled", tasks(&|task| task.state() == TaskState::Cancelled)),
            ("variants", playing.variants),
            ("draws", draws.len() as u64),
            ("variant_draws", draws.iter().filter(|draw| draw.run.variant != VariantId::NULL).count() as u64),
            ("guard_misses", draws.iter().filter(|draw| draw.guard_missed).count() as u64),
            ("executed", draws.iter().map(|draw| draw.run.executed).sum()),
            ("generic_executed", draws.iter().map(|draw| draw.run.generic_executed).sum()),
        ];
        for (key, expected) in expected {
            let passes = found["by_pass"].as_array().unwrap().iter();
            let sum: u64 = passes.map(|pass| pass[key].as_u64().unwrap()).sum();
            prop_assert_eq!((sum, &found[key]), (expected, &Value::from(expected)), "{}", key);
        }
        prop_assert_eq!(&found["tasks_left"], &Value::from((playing.waiting.len() + playing.running.len()) as u64));
        // The trace may violate any rule; the tables accept it.
        for table in TABLES {
            table.frame(&analysis, None).unwrap();
        }
        let by_pass = &background.passes;
        prop_assert!(background.tasks.iter().all(|task| (task.pass as usize) < by_pass.len()));
        prop_assert!(draws.iter().all(|draw| (draw.pass as usize) < by_pass.len()));
    }
}
