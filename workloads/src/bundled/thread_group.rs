//! Group of application threads that run concurrently, with a barrier at the end.

use super::error::{WorkloadError, caught};
use super::rendezvous::Rendezvous;
use taut_capture::{Caller, Callers};

/// Body of each thread in a group.
pub(crate) trait ThreadBody: Sync {
    /// Runs the body of one thread. The body may return early if [another thread has failed](Rendezvous::is_abandoned).
    ///
    /// # Errors
    /// The reason of a failure. The group reports it to the other threads.
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, rendezvous: &Rendezvous) -> Result<(), WorkloadError>;
}

/// Runs all threads to their ends; `main` is the first of them. Events of `main` after this call have stamps above
/// those of all threads.
///
/// # Errors
/// The first panic of a thread's body, else its first failure; or the system cannot create a thread.
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
                run_thread(&mut caller, thread, body, rendezvous);
            };
            if let Err(source) = builder.spawn_scoped(scope, run) {
                rendezvous.abandon(WorkloadError::Thread { thread, source });
                break;
            }
        }
        run_thread(main, 0, body, rendezvous);
    });
    rendezvous.outcome()
}

fn run_thread<K: Caller, B: ThreadBody>(caller: &mut K, thread: u32, body: &B, rendezvous: &Rendezvous) {
    // `caught` turns a panic of the body into an error; the guard covers the rest of this function.
    let _guard = rendezvous.panic_guard();
    if let Err(reason) = caught(|| body.play(caller, thread, rendezvous)) {
        rendezvous.abandon(reason);
    }
    // An error repeats a failure that the group's outcome reports.
    let _ = rendezvous.meet(caller);
}
