//! Recorder of a simulated process: it logs separately what each thread recorded, and can be killed.

use crate::plan::Fate;
use crate::random::mixed;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use taut_capture::{EventSink, Recorder};
use taut_schemas::{Encoder, EventCode, ProviderSet, ThreadRole};
use taut_traces::{ThreadWriter, TraceWriter};

/// Events of each thread, in order: code and stamp.
pub type RecordedEvents = BTreeMap<u32, Vec<(EventCode, u64)>>;

/// Number of yields each time a thread lets others run; on a busy machine each may take long.
const YIELDS: u64 = 40;

/// State shared by the threads of a simulated process.
pub struct World {
    seed: u64,
    /// Path of the trace, and the folder into which its files are copied as the kill leaves them.
    path: PathBuf,
    copy: PathBuf,
    fate: Fate,
    yields_once_in: u64,
    /// Held in shared mode while a thread records an event or takes or returns a buffer, and exclusively by the kill:
    /// the files are copied page by page, but a real kill leaves all pages as they are at one moment.
    gate: RwLock<()>,
    events: AtomicU64,
    is_dead: AtomicBool,
    recorded_events: Mutex<RecordedEvents>,
    /// Thread that was recording when the process was killed, which may have left one more event.
    torn: Mutex<Option<u32>>,
}

impl World {
    pub fn new(seed: u64, folder: &Path, fate: Fate, yields_once_in: u64) -> Arc<World> {
        Arc::new(World {
            seed,
            path: folder.join("x.taut"),
            copy: folder.join("killed"),
            fate,
            yields_once_in,
            gate: RwLock::default(),
            events: AtomicU64::new(0),
            is_dead: AtomicBool::new(false),
            recorded_events: Mutex::default(),
            torn: Mutex::default(),
        })
    }

    /// True if the process was killed.
    pub fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::SeqCst)
    }

    /// Returns the events that each thread had recorded when it ended.
    pub fn recorded_events(&self) -> RecordedEvents {
        self.recorded_events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the thread that was recording at the kill.
    pub fn torn(&self) -> Option<u32> {
        *self.torn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, thread: u32, code: EventCode, stamp: u64) {
        let mut recorded_events = self.recorded_events.lock().unwrap_or_else(PoisonError::into_inner);
        recorded_events.entry(thread).or_default().push((code, stamp));
    }

    /// Copies the files as they are now. The trace is copied last: what leaves the sidecar during the copy is then
    /// found in it.
    fn leave_files(&self) {
        let folder = |path: &Path| path.with_extension("taut.ring");
        for _ in 0..1000 {
            let _ = std::fs::remove_dir_all(&self.copy);
            std::fs::create_dir(&self.copy).expect("a folder");
            let to = self.copy.join("x.taut");
            let before = segments(&folder(&self.path));
            let with = |path: &Path, end: &str| PathBuf::from(format!("{}{end}", path.display()));
            std::fs::copy(with(&self.path, ".live"), with(&to, ".live")).expect("the sidecar");
            std::fs::copy(&self.path, &to).expect("the trace");
            let mut is_whole = true;
            if let Some(before) = &before {
                std::fs::create_dir(folder(&to)).expect("a folder");
                for name in before.keys() {
                    is_whole &= std::fs::copy(folder(&self.path).join(name), folder(&to).join(name)).is_ok();
                }
            }
            // The block writer may have been running during the copy; a kill would have stopped it at one moment.
            if is_whole && segments(&folder(&self.path)) == before {
                return;
            }
        }
        panic!("the segments do not hold still");
    }
}

/// Returns names and sizes of a recording's segments, if it has any.
fn segments(folder: &Path) -> Option<BTreeMap<String, u64>> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let sizes = entries
        .filter_map(|entry| Some((entry.file_name().to_string_lossy().into_owned(), entry.metadata().ok()?.len())));
    Some(sizes.collect())
}

/// Recorder to a trace.
pub struct Simulated {
    pub writer: TraceWriter,
    pub world: Arc<World>,
}

/// Sink of one thread.
pub struct Sink {
    /// `None` once the thread has ended.
    writer: Option<ThreadWriter>,
    thread: u32,
    world: Arc<World>,
    calls: u64,
    yields: u64,
}

impl Recorder for Simulated {
    type Sink = Sink;

    fn sink(&self, thread: u32) -> Sink {
        let _passing = self.world.gate.read().unwrap_or_else(PoisonError::into_inner);
        let writer = self.writer.thread(thread);
        let writer = if thread == ThreadRole::Recorder.thread() { writer.blocking() } else { writer };
        Sink { writer: Some(writer), thread, world: Arc::clone(&self.world), calls: 0, yields: 0 }
    }
}

impl Sink {
    fn writer(&mut self) -> &mut ThreadWriter {
        self.writer.as_mut().expect("it has not ended")
    }
}

/// The end of a thread returns its buffer.
impl Drop for Sink {
    fn drop(&mut self) {
        let _passing = self.world.gate.read().unwrap_or_else(PoisonError::into_inner);
        self.writer = None;
    }
}

impl EventSink for Sink {
    fn make_room(&mut self) {
        self.calls += 1;
        let draw = mixed(self.world.seed ^ u64::from(self.thread) << 32 ^ self.calls);
        if self.world.yields_once_in > 0 && self.yields < YIELDS && draw.is_multiple_of(self.world.yields_once_in) {
            self.yields += 1;
            std::thread::yield_now();
        }
        let world = Arc::clone(&self.world);
        let _passing = world.gate.read().unwrap_or_else(PoisonError::into_inner);
        self.writer().make_room();
    }

    fn take_waited(&mut self) -> Duration {
        self.writer().take_waited()
    }

    fn hand_over(&mut self) {
        let world = Arc::clone(&self.world);
        let _passing = world.gate.read().unwrap_or_else(PoisonError::into_inner);
        self.writer().hand_over();
    }

    fn providers(&self) -> ProviderSet {
        self.writer.as_ref().map_or(ProviderSet::ALL, |writer| writer.providers().now())
    }

    fn first_providers(&self) -> ProviderSet {
        self.writer.as_ref().map_or(ProviderSet::ALL, |writer| writer.providers().first())
    }

    fn event(&mut self, code: EventCode, stamp: u64, payload: &dyn Fn(&mut Encoder<'_>)) {
        let world = Arc::clone(&self.world);
        let passing = world.gate.read().unwrap_or_else(PoisonError::into_inner);
        if world.is_dead() {
            return;
        }
        let number = world.events.fetch_add(1, Ordering::SeqCst);
        match world.fate {
            Fate::Killed { at, torn } if at == number => {
                drop(passing);
                let _alone = world.gate.write().unwrap_or_else(PoisonError::into_inner);
                if torn {
                    *world.torn.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.thread);
                    self.writer().event(code, stamp, |encoder| {
                        payload(encoder);
                        if !world.is_dead.swap(true, Ordering::SeqCst) {
                            world.leave_files();
                        }
                    });
                    if !world.is_dead() {
                        // The event was dropped because there was no buffer for it.
                        *world.torn.lock().unwrap_or_else(PoisonError::into_inner) = None;
                        world.note(self.thread, code, stamp);
                    }
                } else {
                    world.is_dead.store(true, Ordering::SeqCst);
                    world.leave_files();
                }
            }
            _ => {
                self.writer().event(code, stamp, payload);
                world.note(self.thread, code, stamp);
            }
        }
    }
}
