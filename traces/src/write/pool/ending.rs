//! End of a recording: closed, abandoned or interrupted.

use super::Pool;

impl Pool {
    /// Closes the pool and wakes all waiting threads.
    pub fn close(&self) {
        self.state().closed = true;
        self.filled.notify_all();
        self.freed.notify_all();
        self.maintenance_jobs.notify_all();
    }

    /// Closes the pool and leaves the trace unfinished.
    pub fn abandon(&self) {
        self.state().abandoned = true;
        self.close();
    }

    /// Marks the recording as ended before its workload.
    pub fn mark_interrupted(&self) {
        self.state().interrupted = true;
    }

    /// True if the recording ended before its workload did.
    pub fn is_interrupted(&self) -> bool {
        self.state().interrupted
    }

    /// True if the trace is to be left unfinished.
    pub fn abandoned(&self) -> bool {
        self.state().abandoned
    }
}
