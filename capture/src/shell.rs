//! The live shell: runs the runtime's state machine under locks and real time, and tells a sink what happened.

use super::clock::Clock;
use super::locks::{Held, LockTable, Waiter};
use std::sync::Arc;
use std::time::{Duration, Instant};
use taut_runtime::{Context, Execute, Labour, QueueState, Runnable, Settings, Tap};
use taut_schemas::{
    BackgroundWork, DeviceId, Driver, Encoder, EventCode, EventHandle, Field, HResult, HResultCode, Mark, Opcode,
    TaskId, WaitStatus, WorkPriority, d3d12, machine, win32,
};

/// Takes one thread's events, in their order.
pub trait EventSink {
    /// An event with this stamp; `payload` writes its row.
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>));
}

/// What all application threads share.
pub struct Shell {
    settings: Settings,
    driver: Box<dyn Driver>,
    clock: Clock,
    locks: LockTable,
    priorities: Priorities,
}

/// Is told at which priority each busy worker is to run, often the same as before.
pub type Priorities = Box<dyn Fn(u32, WorkPriority) + Send + Sync>;

impl Shell {
    /// A machine with one adapter and no device yet.
    pub fn new(settings: Settings, driver: Box<dyn Driver>, clock: Clock) -> Shell {
        Shell { settings, driver, clock, locks: LockTable::default(), priorities: Box::new(|_, _| ()) }
    }

    /// The same machine, whose workers' priorities are set by `priorities`.
    pub fn with_priorities(self, priorities: Priorities) -> Shell {
        Shell { priorities, ..self }
    }

    /// Ends all waiting: the session is over.
    pub fn close(&self) {
        self.locks.close();
    }

    /// A thread whose events go to `sink`.
    pub fn thread<S: EventSink>(&self, sink: S) -> AppThread<'_, S> {
        AppThread { shell: self, last_stamp: 0, sink }
    }
}

/// One thread of a session: the application's, or the machine's.
pub struct AppThread<'s, S> {
    shell: &'s Shell,
    last_stamp: u64,
    sink: S,
}

impl<'s, S: EventSink> AppThread<'s, S> {
    /// Makes an API call: takes its locks, stamps and records its start, runs it, records its stop, and lets go.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.call_with(call, None)
    }

    /// The same; what work the call needs is done by `labour`.
    pub fn call_with<C: Execute>(&mut self, call: &C, labour: Option<&mut dyn Labour>) -> C::Output {
        let Shell { clock, locks, .. } = self.shell;
        let mut waiting_since = None;
        let mut held = locks.acquire(call, &mut || {
            waiting_since.get_or_insert_with(|| clock.now());
        });
        self.call_under(&mut held, call, waiting_since, labour)
    }

    /// Makes a call under locks that are held already.
    fn call_under<C: Execute>(
        &mut self,
        held: &mut Held<'s>,
        call: &C,
        waiting_since: Option<u64>,
        labour: Option<&mut dyn Labour>,
    ) -> C::Output {
        let Shell { settings, driver, clock, locks, priorities } = self.shell;
        let start = clock.stamp(self.last_stamp.max(held.last_stamp()));
        let wait_ns = waiting_since.map_or(0, |since| clock.nanoseconds(start.saturating_sub(since)));
        self.sink.event(EventCode::new(C::ID, Opcode::Start), start, &|encoder| {
            wait_ns.encode(encoder);
            call.encode(encoder);
        });
        let mut tap = StampedTap { clock, last_stamp: start, sink: &mut self.sink };
        let output = held.with(|locked| {
            let labour = labour.map(|labour| labour as &mut dyn Labour);
            let mut context = Context { settings, driver: &**driver, tap: &mut tap, labour };
            call.execute(&mut context, locked)
        });
        let stop = clock.stamp(tap.last_stamp);
        self.sink.event(EventCode::new(C::ID, Opcode::Stop), stop, &|encoder| output.encode(encoder));
        held.set_last_stamp(stop);
        self.last_stamp = stop;
        if let Some(queue) = held.queue() {
            queue.busy_workers().for_each(|(worker, priority)| priorities(worker, priority));
        }
        locks.wake(held);
        output
    }

    /// Waits for an event: WaitForSingleObject.
    ///
    /// # Errors
    /// E_HANDLE: there is no such event. DXGI_ERROR_INVALID_CALL: the session ended first.
    pub fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        let begun = self.call(&win32::BeginWaitForSingleObject { event, timeout_ms })?;
        if begun != WaitStatus::PENDING {
            return Ok(begun);
        }
        let timeout = (timeout_ms != u32::MAX).then(|| Duration::from_millis(timeout_ms.into()));
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let over = |queue: &QueueState| queue.is_signalled(event) != Some(false);
        let held = self.shell.locks.acquire_queue_when(Waiter::Application, deadline, over);
        let mut held = held.ok_or(HResultCode::DXGI_ERROR_INVALID_CALL)?;
        let timed_out = held.queue().is_some_and(|queue| !over(queue));
        self.call_under(&mut held, &win32::FinishWaitForSingleObject { event, timed_out }, None, None)
    }

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.call(&d3d12::ReleaseDevice { device })?;
        self.shell.locks.acquire_queue_when(Waiter::Application, None, QueueState::can_finish_release);
        self.call(&d3d12::FinishReleaseDevice { device })
    }

    /// Waits for a background task, and begins it. `None` when the session ends.
    pub fn start_work(&mut self, worker: u32) -> Option<(TaskId, Arc<dyn BackgroundWork>)> {
        loop {
            let locks = &self.shell.locks;
            let mut held = locks.acquire_queue_when(Waiter::Worker, None, QueueState::can_start_work)?;
            let task = self.call_under(&mut held, &machine::StartBackgroundWork { worker }, None, None);
            if let (Ok(task), Some(queue)) = (task, held.queue())
                && let Some(work) = queue.work_of(task)
            {
                return Some((task, work));
            }
        }
    }

    /// Waits for something that the graphics processor can do. `None` when the session ends.
    pub fn next_operation(&mut self) -> Option<Runnable> {
        let ready = |queue: &QueueState| queue.runnable().is_some();
        let held = self.shell.locks.acquire_queue_when(Waiter::Gpu, None, ready)?;
        held.queue().and_then(QueueState::runnable)
    }

    /// Records a mark, in order with the device's calls.
    pub fn mark<M: Mark>(&mut self, mark: &M) {
        let mut held = self.shell.locks.acquire_device();
        let stamp = self.shell.clock.stamp(self.last_stamp.max(held.last_stamp()));
        self.sink.event(EventCode::new(M::ID, Opcode::Info), stamp, &|encoder| mark.encode(encoder));
        held.set_last_stamp(stamp);
        self.last_stamp = stamp;
    }

    /// The thread's last stamp.
    pub fn last_stamp(&self) -> u64 {
        self.last_stamp
    }

    /// What this thread does from now on follows `stamp`: another thread has told it to go on.
    pub fn observe(&mut self, stamp: u64) {
        self.last_stamp = self.last_stamp.max(stamp);
    }
}

/// Stamps what happens inside a call.
struct StampedTap<'a, S> {
    clock: &'a Clock,
    last_stamp: u64,
    sink: &'a mut S,
}

impl<S: EventSink> Tap for StampedTap<'_, S> {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        self.last_stamp = self.clock.stamp(self.last_stamp);
        self.sink.event(code, self.last_stamp, payload);
    }
}
