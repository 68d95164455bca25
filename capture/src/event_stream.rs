//! One thread's events, stamped as they happen.

use crate::locks::Held;
use crate::shell::Shell;
use std::any::Any;
use std::time::Duration;
use taut_runtime::{Context, DeviceState, Drivers, ExecuteGiven, Locked, Tap, catch, panicked};
use taut_schemas::{Encoder, EventCode, Field, Mark, Opcode, ProviderSet, mark};
use taut_traces::Clock;

/// What a call panicked with.
pub(crate) type Panic = Box<dyn Any + Send>;

/// Takes one thread's events, in their order.
pub trait EventSink {
    /// A call begins, and holds no lock yet: what would have to wait soon may wait now.
    fn make_room(&mut self) {}

    /// How long it waited in events since it was asked last, or room was made.
    #[inline]
    fn take_waited(&mut self) -> Duration {
        Duration::ZERO
    }

    /// What there is so far is to go on its way.
    fn hand_over(&mut self) {}

    /// The providers whose events it takes now.
    #[inline]
    fn providers(&self) -> ProviderSet {
        ProviderSet::ALL
    }

    /// Those that a reader takes for recorded while no mark says otherwise.
    fn first_providers(&self) -> ProviderSet {
        ProviderSet::ALL
    }

    /// An event with this stamp; `payload` writes its row.
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>));
}

/// Shorter waits under locks are not told: a buffer that is changed takes some time anyway.
const LONG_WAIT: Duration = Duration::from_millis(1);

/// What a thread has said so far: where it goes, and how late it is.
pub(crate) struct EventStream<S> {
    pub(crate) last_stamp: u64,
    /// The providers that the stream says are recorded.
    said: ProviderSet,
    pub(crate) sink: S,
}

impl<S: EventSink> EventStream<S> {
    pub fn new(sink: S) -> EventStream<S> {
        EventStream { last_stamp: 0, said: sink.first_providers(), sink }
    }

    /// Whether marks of this kind are recorded: those that are not cost this question.
    #[inline]
    pub fn takes<M: Mark>(&self) -> bool {
        self.sink.providers().takes(EventCode::new(M::ID, Opcode::Info))
    }

    /// What is recorded of what is done now under these locks. The same for all of a call, so that no call is recorded by half;
    /// a change is said first.
    #[inline]
    fn providers(&mut self, clock: &Clock, held: &mut Held<'_>) -> ProviderSet {
        let now = self.sink.providers();
        if now != self.said {
            self.say(now, clock, held);
        }
        now
    }

    #[cold]
    fn say(&mut self, now: ProviderSet, clock: &Clock, held: &mut Held<'_>) {
        self.said = now;
        self.mark(&mark::ProvidersChanged { providers: now.to_string() }, clock, held);
    }

    /// The thread waited under locks. By a clock without time nothing is said: equal runs are to be equal.
    #[cold]
    fn say_waited(&mut self, waited: Duration, clock: &Clock, held: &mut Held<'_>) {
        if !matches!(clock, Clock::Logical) {
            let wait_ns = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
            self.mark(&mark::WaitedForWriter { wait_ns }, clock, held);
        }
    }

    fn mark<M: Mark>(&mut self, mark: &M, clock: &Clock, held: &mut Held<'_>) {
        let stamp = clock.stamp(self.last_stamp.max(held.last_stamp()));
        self.sink.event(EventCode::new(M::ID, Opcode::Info), stamp, &|encoder| mark.encode(encoder));
        held.set_last_stamp(stamp);
        self.last_stamp = stamp;
    }

    /// Makes a call, with what it is given besides its arguments, under locks that are held already.
    ///
    /// # Errors
    /// It panicked, or its driver did. The stamps that it gave are written back like any other's, and a mark is in its stop's place.
    pub(crate) fn call_under<C: ExecuteGiven>(
        &mut self,
        shell: &Shell,
        held: &mut Held<'_>,
        (call, given): (&C, C::Given),
        waiting_since: Option<u64>,
    ) -> Result<C::Output, Panic> {
        let Shell { settings, clock, locks, priorities, memory, .. } = shell;
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
        let mut tap = StampedTap { clock, last_stamp: start, providers, sink: &mut self.sink };
        // What the locks guard is left as the panic left it: a replay, which panics there too, goes on from the same.
        let output = catch(|| {
            held.with(|locked| {
                let drivers: Option<&dyn Drivers> = Some(shell.drivers());
                let mut context = Context { drivers, ..Context::new(settings, shell.driver(adapter), &mut tap) };
                call.execute_given(&mut context, locked, given)
            })
        });
        let stop = clock.stamp(tap.last_stamp);
        // Before anything else is called that may panic.
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
            self.say_waited(waited, clock, held);
        }
        if let Some(memory) = memory.get() {
            let device =
                |locked: Locked<'_>| locked.device.or(locked.extension.flatten()).map(DeviceState::take_freed_memory);
            let device = held.with(device);
            device.into_iter().flatten().for_each(|range| memory.release(range));
        }
        if let Some(queue) = held.queue() {
            queue.busy_workers().for_each(|(worker, priority)| priorities(adapter, worker, priority));
        }
        output
    }

    /// Records a mark, in order with what else is done under these locks.
    pub(crate) fn mark_under<M: Mark>(&mut self, shell: &Shell, mut held: Held<'_>, mark: &M) {
        if self.providers(&shell.clock, &mut held).takes(EventCode::new(M::ID, Opcode::Info)) {
            self.mark(mark, &shell.clock, &mut held);
        }
    }
}

/// Stamps what happens inside a call.
struct StampedTap<'a, S> {
    clock: &'a Clock,
    last_stamp: u64,
    providers: ProviderSet,
    sink: &'a mut S,
}

impl<S: EventSink> Tap for StampedTap<'_, S> {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        if !self.providers.takes(code) {
            return;
        }
        self.last_stamp = self.clock.stamp(self.last_stamp);
        self.sink.event(code, self.last_stamp, payload);
    }
}
