//! Lock that admits one thread at a time, in a fixed order of turns.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Passes a value from thread to thread. Waiting threads sleep until their turn.
pub(super) struct TurnLock<S> {
    ticket: Mutex<Ticket<S>>,
    /// Condition variable of each thread.
    gates: Vec<Condvar>,
}

struct Ticket<S> {
    turn: usize,
    /// True if a thread failed, so that no further turn begins.
    broken: bool,
    value: S,
}

/// Turn of a thread. It ends when dropped.
pub(super) struct Turn<'a, S> {
    turn_lock: &'a TurnLock<S>,
    ticket: MutexGuard<'a, Ticket<S>>,
    next_thread: Option<u32>,
    succeeded: bool,
}

impl<S> TurnLock<S> {
    /// Creates a lock for threads 0 to `threads` - 1, before turn 0.
    pub(super) fn new(threads: u32, value: S) -> TurnLock<S> {
        let ticket = Mutex::new(Ticket { turn: 0, broken: false, value });
        TurnLock { ticket, gates: (0..threads).map(|_| Condvar::new()).collect() }
    }

    /// Waits for turn number `turn` of `thread`. When the turn ends, `next_thread`, which has the next turn, is woken.
    /// Returns `None` if a thread failed instead of ending its turn.
    pub(super) fn wait(&self, thread: u32, turn: usize, next_thread: Option<u32>) -> Option<Turn<'_, S>> {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let gate = self.gates.get(thread as usize)?;
        while ticket.turn != turn && !ticket.broken {
            ticket = gate.wait(ticket).unwrap_or_else(PoisonError::into_inner);
        }
        (!ticket.broken).then(|| Turn { turn_lock: self, ticket, next_thread, succeeded: false })
    }

    /// Returns the value once all threads have ended.
    pub(super) fn into_inner(self) -> S {
        self.ticket.into_inner().unwrap_or_else(PoisonError::into_inner).value
    }
}

impl<S> Turn<'_, S> {
    /// Value of the lock.
    pub(super) fn value(&mut self) -> &mut S {
        &mut self.ticket.value
    }

    /// Ends the turn successfully. If a turn is dropped without this call, the lock is broken, so that no thread waits
    /// for a thread that failed.
    pub(super) fn succeed(mut self) {
        self.succeeded = true;
    }
}

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        let gates = &self.turn_lock.gates;
        if !self.succeeded {
            self.ticket.broken = true;
            gates.iter().for_each(Condvar::notify_all);
            return;
        }
        self.ticket.turn += 1;
        if let Some(gate) = self.next_thread.and_then(|thread| gates.get(thread as usize)) {
            gate.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_in_order_whoever_takes_them() {
        let owners: Vec<u32> = (0..3000).map(|turn| (turn * 7 + turn / 5) % 8).collect();
        let turn_lock = TurnLock::new(8, Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (owners, turn_lock) = (&owners, &turn_lock);
                scope.spawn(move || {
                    for turn in (0..owners.len()).filter(|turn| owners[*turn] == thread) {
                        let mut held = turn_lock.wait(thread, turn, owners.get(turn + 1).copied()).expect("not broken");
                        held.value().push(turn);
                        held.succeed();
                    }
                });
            }
        });
        assert_eq!(turn_lock.into_inner(), (0..owners.len()).collect::<Vec<_>>());
    }

    #[test]
    fn a_thread_that_fails_leaves_no_thread_waiting() {
        let turn_lock = TurnLock::new(4, ());
        std::thread::scope(|scope| {
            for thread in 1..4 {
                let turn_lock = &turn_lock;
                scope.spawn(move || assert!(turn_lock.wait(thread, thread as usize, None).is_none()));
            }
            drop(turn_lock.wait(0, 0, Some(1)));
        });
    }
}
