//! Thread pool for a command's work, with as many threads as the system allows.

use crate::outcome::Failure;
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::num::NonZero;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// Starts rayon's global pool with as many threads as the system allows. Without this, the first parallel work of a
/// process panics if a thread cannot be started (`ulimit -u`).
///
/// # Errors
/// The system starts no thread at all.
pub fn start() -> Result<(), Failure> {
    let wanted = wanted();
    // Threads are started first and then receive their part of the pool: rayon requires every requested thread to
    // start, so the number must be known before the pool is built.
    let mut threads: Vec<Sender<ThreadBuilder>> = Vec::with_capacity(wanted);
    for number in 0..wanted {
        let (sender, receiver) = channel::<ThreadBuilder>();
        let run = move || {
            if let Ok(part) = receiver.recv() {
                part.run();
            }
        };
        match Builder::new().name(format!("taut-worker-{number}")).spawn(run) {
            Ok(_) => threads.push(sender),
            Err(error) if threads.is_empty() => return Err(Failure::io(error).context("no thread can be started")),
            Err(_) => break,
        }
    }
    let gone = |_| std::io::Error::other("the thread has ended");
    let pool = ThreadPoolBuilder::new().num_threads(threads.len());
    let pool = pool.spawn_handler(move |part| threads[part.index()].send(part).map_err(gone));
    // An existing pool remains in use.
    let _ = pool.build_global();
    Ok(())
}

/// Number of threads that rayon would start: its own variable, or one per processor.
fn wanted() -> usize {
    let set = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok()).filter(|threads| *threads > 0);
    set.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn started_threads_do_the_work_of_the_pool() {
        start().unwrap();
        start().unwrap();
        let name = || std::thread::current().name().map(str::to_owned);
        let (sender, receiver) = channel();
        rayon::spawn(move || drop(sender.send(name())));
        assert!(receiver.recv().unwrap().unwrap().starts_with("taut-worker-"));
    }
}
