//! Simulated machine's threads: workers for background tasks, and the GPU thread of each adapter.

mod driver;
mod effects;
mod gpu;
mod idle_thread;
mod places;
mod priority;
mod processor;
mod signals;
mod stopwatch;
mod thread_handle;
mod worker;

use crate::event_stream::EventSink;
use crate::shell::Shell;
use crate::sync::thread::{Builder, JoinHandle};
use idle_thread::IdleThread;
pub(crate) use places::{HeldPlace, WorkerPlaces};
pub(crate) use priority::WorkerPriorities;
pub use signals::without_signals;
use std::io;
use std::sync::Arc;
use taut_runtime::Settings;
use taut_schemas::ThreadRole;
use worker::{Worker, WorkerPlace};

/// Body of a thread.
type Run = Box<dyn FnOnce() + Send>;

fn spawn(name: String, run: Run) -> io::Result<JoinHandle<()>> {
    without_signals(|| Builder::new().name(name).spawn(run))
}

/// Threads of the machine. They end when the shell is closed.
pub(crate) struct MachineThreads {
    threads: Vec<JoinHandle<()>>,
}

impl MachineThreads {
    /// Starts the threads of each adapter: as many workers as tasks can ever run concurrently, up to the maximum worker
    /// number, a GPU thread, and the driver's own thread if the driver has one. The number of workers is also the limit
    /// of concurrent tasks of all adapters. `sink` returns the sink of each thread by its number.
    ///
    /// # Errors
    /// The system cannot create a thread. The threads already started have then ended, and the shell is closed, so that
    /// no thread waits for a missing machine.
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
        let workers = settings.max_background_tasks.max(settings.max_boosted_tasks).min(ThreadRole::MAX_WORKERS);
        // One limit for all adapters: workers belong to the process, not to a device.
        let places = Arc::new(WorkerPlaces::new(workers));
        for adapter in shell.adapters() {
            let begun = (0..workers).try_for_each(|worker| {
                let (shell, priorities, places) = (Arc::clone(shell), Arc::clone(priorities), Arc::clone(&places));
                let thread = ThreadRole::Worker(adapter, worker).thread();
                let (sink, place) = (sink(thread), WorkerPlace { adapter, worker, thread });
                // Without priorities the worker runs all tasks itself.
                let idle_thread = WorkerPriorities::ARE_SUPPORTED.then(|| IdleThread::start(thread)).transpose()?;
                let run = move || worker::run(&shell, &priorities, &places, Worker { place, idle_thread }, sink);
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
                if shell.driver(adapter).traits().has_thread {
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

    /// Joins the threads of a closed shell. Work in progress is finished.
    pub fn join(self) {
        for thread in self.threads {
            // A panic on the thread has already printed its message.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
