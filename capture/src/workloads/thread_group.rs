//! Application threads that run freely and meet in the end.

use super::error::{WorkloadError, caught};
use super::rendezvous::Rendezvous;
use crate::caller::{Caller, Callers};

/// What each thread of a group does.
pub(crate) trait ThreadBody: Sync {
    /// Does what one thread has to do. One that sees that [another gave up](Rendezvous::is_given_up) may as well end.
    ///
    /// # Errors
    /// Why it could not go on: the other threads hear of it.
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError>;
}

/// Plays all threads to their ends, `main` being the first. What `main` does next comes after what any did.
///
/// # Errors
/// The first reason why a thread gave up, or the system gives no thread.
pub(crate) fn play<C: Callers, B: ThreadBody>(
    callers: &C,
    main: &mut C::Caller<'_>,
    threads: u32,
    body: &B,
) -> Result<(), WorkloadError> {
    let rendezvous = Rendezvous::new(threads);
    let started = main.last_stamp();
    std::thread::scope(|scope| {
        let rendezvous = &rendezvous;
        for thread in 1..threads {
            let builder = std::thread::Builder::new().name(format!("application {thread}"));
            let run = move || {
                let mut caller = callers.caller(thread);
                caller.observe(started);
                attend(&mut caller, thread, body, rendezvous);
            };
            if let Err(source) = builder.spawn_scoped(scope, run) {
                rendezvous.give_up(WorkloadError::Thread { thread, source });
                break;
            }
        }
        attend(main, 0, body, rendezvous);
    });
    rendezvous.outcome()
}

fn attend<K: Caller, B: ThreadBody>(caller: &mut K, thread: u32, body: &B, rendezvous: &Rendezvous) {
    let _attendance = rendezvous.attend();
    if let Err(why) = caught(|| body.play(caller, thread, rendezvous)) {
        rendezvous.give_up(why);
    }
    // Whether all came is the group's outcome.
    let _ = rendezvous.meet(caller);
}
