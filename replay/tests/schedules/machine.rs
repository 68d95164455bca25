//! The machine's threads, as shuttle's.

#[path = "../../../capture/src/machine/done.rs"]
mod done;
#[path = "../../../capture/src/machine/gpu.rs"]
mod gpu;
#[path = "../../../capture/src/machine/worker.rs"]
mod worker;

/// Threads under shuttle have no priorities, and a worker does its work itself.
mod priority {
    pub struct WorkerPriorities;
    pub struct Employment;

    impl WorkerPriorities {
        pub fn employ(&self, _: u32, _: super::labourer::Id) -> Employment {
            Employment
        }
        pub fn is_low(&self, _: u32) -> bool {
            false
        }
    }
}

mod labourer {
    use std::sync::Arc;
    use taut_schemas::{BackgroundWork, WorkProduct};

    pub struct Labourer;
    pub struct Id;

    impl Labourer {
        pub fn id(&self) -> Id {
            Id
        }
        pub fn perform(&self, work: &Arc<dyn BackgroundWork>) -> Result<WorkProduct, String> {
            perform(work)
        }
    }

    pub fn perform(work: &Arc<dyn BackgroundWork>) -> Result<WorkProduct, String> {
        Ok(work.run())
    }
}

use crate::kept::Kept;
use crate::shell::Shell;
use shuttle::sync::Arc;
use shuttle::thread::JoinHandle;

/// Starts so many workers and a graphics processor; each one's events, by thread.
pub fn start(shell: &Arc<Shell>, workers: u32) -> (Vec<JoinHandle<()>>, Vec<Kept>) {
    let (mut threads, mut kept) = (Vec::new(), Vec::new());
    for worker in 0..workers {
        let (sink, shell) = (Kept::default(), shell.clone());
        kept.push(sink.clone());
        threads.push(shuttle::thread::spawn(move || {
            worker::run(&shell, &priority::WorkerPriorities, (worker, labourer::Labourer), sink);
        }));
    }
    let (sink, shell) = (Kept::default(), shell.clone());
    kept.push(sink.clone());
    threads.push(shuttle::thread::spawn(move || gpu::run(&shell, sink)));
    (threads, kept)
}
