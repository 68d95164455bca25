//! A thread of a session, with its calls.

use crate::event_stream::{EventSink, EventStream, Panic};
use crate::locks::{Held, Waiter};
use crate::machine::{HeldPlace, WorkerPlaces};
use crate::memory_call::MemoryCall;
use crate::shell::Shell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use taut_runtime::{
    Execute, ExecuteGiven, RundownError, Runnable, SubmissionState, SystemState, panic_message, removal, told_of,
};
use taut_schemas::{
    AdapterId, BackgroundWork, Call, D3d11ContextId, DeviceId, EventCode, EventHandle, HResult, HResultCode, Mark,
    Opcode, TaskId, WaitStatus, d3d12, machine, state, win32,
};

/// One thread of a session: the application's, or the machine's.
pub struct AppThread<S> {
    shell: Arc<Shell>,
    stream: EventStream<S>,
}

/// A rundown that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rundown {
    /// Its moment.
    pub stamp: u64,
    /// How long all locks were held for it.
    pub held: Duration,
}

impl Shell {
    /// A thread whose events go to `sink`.
    pub fn thread<S: EventSink>(self: &Arc<Shell>, sink: S) -> AppThread<S> {
        AppThread { shell: Arc::clone(self), stream: EventStream::new(sink) }
    }
}

impl<S: EventSink> AppThread<S> {
    /// Makes an API call: takes its locks, stamps and records its start, runs it, records its stop, and lets go. Where the runtime
    /// or a driver panics in it, the device is removed, and the panic goes on.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.call_given(call, ())
    }

    /// The same for an input that is given more than its arguments.
    pub(crate) fn call_given<C: ExecuteGiven>(&mut self, call: &C, given: C::Given) -> C::Output {
        self.call_then(call, given, |_, output| output)
    }

    /// Makes a call, and hands its result to `then` before the locks are let go.
    fn call_then<C: ExecuteGiven, T>(
        &mut self,
        call: &C,
        given: C::Given,
        then: impl FnOnce(&mut Held<'_>, C::Output) -> T,
    ) -> T {
        // Who waits for the writer holds nothing that others wait for.
        self.stream.sink.make_room();
        let shell = &*self.shell;
        let mut waiting_since = None;
        let mut held = shell.locks.acquire(call, &mut || {
            waiting_since.get_or_insert_with(|| shell.clock.now());
        });
        let output = match self.stream.call_under(shell, &mut held, (call, given), waiting_since) {
            Ok(output) => output,
            Err(panic) => {
                drop(held);
                self.go_on_panicking(call, panic)
            }
        };
        let result = then(&mut held, output);
        let removal = held.with(|locked| removal(&locked));
        drop(held);
        if let Some(remove) = removal {
            // The device went in a call that did not have the locks to say so.
            let _ = self.call(&remove);
        }
        let told = told_of(call).filter(|_| self.shell.driver(call.adapter()).habits().hears_of_command_lists);
        if let Some(tell) = told {
            // Recording takes no lock of the queue's, under which the driver may queue work.
            let _ = self.call(&tell);
        }
        result
    }

    /// A call panicked: nobody is to go on with what it left half done, so its device is removed. Nothing is held any more.
    #[cold]
    fn go_on_panicking<C: ExecuteGiven>(&mut self, call: &C, panic: Panic) -> ! {
        // Removing calls no driver; should it panic itself, that is the end of it.
        if ![machine::RemovePanickedDevice::ID, machine::RemoveDevice::ID].contains(&C::ID) {
            let _ = self.call(&machine::RemovePanickedDevice { adapter: call.adapter() });
            if C::LOCKS.context {
                // Others find out when they next open an object; this one may have none to open.
                let context = D3d11ContextId(call.context().0);
                let _ = self.call(&machine::RemoveDevice { context });
            }
        }
        resume_unwind(panic)
    }

    /// The same as [`call_given`](Self::call_given).
    ///
    /// # Errors
    /// What the call panicked with, in words: a thread of the machine has work for others still.
    pub(crate) fn try_call_given<C: ExecuteGiven>(&mut self, call: &C, given: C::Given) -> Result<C::Output, String> {
        let made = catch_unwind(AssertUnwindSafe(|| self.call_given(call, given)));
        made.map_err(|panic| panic_message(&*panic))
    }

    /// Makes a call that maps a resource, or ends that. If it succeeds, the session's memory is told so, still under the
    /// call's locks.
    ///
    /// # Errors
    /// The call's.
    pub fn map<C: MemoryCall>(&mut self, call: &C) -> HResult<C::Answer> {
        let memory = self.shell.memory.get().map(Arc::clone);
        self.call_then(call, (), |held, output| {
            let range = held.with(|locked| locked.cpu_range(call.resource()));
            if let (Ok(_), Some(range), Some(memory)) = (&output, range, memory) {
                C::tell(&*memory, range);
            }
            output.map(|returned| C::answer(returned, range.unwrap_or_default()))
        })
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
        // Who waits for the writer holds nothing that others wait for.
        self.stream.sink.make_room();
        let over = |system: &SystemState| system.is_signalled(event) != Some(false);
        let shell = &*self.shell;
        let held = shell.locks.acquire_system_when(deadline, over);
        let mut held = held.ok_or(HResultCode::DXGI_ERROR_INVALID_CALL)?;
        let timed_out = held.system().is_some_and(|system| !over(system));
        let finish = win32::FinishWaitForSingleObject { event, timed_out };
        match self.stream.call_under(shell, &mut held, (&finish, ()), None) {
            Ok(status) => status,
            Err(panic) => {
                drop(held);
                self.go_on_panicking(&finish, panic)
            }
        }
    }

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        let release = d3d12::ReleaseDevice { device };
        self.call(&release)?;
        self.shell.locks.acquire_queue_when(
            release.adapter(),
            Waiter::Application,
            SubmissionState::can_finish_release,
        );
        self.call(&d3d12::FinishReleaseDevice { device })
    }

    /// Waits for a background task of an adapter, and begins it in a place among the process's workers. `None` when the session
    /// ends.
    pub(crate) fn start_work<'p>(
        &mut self,
        adapter: AdapterId,
        worker: u32,
        places: &'p WorkerPlaces,
    ) -> Option<(TaskId, Arc<dyn BackgroundWork>, HeldPlace<'p>)> {
        loop {
            self.stream.sink.make_room();
            let shell = &*self.shell;
            let mut held = shell.locks.acquire_queue_when(adapter, Waiter::Worker, SubmissionState::can_start_work)?;
            let Some(place) = places.take() else {
                // Whoever waits for a place holds nothing that others wait for.
                drop(held);
                places.wait();
                continue;
            };
            let start = machine::StartBackgroundWork { worker, adapter };
            let task = match self.stream.call_under(shell, &mut held, (&start, ()), None) {
                Ok(task) => task,
                Err(panic) => {
                    drop(held);
                    self.go_on_panicking(&start, panic)
                }
            };
            if let (Ok(task), Some(queue)) = (task, held.queue())
                && let Some(work) = queue.work_of(task)
            {
                return Some((task, work, place));
            }
        }
    }

    /// Waits until an adapter's driver wakes its own thread. `None` when the session ends.
    pub fn woken_driver(&mut self, adapter: AdapterId) -> Option<()> {
        let woken = self.shell.locks.acquire_queue_when(adapter, Waiter::Driver, SubmissionState::is_driver_woken);
        woken.map(drop)
    }

    /// Waits for something that an adapter's graphics processor can do. `None` when the session ends.
    pub fn next_operation(&mut self, adapter: AdapterId) -> Option<Runnable> {
        let ready = |queue: &SubmissionState| queue.runnable().is_some();
        let held = self.shell.locks.acquire_queue_when(adapter, Waiter::Gpu, ready)?;
        held.queue().and_then(SubmissionState::runnable)
    }

    /// Whether marks of this kind are recorded now.
    #[inline]
    pub fn takes<M: Mark>(&self) -> bool {
        self.stream.takes::<M>()
    }

    /// Records a mark, in order with the first adapter's calls.
    pub fn mark<M: Mark>(&mut self, mark: &M) {
        if !self.takes::<M>() {
            return;
        }
        self.stream.sink.make_room();
        let held = self.shell.locks.acquire_device(AdapterId::FIRST);
        self.stream.mark_under(&self.shell, held, mark);
    }

    /// Records a mark about a Direct3D 11 context, in order with its calls.
    pub fn mark_on<M: Mark>(&mut self, context: D3d11ContextId, mark: &M) {
        if !self.takes::<M>() {
            return;
        }
        self.stream.sink.make_room();
        let held = self.shell.locks.acquire_context(context.into());
        self.stream.mark_under(&self.shell, held, mark);
    }

    /// Records all that the runtime remembers, as it is at one moment: every call is before it or behind it.
    ///
    /// The session stands still while it is gathered, not while it is recorded.
    ///
    /// # Errors
    /// There is something in it that a rundown cannot hold. Nothing is recorded then.
    pub fn rundown(&mut self) -> Result<Rundown, RundownError> {
        let shell = &*self.shell;
        let (records, stamp, held_ns) = {
            let mut held = shell.locks.acquire_all();
            let since = shell.clock.now();
            let records = held.view().rundown(shell.drivers())?;
            let stamp = shell.clock.stamp(self.stream.last_stamp.max(held.last_stamp()));
            held.set_last_stamp(stamp);
            (records, stamp, shell.clock.nanoseconds(shell.clock.now().saturating_sub(since)))
        };
        self.stream.last_stamp = stamp;
        let sink = &mut self.stream.sink;
        sink.make_room();
        records.iter().for_each(|(code, row)| sink.event(code, stamp, &|encoder| encoder.raw(row)));
        let end = EventCode::new(state::RundownEnd::ID, Opcode::Info);
        sink.event(end, stamp, &|encoder| records.end(held_ns).encode(encoder));
        sink.hand_over();
        Ok(Rundown { stamp, held: Duration::from_nanos(held_ns) })
    }

    /// The thread's last stamp.
    pub fn last_stamp(&self) -> u64 {
        self.stream.last_stamp
    }

    /// What this thread does from now on follows `stamp`: another thread has told it to go on.
    pub fn observe(&mut self, stamp: u64) {
        self.stream.last_stamp = self.stream.last_stamp.max(stamp);
    }
}
