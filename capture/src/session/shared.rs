//! What all who hold a session share, from its beginning to its end.

use super::adapters::Adapters;
use super::current_thread::{RegisteredThread, locked};
use super::recorder::Recorder;
use super::rundowns::{Rundowns, Wish};
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

/// What all who hold a session share.
pub(super) struct Shared<R: Recorder> {
    /// No other session of this process has it.
    pub id: u64,
    pub shell: Arc<Shell>,
    pub stop: Stop,
    /// The machine that it runs on, if one was described.
    pub machine: Option<MachineProfile>,
    settings: Settings,
    priorities: Arc<WorkerPriorities>,
    /// The machine runs, or cannot.
    is_started: AtomicBool,
    late_events: Arc<AtomicU64>,
    /// Why there was no rundown.
    no_rundown: Arc<OnceLock<String>>,
    /// None once the session has ended. Locked before any of its threads.
    open: Mutex<Option<Open<R>>>,
}

/// What a session has until it ends.
struct Open<R: Recorder> {
    recorder: R,
    /// Started by the first call that may give it something to do.
    machine: Option<MachineThreads>,
    /// Of a recording that keeps only its last.
    rundowns: Option<Rundowns>,
    /// The threads that registered themselves.
    threads: Vec<Arc<RegisteredThread<R>>>,
    next_number: u32,
}

impl<R: Recorder> Shared<R> {
    pub fn new(recorder: R, adapters: &Adapters, settings: Settings, clock: Clock, stop: Stop) -> Shared<R> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let priorities = Arc::new(WorkerPriorities::default());
        let told = Arc::clone(&priorities);
        let shell = Shell::new(settings.clone(), adapters.drivers(), clock).with_priorities(Box::new(
            move |adapter, worker, priority| told.want(ThreadRole::Worker(adapter, worker).thread(), priority),
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

    /// The machine's threads, started once. A system that gives no threads leaves tasks and queues where they are.
    #[inline]
    pub fn start_machine(&self) {
        if !self.is_started.load(Ordering::Acquire) {
            self.start_machine_now();
        }
    }

    #[cold]
    fn start_machine_now(&self) {
        let mut open = self.open();
        if let Some(Open { recorder, machine, .. }) = open.as_mut()
            && !self.is_started.load(Ordering::Acquire)
        {
            let sink = |thread| recorder.sink(thread);
            let started = MachineThreads::start(&self.shell, &self.settings, &self.priorities, sink);
            *machine = started.ok();
        }
        self.is_started.store(true, Ordering::Release);
    }

    /// A thread with this number, whose events go nowhere if the session has ended.
    pub fn numbered(&self, number: u32) -> AppThread<SessionSink<R::Sink>> {
        let mut open = self.open();
        let Some(open) = open.as_mut() else { return self.late_thread() };
        open.next_number = open.next_number.max(ThreadRole::application_after(number));
        self.shell.thread(SessionSink::Kept(open.recorder.sink(number)))
    }

    /// A new thread with the next number, known to the session until it ends. `None` if the session has.
    pub fn register(&self) -> Option<Arc<RegisteredThread<R>>> {
        let mut open = self.open();
        let open = open.as_mut()?;
        let number = open.next_number;
        open.next_number = ThreadRole::application_after(number);
        open.threads.retain(|thread| !thread.is_over());
        let thread = Arc::new(RegisteredThread::new(self.shell.thread(SessionSink::Kept(open.recorder.sink(number)))));
        open.threads.push(Arc::clone(&thread));
        Some(thread)
    }

    /// Has rundowns made from now on when they are wished for.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn begin_rundowns(&self, wishes: (Sender<Wish>, Receiver<Wish>)) -> io::Result<()> {
        let mut open = self.open();
        let Some(open) = open.as_mut() else { return Ok(()) };
        let sink = open.recorder.patient_sink(ThreadRole::Recorder.thread());
        let (recording, why) = (self.shell.thread(SessionSink::Kept(sink)), Arc::clone(&self.no_rundown));
        let failed = move |error| {
            let _ = why.set(error);
        };
        open.rundowns = Some(Rundowns::begin::<R>(wishes, recording, failed)?);
        Ok(())
    }

    /// Why a rundown could not be made, if one could not.
    pub fn no_rundown(&self) -> Option<&str> {
        self.no_rundown.get().map(String::as_str)
    }

    /// A thread of a session that has ended.
    pub fn late_thread(&self) -> AppThread<SessionSink<R::Sink>> {
        self.shell.thread(SessionSink::Late(Arc::clone(&self.late_events)))
    }

    /// What late threads would have had recorded.
    pub fn late_events(&self) -> u64 {
        self.late_events.load(Ordering::Relaxed)
    }

    /// Ends the session, and gives the recorder back to who does it first.
    pub fn end(&self) -> Option<R> {
        let mut open = self.open();
        // A thread that waits for an event is locked all the time: it gives up.
        self.shell.close();
        let Open { recorder, machine, rundowns, threads, .. } = open.take()?;
        rundowns.into_iter().for_each(Rundowns::end);
        // Held all at once: a call that is not recorded must not come before one that is.
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
