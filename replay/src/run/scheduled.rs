//! The inputs of a world whose background tasks are its own: the recorded starts and ends of tasks are left out, others are made
//! among the recorded calls, and waits last as long as what they wait for.

use super::Run;
use super::panicked::PANICKED;
use crate::live::LiveEvents;
use crate::policy::Policy;
use crate::tasks::{RunningTask, TaskModel, TimeLine, Workers};
use foldhash::{HashMap, HashMapExt};
use std::borrow::Cow;
use std::collections::BTreeSet;
use taut_runtime::{ExecuteGiven, catch, panic_message, panicked, told_of};
use taut_schemas::{
    Call, CodecError, Decoder, Encoder, EventCode, EventHandle, Field, HResult, Layer, Mark, Opcode, ThreadRole,
    WaitStatus, d3d12, machine, win32,
};

/// dwMilliseconds: INFINITE.
const FOR_EVER: u32 = u32::MAX;

/// Time and workers of a world whose background tasks are its own.
pub(super) struct Schedule {
    time: TimeLine,
    workers: Workers,
    /// Ticks of the recording's clock in a millisecond.
    ticks_per_ms: u64,
    /// Waits that have begun and not ended, by thread.
    waits: HashMap<u32, Wait>,
    /// Threads whose call has begun and not returned. Inputs are made between calls.
    open: BTreeSet<u32>,
    /// Command lists that are being closed, by thread.
    closing: HashMap<u32, d3d12::CloseCommandList>,
}

/// A wait of the other world.
#[derive(Clone, Copy)]
struct Wait {
    event: EventHandle,
    /// When time is up, in ticks.
    until: u64,
    /// There was nothing to wait for.
    is_over: bool,
}

impl Wait {
    fn begun(call: &win32::BeginWaitForSingleObject, now: u64, ticks_per_ms: u64) -> Wait {
        let ticks = u64::from(call.timeout_ms).saturating_mul(ticks_per_ms);
        let until = if call.timeout_ms == FOR_EVER { u64::MAX } else { now.saturating_add(ticks) };
        Wait { event: call.event, until, is_over: false }
    }
}

/// Whether an input begins or ends a background task.
fn is_of_task(code: EventCode) -> bool {
    let ids = [machine::StartBackgroundWork::ID, machine::FinishBackgroundWork::ID, machine::FailBackgroundWork::ID];
    ids.contains(&code.id())
}

/// Whether an input lets a driver do something apart from the calls that are made for the application.
fn is_of_driver(code: EventCode) -> bool {
    [machine::RunDriverThread::ID, machine::TellOfCommandList::ID].contains(&code.id())
}

/// What the beginning of a wait was answered, from its stop row. None for other calls, and for failures.
fn wait_answer(code: EventCode, row: &[u8]) -> Option<WaitStatus> {
    let begins = code == EventCode::new(win32::BeginWaitForSingleObject::ID, Opcode::Stop);
    let answer = begins.then(|| HResult::<WaitStatus>::decode(&mut Decoder::new(row)));
    answer?.ok()?.ok()
}

impl Schedule {
    pub fn new(model: TaskModel, ticks_per_second: u64) -> Schedule {
        Schedule {
            time: TimeLine::default(),
            workers: Workers::new(model, ticks_per_second),
            ticks_per_ms: (ticks_per_second / 1000).max(1),
            waits: HashMap::new(),
            open: BTreeSet::new(),
            closing: HashMap::new(),
        }
    }
}

impl<P: Policy> Run<'_, '_, P> {
    /// Replays one event, and what comes before and after it.
    pub(super) fn replay_scheduled(
        &mut self,
        schedule: &mut Schedule,
        stamp: u64,
        (layer, code): (Layer, EventCode),
        row: &[u8],
    ) -> Result<(), CodecError> {
        let number = self.threads[self.current].number;
        let edge = code.opcode().filter(|_| layer.is_input());
        if edge == Some(Opcode::Start) && is_of_task(code) {
            self.outcome.recorded_tasks += u64::from(code.id() == machine::FinishBackgroundWork::ID);
            self.leave_out(code);
            return Ok(());
        }
        if edge == Some(Opcode::Start) && is_of_driver(code) {
            self.leave_out(code);
            return Ok(());
        }
        let mut row = Cow::Borrowed(row);
        match edge {
            Some(Opcode::Start) => {
                if !self.before_call(schedule, (stamp, number), code, &mut row)? {
                    self.leave_out(code);
                    return Ok(());
                }
                schedule.open.insert(number);
            }
            // What a call says that is left out takes no time.
            _ if self.threads[self.current].call.is_some() && !schedule.open.contains(&number) => {}
            _ => drop(schedule.time.go_on(stamp)),
        }
        let ends = edge == Some(Opcode::Stop) || code == PANICKED;
        let returns = ends && schedule.open.remove(&number);
        let answer = if returns {
            self.threads[self.current].live.last().and_then(|last| wait_answer(code, last))
        } else {
            None
        };
        self.replay(schedule.time.now(), (layer, code), &row)?;
        if let (true, Some(recorded)) = (returns, wait_answer(code, &row)) {
            self.after_wait(schedule, number, (recorded, answer));
        }
        if returns {
            self.tell_of_command_list(schedule, number);
            self.catch_up(schedule);
        }
        Ok(())
    }

    /// A call of the recording is about to be made: what happens before it happens now. Whether it is made.
    fn before_call(
        &mut self,
        schedule: &mut Schedule,
        (stamp, number): (u64, u32),
        code: EventCode,
        row: &mut Cow<'_, [u8]>,
    ) -> Result<bool, CodecError> {
        let arguments = row.get(size_of::<u64>()..).unwrap_or_default();
        match code.id() {
            win32::FinishWaitForSingleObject::ID => {
                schedule.time.stand_still(stamp);
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
            // The recorded times are of code that this world need not have.
            machine::CompleteQueueOperation::ID => {
                let mut call = machine::CompleteQueueOperation::decode(&mut Decoder::new(arguments))?;
                if !call.times.is_empty() {
                    call.times.clear();
                    let row = row.to_mut();
                    row.truncate(size_of::<u64>());
                    call.encode(&mut Encoder::new(row));
                }
                schedule.time.go_on(stamp);
                self.catch_up(schedule);
            }
            d3d12::FinishReleaseDevice::ID => {
                schedule.time.stand_still(stamp);
                let adapter = d3d12::FinishReleaseDevice::decode(&mut Decoder::new(arguments))?.adapter();
                let drained = |run: &Self| run.world.machine.state.adapter(adapter).queue.can_finish_release();
                self.work_until(schedule, u64::MAX, drained);
            }
            id => {
                let now = schedule.time.go_on(stamp);
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

    /// A wait has begun. One that had nothing to wait for when it was recorded may have something to wait for now, and the other
    /// way round.
    fn after_wait(&mut self, schedule: &mut Schedule, number: u32, (recorded, live): (WaitStatus, Option<WaitStatus>)) {
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
            // Refused only if nothing is left that could signal the event.
            let _ = self.insert(schedule.time.now(), number, &finish, ());
        }
    }

    /// A command list was closed: a driver that hears of that is told now.
    fn tell_of_command_list(&mut self, schedule: &mut Schedule, number: u32) {
        let Some(mut closed) = schedule.closing.remove(&number) else { return };
        closed.map_handles(&mut self.handles);
        if let Some(tell) = told_of(&closed)
            && self.world.machine.driver(closed.adapter()).habits().hears_of_command_lists
        {
            // Refused only if the list is gone.
            let _ = self.insert(schedule.time.now(), number, &tell, ());
        }
    }

    /// Drivers whose own threads were woken go on.
    fn run_drivers(&mut self, schedule: &Schedule) {
        for adapter in self.world.machine.adapters() {
            if self.world.machine.state.adapter(adapter).queue.is_driver_woken() {
                let number = ThreadRole::Driver(adapter).thread();
                let _ = self.insert(schedule.time.now(), number, &machine::RunDriverThread { adapter }, ());
            }
        }
    }

    /// The recording is over: tasks that run are brought to their end, as at the end of a session.
    pub(super) fn end_tasks(&mut self, schedule: &mut Schedule) {
        while let Some(ends_at) = schedule.workers.next_end() {
            schedule.time.reach(ends_at);
            self.end_task(schedule);
        }
    }

    /// Waits until an event is signalled; whether time is up first. Where nothing is left that could signal it, time is up if it
    /// can be.
    fn wait(&mut self, schedule: &mut Schedule, event: EventHandle, until: u64) -> bool {
        let signalled = move |run: &Self| run.world.machine.state.system.is_signalled(event) != Some(false);
        self.work_until(schedule, until, signalled);
        let timed_out = !signalled(self) && until != u64::MAX;
        if timed_out {
            schedule.time.reach(until);
        }
        timed_out
    }

    /// Lets tasks begin and end until something holds, no task is left, or time is up.
    fn work_until(&mut self, schedule: &mut Schedule, until: u64, holds: impl Fn(&Self) -> bool) {
        self.begin_tasks(schedule, schedule.time.now());
        while !holds(self)
            && let Some(ends_at) = schedule.workers.next_end().filter(|ends_at| *ends_at <= until)
        {
            schedule.time.reach(ends_at);
            self.end_task(schedule);
            self.begin_tasks(schedule, schedule.time.now());
        }
    }

    /// What has come to its end by now ends, and what may begin begins. Not inside a call.
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

    /// Idle workers begin tasks, as long as there are both.
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
                // A panic of its work is its failure, as in a live session.
                let made = catch(|| self.world.machine.find_given(&finish)).map_err(|panic| panic_message(&*panic));
                let result = made.and_then(|made| made.ok_or_else(|| "its work failed".to_owned()));
                schedule.workers.begin((adapter, worker), task, result, now);
            }
        }
    }

    /// The task that ends next ends.
    fn end_task(&mut self, schedule: &mut Schedule) {
        let Some(ends_at) = schedule.workers.next_end() else { return };
        let Some(((adapter, worker), RunningTask { task, result, .. })) = schedule.workers.end() else { return };
        let number = ThreadRole::Worker(adapter, worker).thread();
        // Refused only if the task is not running, which it is.
        let _ = match result {
            Ok(result) => {
                self.outcome.tasks += 1;
                let finish = machine::FinishBackgroundWork { task, ..Default::default() };
                self.insert(ends_at, number, &finish, Some(result))
            }
            Err(reason) => self.insert(ends_at, number, &machine::FailBackgroundWork { task, reason }, ()),
        };
    }

    /// Makes an input that the recording lacks, and writes what it says. Where its driver panics, its device is removed, as in a
    /// live session.
    fn insert<C: ExecuteGiven>(&mut self, stamp: u64, thread: u32, call: &C, given: C::Given) -> Option<C::Output> {
        let index = self.threads.index(thread, self.current);
        let mut row = Vec::new();
        let mut encoder = Encoder::new(&mut row);
        0_u64.encode(&mut encoder);
        call.encode(&mut encoder);
        self.output.write(&mut self.threads[index], stamp, EventCode::new(C::ID, Opcode::Start), &row);
        let mut live = LiveEvents::default();
        let answer = catch(|| self.world.machine.call_given(call, given, &mut live));
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
        if answer.is_none() && C::ID != machine::RemovePanickedDevice::ID {
            let _ = self.insert(stamp, thread, &machine::RemovePanickedDevice { adapter: call.adapter() }, ());
        }
        answer
    }
}
