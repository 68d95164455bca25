//! Server side of the control channel: answers requests that other processes write into the sidecar of an active
//! recording. Runs on the maintenance thread.

use crate::format::end_cause::EndCause;
use crate::live::provider_mask::ProviderMask;
use crate::live::request::{Answer, Command};
use crate::live::sidecar::Sidecar;
use crate::live::snapshot_requests::SnapshotRequests;
use crate::write::pool::Pool;
use crate::write::snapshot::Snapshot;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Interval at which requests and the in-process snapshot counter are polled.
// FORMAT.md states this interval; a client's timeout has to exceed it.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A snapshot in progress. It runs on a thread of its own because the maintenance thread has to keep creating slots.
struct RunningSnapshot {
    /// Ticket of the request; `None` for a snapshot requested by this process.
    ticket: Option<u64>,
    thread: JoinHandle<io::Result<Snapshot>>,
}

/// Control server: answers the requests in the control page of a sidecar.
pub(crate) struct ControlServer {
    sidecar: Arc<Sidecar>,
    pool: Arc<Pool>,
    providers: ProviderMask,
    /// Path of the trace.
    path: PathBuf,
    snapshot_requests: SnapshotRequests,
    served_requests: u32,
    answered: u64,
    running_snapshot: Option<RunningSnapshot>,
}

impl ControlServer {
    pub fn new(
        sidecar: Arc<Sidecar>,
        pool: Arc<Pool>,
        providers: ProviderMask,
        snapshot_requests: SnapshotRequests,
        path: PathBuf,
    ) -> ControlServer {
        ControlServer {
            sidecar,
            pool,
            providers,
            path,
            snapshot_requests,
            served_requests: 0,
            answered: 0,
            running_snapshot: None,
        }
    }

    /// Polls for requests and for a finished snapshot. I/O errors of the control page are not reported: the client sees
    /// a timeout.
    pub fn poll(&mut self) {
        if let Some(running_snapshot) =
            self.running_snapshot.take_if(|running_snapshot| running_snapshot.thread.is_finished())
        {
            self.end(running_snapshot);
        }
        // One snapshot at a time: a further request stays in the page until this one is answered.
        if self.running_snapshot.is_some() {
            return;
        }
        if self.has_new_requests() {
            return self.begin(None);
        }
        // The page still holds the previous request, so an answered ticket is skipped.
        let Some(request) = self.sidecar.request().filter(|request| request.ticket != self.answered) else { return };
        let text = match request.command {
            Some(Command::Snapshot) => return self.begin(Some(request.ticket)),
            Some(Command::Status) => Ok(self.status()),
            Some(Command::Enable(provider)) => Ok(self.providers.change(|now| now.with(provider)).to_string()),
            Some(Command::Disable(provider)) => Ok(self.providers.change(|now| now.without(provider)).to_string()),
            Some(Command::Stop) if self.pool.ends.reach(EndCause::Requested) => Ok(String::new()),
            Some(Command::Stop) => Err("the program that records does not end when asked".to_owned()),
            None => Err("the recorder does not know this request: it is of another version".to_owned()),
        };
        self.answer(request.ticket, text);
    }

    /// Waits for a snapshot in progress and answers its request; called when the recording ends. Takes the snapshot that
    /// this process requested since the last poll: a short recording ends before the first one.
    pub fn finish(&mut self) {
        self.wait_for_snapshot();
        if self.has_new_requests() {
            self.begin(None);
            self.wait_for_snapshot();
        }
    }

    /// True if this process has requested a snapshot since the last look: one snapshot serves all these requests.
    fn has_new_requests(&mut self) -> bool {
        let requested = self.snapshot_requests.count();
        std::mem::replace(&mut self.served_requests, requested) != requested
    }

    fn wait_for_snapshot(&mut self) {
        if let Some(running_snapshot) = self.running_snapshot.take() {
            self.end(running_snapshot);
        }
    }

    fn status(&self) -> String {
        let produced = self.pool.produced();
        json!({
            "process": std::process::id(),
            "events": produced.values().sum::<u64>(),
            "threads": produced.len(),
            "bytes": self.pool.bytes_written(),
            "providers": self.providers.now().iter().map(|provider| provider.name()).collect::<Vec<_>>(),
        })
        .to_string()
    }

    fn begin(&mut self, ticket: Option<u64>) {
        let (path, pool) = (self.path.clone(), Arc::clone(&self.pool));
        let disk = self.sidecar.disk().clone();
        let now = move || pool.time().map(|reading| reading.ticks);
        let thread = std::thread::Builder::new().name("taut-snapshot".to_owned());
        match thread.spawn(move || Snapshot::take(&path, now, &disk)) {
            Ok(thread) => self.running_snapshot = Some(RunningSnapshot { ticket, thread }),
            Err(error) => self.report(ticket, &Err(error)),
        }
    }

    fn end(&mut self, RunningSnapshot { ticket, thread }: RunningSnapshot) {
        let taken = thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that took it panicked")));
        self.report(ticket, &taken);
    }

    fn report(&mut self, ticket: Option<u64>, taken: &io::Result<Snapshot>) {
        self.pool.snapshots.report(taken);
        let Some(ticket) = ticket else { return };
        let text = match taken {
            Ok(Snapshot { path, written }) => Ok(json!({
                "file": path.to_string_lossy(),
                "events": written.events,
                "lost_events": written.lost_events,
                "bytes": written.bytes,
            })
            .to_string()),
            Err(error) => Err(format!("no snapshot: {error}")),
        };
        self.answer(ticket, text);
    }

    fn answer(&mut self, ticket: u64, text: Result<String, String>) {
        self.answered = ticket;
        // If the write fails, the client's timeout ends its wait.
        let _ = self.sidecar.answer(&Answer { ticket, text });
    }
}
