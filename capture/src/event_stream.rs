//! Event stream of one thread; events are stamped as they happen.

use crate::locks::Held;
use crate::shell::Shell;
use std::any::Any;
use std::time::Duration;
use taut_runtime::{
    Context, DeviceState, Drivers, ExecuteWith, Locked, MemoryChange, SystemState, Tap, catch, panicked,
};
use taut_schemas::{Decoder, Encoder, EventCode, Field, Mark, MessageSeverity, Opcode, ProviderSet, mark};
use taut_traces::Clock;

/// Payload of a call's panic.
pub(crate) type Panic = Box<dyn Any + Send>;

/// Receiver of one thread's events, in order.
pub trait EventSink {
    /// Waits for buffer space if the next call may need it. Called before the call takes its locks.
    fn make_room(&mut self) {}

    /// Returns the time spent waiting inside [`event`](Self::event) since the previous call of this method or of
    /// [`make_room`](Self::make_room).
    #[inline]
    fn take_waited(&mut self) -> Duration {
        Duration::ZERO
    }

    /// Passes all buffered events to the recorder.
    fn hand_over(&mut self) {}

    /// Providers that are enabled now.
    #[inline]
    fn providers(&self) -> ProviderSet {
        ProviderSet::ALL
    }

    /// Providers that a reader assumes to be recorded until a mark changes them.
    fn first_providers(&self) -> ProviderSet {
        ProviderSet::ALL
    }

    /// Records an event with this stamp; `payload` encodes its row.
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>));
}

/// Min wait under locks that is recorded. Shorter waits are the usual cost of swapping a buffer.
const LONG_WAIT: Duration = Duration::from_millis(1);

/// Stamps and records the events of one thread.
pub(crate) struct EventStream<S> {
    pub(crate) last_stamp: u64,
    /// Providers announced in the stream so far.
    announced: ProviderSet,
    /// First error of the debug layer in the last call.
    first_error: Option<mark::DebugMessage>,
    pub(crate) sink: S,
}

impl<S: EventSink> EventStream<S> {
    pub fn new(sink: S) -> EventStream<S> {
        EventStream { last_stamp: 0, announced: sink.first_providers(), first_error: None, sink }
    }

    /// Returns the first error of the debug layer in the last call: the reason for its refusal.
    pub fn first_error(&self) -> Option<&mark::DebugMessage> {
        self.first_error.as_ref()
    }

    /// True if marks of this type are recorded. Disabled marks cost only this check.
    #[inline]
    pub fn takes<M: Mark>(&self) -> bool {
        self.sink.providers().takes(EventCode::new(M::ID, Opcode::Info))
    }

    /// Returns the providers recorded for an operation under these locks. One value is used for a whole call, so that
    /// no call is recorded partially; a change is recorded first.
    #[inline]
    fn providers(&mut self, clock: &Clock, held: &mut Held<'_>) -> ProviderSet {
        let now = self.sink.providers();
        if now != self.announced {
            self.announce(now, clock, held);
        }
        now
    }

    #[cold]
    fn announce(&mut self, now: ProviderSet, clock: &Clock, held: &mut Held<'_>) {
        self.announced = now;
        self.mark(&mark::ProvidersChanged { providers: now.to_string() }, clock, held);
    }

    /// Records a wait under locks. With a logical clock no wait is recorded, because equal runs must produce equal
    /// traces.
    #[cold]
    fn record_wait(&mut self, waited: Duration, clock: &Clock, held: &mut Held<'_>) {
        if !matches!(clock, Clock::Logical) {
            let wait_ns = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
            self.mark(&mark::WriterWait { wait_ns }, clock, held);
        }
    }

    fn mark<M: Mark>(&mut self, mark: &M, clock: &Clock, held: &mut Held<'_>) {
        let stamp = clock.stamp(self.last_stamp.max(held.last_stamp()));
        self.sink.event(EventCode::new(M::ID, Opcode::Info), stamp, &|encoder| mark.encode(encoder));
        held.set_last_stamp(stamp);
        self.last_stamp = stamp;
    }

    /// Executes a call and its payload under locks that are already held.
    ///
    /// # Errors
    /// Payload of the panic of the call or its driver. Its stamps are written back as for any call, and a
    /// `CallPanicked` mark replaces its stop.
    pub(crate) fn call_under<C: ExecuteWith>(
        &mut self,
        shell: &Shell,
        held: &mut Held<'_>,
        call: &C,
        payload: C::DerivedInput,
        waiting_since: Option<u64>,
    ) -> Result<C::Output, Panic> {
        let Shell { settings, clock, locks, priorities, memory, events, .. } = shell;
        let adapter = held.adapter();
        let providers = self.providers(clock, held);
        let (start_code, stop_code) = (EventCode::new(C::ID, Opcode::Start), EventCode::new(C::ID, Opcode::Stop));
        let is_recorded = providers.takes(start_code);
        let start = clock.stamp(self.last_stamp.max(held.last_stamp()));
        let wait_ns = waiting_since.map_or(0, |since| clock.nanoseconds(start.saturating_sub(since)));
        if is_recorded {
            self.sink.event(start_code, start, &|encoder| {
                wait_ns.encode(encoder);
                call.encode(encoder);
            });
        }
        self.first_error = None;
        let (sink, first_error) = (&mut self.sink, &mut self.first_error);
        let mut tap = StampedTap { clock, last_stamp: start, providers, sink, first_error };
        // The guarded state remains as the panic left it: a replay panics at the same point and continues from the same
        // state.
        let output = catch(|| {
            held.with(|locked| {
                let drivers: Option<&dyn Drivers> = Some(shell.drivers());
                let mut context = Context { drivers, ..Context::new(settings, shell.driver(adapter), &mut tap) };
                call.execute_with(&mut context, locked, payload)
            })
        });
        let stop = clock.stamp(tap.last_stamp);
        // The stamps are written back before any other code that may panic runs.
        held.set_last_stamp(stop);
        self.last_stamp = stop;
        locks.wake(held);
        match &output {
            Ok(output) if is_recorded => self.sink.event(stop_code, stop, &|encoder| output.encode(encoder)),
            Ok(_) => {}
            Err(panic) => {
                let mark = panicked(&**panic);
                let code = EventCode::new(mark::CallPanicked::ID, Opcode::Info);
                self.sink.event(code, stop, &|encoder| mark.encode(encoder));
            }
        }
        let waited = self.sink.take_waited();
        if waited >= LONG_WAIT {
            self.record_wait(waited, clock, held);
        }
        // Ranges are allocated and released under the locks of the call that does so, before another call can use them or
        // their addresses can be assigned again.
        if let Some(memory) = memory.get() {
            let device =
                |locked: Locked<'_>| locked.device.or(locked.extension.flatten()).map(DeviceState::take_memory_changes);
            let device = held.with(device);
            device.into_iter().flatten().for_each(|change| match change {
                MemoryChange::Allocated(range) => memory.allocate(range),
                MemoryChange::Freed(range) => memory.release(range),
            });
        }
        if let Some(events) = events.get() {
            let signals = held.with(|locked| locked.system.map(SystemState::take_signals));
            signals.into_iter().flatten().for_each(|event| events.signal(event));
        }
        if let Some(queue) = held.queue() {
            // The call may have changed priorities; setting an unchanged one has no effect.
            queue.busy_workers().for_each(|(worker, priority)| priorities(adapter, worker, priority));
        }
        output
    }

    /// Records a mark, ordered with all other operations under these locks.
    pub(crate) fn mark_under<M: Mark>(&mut self, shell: &Shell, mut held: Held<'_>, mark: &M) {
        if self.providers(&shell.clock, &mut held).takes(EventCode::new(M::ID, Opcode::Info)) {
            self.mark(mark, &shell.clock, &mut held);
        }
    }
}

/// Stamps and records the events inside a call.
struct StampedTap<'a, S> {
    clock: &'a Clock,
    last_stamp: u64,
    providers: ProviderSet,
    sink: &'a mut S,
    first_error: &'a mut Option<mark::DebugMessage>,
}

impl<S> StampedTap<'_, S> {
    /// Keeps the first error of the call, whether messages are recorded or not.
    #[cold]
    fn note_message(&mut self, payload: &dyn Fn(&mut Encoder<'_>)) {
        let mut row = Vec::new();
        payload(&mut Encoder::new(&mut row));
        let message = mark::DebugMessage::decode(&mut Decoder::new(&row)).ok();
        *self.first_error = message.filter(|message| message.severity == MessageSeverity::ERROR);
    }
}

impl<S: EventSink> Tap for StampedTap<'_, S> {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        if code.id() == mark::DebugMessage::ID && self.first_error.is_none() {
            self.note_message(payload);
        }
        if !self.providers.takes(code) {
            return;
        }
        self.last_stamp = self.clock.stamp(self.last_stamp);
        self.sink.event(code, self.last_stamp, payload);
    }
}
