//! The machine beside the application: worker threads for background tasks, and a thread that is the graphics processor.

mod driver;
mod gpu;
mod idle_thread;
mod places;
mod priority;
mod processor;
mod stopwatch;
mod worker;

use crate::event_stream::EventSink;
use crate::shell::Shell;
use crate::sync::thread::{Builder, JoinHandle};
use idle_thread::IdleThread;
pub(crate) use places::{HeldPlace, WorkerPlaces};
pub(crate) use priority::WorkerPriorities;
use std::io;
use std::sync::Arc;
use taut_runtime::Settings;
use taut_schemas::ThreadRole;
use worker::WorkerPlace;

/// What a thread does.
type Run = Box<dyn FnOnce() + Send>;

fn spawn(name: String, run: Run) -> io::Result<JoinHandle<()>> {
    Builder::new().name(name).spawn(run)
}

/// The machine's threads. They end when the shell is closed.
pub(crate) struct MachineThreads {
    threads: Vec<JoinHandle<()>>,
}

impl MachineThreads {
    /// Starts the threads: for each adapter as many workers as tasks can ever run at once, as far as workers are
    /// numbered, a graphics processor, and its driver's own thread, if that has one. Of all workers so many are at work at
    /// once. `sink` gives each its recorder, by thread number.
    ///
    /// # Errors
    /// The system gives no thread. Those that it gave have ended, and the shell is closed: nobody waits for a machine that is not
    /// there.
    pub fn start<S: EventSink + Send + 'static>(
        shell: &Arc<Shell>,
        settings: &Settings,
        priorities: &Arc<WorkerPriorities>,
        sink: impl Fn(u32) -> S,
    ) -> io::Result<MachineThreads> {
        MachineThreads::start_with(shell, settings, priorities, sink, spawn)
    }

    fn start_with<S: EventSink + Send + 'static>(
        shell: &Arc<Shell>,
        settings: &Settings,
        priorities: &Arc<WorkerPriorities>,
        sink: impl Fn(u32) -> S,
        mut spawn: impl FnMut(String, Run) -> io::Result<JoinHandle<()>>,
    ) -> io::Result<MachineThreads> {
        let mut machine = MachineThreads { threads: Vec::new() };
        let workers = settings.max_background_tasks.max(settings.max_boosted_tasks).min(ThreadRole::MOST_WORKERS);
        let places = Arc::new(WorkerPlaces::new(workers));
        for adapter in shell.adapters() {
            let begun = (0..workers).try_for_each(|worker| {
                let (shell, priorities, places) = (Arc::clone(shell), Arc::clone(priorities), Arc::clone(&places));
                let thread = ThreadRole::Worker(adapter, worker).thread();
                let (sink, place) = (sink(thread), WorkerPlace { adapter, worker, thread });
                let idle_thread = WorkerPriorities::ARE_HEEDED.then(|| IdleThread::start(thread)).transpose()?;
                let run = move || worker::run(&shell, (&priorities, &places), (place, idle_thread), sink);
                machine.threads.push(spawn(format!("worker {worker}"), Box::new(run))?);
                Ok(())
            });
            let begun = begun.and_then(|()| {
                let (shell, sink) = (Arc::clone(shell), sink(ThreadRole::GraphicsProcessor(adapter).thread()));
                let run = move || gpu::run(&shell, adapter, sink);
                machine.threads.push(spawn("gpu".to_owned(), Box::new(run))?);
                Ok(())
            });
            let begun = begun.and_then(|()| {
                if shell.driver(adapter).habits().has_thread {
                    let (shell, sink) = (Arc::clone(shell), sink(ThreadRole::Driver(adapter).thread()));
                    let run = move || driver::run(&shell, adapter, sink);
                    machine.threads.push(spawn("driver".to_owned(), Box::new(run))?);
                }
                Ok(())
            });
            if let Err(error) = begun {
                shell.close();
                machine.join();
                return Err(error);
            }
        }
        Ok(machine)
    }

    /// Waits for the threads; the shell is closed. What they are at is brought to its end.
    pub fn join(self) {
        for thread in self.threads {
            // A panic there has told its reason already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
