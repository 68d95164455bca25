//! Recorder of events that an application defines itself.

use crate::format::clock::Clock;
use crate::format::error::WriteError;
use crate::format::write_summary::WriteSummary;
use crate::write::thread_writer::ThreadWriter;
use crate::write::writer::TraceWriter;
use std::any::TypeId;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_schemas::{Level, OwnEvent, own_code};

/// Recording of application-defined events, whose lists are made by [`events!`](taut_schemas::events). Each thread
/// records through a [`RecorderThread`] of its own.
///
/// ```
/// use taut_traces::{Recorder, Trace};
///
/// taut_traces::events! {
///     /// Events of the level loader.
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
/// Dropped without [`finish`](Self::finish), it leaves an unfinished recording, as the end of the process would: every
/// event is preserved, some of them in the side files.
#[derive(Debug)]
pub struct Recorder {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    clock: Clock,
    /// Offset of the event codes of each list.
    bases: Vec<(TypeId, u32)>,
    level: AtomicU8,
    keywords: AtomicU64,
    next_thread: AtomicU32,
    late_events: AtomicU64,
    open: Mutex<Option<Open>>,
}

/// State that exists until the recording ends.
#[derive(Debug)]
struct Open {
    writer: TraceWriter,
    threads: Vec<Arc<Mutex<Option<ThreadWriter>>>>,
}

/// Locks a mutex, ignoring poisoning: no critical section leaves a partial change if it panics.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    pub(crate) fn new(
        writer: TraceWriter,
        clock: Clock,
        bases: Vec<(TypeId, u32)>,
        level: Level,
        keywords: u64,
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

    /// Adds a thread to the recording; numbers count from 1.
    pub fn thread(&self) -> RecorderThread {
        let number = self.shared.next_thread.fetch_add(1, Ordering::Relaxed);
        let mut open = locked(&self.shared.open);
        let writer = Arc::new(Mutex::new(open.as_ref().map(|open| open.writer.thread(number))));
        if let Some(open) = open.as_mut() {
            // Removes writers of ended threads, to which only this list still refers.
            open.threads.retain(|thread| Arc::strong_count(thread) > 1);
            open.threads.push(Arc::clone(&writer));
        }
        RecorderThread { shared: Arc::clone(&self.shared), writer, last: 0, number }
    }

    /// Selects the events to record from now on: events of `level` or a more severe level, and of the events with
    /// keywords, the events that share a keyword with `keywords`.
    pub fn choose(&self, level: Level, keywords: u64) {
        self.shared.level.store(level as u8, Ordering::Relaxed);
        self.shared.keywords.store(keywords, Ordering::Relaxed);
    }

    /// Ends the recording: collects the buffers of its threads and writes the rest of the trace.
    ///
    /// # Errors
    /// As [`TraceWriter::finish`]; or the recording was finished before.
    pub fn finish(&self) -> Result<WriteSummary, WriteError> {
        let Some(Open { writer, threads }) = locked(&self.shared.open).take() else {
            return Err(WriteError::WriterEnded);
        };
        // Dropping a thread's writer hands over its buffer before the trace is finished.
        threads.iter().for_each(|thread| drop(locked(thread).take()));
        writer.finish()
    }

    /// Number of events that threads recorded after the end.
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

/// Handle of one thread of a [`Recorder`]. It may outlive the recording; events recorded afterwards are only counted.
#[derive(Debug)]
pub struct RecorderThread {
    shared: Arc<Shared>,
    /// Locked by another thread only when the recording ends, so the lock is uncontended.
    writer: Arc<Mutex<Option<ThreadWriter>>>,
    last: u64,
    number: u32,
}

impl RecorderThread {
    /// Number of the thread in the trace.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// True if events of this kind are recorded now; lets callers skip building an expensive event.
    #[inline]
    pub fn is_enabled<E: OwnEvent>(&self) -> bool {
        E::LEVEL as u8 <= self.shared.level.load(Ordering::Relaxed)
            && (E::KEYWORDS == 0 || E::KEYWORDS & self.shared.keywords.load(Ordering::Relaxed) != 0)
    }

    /// Records an event if its kind is enabled and its list belongs to the recorder. The stamp is the current time,
    /// later than the stamp of the thread's previous event.
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
