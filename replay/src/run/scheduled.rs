//! Inputs of a world with its own background tasks: recorded starts and ends of tasks are skipped, new starts and ends
//! are inserted between the recorded calls, and waits last until their event is signalled in that world.

use super::Run;
use super::panic_event::PANICKED;
use super::schedule::{Schedule, Wait};
use crate::live_events::LiveEvents;
use crate::policy::Policy;
use crate::tasks::RunningTask;

use std::borrow::Cow;
use taut_runtime::{ExecuteWith, catch, command_list_notice, panic_message, panicked};
use taut_schemas::{
    Call, CodecError, Decoder, Encoder, EventCode, EventHandle, Field, HResult, Layer, Mark, Opcode, ThreadRole,
    WaitStatus, d3d12, machine, win32,
};

/// True if an input begins or ends a background task.
fn is_task_input(code: EventCode) -> bool {
    let ids = [machine::StartBackgroundWork::ID, machine::FinishBackgroundWork::ID, machine::FailBackgroundWork::ID];
    ids.contains(&code.id())
}

/// True if an input lets a driver act outside the application's calls.
fn is_driver_input(code: EventCode) -> bool {
    [machine::RunDriverThread::ID, machine::NotifyCommandListClosed::ID].contains(&code.id())
}

/// Returns the result of BeginWaitForSingleObject from its stop row; `None` for other calls and for failures.
fn wait_answer(code: EventCode, row: &[u8]) -> Option<WaitStatus> {
    let begins = code == EventCode::new(win32::BeginWaitForSingleObject::ID, Opcode::Stop);
    let answer = begins.then(|| HResult::<WaitStatus>::decode(&mut Decoder::new(row)));
    answer?.ok()?.ok()
}

impl<P: Policy> Run<'_, '_, P> {
    /// Replays one event, and the inputs that this world has before and after it.
    pub(super) fn replay_scheduled(
        &mut self,
        schedule: &mut Schedule,
        stamp: u64,
        layer: Layer,
        code: EventCode,
        row: &[u8],
    ) -> Result<(), CodecError> {
        let number = self.threads[self.current].number;
        let edge = code.opcode().filter(|_| layer.is_input());
        if edge == Some(Opcode::Start) && is_task_input(code) {
            self.outcome.recorded_tasks += u64::from(code.id() == machine::FinishBackgroundWork::ID);
            self.skip_call(code);
            return Ok(());
        }
        if edge == Some(Opcode::Start) && is_driver_input(code) {
            self.skip_call(code);
            return Ok(());
        }
        let mut row = Cow::Borrowed(row);
        match edge {
            Some(Opcode::Start) => {
                if !self.before_call(schedule, stamp, number, code, &mut row)? {
                    self.skip_call(code);
                    return Ok(());
                }
                schedule.open.insert(number);
            }
            // Events of a skipped call take no time.
            _ if self.threads[self.current].call.is_some() && !schedule.open.contains(&number) => {}
            _ => drop(schedule.time.advance(stamp)),
        }
        let ends = edge == Some(Opcode::Stop) || code == PANICKED;
        let returns = ends && schedule.open.remove(&number);
        let answer = if returns {
            self.threads[self.current].live.last().and_then(|last| wait_answer(code, last))
        } else {
            None
        };
        self.replay(schedule.time.now(), layer, code, &row)?;
        if let (true, Some(recorded)) = (returns, wait_answer(code, &row)) {
            self.after_wait(schedule, number, recorded, answer);
        }
        if returns {
            self.notify_command_list_closed(schedule, number);
            self.catch_up(schedule);
        }
        Ok(())
    }

    /// Inserts the inputs that are due before a recorded call, and adapts the call. Returns false if the call is
    /// skipped.
    fn before_call(
        &mut self,
        schedule: &mut Schedule,
        stamp: u64,
        number: u32,
        code: EventCode,
        row: &mut Cow<'_, [u8]>,
    ) -> Result<bool, CodecError> {
        let arguments = row.get(size_of::<u64>()..).unwrap_or_default();
        match code.id() {
            win32::FinishWaitForSingleObject::ID => {
                schedule.time.skip_to(stamp);
                let mut call = win32::FinishWaitForSingleObject::decode(&mut Decoder::new(arguments))?;
                let wait = schedule.waits.remove(&number);
                if wait.is_some_and(|wait| wait.is_over) {
                    return Ok(false);
                }
                call.timed_out = self.wait(schedule, call.event, wait.map_or(u64::MAX, |wait| wait.until));
                let row = row.to_mut();
                row.truncate(size_of::<u64>());
                call.encode(&mut Encoder::new(row));
            }
            // The recorded times are of code that this world may not have.
            machine::CompleteQueueOperation::ID => {
                let mut call = machine::CompleteQueueOperation::decode(&mut Decoder::new(arguments))?;
                if !call.times.is_empty() {
                    call.times.clear();
                    let row = row.to_mut();
                    row.truncate(size_of::<u64>());
                    call.encode(&mut Encoder::new(row));
                }
                schedule.time.advance(stamp);
                self.catch_up(schedule);
            }
            d3d12::FinishReleaseDevice::ID => {
                schedule.time.skip_to(stamp);
                let adapter = d3d12::FinishReleaseDevice::decode(&mut Decoder::new(arguments))?.adapter();
                let drained = |run: &Self| run.world.machine.state.adapter(adapter).queue.can_finish_release();
                self.work_until(schedule, u64::MAX, drained);
            }
            id => {
                let now = schedule.time.advance(stamp);
                if id == d3d12::CloseCommandList::ID {
                    let call = d3d12::CloseCommandList::decode(&mut Decoder::new(arguments))?;
                    schedule.closing.insert(number, call);
                }
                if id == win32::BeginWaitForSingleObject::ID {
                    let call = win32::BeginWaitForSingleObject::decode(&mut Decoder::new(arguments))?;
                    schedule.waits.insert(number, Wait::begun(&call, now, schedule.ticks_per_ms));
                }
                self.catch_up(schedule);
            }
        }
        Ok(true)
    }

    /// Handles the start of a wait. A wait that returned at once when recorded may be pending now, and the reverse.
    fn after_wait(&mut self, schedule: &mut Schedule, number: u32, recorded: WaitStatus, live: Option<WaitStatus>) {
        if recorded == WaitStatus::PENDING {
            if let Some(wait) = schedule.waits.get_mut(&number) {
                wait.is_over = live != Some(WaitStatus::PENDING);
            }
            return;
        }
        let Some(Wait { event, until, .. }) = schedule.waits.remove(&number) else { return };
        if live == Some(WaitStatus::PENDING) {
            let timed_out = self.wait(schedule, event, until);
            let finish = win32::FinishWaitForSingleObject { event, timed_out };
            // Fails only if no remaining operation can signal the event.
            let _ = self.insert(schedule.time.now(), number, &finish, ());
        }
    }

    /// Notifies a driver of a closed command list, if the driver has that capability.
    fn notify_command_list_closed(&mut self, schedule: &mut Schedule, number: u32) {
        let Some(mut closed) = schedule.closing.remove(&number) else { return };
        closed.map_handles(&mut self.handles);
        if let Some(notification) = command_list_notice(&closed)
            && self.world.machine.driver(closed.adapter()).traits().receives_command_lists
        {
            // Fails only if the list no longer exists.
            let _ = self.insert(schedule.time.now(), number, &notification, ());
        }
    }

    /// Runs the drivers' own threads that were woken.
    fn run_drivers(&mut self, schedule: &Schedule) {
        for adapter in self.world.machine.adapters() {
            if self.world.machine.state.adapter(adapter).queue.is_driver_woken() {
                let number = ThreadRole::Driver(adapter).thread();
                let _ = self.insert(schedule.time.now(), number, &machine::RunDriverThread { adapter }, ());
            }
        }
    }

    /// Ends all running tasks at the end of the recording, as a session does.
    pub(super) fn end_tasks(&mut self, schedule: &mut Schedule) {
        while let Some(ends_at) = schedule.workers.next_end() {
            schedule.time.advance_to(ends_at);
            self.end_task(schedule);
        }
    }

    /// Waits until an event is signalled; returns true if it timed out first. A wait that nothing can end times out if
    /// it has a timeout.
    fn wait(&mut self, schedule: &mut Schedule, event: EventHandle, until: u64) -> bool {
        let signalled = move |run: &Self| run.world.machine.state.system.is_signalled(event) != Some(false);
        self.work_until(schedule, until, signalled);
        let timed_out = !signalled(self) && until != u64::MAX;
        if timed_out {
            schedule.time.advance_to(until);
        }
        timed_out
    }

    /// Begins and ends tasks until `holds` is true, no task is left, or `until` is reached.
    fn work_until(&mut self, schedule: &mut Schedule, until: u64, holds: impl Fn(&Self) -> bool) {
        self.begin_tasks(schedule, schedule.time.now());
        while !holds(self)
            && let Some(ends_at) = schedule.workers.next_end().filter(|ends_at| *ends_at <= until)
        {
            schedule.time.advance_to(ends_at);
            self.end_task(schedule);
            self.begin_tasks(schedule, schedule.time.now());
        }
    }

    /// Ends the tasks that are due and begins the tasks that may begin. Has no effect while a call is open.
    fn catch_up(&mut self, schedule: &mut Schedule) {
        if !schedule.open.is_empty() {
            return;
        }
        self.run_drivers(schedule);
        while let Some(ends_at) = schedule.workers.next_end().filter(|ends_at| *ends_at <= schedule.time.now()) {
            self.end_task(schedule);
            self.begin_tasks(schedule, ends_at);
        }
        self.begin_tasks(schedule, schedule.time.now());
    }

    /// Begins tasks on idle workers while there are both.
    fn begin_tasks(&mut self, schedule: &mut Schedule, now: u64) {
        for adapter in self.world.machine.adapters() {
            while self.world.machine.state.adapter(adapter).queue.can_start_work()
                && let Some(worker) = schedule.workers.idle(adapter)
            {
                let number = ThreadRole::Worker(adapter, worker).thread();
                let begun = self.insert(now, number, &machine::StartBackgroundWork { worker, adapter }, ());
                let Some(Ok(task)) = begun else {
                    break;
                };
                let finish = machine::FinishBackgroundWork { task, ..Default::default() };
                // A panic of the work is recorded as its failure, as in a live session.
                let work_result =
                    catch(|| self.world.machine.derive_input(&finish)).map_err(|panic| panic_message(&*panic));
                let result =
                    work_result.and_then(|work_result| work_result.ok_or_else(|| "its work failed".to_owned()));
                schedule.workers.begin((adapter, worker), task, result, now);
            }
        }
    }

    /// Ends the task that is due next.
    fn end_task(&mut self, schedule: &mut Schedule) {
        let Some(ends_at) = schedule.workers.next_end() else { return };
        let Some(((adapter, worker), RunningTask { task, result, .. })) = schedule.workers.end() else { return };
        let number = ThreadRole::Worker(adapter, worker).thread();
        // Fails only if the task is not running, and it is.
        let _ = match result {
            Ok(result) => {
                self.outcome.tasks += 1;
                let finish = machine::FinishBackgroundWork { task, ..Default::default() };
                self.insert(ends_at, number, &finish, Some(result))
            }
            Err(reason) => self.insert(ends_at, number, &machine::FailBackgroundWork { task, reason }, ()),
        };
    }

    /// Executes an input that the recording lacks and writes its events. If the driver panics, its device is removed,
    /// as in a live session.
    fn insert<C: ExecuteWith>(
        &mut self,
        stamp: u64,
        thread: u32,
        call: &C,
        payload: C::DerivedInput,
    ) -> Option<C::Output> {
        let index = self.threads.index(thread, self.current);
        let mut row = Vec::new();
        let mut encoder = Encoder::new(&mut row);
        // An inserted input does not wait for locks.
        0_u64.encode(&mut encoder);
        call.encode(&mut encoder);
        self.output.write(&mut self.threads[index], stamp, EventCode::new(C::ID, Opcode::Start), &row);
        let mut live = LiveEvents::default();
        let answer = catch(|| self.world.machine.call_with(call, payload, &mut live));
        self.outcome.ddi_calls += live.codes().filter(|code| self.recording.is_ddi_start(*code)).count() as u64;
        while let Some((code, row)) = live.pop() {
            self.output.write(&mut self.threads[index], stamp, code, row);
        }
        row.clear();
        let (end, answer) = match answer {
            Ok(answer) => {
                answer.encode(&mut Encoder::new(&mut row));
                (EventCode::new(C::ID, Opcode::Stop), Some(answer))
            }
            Err(panic) => {
                panicked(&*panic).encode(&mut Encoder::new(&mut row));
                (PANICKED, None)
            }
        };
        self.output.write(&mut self.threads[index], stamp, end, &row);
        // The removal may panic, too; it is not repeated then.
        if answer.is_none() && C::ID != machine::RemovePanickedDevice::ID {
            let _ = self.insert(stamp, thread, &machine::RemovePanickedDevice { adapter: call.adapter() }, ());
        }
        answer
    }
}
