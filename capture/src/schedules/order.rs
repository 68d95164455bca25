//! Agreement between the order of stamps and the order of locks.

use super::memory_recorder::{Events, MemoryRecorder, profile, settings};
use super::runs;
use crate::session::Recorder;
use crate::shell::Shell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use taut_runtime::{Context, ExecuteWith, Executor, Locked, SubmissionState};
use taut_schemas::{
    AdapterId, Call, CodecError, Creates, Decoder, Encoder, Family, FieldSink, HResult, HandleMap, Input, LockSet,
    ObjectId, d3d12, mark,
};
use taut_traces::Clock;

/// Call, identified by its thread and its index there.
type CallOfThread = (u32, usize);

/// Call that logs its begin and end while its locks are held.
struct Touch<const DEVICE: bool, const QUEUE: bool> {
    call_id: CallOfThread,
    objects: Vec<ObjectId>,
    order: Arc<Mutex<Vec<CallOfThread>>>,
}

impl<const DEVICE: bool, const QUEUE: bool> Call for Touch<DEVICE, QUEUE> {
    const ID: u16 = 0;
    const NAME: &'static str = "Touch";
    const DOC: &'static str = "Touches what its locks guard.";
    const FAMILY: Family = d3d12::FAMILY;
    type Output = HResult<()>;

    fn describe(_: &mut FieldSink) {}
    fn encode(&self, _: &mut Encoder<'_>) {}
    fn decode(_: &mut Decoder<'_>) -> Result<Self, CodecError> {
        unreachable!("nobody reads it")
    }
    fn map_handles(&mut self, _: &mut dyn HandleMap) {}
    fn visit_objects(&self, visit: &mut dyn FnMut(ObjectId)) {
        self.objects.iter().for_each(|object| visit(*object));
    }
    fn adapter(&self) -> AdapterId {
        AdapterId::FIRST
    }
}

impl<const DEVICE: bool, const QUEUE: bool> Input for Touch<DEVICE, QUEUE> {
    const LOCKS: LockSet = {
        let locks = LockSet::NONE.objects();
        let locks = if DEVICE { locks.device() } else { locks };
        if QUEUE { locks.queue() } else { locks }
    };
    const CREATES: Creates = Creates::Nothing;
    type DerivedInput = ();

    fn visit_created(_: &Self::Output, _: &mut dyn FnMut(ObjectId)) {}
}

impl<const DEVICE: bool, const QUEUE: bool> ExecuteWith for Touch<DEVICE, QUEUE> {
    fn derive_input(&self, _: &SubmissionState, _: &mut dyn Executor) {}

    fn execute_with(&self, _: &mut Context<'_>, _: Locked<'_>, _: ()) -> HResult<()> {
        self.order.lock().unwrap().push(self.call_id);
        // Lets other threads run, so that a missing lock would show.
        shuttle::thread::yield_now();
        self.order.lock().unwrap().push(self.call_id);
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LockName {
    Device,
    Queue,
    Object(u64),
}

/// Calls of each thread, each with the locks that it takes: device, queue, objects.
const PLANS: [&[(bool, bool, &[u64])]; 3] = [
    &[(true, false, &[1]), (false, false, &[2, 1]), (false, true, &[]), (true, true, &[3])],
    &[(false, true, &[1]), (true, false, &[]), (false, false, &[1]), (false, false, &[2, 3])],
    &[(false, false, &[3, 1, 2]), (true, true, &[2]), (false, false, &[3]), (false, true, &[1])],
];

fn locks(plan: &(bool, bool, &[u64])) -> BTreeSet<LockName> {
    let (device, queue, objects) = plan;
    let of_device = device.then_some(LockName::Device).into_iter();
    of_device.chain(queue.then_some(LockName::Queue)).chain(objects.iter().copied().map(LockName::Object)).collect()
}

/// Runs all threads; returns the order in which calls began and ended, and their events.
fn run() -> (Vec<CallOfThread>, BTreeMap<u32, Events>) {
    let shell = Arc::new(Shell::new(settings(), vec![taut_runtime::driver(&profile())], Clock::Logical));
    let (memory_recorder, order) = (MemoryRecorder::default(), Arc::new(Mutex::new(Vec::new())));
    let threads = PLANS.into_iter().zip(0..).map(|(plan, number)| {
        let (shell, memory_recorder, order) = (shell.clone(), memory_recorder.clone(), order.clone());
        shuttle::thread::spawn(move || {
            let mut thread = shell.thread(memory_recorder.sink(number));
            for (at, (device, queue, objects)) in plan.iter().enumerate() {
                let objects = objects.iter().copied().map(ObjectId).collect();
                let (call_id, order) = ((number, at), order.clone());
                let done = match (device, queue) {
                    (false, false) => thread.call(&Touch::<false, false> { call_id, objects, order }),
                    (true, false) => thread.call(&Touch::<true, false> { call_id, objects, order }),
                    (false, true) => thread.call(&Touch::<false, true> { call_id, objects, order }),
                    (true, true) => thread.call(&Touch::<true, true> { call_id, objects, order }),
                };
                assert_eq!(done, Ok(()));
            }
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    let order = std::mem::take(&mut *order.lock().unwrap());
    (order, memory_recorder.take())
}

/// Checks that of any two calls with a common lock, one ends before the other begins, and that its last stamp is before
/// the other's first: records sorted by stamp are in the order of every lock.
fn stamps_agree_with_every_lock() {
    let (order, events) = run();
    let stamps = |(thread, at): CallOfThread| {
        let events = &events[&thread];
        (events[2 * at].1, events[2 * at + 1].1)
    };
    for lock in PLANS.iter().flat_map(|plan| plan.iter()).flat_map(locks).collect::<BTreeSet<_>>() {
        let takes = |call_id: &&CallOfThread| locks(&PLANS[call_id.0 as usize][call_id.1]).contains(&lock);
        let taken: Vec<CallOfThread> = order.iter().filter(takes).copied().collect();
        let (calls, rest) = taken.as_chunks::<2>();
        assert!(rest.is_empty() && !calls.is_empty());
        assert!(calls.iter().all(|[begun, ended]| begun == ended), "{lock:?} was held twice: {taken:?}");
        for pair in calls.windows(2) {
            let (before, after) = (stamps(pair[0][0]), stamps(pair[1][0]));
            assert!(before.0 < before.1 && before.1 < after.0, "{lock:?}: {before:?}, then {after:?}");
        }
    }
}

#[test]
fn in_every_random_schedule_stamps_agree_with_the_order_of_every_lock() {
    shuttle::check_random(stamps_agree_with_every_lock, runs(3000));
}

#[test]
fn in_every_schedule_with_few_preemptions_stamps_agree_with_the_order_of_every_lock() {
    shuttle::check_pct(stamps_agree_with_every_lock, runs(1000), 3);
}

/// Checks that marks are in order with calls that hold the device's lock.
fn marks_are_in_order_with_the_device() {
    let shell = Arc::new(Shell::new(settings(), vec![taut_runtime::driver(&profile())], Clock::Logical));
    let memory_recorder = MemoryRecorder::default();
    let threads = (0..3).map(|number| {
        let (shell, memory_recorder) = (shell.clone(), memory_recorder.clone());
        shuttle::thread::spawn(move || {
            let mut thread = shell.thread(memory_recorder.sink(number));
            (0..4).for_each(|_| thread.mark(&mark::WorkloadPhase::default()));
        })
    });
    threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
    let mut stamps: Vec<u64> = memory_recorder.take().values().flatten().map(|(_, stamp, _)| *stamp).collect();
    stamps.sort_unstable();
    assert_eq!(stamps, (1..=12).collect::<Vec<_>>(), "each mark comes after the one before it");
}

#[test]
fn in_every_random_schedule_marks_are_in_the_order_of_the_device_s_lock() {
    shuttle::check_random(marks_are_in_order_with_the_device, runs(300));
}
