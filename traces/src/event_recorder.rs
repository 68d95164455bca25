//! Recording events of one's own.

use crate::block_writer::WriteSummary;
use crate::clock::Clock;
use crate::error::WriteError;
use crate::recorder_builder::RecorderBuilder;
use crate::thread_writer::ThreadWriter;
use crate::writer::TraceWriter;
use std::any::TypeId;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_schemas::{Level, OwnEvent, own_code};

/// A recording of events of one's own, by the lists that [`events!`](taut_schemas::events) made. Any thread may have a
/// [`RecorderThread`] of it.
///
/// ```
/// use taut_traces::{Recorder, Trace};
///
/// taut_traces::events! {
///     /// What a loader of levels says.
///     pub Loader = "level-loader", version 1, keywords { STREAMING = 1 };
///
///     /// A tile is in memory.
///     1 TileLoaded [Info, STREAMING] {
///         /// Number of the tile.
///         tile: u32 as Count,
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("own.taut");
/// let recorder = Recorder::builder("a loader").list::<Loader>().create(&path)?;
/// let mut thread = recorder.thread();
/// thread.event(&TileLoaded { tile: 7 });
/// assert_eq!(recorder.finish()?.events, 1);
/// thread.event(&TileLoaded { tile: 8 });
/// assert_eq!(recorder.late_events(), 1);
/// assert_eq!(Trace::open(&path)?.header().schema.events[0].name, "TileLoaded");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Dropped without [`finish`](Self::finish), it leaves what the end of the process would leave: everything that was recorded,
/// some of it beside the trace.
#[derive(Debug)]
pub struct Recorder {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    clock: Clock,
    /// What the numbers of each list are raised by.
    bases: Vec<(TypeId, u32)>,
    level: AtomicU8,
    keywords: AtomicU64,
    next_thread: AtomicU32,
    late_events: AtomicU64,
    open: Mutex<Option<Open>>,
}

/// What there is until the recording ends.
#[derive(Debug)]
struct Open {
    writer: TraceWriter,
    threads: Vec<Arc<Mutex<Option<ThreadWriter>>>>,
}

/// No state is half changed when a lock is given up.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    /// A recording to be, of a program that its trace calls `name`.
    pub fn builder(name: impl Into<String>) -> RecorderBuilder {
        RecorderBuilder::new(name.into())
    }

    pub(crate) fn new(
        writer: TraceWriter,
        clock: Clock,
        bases: Vec<(TypeId, u32)>,
        (level, keywords): (Level, u64),
    ) -> Recorder {
        let shared = Shared {
            clock,
            bases,
            level: AtomicU8::new(level as u8),
            keywords: AtomicU64::new(keywords),
            next_thread: AtomicU32::new(1),
            late_events: AtomicU64::new(0),
            open: Mutex::new(Some(Open { writer, threads: Vec::new() })),
        };
        Recorder { shared: Arc::new(shared) }
    }

    /// Another thread of the recording, with the next number from 1 on.
    pub fn thread(&self) -> RecorderThread {
        let number = self.shared.next_thread.fetch_add(1, Ordering::Relaxed);
        let mut open = locked(&self.shared.open);
        let writer = Arc::new(Mutex::new(open.as_ref().map(|open| open.writer.thread(number))));
        if let Some(open) = open.as_mut() {
            open.threads.retain(|thread| Arc::strong_count(thread) > 1);
            open.threads.push(Arc::clone(&writer));
        }
        RecorderThread { shared: Arc::clone(&self.shared), writer, last: 0, number }
    }

    /// Records events of this level and those that matter more from now on, and of those that have keywords, the ones with at
    /// least one of these.
    pub fn choose(&self, level: Level, keywords: u64) {
        self.shared.level.store(level as u8, Ordering::Relaxed);
        self.shared.keywords.store(keywords, Ordering::Relaxed);
    }

    /// Ends the recording: takes what its threads have, and writes the rest of the trace.
    ///
    /// # Errors
    /// As [`TraceWriter::finish`]; or it was finished before.
    pub fn finish(&self) -> Result<WriteSummary, WriteError> {
        let Some(Open { writer, threads }) = locked(&self.shared.open).take() else {
            return Err(WriteError::WriterEnded);
        };
        threads.iter().for_each(|thread| drop(locked(thread).take()));
        writer.finish()
    }

    /// Events that threads gave after the end.
    pub fn late_events(&self) -> u64 {
        self.shared.late_events.load(Ordering::Relaxed)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some(Open { writer, threads }) = locked(&self.shared.open).take() {
            threads.iter().for_each(|thread| drop(locked(thread).take()));
            drop(writer);
        }
    }
}

/// One thread's end of a [`Recorder`]. It may outlive the recording; what it is given then is counted.
#[derive(Debug)]
pub struct RecorderThread {
    shared: Arc<Shared>,
    /// Locked by who ends the recording, and by nobody else.
    writer: Arc<Mutex<Option<ThreadWriter>>>,
    last: u64,
    number: u32,
}

impl RecorderThread {
    /// Its number in the trace.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether an event of this kind is recorded now: who needs time to make one asks before.
    #[inline]
    pub fn is_enabled<E: OwnEvent>(&self) -> bool {
        E::LEVEL as u8 <= self.shared.level.load(Ordering::Relaxed)
            && (E::KEYWORDS == 0 || E::KEYWORDS & self.shared.keywords.load(Ordering::Relaxed) != 0)
    }

    /// Records an event, if its kind is recorded and its list is one of the recorder's. It is stamped now, later than the one
    /// before.
    #[inline]
    pub fn event<E: OwnEvent>(&mut self, event: &E) {
        if self.is_enabled::<E>() {
            self.record(event);
        }
    }

    fn record<E: OwnEvent>(&mut self, event: &E) {
        let list = TypeId::of::<E::List>();
        let base = self.shared.bases.iter().find(|(known, _)| *known == list);
        let Some(code) = base.and_then(|(_, base)| own_code(*base, E::ID)) else { return };
        match &mut *locked(&self.writer) {
            Some(writer) => {
                self.last = self.shared.clock.stamp(self.last);
                writer.event(code, self.last, |encoder| event.encode(encoder));
            }
            None => {
                self.shared.late_events.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}
