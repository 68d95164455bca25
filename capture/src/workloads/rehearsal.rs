//! A session for tests: the runtime under one lock, what happens kept in memory.

use crate::caller::{Caller, Callers};
use std::sync::Mutex;
use taut_runtime::{Context, Execute, Profile, Runnable, RuntimeState, Settings, Silent};
use taut_schemas::{
    AdapterId, Call, Decoder, DeviceId, Driver, Encoder, EventHandle, Field, HResult, HResultCode, Mark, SchemaTable,
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

#[derive(Default)]
struct World {
    state: RuntimeState,
    events: Vec<Event>,
}

/// A session for tests.
pub(crate) struct Rehearsal {
    settings: Settings,
    driver: Box<dyn Driver>,
    schema: SchemaTable,
    world: Mutex<World>,
}

impl Rehearsal {
    /// A session under the bundled driver of this name.
    pub(crate) fn of(driver: &str) -> Rehearsal {
        Rehearsal::under(&Profile::named(driver).unwrap())
    }

    /// A session under this driver.
    pub(crate) fn under(profile: &Profile) -> Rehearsal {
        let (settings, driver) = (Settings::default(), taut_runtime::driver(profile));
        Rehearsal { settings, driver, schema: SchemaTable::current(), world: Mutex::default() }
    }

    /// What happened, in order.
    pub(crate) fn events(&self) -> Vec<Event> {
        self.world.lock().unwrap().events.clone()
    }

    /// Number of objects alive.
    pub(crate) fn live_objects(&self) -> usize {
        self.world.lock().unwrap().state.objects.len()
    }

    /// A call's first result is an HRESULT.
    fn returns_hresult<C: Call>(&self) -> bool {
        let fields = self.schema.find(stop::<C>().of_event()).map(|event| &event.fields);
        fields.and_then(|fields| fields.first()).is_some_and(|field| field.name == "hr")
    }
}

impl Callers for Rehearsal {
    type Caller<'a> = RehearsalThread<'a>;

    fn caller(&self, thread: u32) -> RehearsalThread<'_> {
        RehearsalThread { rehearsal: self, thread, last_stamp: 0 }
    }
}

/// An application thread of a rehearsal. Its stamps only count, so they are in order with another thread's only if
/// the workload says so.
pub(crate) struct RehearsalThread<'a> {
    rehearsal: &'a Rehearsal,
    thread: u32,
    last_stamp: u64,
}

impl RehearsalThread<'_> {
    fn keep(&mut self, world: &mut World, name: &'static str, row: Vec<u8>, hr: Option<HResultCode>) {
        self.last_stamp += 1;
        world.events.push(Event { stamp: self.last_stamp, thread: self.thread, name, row, hr });
    }

    fn make<C: Execute>(&mut self, world: &mut World, call: &C) -> C::Output {
        let Rehearsal { settings, driver, .. } = self.rehearsal;
        let output = call.execute(&mut Context::new(settings, &**driver, &mut Silent), world.state.locked_for(call));
        let (mut row, mut result) = (Vec::new(), Vec::new());
        call.encode(&mut Encoder::new(&mut row));
        output.encode(&mut Encoder::new(&mut result));
        let hr = self.rehearsal.returns_hresult::<C>();
        let hr = hr.then(|| HResultCode::decode(&mut Decoder::new(&result)).unwrap());
        self.keep(world, C::NAME, row, hr);
        output
    }

    /// Does all that the machine can do: a graphics processor and a worker that are done at once.
    fn run_machine(&mut self, world: &mut World) {
        loop {
            if let Some(Runnable { command_queue, .. }) = world.state.adapter(AdapterId::FIRST).queue.runnable() {
                self.make(world, &machine::CompleteQueueOperation { command_queue }).unwrap();
            } else if world.state.adapter(AdapterId::FIRST).queue.can_start_work() {
                let task = self.make(world, &machine::StartBackgroundWork { worker: 0, ..Default::default() }).unwrap();
                self.make(world, &machine::FinishBackgroundWork { task }).unwrap();
            } else {
                return;
            }
        }
    }
}

impl Caller for RehearsalThread<'_> {
    fn call<C: Execute>(&mut self, call: C) -> C::Output {
        let rehearsal = self.rehearsal;
        let mut world = rehearsal.world.lock().unwrap();
        let output = self.make(&mut world, &call);
        self.run_machine(&mut world);
        output
    }

    fn wait(&mut self, event: EventHandle, timeout_ms: u32) -> HResult<WaitStatus> {
        let begun = self.call(win32::BeginWaitForSingleObject { event, timeout_ms })?;
        // There is no time here: a limited wait is over at once, another only once the event comes.
        let mut timed_out = timeout_ms != u32::MAX;
        if begun != WaitStatus::PENDING {
            return Ok(begun);
        }
        let rehearsal = self.rehearsal;
        loop {
            let mut world = rehearsal.world.lock().unwrap();
            let over = world.state.system.is_signalled(event) != Some(false);
            timed_out &= !over;
            if over || timed_out {
                return self.make(&mut world, &win32::FinishWaitForSingleObject { event, timed_out });
            }
            drop(world);
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
        let mut world = self.rehearsal.world.lock().unwrap();
        self.keep(&mut world, M::NAME, row, None);
    }

    fn last_stamp(&self) -> u64 {
        self.last_stamp
    }

    fn observe(&mut self, stamp: u64) {
        self.last_stamp = self.last_stamp.max(stamp);
    }
}
