//! Session for tests: the runtime under one lock, with the events stored in memory.

use std::sync::{Arc, Mutex};
use taut_capture::{Caller, Callers};
use taut_runtime::{Execute, ExecuteWith, Machine, NullTap, Profile, Runnable, Settings};
use taut_schemas::{
    AdapterId, Call, Decoder, DeviceId, Encoder, EventHandle, Field, HResult, HResultCode, Mark, SchemaTable,
    WaitStatus, d3d12, machine, stop, win32,
};

/// Recorded call or mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub stamp: u64,
    pub thread: u32,
    pub name: &'static str,
    /// Arguments of a call, content of a mark.
    pub row: Vec<u8>,
    /// Return value of a call that returns an HRESULT.
    pub hr: Option<HResultCode>,
}

impl Event {
    /// True if the call failed.
    pub(crate) fn failed(&self) -> bool {
        self.hr.is_some_and(|hr| hr != HResultCode::S_OK)
    }

    /// Decodes a mark, if the event is one of this type.
    pub(crate) fn mark<M: Mark>(&self) -> Option<M> {
        (self.name == M::NAME).then(|| M::decode(&mut Decoder::new(&self.row)).unwrap())
    }
}

struct Recorded {
    machine: Machine<'static>,
    events: Vec<Event>,
}

/// Session whose events are stored in memory.
pub(crate) struct MemorySession {
    schema: SchemaTable,
    recorded: Mutex<Recorded>,
}

impl MemorySession {
    /// Creates a session with the bundled driver of this name.
    pub(crate) fn with_driver(driver: &str) -> MemorySession {
        MemorySession::under(&Profile::named(driver).unwrap())
    }

    /// Creates a session with this driver.
    pub(crate) fn under(profile: &Profile) -> MemorySession {
        let machine = Machine::new(Settings::default(), Arc::from(taut_runtime::driver(profile)));
        MemorySession { schema: SchemaTable::current(), recorded: Mutex::new(Recorded { machine, events: Vec::new() }) }
    }

    /// Returns the events in order.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.recorded.lock().unwrap().events.clone()
    }

    /// Returns the number of objects that exist.
    pub(crate) fn live_objects(&self) -> usize {
        self.recorded.lock().unwrap().machine.state.objects.len()
    }

    /// True if the first field of a call's result is an HRESULT.
    fn returns_hresult<C: Call>(&self) -> bool {
        let fields = self.schema.find(stop::<C>().event_ref()).map(|event| &event.fields);
        fields.and_then(|fields| fields.first()).is_some_and(|field| field.name == "hr")
    }
}

impl Callers for MemorySession {
    type Caller<'a> = MemorySessionThread<'a>;

    fn caller(&self, thread: u32) -> MemorySessionThread<'_> {
        MemorySessionThread { session: self, thread, last_stamp: 0 }
    }
}

/// Application thread of the session. A stamp is the number of the thread's events, so stamps of two threads are
/// ordered only where the workload calls `observe`.
pub(crate) struct MemorySessionThread<'a> {
    session: &'a MemorySession,
    thread: u32,
    last_stamp: u64,
}

impl MemorySessionThread<'_> {
    fn push_event(&mut self, recorded: &mut Recorded, name: &'static str, row: Vec<u8>, hr: Option<HResultCode>) {
        self.last_stamp += 1;
        recorded.events.push(Event { stamp: self.last_stamp, thread: self.thread, name, row, hr });
    }

    /// Executes a call and stores its event.
    fn execute<C: ExecuteWith>(&mut self, recorded: &mut Recorded, call: &C) -> C::Output {
        let output = recorded.machine.call(call, &mut NullTap);
        let (mut row, mut result) = (Vec::new(), Vec::new());
        call.encode(&mut Encoder::new(&mut row));
        output.encode(&mut Encoder::new(&mut result));
        let hr = self.session.returns_hresult::<C>();
        let hr = hr.then(|| HResultCode::decode(&mut Decoder::new(&result)).unwrap());
        self.push_event(recorded, C::NAME, row, hr);
        output
    }

    /// Completes all pending GPU operations and background tasks.
    fn run_machine(&mut self, recorded: &mut Recorded) {
        loop {
            if let Some(Runnable { command_queue, .. }) =
                recorded.machine.state.adapter(AdapterId::FIRST).queue.runnable()
            {
                self.execute(recorded, &machine::CompleteQueueOperation { command_queue, ..Default::default() })
                    .unwrap();
            } else if recorded.machine.state.adapter(AdapterId::FIRST).queue.can_start_work() {
                let task =
                    self.execute(recorded, &machine::StartBackgroundWork { worker: 0, ..Default::default() }).unwrap();
                self.execute(recorded, &machine::FinishBackgroundWork { task, ..Default::default() }).unwrap();
            } else {
                return;
            }
        }
    }
}

impl Caller for MemorySessionThread<'_> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        let session = self.session;
        let mut recorded = session.recorded.lock().unwrap();
        let output = self.execute(&mut recorded, &call);
        self.run_machine(&mut recorded);
        output
    }

    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        let begun = self.call(win32::BeginWaitForSingleObject { event, timeout_ms })?;
        // The session has no clock: a wait with a timeout times out at once, another lasts until the event is
        // signalled.
        let mut timed_out = timeout_ms != u32::MAX;
        if begun != WaitStatus::PENDING {
            return Ok(begun);
        }
        let session = self.session;
        loop {
            let mut recorded = session.recorded.lock().unwrap();
            let over = recorded.machine.state.system.is_signalled(event) != Some(false);
            timed_out &= !over;
            if over || timed_out {
                return self.execute(&mut recorded, &win32::FinishWaitForSingleObject { event, timed_out });
            }
            drop(recorded);
            std::thread::yield_now();
        }
    }

    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        match self.call(d3d12::ReleaseDevice { device })? {
            0 => self.call(d3d12::FinishReleaseDevice { device }),
            _ => Ok(()),
        }
    }

    fn mark<M: Mark>(&mut self, mark: M) {
        let mut row = Vec::new();
        mark.encode(&mut Encoder::new(&mut row));
        let mut recorded = self.session.recorded.lock().unwrap();
        self.push_event(&mut recorded, M::NAME, row, None);
    }

    fn last_stamp(&self) -> u64 {
        self.last_stamp
    }

    fn observe(&mut self, stamp: u64) {
        self.last_stamp = self.last_stamp.max(stamp);
    }
}
