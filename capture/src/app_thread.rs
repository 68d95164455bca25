//! A thread of a session, with its calls.

use crate::event_stream::{EventSink, EventStream};
use crate::locks::{Held, Waiter};
use crate::memory::Memory;
use crate::shell::Shell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use taut_runtime::{CpuRange, Execute, Labour, QueueState, Runnable, SystemState};
use taut_schemas::{
    AdapterId, BackgroundWork, Call, D3d11ContextId, DeviceId, EventHandle, HResult, HResultCode, Mark, ObjectId,
    SharedMapData, TaskId, WaitStatus, d3d11, d3d12, machine, win32,
};

/// One thread of a session: the application's, or the machine's.
pub struct AppThread<S> {
    shell: Arc<Shell>,
    stream: EventStream<S>,
}

impl Shell {
    /// A thread whose events go to `sink`.
    pub fn thread<S: EventSink>(self: &Arc<Shell>, sink: S) -> AppThread<S> {
        AppThread { shell: Arc::clone(self), stream: EventStream { last_stamp: 0, sink } }
    }
}

impl<S: EventSink> AppThread<S> {
    /// Makes an API call: takes its locks, stamps and records its start, runs it, records its stop, and lets go.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        self.call_with(call, None)
    }

    /// The same; what work the call needs is done by `labour`.
    pub fn call_with<C: Execute>(&mut self, call: &C, labour: Option<&mut dyn Labour>) -> C::Output {
        self.call_then(call, labour, |_, output| output)
    }

    /// Makes a call, and hands its result to `then` before the locks are let go.
    fn call_then<C: Execute, T>(
        &mut self,
        call: &C,
        labour: Option<&mut dyn Labour>,
        then: impl FnOnce(&mut Held<'_>, C::Output) -> T,
    ) -> T {
        let shell = &*self.shell;
        let mut waiting_since = None;
        let mut held = shell.locks.acquire(call, &mut || {
            waiting_since.get_or_insert_with(|| shell.clock.now());
        });
        let output = self.stream.call_under(shell, &mut held, call, waiting_since, labour);
        then(&mut held, output)
    }

    /// Makes a call that maps a resource, or ends that; if it succeeds, `tell` tells the session's memory so, still under
    /// the call's locks. Gives the resource's range, too.
    fn call_on_memory<C, T>(
        &mut self,
        call: &C,
        resource: ObjectId,
        tell: fn(&dyn Memory, CpuRange),
    ) -> HResult<(T, CpuRange)>
    where
        C: Execute + Call<Output = HResult<T>>,
    {
        let memory = self.shell.memory.get().map(Arc::clone);
        self.call_then(call, None, |held, output| {
            let range = held.with(|locked| locked.cpu_range(resource));
            if let (Ok(_), Some(range), Some(memory)) = (&output, range, memory) {
                tell(&*memory, range);
            }
            output.map(|output| (output, range.unwrap_or_default()))
        })
    }

    /// Maps a resource: ID3D12Resource::Map. From here to the Unmap there are bytes behind its addresses, if the session
    /// was given a [`Memory`]. The range is that of the whole resource; it is empty for a texture whose bytes do not lie in
    /// rows.
    ///
    /// # Errors
    /// The call's.
    pub fn map(&mut self, call: &d3d12::Map) -> HResult<CpuRange> {
        self.call_on_memory(call, call.resource.into(), |memory, range| memory.map(range)).map(|(_, range)| range)
    }

    /// Ends what [`AppThread::map`] began: ID3D12Resource::Unmap.
    ///
    /// # Errors
    /// The call's.
    pub fn unmap(&mut self, call: &d3d12::Unmap) -> HResult<()> {
        self.call_on_memory(call, call.resource.into(), |memory, range| memory.unmap(range)).map(|_| ())
    }

    /// Maps a staging resource: ID3D11DeviceContext::Map. As [`AppThread::map`].
    ///
    /// # Errors
    /// The call's.
    pub fn d3d11_map(&mut self, call: &d3d11::Map) -> HResult<SharedMapData> {
        self.call_on_memory(call, call.resource.into(), |memory, range| memory.map(range)).map(|(data, _)| data)
    }

    /// Ends what [`AppThread::d3d11_map`] began: ID3D11DeviceContext::Unmap.
    ///
    /// # Errors
    /// The call's.
    pub fn d3d11_unmap(&mut self, call: &d3d11::Unmap) -> HResult<()> {
        self.call_on_memory(call, call.resource.into(), |memory, range| memory.unmap(range)).map(|_| ())
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
        let over = |system: &SystemState| system.is_signalled(event) != Some(false);
        let shell = &*self.shell;
        let held = shell.locks.acquire_system_when(deadline, over);
        let mut held = held.ok_or(HResultCode::DXGI_ERROR_INVALID_CALL)?;
        let timed_out = held.system().is_some_and(|system| !over(system));
        let finish = win32::FinishWaitForSingleObject { event, timed_out };
        self.stream.call_under(shell, &mut held, &finish, None, None)
    }

    /// Releases the device, and waits until its background tasks are over.
    ///
    /// # Errors
    /// As the calls that do it.
    pub fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        let release = d3d12::ReleaseDevice { device };
        self.call(&release)?;
        self.shell.locks.acquire_queue_when(release.adapter(), Waiter::Application, QueueState::can_finish_release);
        self.call(&d3d12::FinishReleaseDevice { device })
    }

    /// Waits for a background task of an adapter, and begins it. `None` when the session ends.
    pub fn start_work(&mut self, adapter: AdapterId, worker: u32) -> Option<(TaskId, Arc<dyn BackgroundWork>)> {
        loop {
            let shell = &*self.shell;
            let mut held = shell.locks.acquire_queue_when(adapter, Waiter::Worker, QueueState::can_start_work)?;
            let start = machine::StartBackgroundWork { worker, adapter };
            let task = self.stream.call_under(shell, &mut held, &start, None, None);
            if let (Ok(task), Some(queue)) = (task, held.queue())
                && let Some(work) = queue.work_of(task)
            {
                return Some((task, work));
            }
        }
    }

    /// Waits for something that an adapter's graphics processor can do. `None` when the session ends.
    pub fn next_operation(&mut self, adapter: AdapterId) -> Option<Runnable> {
        let ready = |queue: &QueueState| queue.runnable().is_some();
        let held = self.shell.locks.acquire_queue_when(adapter, Waiter::Gpu, ready)?;
        held.queue().and_then(QueueState::runnable)
    }

    /// Records a mark, in order with the first adapter's calls.
    pub fn mark<M: Mark>(&mut self, mark: &M) {
        let held = self.shell.locks.acquire_device(AdapterId::FIRST);
        self.stream.mark_under(&self.shell, held, mark);
    }

    /// Records a mark about a Direct3D 11 context, in order with its calls.
    pub fn mark_on<M: Mark>(&mut self, context: D3d11ContextId, mark: &M) {
        let held = self.shell.locks.acquire_context(context.into());
        self.stream.mark_under(&self.shell, held, mark);
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
