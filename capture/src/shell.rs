//! The live shell: runs the runtime's state machine under locks and real time, and tells a sink what happened.

use super::clock::Clock;
use super::locks::LockTable;
use taut_runtime::{Context, Execute, Settings, Tap};
use taut_schemas::{Driver, Encoder, EventCode, Field, Mark, Opcode};

/// Takes one thread's events, in their order.
pub trait EventSink {
    /// An event with this stamp; `payload` writes its row.
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>));
}

/// What all application threads share.
pub struct Shell {
    settings: Settings,
    driver: Box<dyn Driver>,
    clock: Clock,
    locks: LockTable,
}

impl Shell {
    /// A machine with one adapter and no device yet.
    pub fn new(settings: Settings, driver: Box<dyn Driver>, clock: Clock) -> Shell {
        Shell { settings, driver, clock, locks: LockTable::default() }
    }

    /// An application thread whose events go to `sink`.
    pub fn thread<S: EventSink>(&self, sink: S) -> AppThread<'_, S> {
        AppThread { shell: self, last_stamp: 0, sink }
    }
}

/// One application thread.
pub struct AppThread<'s, S> {
    shell: &'s Shell,
    last_stamp: u64,
    sink: S,
}

impl<S: EventSink> AppThread<'_, S> {
    /// Makes an API call: takes its locks, stamps and records its start, runs it, records its stop, and lets go.
    pub fn call<C: Execute>(&mut self, call: &C) -> C::Output {
        let Shell { settings, driver, clock, locks } = self.shell;
        let mut waiting_since = None;
        let mut held = locks.acquire(call, &mut || {
            waiting_since.get_or_insert_with(|| clock.now());
        });
        let start = clock.stamp(self.last_stamp.max(held.last_stamp()));
        let wait_ns = waiting_since.map_or(0, |since| clock.nanoseconds(start.saturating_sub(since)));
        self.sink.event(EventCode::new(C::ID, Opcode::Start), start, &|encoder| {
            wait_ns.encode(encoder);
            call.encode(encoder);
        });
        let mut tap = StampedTap { clock, last_stamp: start, sink: &mut self.sink };
        let output = held.with(|locked| {
            let mut context = Context { settings, driver: &**driver, tap: &mut tap };
            call.execute(&mut context, locked)
        });
        let stop = clock.stamp(tap.last_stamp);
        self.sink.event(EventCode::new(C::ID, Opcode::Stop), stop, &|encoder| output.encode(encoder));
        held.set_last_stamp(stop);
        self.last_stamp = stop;
        output
    }

    /// Records a mark, in order with the device's calls.
    pub fn mark<M: Mark>(&mut self, mark: &M) {
        let mut held = self.shell.locks.acquire_device();
        let stamp = self.shell.clock.stamp(self.last_stamp.max(held.last_stamp()));
        self.sink.event(EventCode::new(M::ID, Opcode::Info), stamp, &|encoder| mark.encode(encoder));
        held.set_last_stamp(stamp);
        self.last_stamp = stamp;
    }

    /// The thread's last stamp.
    pub fn last_stamp(&self) -> u64 {
        self.last_stamp
    }

    /// What this thread does from now on follows `stamp`: another thread has told it to go on.
    pub fn observe(&mut self, stamp: u64) {
        self.last_stamp = self.last_stamp.max(stamp);
    }
}

/// Stamps what happens inside a call.
struct StampedTap<'a, S> {
    clock: &'a Clock,
    last_stamp: u64,
    sink: &'a mut S,
}

impl<S: EventSink> Tap for StampedTap<'_, S> {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        self.last_stamp = self.clock.stamp(self.last_stamp);
        self.sink.event(code, self.last_stamp, payload);
    }
}
