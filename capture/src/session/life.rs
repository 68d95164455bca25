//! What a session is made of, from its beginning to its end.

use super::own_thread::{Slot, locked};
use super::recorder::Recorder;
use super::sink::Sink;
use crate::app_thread::AppThread;
use crate::clock::Clock;
use crate::machine::{FIRST_WORKER_THREAD, GPU_THREAD, Machine, WorkerPriorities};
use crate::shell::Shell;
use crate::stop::Stop;
use crate::sync::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use taut_runtime::{Profile, Settings};

/// A session, shared by all who hold it.
pub(super) struct Life<R: Recorder> {
    /// No other session of this process has it.
    pub id: u64,
    pub shell: Arc<Shell>,
    pub stop: Stop,
    settings: Settings,
    priorities: Arc<WorkerPriorities>,
    /// The machine runs, or cannot.
    is_started: AtomicBool,
    late_events: Arc<AtomicU64>,
    /// None once it has ended. Taken before any thread's slot.
    running: Mutex<Option<Running<R>>>,
}

/// What a session has until it ends.
struct Running<R: Recorder> {
    recorder: R,
    /// Started by the first call that may give it something to do.
    machine: Option<Machine>,
    /// The threads that registered themselves.
    threads: Vec<Arc<Slot<R>>>,
    next_number: u32,
}

impl<R: Recorder> Life<R> {
    pub fn new(recorder: R, profile: &Profile, settings: Settings, clock: Clock) -> Life<R> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let priorities = Arc::new(WorkerPriorities::default());
        let told = Arc::clone(&priorities);
        let shell = Shell::new(settings.clone(), taut_runtime::driver(profile), clock)
            .with_priorities(Box::new(move |worker, priority| told.want(worker, priority)));
        Life {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            shell: Arc::new(shell),
            stop: Stop::default(),
            settings,
            priorities,
            is_started: AtomicBool::new(false),
            late_events: Arc::default(),
            running: Mutex::new(Some(Running { recorder, machine: None, threads: Vec::new(), next_number: 0 })),
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running<R>>> {
        locked(&self.running)
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
        let mut running = self.running();
        if let Some(Running { recorder, machine, .. }) = running.as_mut()
            && !self.is_started.load(Ordering::Acquire)
        {
            let sink = |thread| recorder.sink(thread);
            let started = Machine::start(&self.shell, &self.settings, &self.priorities, sink);
            *machine = started.inspect_err(|_| self.shell.close()).ok();
        }
        self.is_started.store(true, Ordering::Release);
    }

    /// A thread with this number, whose events go nowhere if the session has ended.
    pub fn numbered(&self, number: u32) -> AppThread<Sink<R::Sink>> {
        let mut running = self.running();
        let Some(running) = running.as_mut() else { return self.late_thread() };
        running.next_number = running.next_number.max(number_after(number));
        self.shell.thread(Sink::Kept(running.recorder.sink(number)))
    }

    /// A new thread with the next number, known to the session until it ends. `None` if the session has.
    pub fn register(&self) -> Option<Arc<Slot<R>>> {
        let mut running = self.running();
        let running = running.as_mut()?;
        let number = running.next_number;
        running.next_number = number_after(number);
        running.threads.retain(|slot| !slot.is_over());
        let slot = Arc::new(Slot::new(self.shell.thread(Sink::Kept(running.recorder.sink(number)))));
        running.threads.push(Arc::clone(&slot));
        Some(slot)
    }

    /// A thread of a session that has ended.
    pub fn late_thread(&self) -> AppThread<Sink<R::Sink>> {
        self.shell.thread(Sink::Late(Arc::clone(&self.late_events)))
    }

    /// What late threads would have had recorded.
    pub fn late_events(&self) -> u64 {
        self.late_events.load(Ordering::Relaxed)
    }

    /// Ends the session, and gives the recorder back to who does it first.
    pub fn end(&self) -> Option<R> {
        let mut running = self.running();
        // Whoever waits under its slot's lock gives that up.
        self.shell.close();
        let Running { recorder, machine, threads, .. } = running.take()?;
        // Held all at once: a call that is not recorded must not come before one that is.
        let mut slots: Vec<_> = threads.iter().map(|slot| slot.lock()).collect();
        if let Some(machine) = machine {
            machine.join();
        }
        slots.iter_mut().for_each(|slot| drop(slot.take()));
        Some(recorder)
    }
}

impl<R: Recorder> Drop for Life<R> {
    fn drop(&mut self) {
        drop(self.end());
    }
}

/// The number of the thread that registers after one with this number: none of the machine's.
fn number_after(number: u32) -> u32 {
    let next = number.saturating_add(1);
    if (FIRST_WORKER_THREAD..=GPU_THREAD).contains(&next) { GPU_THREAD + 1 } else { next }
}
