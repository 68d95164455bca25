//! Roles of the threads of a trace, by their numbers.

use crate::identity::AdapterId;
use std::fmt;

/// Number of the thread of the first adapter's first worker.
const FIRST_WORKER: u32 = 0x1_0000;

/// Distance between the numbers of two adapters' first workers.
const WORKERS: u32 = 0x1000;

/// Number of the thread of the first adapter's GPU; those of the other adapters follow.
const FIRST_GPU: u32 = 0x2_0000;

/// Number of the recorder's own thread.
const RECORDER: u32 = FIRST_GPU + AdapterId::MAX as u32;

/// Number of the thread of the first adapter's driver; those of the other adapters follow.
const FIRST_DRIVER: u32 = RECORDER + 1;

/// First number after those of the machine's threads.
const END: u32 = FIRST_DRIVER + AdapterId::MAX as u32;

// The last adapter's workers must end before the first GPU.
const _: () = assert!(FIRST_WORKER + AdapterId::MAX as u32 * WORKERS <= FIRST_GPU);

/// The role of a thread in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadRole {
    /// A thread of the application, with its number.
    Application(u32),
    /// A worker thread for an adapter's background tasks; workers are numbered from 0 per adapter.
    Worker(AdapterId, u32),
    /// An adapter's GPU.
    GraphicsProcessor(AdapterId),
    /// The thread that records the runtime's state (rundowns), so that a replay can start mid-stream.
    Recorder,
    /// A driver's own thread.
    Driver(AdapterId),
}

impl ThreadRole {
    /// Max workers of an adapter.
    pub const MAX_WORKERS: u32 = WORKERS;

    /// The role of the thread with this number.
    pub fn from_thread(thread: u32) -> ThreadRole {
        let adapter = |index: u32| AdapterId(u64::from(index) + 1);
        match thread {
            FIRST_WORKER..FIRST_GPU => {
                let place = thread - FIRST_WORKER;
                ThreadRole::Worker(adapter(place / WORKERS), place % WORKERS)
            }
            RECORDER => ThreadRole::Recorder,
            FIRST_GPU..RECORDER => ThreadRole::GraphicsProcessor(adapter(thread - FIRST_GPU)),
            FIRST_DRIVER..END => ThreadRole::Driver(adapter(thread - FIRST_DRIVER)),
            _ => ThreadRole::Application(thread),
        }
    }

    /// The number of the role's thread.
    pub fn thread(self) -> u32 {
        match self {
            ThreadRole::Application(number) => number,
            ThreadRole::Worker(adapter, worker) => FIRST_WORKER + adapter.index() as u32 * WORKERS + worker,
            ThreadRole::GraphicsProcessor(adapter) => FIRST_GPU + adapter.index() as u32,
            ThreadRole::Recorder => RECORDER,
            ThreadRole::Driver(adapter) => FIRST_DRIVER + adapter.index() as u32,
        }
    }

    /// The next number of an application thread after this one; skips the numbers of the machine's threads.
    pub fn application_after(thread: u32) -> u32 {
        let next = thread.saturating_add(1);
        if (FIRST_WORKER..END).contains(&next) { END } else { next }
    }
}

/// The role in words; the first adapter is not named.
impl fmt::Display for ThreadRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let adapter = match *self {
            ThreadRole::Application(number) => return write!(f, "application thread {number}"),
            ThreadRole::Recorder => return f.write_str("recorder"),
            ThreadRole::Worker(adapter, worker) => {
                write!(f, "worker {worker}")?;
                adapter
            }
            ThreadRole::GraphicsProcessor(adapter) => {
                f.write_str("GPU")?;
                adapter
            }
            ThreadRole::Driver(adapter) => {
                f.write_str("driver")?;
                adapter
            }
        };
        if adapter == AdapterId::FIRST { Ok(()) } else { write!(f, " of adapter {}", adapter.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn threads_are_named_by_their_roles() {
        let named = |thread: u32| ThreadRole::from_thread(thread).to_string();
        assert_eq!(
            [0, 3, 0x1_0000, 0x1_0002, 0x2_0000].map(named),
            ["application thread 0", "application thread 3", "worker 0", "worker 2", "GPU"]
        );
        assert_eq!(
            [0x1_1003, 0x2_0002, 0x2_0010, 0x2_0012].map(named),
            ["worker 3 of adapter 2", "GPU of adapter 3", "recorder", "driver of adapter 2"]
        );
        assert_eq!([0x2_0011, 0x2_0021].map(named), ["driver", "application thread 131105"]);
    }

    proptest! {
        #[test]
        fn a_number_and_its_role_are_the_same(thread in prop_oneof![0_u32..0x3_0000, any::<u32>()]) {
            prop_assert_eq!(ThreadRole::from_thread(thread).thread(), thread);
            let next = ThreadRole::application_after(thread);
            prop_assert!(next > thread || next == u32::MAX);
            prop_assert_eq!(ThreadRole::from_thread(next), ThreadRole::Application(next));
        }
    }
}
