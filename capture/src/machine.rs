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

/// Number of the first worker's thread in a trace.
pub const FIRST_WORKER_THREAD: u32 = 0x1_0000;

/// Number of the graphics processor's thread in a trace.
pub const GPU_THREAD: u32 = 0x2_0000;

/// The machine's threads. They end when the shell is closed.
pub(crate) struct Machine {
    threads: Vec<JoinHandle<()>>,
}

impl Machine {
    /// Starts the threads: as many workers as tasks can ever run at once. `sink` gives each its recorder, by thread number.
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
        for worker in 0..settings.max_background_tasks.max(settings.max_boosted_tasks) {
            let (shell, priorities) = (Arc::clone(shell), Arc::clone(priorities));
            let sink = sink(FIRST_WORKER_THREAD + worker);
            let labourer = WorkerPriorities::ARE_HEEDED.then(|| Labourer::hire(worker)).transpose()?;
            let run = move || worker::run(&shell, &priorities, (worker, labourer), sink);
            machine.threads.push(Builder::new().name(format!("worker {worker}")).spawn(run)?);
        }
        let (shell, sink) = (Arc::clone(shell), sink(GPU_THREAD));
        machine.threads.push(Builder::new().name("gpu".to_owned()).spawn(move || gpu::run(&shell, sink))?);
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
