//! Tests of where work is queued from, and under which lock.

use super::bench::{DriverBench, Policy, quick};
use crate::driver::background_profile::Background;
use crate::driver::faults::Faults;
use taut_schemas::{
    BackgroundProcessingMode as Mode, CallbackCall, CommandListId, MeasurementsAction as Action, PipelineStateId,
    TaskId, d3d12_ddi,
};
use taut_shaders::Word;

impl DriverBench {
    fn go_on(&mut self) {
        d3d12_ddi::RunDriverThread {}.dispatch(&*self.driver(), &mut self.fake, ());
    }

    fn close(&mut self, pipeline_states: &[u64]) {
        let pipeline_states = pipeline_states.iter().copied().map(PipelineStateId).collect();
        let call = d3d12_ddi::CloseCommandList { command_list: CommandListId(9), pipeline_states };
        call.dispatch(&*self.driver(), &mut self.fake, ());
    }

    fn finds_work(&mut self, nth: usize) -> bool {
        let (task, context) = (TaskId(nth as u64 + 1), self.fake.queued[nth].call.context);
        let call = d3d12_ddi::BeginBackgroundWork { task, context };
        call.dispatch(&*self.driver(), &mut self.fake, ()).has_work
    }
}

/// Creates a driver with enough draws of one pipeline state to specialise it.
fn drawn(background: Background, faults: Faults) -> DriverBench {
    let (mut bench, material) = DriverBench::with(background, faults, "lighting");
    let draw = (1, 4, material.constants(0));
    bench.repeat(20, &draw);
    bench
}

fn threaded() -> Background {
    Background { queues_from_thread: 1, own_lock: 1, ..quick() }
}

#[test]
fn its_own_thread_queues_what_was_measured_and_is_desired_until_then() {
    let mut bench = drawn(threaded(), Faults::default());
    assert!(bench.fake.woken && bench.fake.queued.is_empty());
    assert!(bench.set(Mode::ALLOWED, Action::KEEP_ALL), "something is going to be found");
    bench.go_on();
    assert_eq!(bench.fake.queued.len(), 1);
    bench.go_on();
    assert_eq!(bench.fake.queued.len(), 1, "it was decided on");
    assert!(bench.fake.locks.is_empty());
}

#[test]
fn a_thread_that_does_not_look_at_the_mode_is_cancelled_and_does_nothing_else() {
    let mut bench = drawn(threaded(), Faults::default());
    bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL);
    bench.fake.policy = Policy::Cancel;
    bench.go_on();
    assert_eq!(bench.fake.queued.len(), 1);
    assert!(bench.fake.locks.is_empty() && bench.fake.max_locks == 1);
    assert!(bench.fake.reports.is_empty(), "no variant");
    assert!(!bench.set(Mode::DISABLE_BACKGROUND_WORK, Action::KEEP_ALL), "more of it finds nothing");
}

#[test]
fn b55_a_driver_that_holds_its_lock_takes_it_twice_in_its_cancel() {
    let mut bench = drawn(threaded(), Faults { holds_its_lock: true, ..Faults::default() });
    bench.fake.policy = Policy::Cancel;
    bench.go_on();
    assert_eq!(bench.fake.max_locks, 2);
}

#[test]
fn a_list_that_is_closed_queues_for_what_it_draws_with() {
    let mut bench = drawn(Background { queues_when_recording: 1, ..quick() }, Faults::default());
    assert!(!bench.fake.woken);
    bench.close(&[2]);
    assert!(bench.fake.queued.is_empty());
    bench.close(&[2, 1]);
    assert_eq!(bench.fake.queued.len(), 1);
}

#[test]
fn b54_a_task_that_ends_queues_the_next() {
    let background = Background { queues_from_tasks: 1, split_ways: 2, max_variants_per_pipeline: 8, ..quick() };
    let queued = |background: Background| {
        let (mut bench, material) = DriverBench::with(background, Faults::default(), "permutations");
        let one = material.constants(0);
        let other: Vec<Word> = one.iter().map(|word| Word(word.0 ^ 1)).collect();
        for _ in 0..40 {
            bench.draw(&[(1, 4, one.clone()), (1, 4, other.clone())]);
            if !bench.fake.queued.is_empty() {
                break;
            }
        }
        let before = bench.fake.queued.len();
        bench.run(0);
        (before, bench.fake.queued.len())
    };
    assert_eq!(queued(background.clone()), (1, 2));
    assert_eq!(queued(Background { queues_from_tasks: 0, ..background }), (1, 1));
}

#[test]
fn b70_a_task_looks_before_it_compiles() {
    let mut bench = drawn(Background { checks_before_work: 1, ..quick() }, Faults::default());
    assert!(bench.finds_work(0));
    bench.destroy(1);
    assert!(!bench.finds_work(0));
    let mut bench = drawn(Background { checks_before_work: 1, ..quick() }, Faults::default());
    bench.set(Mode::ALLOWED, Action::DISCARD_PREVIOUS);
    assert!(!bench.finds_work(0), "its result would be dropped");
}
