//! The machine beside the application: worker threads for background tasks, and a thread that is the graphics processor.

mod done;
mod gpu;
mod labourer;
mod priority;
mod worker;

use crate::event_stream::EventSink;
use crate::shell::Shell;
use crate::sync::thread::{Builder, JoinHandle};
use labourer::Labourer;
pub(crate) use priority::WorkerPriorities;
use std::sync::Arc;
use taut_runtime::Settings;
use taut_schemas::AdapterId;
use worker::Place;

/// Number of the first adapter's first worker's thread in a trace.
pub const FIRST_WORKER_THREAD: u32 = 0x1_0000;

/// Threads from an adapter's first worker to the next one's.
const WORKERS_OF_ADAPTER: u32 = 0x1000;

/// Number of the first adapter's graphics processor's thread in a trace; the next adapter's is the one after it.
pub const GPU_THREAD: u32 = 0x2_0000;

/// Number of the last thread that may be a graphics processor's.
pub const LAST_GPU_THREAD: u32 = GPU_THREAD + 0xf;

/// The thread number of an adapter's worker.
pub(crate) fn worker_thread(adapter: AdapterId, worker: u32) -> u32 {
    FIRST_WORKER_THREAD + adapter.index() as u32 * WORKERS_OF_ADAPTER + worker
}

/// The machine's threads. They end when the shell is closed.
pub(crate) struct Machine {
    threads: Vec<JoinHandle<()>>,
}

impl Machine {
    /// Starts the threads: for each adapter as many workers as tasks can ever run at once, and a graphics processor. `sink`
    /// gives each its recorder, by thread number.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start<S: EventSink + Send + 'static>(
        shell: &Arc<Shell>,
        settings: &Settings,
        priorities: &Arc<WorkerPriorities>,
        sink: impl Fn(u32) -> S,
    ) -> std::io::Result<Machine> {
        let mut machine = Machine { threads: Vec::new() };
        for adapter in shell.adapters() {
            for worker in 0..settings.max_background_tasks.max(settings.max_boosted_tasks) {
                let (shell, priorities) = (Arc::clone(shell), Arc::clone(priorities));
                let thread = worker_thread(adapter, worker);
                let (sink, place) = (sink(thread), Place { adapter, worker, thread });
                let labourer = WorkerPriorities::ARE_HEEDED.then(|| Labourer::hire(thread)).transpose()?;
                let run = move || worker::run(&shell, &priorities, (place, labourer), sink);
                machine.threads.push(Builder::new().name(format!("worker {worker}")).spawn(run)?);
            }
            let (shell, sink) = (Arc::clone(shell), sink(GPU_THREAD + adapter.index() as u32));
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
