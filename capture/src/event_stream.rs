//! One thread's events, stamped as they happen.

use crate::locks::Held;
use crate::shell::Shell;
use taut_runtime::{Context, DeviceState, Drivers, ExecuteGiven, Locked, Tap};
use taut_schemas::{Encoder, EventCode, Field, Mark, Opcode};
use taut_traces::Clock;

/// Takes one thread's events, in their order.
pub trait EventSink {
    /// A call begins, and holds no lock yet: what would have to wait soon may wait now.
    fn make_room(&mut self) {}

    /// An event with this stamp; `payload` writes its row.
    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>));
}

/// What a thread has said so far: where it goes, and how late it is.
pub(crate) struct EventStream<S> {
    pub(crate) last_stamp: u64,
    pub(crate) sink: S,
}

impl<S: EventSink> EventStream<S> {
    /// Makes a call, with what it is given besides its arguments, under locks that are held already.
    pub(crate) fn call_under<C: ExecuteGiven>(
        &mut self,
        shell: &Shell,
        held: &mut Held<'_>,
        (call, given): (&C, C::Given),
        waiting_since: Option<u64>,
    ) -> C::Output {
        let Shell { settings, clock, locks, priorities, memory, .. } = shell;
        let adapter = held.adapter();
        let start = clock.stamp(self.last_stamp.max(held.last_stamp()));
        let wait_ns = waiting_since.map_or(0, |since| clock.nanoseconds(start.saturating_sub(since)));
        self.sink.event(EventCode::new(C::ID, Opcode::Start), start, &|encoder| {
            wait_ns.encode(encoder);
            call.encode(encoder);
        });
        let mut tap = StampedTap { clock, last_stamp: start, sink: &mut self.sink };
        let output = held.with(|locked| {
            let drivers: Option<&dyn Drivers> = Some(shell.drivers());
            let mut context = Context { drivers, ..Context::new(settings, shell.driver(adapter), &mut tap) };
            call.execute_given(&mut context, locked, given)
        });
        let stop = clock.stamp(tap.last_stamp);
        self.sink.event(EventCode::new(C::ID, Opcode::Stop), stop, &|encoder| output.encode(encoder));
        held.set_last_stamp(stop);
        self.last_stamp = stop;
        if let Some(memory) = memory.get() {
            let device =
                |locked: Locked<'_>| locked.device.or(locked.extension.flatten()).map(DeviceState::take_freed_memory);
            let device = held.with(device);
            device.into_iter().flatten().for_each(|range| memory.release(range));
        }
        if let Some(queue) = held.queue() {
            queue.busy_workers().for_each(|(worker, priority)| priorities(adapter, worker, priority));
        }
        locks.wake(held);
        output
    }

    /// Records a mark, in order with what else is done under these locks.
    pub(crate) fn mark_under<M: Mark>(&mut self, shell: &Shell, mut held: Held<'_>, mark: &M) {
        let stamp = shell.clock.stamp(self.last_stamp.max(held.last_stamp()));
        self.sink.event(EventCode::new(M::ID, Opcode::Info), stamp, &|encoder| mark.encode(encoder));
        held.set_last_stamp(stamp);
        self.last_stamp = stamp;
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
