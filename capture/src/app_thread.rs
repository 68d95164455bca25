//! Thread of a session: executes and records calls.

use crate::event_stream::{EventSink, EventStream, Panic};
use crate::locks::{Held, Waiter};
use crate::machine::{HeldPlace, WorkerPlaces};
use crate::memory_call::{BoxCall, MemoryCall};
use crate::shell::Shell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use taut_runtime::memory_effect::{Extent, Rows};
use taut_runtime::{
    DueReleases, Execute, ExecuteWith, RundownError, Runnable, SubmissionState, SystemState, command_list_notice,
    panic_message, removal,
};
use taut_schemas::{
    AdapterId, BackgroundWork, Call, D3d11ContextId, DeviceId, EventCode, EventHandle, HResult, HResultCode, Input,
    Mark, Opcode, TaskId, WaitStatus, d3d12, machine, mark, state, win32,
};

/// One thread of a session, of the application or of the machine.
pub struct AppThread<S> {
    shell: Arc<Shell>,
    stream: EventStream<S>,
}

/// Rundown that was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rundown {
    /// Stamp of all its records, in ticks.
    pub stamp: u64,
    /// Time for which all locks were held.
    pub held: Duration,
}

impl Shell {
    /// Creates a thread that records to `sink`.
    pub fn thread<S: EventSink>(self: &Arc<Shell>, sink: S) -> AppThread<S> {
        AppThread { shell: Arc::clone(self), stream: EventStream::new(sink) }
    }
}

impl<S: EventSink> AppThread<S> {
    /// Executes an API call: takes its locks, stamps and records its start, runs it, records its stop, and releases the
    /// locks. If the runtime or a driver panics, the device is removed and the panic is resumed.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.call_with(call, ())
    }

    /// Executes an input that takes a payload besides its arguments, as [`call`](Self::call) does.
    pub(crate) fn call_with<C: ExecuteWith>(&mut self, call: &C, payload: C::DerivedInput) -> C::Output {
        self.call_then(call, payload, |_, output| output)
    }

    /// Executes a call and passes its result to `then` before the locks are released.
    fn call_then<C: ExecuteWith, T>(
        &mut self,
        call: &C,
        payload: C::DerivedInput,
        then: impl FnOnce(&mut Held<'_>, C::Output) -> T,
    ) -> T {
        // A wait for the writer must happen before any lock is taken, so that no other thread waits for this one.
        self.stream.sink.make_room();
        let shell = &*self.shell;
        let mut waiting_since = None;
        let mut held = shell.locks.acquire(call, &mut || {
            waiting_since.get_or_insert_with(|| shell.clock.now());
        });
        let output = match self.stream.call_under(shell, &mut held, call, payload, waiting_since) {
            Ok(output) => output,
            Err(panic) => {
                let due_releases = due_releases::<C>(&mut held);
                drop(held);
                self.resume_panic(call, due_releases, panic)
            }
        };
        let result = then(&mut held, output);
        let removal = held.with(|locked| removal(&locked));
        let due_releases = due_releases::<C>(&mut held);
        drop(held);
        if let Some(remove) = removal {
            // The device was removed in a call that did not hold the locks to record that.
            let _ = self.call(&remove);
        }
        let notification =
            command_list_notice(call).filter(|_| self.shell.driver(call.adapter()).traits().receives_command_lists);
        if let Some(notify) = notification {
            // The driver queues work under the queue's lock, which recording calls do not take; so the notification is
            // a separate input.
            let _ = self.call(&notify);
        }
        if let Some(due_releases) = due_releases {
            self.release_due(due_releases);
        }
        result
    }

    /// Drops the references that a released swap chain had. Separate inputs: the release of a chain does not take the locks
    /// of the device that it was created on.
    fn release_due(&mut self, due_releases: DueReleases) {
        let DueReleases { d3d11_device, command_queue, device } = due_releases;
        if let Some(release) = d3d11_device {
            let _ = self.call(&release);
        }
        if let Some(release) = command_queue {
            let _ = self.call(&release);
        }
        if let Some(device) = device {
            let _ = self.release_device(device);
        }
    }

    /// Resumes the panic of a call. Its device is removed, because the call left it in an undefined state; the references
    /// of a swap chain whose resources the driver was destroying are dropped. No lock is held here.
    #[cold]
    fn resume_panic<C: ExecuteWith>(&mut self, call: &C, due_releases: Option<DueReleases>, panic: Panic) -> ! {
        // Removal calls no driver; if it panics itself, no further removal is tried.
        if ![machine::RemovePanickedDevice::ID, machine::RemoveDevice::ID].contains(&C::ID) {
            let _ = self.call(&machine::RemovePanickedDevice { adapter: call.adapter() });
            if C::LOCKS.context {
                // Other contexts detect the removal when they next open an object; this context may never open another.
                let context = D3d11ContextId(call.context().0);
                let _ = self.call(&machine::RemoveDevice { context });
            }
        }
        if let Some(due_releases) = due_releases {
            // If the driver panics in them as well, the first panic is the one that the application sees.
            let _ = catch_unwind(AssertUnwindSafe(|| self.release_due(due_releases)));
        }
        resume_unwind(panic)
    }

    /// Executes an input as [`call_with`](Self::call_given) does, for a thread of the machine, which must survive
    /// panics because others depend on it.
    ///
    /// # Errors
    /// Message of the call's panic.
    pub(crate) fn try_call_with<C: ExecuteWith>(
        &mut self,
        call: &C,
        payload: C::DerivedInput,
    ) -> Result<C::Output, String> {
        let result = catch_unwind(AssertUnwindSafe(|| self.call_with(call, payload)));
        result.map_err(|panic| panic_message(&*panic))
    }

    /// Executes a call that maps or unmaps a resource. On success the session's memory is notified, still under the
    /// call's locks.
    ///
    /// # Errors
    /// As the call.
    pub fn map<C: MemoryCall>(&mut self, call: &C) -> HResult<C::Answer> {
        let memory = self.shell.memory.get().map(Arc::clone);
        self.call_then(call, (), |held, output| {
            let range = held.with(|locked| locked.cpu_range(call.resource()));
            if let (Ok(_), Some(range), Some(memory)) = (&output, range, memory) {
                C::notify(&*memory, range);
            }
            output.map(|returned| C::answer(returned, range.unwrap_or_default()))
        })
    }

    /// Executes a call that reads or writes a box of a subresource, and returns its place.
    ///
    /// # Errors
    /// As the call.
    pub fn access<C: BoxCall>(&mut self, call: &C) -> HResult<Option<(Rows, Extent)>> {
        self.call_then(call, (), |held, output| {
            let (resource, subresource, copied) = call.target();
            output.map(|()| held.with(|locked| locked.subresource_rows(resource, subresource, copied)))
        })
    }

    /// Waits for an event: WaitForSingleObject.
    ///
    /// # Errors
    /// E_HANDLE: the event does not exist. DXGI_ERROR_INVALID_CALL: the session ended during the wait.
    pub fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        let begun = self.call(&win32::BeginWaitForSingleObject { event, timeout_ms })?;
        if begun != WaitStatus::PENDING {
            return Ok(begun);
        }
        let timeout = (timeout_ms != u32::MAX).then(|| Duration::from_millis(timeout_ms.into()));
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        // A wait for the writer must happen before any lock is taken, so that no other thread waits for this one.
        self.stream.sink.make_room();
        // A wait also ends when its event is closed.
        let over = |system: &SystemState| system.is_signalled(event) != Some(false);
        let shell = &*self.shell;
        let held = shell.locks.acquire_system_when(deadline, over);
        let mut held = held.ok_or(HResultCode::DXGI_ERROR_INVALID_CALL)?;
        let timed_out = held.system().is_some_and(|system| !over(system));
        let finish = win32::FinishWaitForSingleObject { event, timed_out };
        match self.stream.call_under(shell, &mut held, &finish, (), None) {
            Ok(status) => status,
            Err(panic) => {
                drop(held);
                self.resume_panic(&finish, None, panic)
            }
        }
    }

    /// Releases the device and waits for its background tasks to end. A device that swap chains refer to is
    /// destroyed with the last of them.
    ///
    /// # Errors
    /// As ReleaseDevice and FinishReleaseDevice.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        let release = d3d12::ReleaseDevice { device };
        if self.call(&release)? > 0 {
            return Ok(());
        }
        self.shell.locks.acquire_queue_when(
            release.adapter(),
            Waiter::Application,
            SubmissionState::can_finish_release,
        );
        self.call(&d3d12::FinishReleaseDevice { device })
    }

    /// Waits for a background task of an adapter and starts it, within the process-wide limit of concurrent tasks.
    /// Returns `None` when the session ends.
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
                // A thread that waits for a place must hold no lock, or the tasks that occupy places could not end.
                drop(held);
                places.wait();
                continue;
            };
            let start = machine::StartBackgroundWork { worker, adapter };
            let task = match self.stream.call_under(shell, &mut held, &start, (), None) {
                Ok(task) => task,
                Err(panic) => {
                    drop(held);
                    self.resume_panic(&start, None, panic)
                }
            };
            if let (Ok(task), Some(queue)) = (task, held.queue())
                && let Some(work) = queue.work_of(task)
            {
                return Some((task, work, place));
            }
        }
    }

    /// Waits until an adapter's driver wakes its own thread. Returns `None` when the session ends.
    pub fn woken_driver(&mut self, adapter: AdapterId) -> Option<()> {
        let woken = self.shell.locks.acquire_queue_when(adapter, Waiter::Driver, SubmissionState::is_driver_woken);
        woken.map(drop)
    }

    /// Waits for an operation that an adapter's GPU can execute. Returns `None` when the session ends.
    pub fn next_operation(&mut self, adapter: AdapterId) -> Option<Runnable> {
        let ready = |queue: &SubmissionState| queue.runnable().is_some();
        let held = self.shell.locks.acquire_queue_when(adapter, Waiter::Gpu, ready)?;
        held.queue().and_then(SubmissionState::runnable)
    }

    /// True if marks of this type are currently recorded.
    #[inline]
    pub fn takes<M: Mark>(&self) -> bool {
        self.stream.takes::<M>()
    }

    /// Records a mark, ordered with the first adapter's calls.
    pub fn mark<M: Mark>(&mut self, mark: &M) {
        if !self.takes::<M>() {
            return;
        }
        self.stream.sink.make_room();
        let held = self.shell.locks.acquire_device(AdapterId::FIRST);
        self.stream.mark_under(&self.shell, held, mark);
    }

    /// Records a mark about a Direct3D 11 context, ordered with the context's calls.
    pub fn mark_on<M: Mark>(&mut self, context: D3d11ContextId, mark: &M) {
        if !self.takes::<M>() {
            return;
        }
        self.stream.sink.make_room();
        let held = self.shell.locks.acquire_context(context.into());
        self.stream.mark_under(&self.shell, held, mark);
    }

    /// Records the whole runtime state at one stamp: every call is either before or after it.
    ///
    /// All locks are held while the state is collected, not while it is recorded.
    ///
    /// # Errors
    /// The state has a part that a rundown cannot contain. Nothing is recorded then.
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

    /// Returns the first error of the debug layer in the thread's last call.
    pub fn first_error(&self) -> Option<&mark::DebugMessage> {
        self.stream.first_error()
    }

    /// Stamp of the thread's last event, in ticks.
    pub fn last_stamp(&self) -> u64 {
        self.stream.last_stamp
    }

    /// Orders this thread's later events after `stamp`, the stamp of an event on another thread that this one waited
    /// for.
    pub fn observe(&mut self, stamp: u64) {
        self.stream.last_stamp = self.stream.last_stamp.max(stamp);
    }
}

/// Takes the inputs that must follow a call, under the locks of the call.
fn due_releases<C: Input>(held: &mut Held<'_>) -> Option<DueReleases> {
    match DueReleases::may_follow::<C>() {
        true => held.with(|mut locked| DueReleases::after(&mut locked)),
        false => None,
    }
}
