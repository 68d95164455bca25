//! Lock that admits one thread at a time, in an order that is found from turn to turn.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Passes a value from thread to thread. Waiting threads sleep until their turn.
pub(super) struct TurnLock<S> {
    ticket: Mutex<Ticket<S>>,
    /// Condition variable of each thread.
    gates: Vec<Condvar>,
}

struct Ticket<S> {
    /// Thread that has the turn; `None` once there is no further turn.
    thread: Option<u32>,
    value: S,
}

/// Turn of a thread. It ends when dropped.
pub(super) struct Turn<'a, S> {
    turn_lock: &'a TurnLock<S>,
    ticket: MutexGuard<'a, Ticket<S>>,
    /// Thread of the next turn, if this turn ended successfully.
    next_thread: Option<u32>,
}

impl<S> TurnLock<S> {
    /// Creates a lock for threads 0 to `threads` - 1; `first` has the first turn.
    pub(super) fn new(threads: u32, first: Option<u32>, value: S) -> TurnLock<S> {
        let ticket = Mutex::new(Ticket { thread: first, value });
        TurnLock { ticket, gates: (0..threads).map(|_| Condvar::new()).collect() }
    }

    /// Waits for the next turn of `thread`. Returns `None` if there is no further turn of any thread.
    pub(super) fn wait(&self, thread: u32) -> Option<Turn<'_, S>> {
        let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let gate = self.gates.get(thread as usize)?;
        while ticket.thread.is_some_and(|turn| turn != thread) {
            ticket = gate.wait(ticket).unwrap_or_else(PoisonError::into_inner);
        }
        ticket.thread.is_some().then(|| Turn { turn_lock: self, ticket, next_thread: None })
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

    /// Ends the turn; `next_thread` has the next one. A turn dropped without this, or without a next thread, is the
    /// last, so that no thread waits for one that failed.
    pub(super) fn pass_to(mut self, next_thread: Option<u32>) {
        let gates = &self.turn_lock.gates;
        self.next_thread = next_thread.filter(|thread| (*thread as usize) < gates.len());
    }
}

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        let gates = &self.turn_lock.gates;
        self.ticket.thread = self.next_thread;
        match self.next_thread.and_then(|thread| gates.get(thread as usize)) {
            Some(gate) => gate.notify_one(),
            None => gates.iter().for_each(Condvar::notify_all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_come_in_order_whoever_takes_them() {
        let owners: Vec<u32> = (0..3000).map(|turn| (turn * 7 + turn / 5) % 8).collect();
        let turn_lock = TurnLock::new(8, owners.first().copied(), Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (owners, turn_lock) = (&owners, &turn_lock);
                scope.spawn(move || {
                    while let Some(mut held) = turn_lock.wait(thread) {
                        let turn = held.value().len();
                        held.value().push(thread);
                        held.pass_to(owners.get(turn + 1).copied());
                    }
                });
            }
        });
        assert_eq!(turn_lock.into_inner(), owners);
    }

    #[test]
    fn a_thread_that_fails_leaves_no_thread_waiting() {
        let turn_lock = TurnLock::new(4, Some(0), ());
        std::thread::scope(|scope| {
            for thread in 1..4 {
                let turn_lock = &turn_lock;
                scope.spawn(move || assert!(turn_lock.wait(thread).is_none()));
            }
            drop(turn_lock.wait(0));
        });
    }
}
