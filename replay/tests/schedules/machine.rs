//! The machine's threads, as shuttle's.

#[path = "../../../capture/src/machine/done.rs"]
mod done;
#[path = "../../../capture/src/machine/gpu.rs"]
mod gpu;
#[path = "../../../capture/src/machine/worker.rs"]
mod worker;

/// Threads under shuttle have no priorities.
mod priority {
    #[derive(Default)]
    pub struct WorkerPriorities;
    pub struct Attendance;

    impl WorkerPriorities {
        pub fn attend(&self, _: u32) -> Attendance {
            Attendance
        }
        pub fn begin(&self, _: u32) {}
        pub fn end(&self, _: u32) {}
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
            worker::run(&shell, &priority::WorkerPriorities, worker, sink);
        }));
    }
    let (sink, shell) = (Kept::default(), shell.clone());
    kept.push(sink.clone());
    threads.push(shuttle::thread::spawn(move || gpu::run(&shell, sink)));
    (threads, kept)
}
