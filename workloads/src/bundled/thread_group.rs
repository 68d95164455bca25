//! Group of application threads that run concurrently, with a barrier at the end.

use super::error::{WorkloadError, caught};
use super::thread_barrier::ThreadBarrier;
use taut_capture::{Caller, Callers};

/// Body of each thread in a group.
pub(crate) trait ThreadBody: Sync {
    /// Runs the body of one thread. The body may return early if [another thread has
    /// failed](ThreadBarrier::is_cancelled).
    ///
    /// # Errors
    /// The reason of a failure. The group reports it to the other threads.
    fn play<K: Caller>(&self, caller: &mut K, thread: u32, barrier: &ThreadBarrier) -> Result<(), WorkloadError>;
}

/// Runs all threads to their ends; `main` is the first thread. Events of `main` after this call have higher stamps than
/// all events of the threads.
///
/// # Errors
/// The first panic of a thread's body, else its first failure; or the system cannot create a thread.
pub(crate) fn play<C: Callers, B: ThreadBody>(
    callers: &C,
    main: &mut C::Caller<'_>,
    threads: u32,
    body: &B,
) -> Result<(), WorkloadError> {
    let barrier = ThreadBarrier::new(threads);
    let started = main.last_stamp();
    std::thread::scope(|scope| {
        let barrier = &barrier;
        for thread in 1..threads {
            let builder = std::thread::Builder::new().name(format!("application {thread}"));
            let run = move || {
                let mut caller = callers.caller(thread);
                caller.observe(started);
                run_thread(&mut caller, thread, body, barrier);
            };
            if let Err(source) = builder.spawn_scoped(scope, run) {
                barrier.cancel(WorkloadError::Thread { thread, source });
                break;
            }
        }
        run_thread(main, 0, body, barrier);
    });
    barrier.outcome()
}

fn run_thread<K: Caller, B: ThreadBody>(caller: &mut K, thread: u32, body: &B, barrier: &ThreadBarrier) {
    // `caught` turns a panic of the body into an error; the guard covers the rest of this function.
    let _guard = barrier.panic_guard();
    if let Err(reason) = caught(|| body.play(caller, thread, barrier)) {
        barrier.cancel(reason);
    }
    // An error repeats a failure that the group's outcome reports.
    let _ = barrier.wait(caller);
}
