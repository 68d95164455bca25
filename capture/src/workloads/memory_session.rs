//! A session for tests: the runtime under one lock, what happens kept in memory.

use crate::caller::{Caller, Callers};
use std::sync::{Arc, Mutex};
use taut_runtime::{Execute, ExecuteGiven, Machine, Profile, Runnable, Settings, Silent};
use taut_schemas::{
    AdapterId, Call, Decoder, DeviceId, Encoder, EventHandle, Field, HResult, HResultCode, Mark, SchemaTable,
    WaitStatus, d3d12, machine, stop, win32,
};

/// A call or a mark, as it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    pub stamp: u64,
    pub thread: u32,
    pub name: &'static str,
    /// Arguments of a call, content of a mark.
    pub row: Vec<u8>,
    /// What the call returned, if it returns an HRESULT.
    pub hr: Option<HResultCode>,
}

impl Event {
    /// The call returned a failure.
    pub(crate) fn failed(&self) -> bool {
        self.hr.is_some_and(|hr| hr != HResultCode::S_OK)
    }

    /// The content of a mark.
    pub(crate) fn mark<M: Mark>(&self) -> Option<M> {
        (self.name == M::NAME).then(|| M::decode(&mut Decoder::new(&self.row)).unwrap())
    }
}

struct Recorded {
    machine: Machine<'static>,
    events: Vec<Event>,
}

/// A session for tests.
pub(crate) struct MemorySession {
    schema: SchemaTable,
    recorded: Mutex<Recorded>,
}

impl MemorySession {
    /// A session under the bundled driver of this name.
    pub(crate) fn of(driver: &str) -> MemorySession {
        MemorySession::under(&Profile::named(driver).unwrap())
    }

    /// A session under this driver.
    pub(crate) fn under(profile: &Profile) -> MemorySession {
        let machine = Machine::new(Settings::default(), Arc::from(taut_runtime::driver(profile)));
        MemorySession { schema: SchemaTable::current(), recorded: Mutex::new(Recorded { machine, events: Vec::new() }) }
    }

    /// What happened, in order.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.recorded.lock().unwrap().events.clone()
    }

    /// Number of objects alive.
    pub(crate) fn live_objects(&self) -> usize {
        self.recorded.lock().unwrap().machine.state.objects.len()
    }

    /// A call's first result is an HRESULT.
    fn returns_hresult<C: Call>(&self) -> bool {
        let fields = self.schema.find(stop::<C>().of_event()).map(|event| &event.fields);
        fields.and_then(|fields| fields.first()).is_some_and(|field| field.name == "hr")
    }
}

impl Callers for MemorySession {
    type Caller<'a> = MemorySessionThread<'a>;

    fn caller(&self, thread: u32) -> MemorySessionThread<'_> {
        MemorySessionThread { session: self, thread, last_stamp: 0 }
    }
}

/// An application thread of the session. Its stamps only count, so they are in order with another thread's only if
/// the workload says so.
pub(crate) struct MemorySessionThread<'a> {
    session: &'a MemorySession,
    thread: u32,
    last_stamp: u64,
}

impl MemorySessionThread<'_> {
    fn keep(&mut self, recorded: &mut Recorded, name: &'static str, row: Vec<u8>, hr: Option<HResultCode>) {
        self.last_stamp += 1;
        recorded.events.push(Event { stamp: self.last_stamp, thread: self.thread, name, row, hr });
    }

    fn make<C: ExecuteGiven>(&mut self, recorded: &mut Recorded, call: &C) -> C::Output {
        let output = recorded.machine.call(call, &mut Silent);
        let (mut row, mut result) = (Vec::new(), Vec::new());
        call.encode(&mut Encoder::new(&mut row));
        output.encode(&mut Encoder::new(&mut result));
        let hr = self.session.returns_hresult::<C>();
        let hr = hr.then(|| HResultCode::decode(&mut Decoder::new(&result)).unwrap());
        self.keep(recorded, C::NAME, row, hr);
        output
    }

    /// Does all that the machine can do: a graphics processor and a worker that are done at once.
    fn run_machine(&mut self, recorded: &mut Recorded) {
        loop {
            if let Some(Runnable { command_queue, .. }) =
                recorded.machine.state.adapter(AdapterId::FIRST).queue.runnable()
            {
                self.make(recorded, &machine::CompleteQueueOperation { command_queue, ..Default::default() }).unwrap();
            } else if recorded.machine.state.adapter(AdapterId::FIRST).queue.can_start_work() {
                let task =
                    self.make(recorded, &machine::StartBackgroundWork { worker: 0, ..Default::default() }).unwrap();
                self.make(recorded, &machine::FinishBackgroundWork { task, ..Default::default() }).unwrap();
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
        let output = self.make(&mut recorded, &call);
        self.run_machine(&mut recorded);
        output
    }

    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        let begun = self.call(win32::BeginWaitForSingleObject { event, timeout_ms })?;
        // There is no time here: a limited wait is over at once, another only once the event comes.
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
                return self.make(&mut recorded, &win32::FinishWaitForSingleObject { event, timed_out });
            }
            drop(recorded);
            std::thread::yield_now();
        }
    }

    fn release_device(&mut self, device: DeviceId) -> HResult<()> {
        self.call(d3d12::ReleaseDevice { device })?;
        self.call(d3d12::FinishReleaseDevice { device })
    }

    fn mark<M: Mark>(&mut self, mark: M) {
        let mut row = Vec::new();
        mark.encode(&mut Encoder::new(&mut row));
        let mut recorded = self.session.recorded.lock().unwrap();
        self.keep(&mut recorded, M::NAME, row, None);
    }

    fn last_stamp(&self) -> u64 {
        self.last_stamp
    }

    fn observe(&mut self, stamp: u64) {
        self.last_stamp = self.last_stamp.max(stamp);
    }
}
