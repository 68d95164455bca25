//! State shared by all clones of a session.

use super::adapters::Adapters;
use super::recorder::Recorder;
use super::registered_thread::{RegisteredThread, locked};
use super::rundowns::{RundownRequest, Rundowns};
use super::sink::SessionSink;
use crate::app_thread::AppThread;
use crate::machine::{MachineThreads, WorkerPriorities};
use crate::shell::Shell;
use crate::stop::Stop;
use crate::sync::{Mutex, MutexGuard};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, OnceLock};
use taut_runtime::{MachineProfile, Settings};
use taut_schemas::ThreadRole;
use taut_traces::Clock;

/// State shared by all clones of a session.
pub(super) struct Shared<R: Recorder> {
    /// Unique id among the sessions of this process.
    pub id: u64,
    pub shell: Arc<Shell>,
    pub stop: Stop,
    /// Profile of the session's machine, if it has one.
    pub machine: Option<MachineProfile>,
    settings: Settings,
    priorities: Arc<WorkerPriorities>,
    /// True once the machine's threads were started, or failed to start.
    is_started: AtomicBool,
    late_events: Arc<AtomicU64>,
    /// Error of the first rundown that failed.
    no_rundown: Arc<OnceLock<String>>,
    /// `None` once the session has ended. Locked before any of its threads.
    open: Mutex<Option<Open<R>>>,
}

/// State of a session that has not ended.
struct Open<R: Recorder> {
    recorder: R,
    /// Machine's threads, started by the first call that can give them work.
    machine: Option<MachineThreads>,
    /// Rundown thread of a recording that keeps only its last segments.
    rundowns: Option<Rundowns>,
    /// Threads that registered themselves.
    threads: Vec<Arc<RegisteredThread<R>>>,
    next_number: u32,
}

impl<R: Recorder> Shared<R> {
    pub fn new(recorder: R, adapters: &Adapters, settings: Settings, clock: Clock, stop: Stop) -> Shared<R> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let priorities = Arc::new(WorkerPriorities::default());
        let shared_priorities = Arc::clone(&priorities);
        let shell = Shell::new(settings.clone(), adapters.drivers(), clock).with_priorities(Box::new(
            move |adapter, worker, priority| {
                shared_priorities.want(ThreadRole::Worker(adapter, worker).thread(), priority)
            },
        ));
        Shared {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            shell: Arc::new(shell),
            stop,
            machine: adapters.machine().cloned(),
            settings,
            priorities,
            is_started: AtomicBool::new(false),
            late_events: Arc::default(),
            no_rundown: Arc::default(),
            open: Mutex::new(Some(Open {
                recorder,
                machine: None,
                rundowns: None,
                threads: Vec::new(),
                next_number: 0,
            })),
        }
    }

    fn open(&self) -> MutexGuard<'_, Option<Open<R>>> {
        locked(&self.open)
    }

    /// Starts the machine's threads once. If the system cannot create threads, tasks and queues remain pending.
    #[inline]
    pub fn start_machine(&self) {
        if !self.is_started.load(Ordering::Acquire) {
            self.start_machine_now();
        }
    }

    #[cold]
    fn start_machine_now(&self) {
        let mut open = self.open();
        // Another thread may have started the machine before this one got the lock.
        if let Some(Open { recorder, machine, .. }) = open.as_mut()
            && !self.is_started.load(Ordering::Acquire)
        {
            let sink = |thread| recorder.sink(thread);
            let started = MachineThreads::start(&self.shell, &self.settings, &self.priorities, sink);
            *machine = started.ok();
        }
        self.is_started.store(true, Ordering::Release);
    }

    /// Creates a thread with this number; its events are only counted if the session has ended.
    pub fn numbered(&self, number: u32) -> AppThread<SessionSink<R::Sink>> {
        let mut open = self.open();
        let Some(open) = open.as_mut() else { return self.late_thread() };
        // Threads that register later get numbers above every chosen one.
        open.next_number = open.next_number.max(ThreadRole::application_after(number));
        self.shell.thread(SessionSink::Recorded(open.recorder.sink(number)))
    }

    /// Registers a new thread with the next number. Returns `None` if the session has ended.
    pub fn register(&self) -> Option<Arc<RegisteredThread<R>>> {
        let mut open = self.open();
        let open = open.as_mut()?;
        let number = open.next_number;
        open.next_number = ThreadRole::application_after(number);
        // Removing ended threads here bounds the list by the number of live threads.
        open.threads.retain(|thread| !thread.is_over());
        let thread =
            Arc::new(RegisteredThread::new(self.shell.thread(SessionSink::Recorded(open.recorder.sink(number)))));
        open.threads.push(Arc::clone(&thread));
        Some(thread)
    }

    /// Starts the thread that records requested rundowns.
    ///
    /// # Errors
    /// The system cannot create a thread.
    pub fn begin_rundowns(
        &self,
        requests: Sender<RundownRequest>,
        receiver: Receiver<RundownRequest>,
    ) -> io::Result<()> {
        let mut open = self.open();
        let Some(open) = open.as_mut() else { return Ok(()) };
        let sink = open.recorder.blocking_sink(ThreadRole::Recorder.thread());
        let (recording, why) = (self.shell.thread(SessionSink::Recorded(sink)), Arc::clone(&self.no_rundown));
        let failed = move |error| {
            let _ = why.set(error);
        };
        open.rundowns = Some(Rundowns::begin::<R>(requests, receiver, recording, failed)?);
        Ok(())
    }

    /// Returns why a rundown could not be recorded, if one failed.
    pub fn no_rundown(&self) -> Option<&str> {
        self.no_rundown.get().map(String::as_str)
    }

    /// Creates a thread of a session that has ended.
    pub fn late_thread(&self) -> AppThread<SessionSink<R::Sink>> {
        self.shell.thread(SessionSink::Late(Arc::clone(&self.late_events)))
    }

    /// Number of events of threads after the session's end.
    pub fn late_events(&self) -> u64 {
        self.late_events.load(Ordering::Relaxed)
    }

    /// Ends the session; the first caller gets the recorder.
    pub fn end(&self) -> Option<R> {
        let mut open = self.open();
        // Closing comes first: a thread that waits for an event holds its own lock throughout, so the wait must end
        // before it is locked below.
        self.shell.close();
        let Open { recorder, machine, rundowns, threads, .. } = open.take()?;
        rundowns.into_iter().for_each(Rundowns::end);
        // All threads are locked at once: a call that is not recorded must not come before one that is.
        let mut locked: Vec<_> = threads.iter().map(|thread| thread.lock()).collect();
        if let Some(machine) = machine {
            machine.join();
        }
        locked.iter_mut().for_each(|thread| drop(thread.take()));
        Some(recorder)
    }
}

impl<R: Recorder> Drop for Shared<R> {
    fn drop(&mut self) {
        drop(self.end());
    }
}
