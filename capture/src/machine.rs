//! The machine beside the application: worker threads for background tasks, and a thread that is the graphics processor.

mod gpu;
mod idle_thread;
mod priority;
mod processor;
mod stopwatch;
mod worker;

use crate::event_stream::EventSink;
use crate::shell::Shell;
use crate::sync::thread::{Builder, JoinHandle};
use idle_thread::IdleThread;
pub(crate) use priority::WorkerPriorities;
use std::sync::Arc;
use taut_runtime::Settings;
use taut_schemas::ThreadRole;
use worker::WorkerPlace;

/// The machine's threads. They end when the shell is closed.
pub(crate) struct MachineThreads {
    threads: Vec<JoinHandle<()>>,
}

impl MachineThreads {
    /// Starts the threads: for each adapter as many workers as tasks can ever run at once, as far as workers are
    /// numbered, and a graphics processor. `sink`
    /// gives each its recorder, by thread number.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start<S: EventSink + Send + 'static>(
        shell: &Arc<Shell>,
        settings: &Settings,
        priorities: &Arc<WorkerPriorities>,
        sink: impl Fn(u32) -> S,
    ) -> std::io::Result<MachineThreads> {
        let mut machine = MachineThreads { threads: Vec::new() };
        let workers = settings.max_background_tasks.max(settings.max_boosted_tasks).min(ThreadRole::MOST_WORKERS);
        for adapter in shell.adapters() {
            for worker in 0..workers {
                let (shell, priorities) = (Arc::clone(shell), Arc::clone(priorities));
                let thread = ThreadRole::Worker(adapter, worker).thread();
                let (sink, place) = (sink(thread), WorkerPlace { adapter, worker, thread });
                let idle_thread = WorkerPriorities::ARE_HEEDED.then(|| IdleThread::start(thread)).transpose()?;
                let run = move || worker::run(&shell, &priorities, (place, idle_thread), sink);
                machine.threads.push(Builder::new().name(format!("worker {worker}")).spawn(run)?);
            }
            let (shell, sink) = (Arc::clone(shell), sink(ThreadRole::GraphicsProcessor(adapter).thread()));
            machine.threads.push(Builder::new().name("gpu".to_owned()).spawn(move || gpu::run(&shell, adapter, sink))?);
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
