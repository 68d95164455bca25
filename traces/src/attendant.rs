//! Answers what other processes ask of a recording under way, on the keeper's thread.

use crate::end_cause::EndCause;
use crate::pool::Pool;
use crate::provider_mask::ProviderMask;
use crate::request::{Answer, Command};
use crate::sidecar::Sidecar;
use crate::snapshot::Snapshot;
use crate::snapshot_wish::SnapshotWish;
use serde_json::json;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How often it looks.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A snapshot that is being taken: another thread does it, as the keeper has slots to make.
struct Underway {
    /// Of the request; none if the process itself wished for it.
    ticket: Option<u64>,
    thread: JoinHandle<io::Result<Snapshot>>,
}

/// Answers requests.
pub(crate) struct Attendant {
    sidecar: Arc<Sidecar>,
    pool: Arc<Pool>,
    providers: ProviderMask,
    /// Where the trace is.
    path: PathBuf,
    wish: SnapshotWish,
    granted: u32,
    answered: u64,
    underway: Option<Underway>,
}

impl Attendant {
    pub fn new(
        sidecar: Arc<Sidecar>,
        pool: Arc<Pool>,
        providers: ProviderMask,
        wish: SnapshotWish,
        path: PathBuf,
    ) -> Attendant {
        Attendant { sidecar, pool, providers, path, wish, granted: 0, answered: 0, underway: None }
    }

    /// Looks whether there is anything to do. A page that cannot be read or written has nobody to be told: who asks hears
    /// nothing.
    pub fn look(&mut self) {
        if let Some(underway) = self.underway.take_if(|underway| underway.thread.is_finished()) {
            self.end(underway);
        }
        if self.underway.is_some() {
            return;
        }
        let wished = self.wish.wishes();
        if std::mem::replace(&mut self.granted, wished) != wished {
            return self.begin(None);
        }
        let Some(request) = self.sidecar.request().filter(|request| request.ticket != self.answered) else { return };
        let text = match request.command {
            Some(Command::Snapshot) => return self.begin(Some(request.ticket)),
            Some(Command::Status) => Ok(self.status()),
            Some(Command::Enable(provider)) => Ok(self.providers.change(|now| now.with(provider)).to_string()),
            Some(Command::Disable(provider)) => Ok(self.providers.change(|now| now.without(provider)).to_string()),
            Some(Command::Stop) if self.pool.ends.reach(EndCause::Asked) => Ok(String::new()),
            Some(Command::Stop) => Err("the program that records does not end when asked".to_owned()),
            None => Err("the recorder does not know this request: it is of another version".to_owned()),
        };
        self.answer(request.ticket, text);
    }

    /// The recording ends: what is under way is waited for.
    pub fn finish(&mut self) {
        if let Some(underway) = self.underway.take() {
            self.end(underway);
        }
    }

    fn status(&self) -> String {
        let given = self.pool.given();
        json!({
            "process": std::process::id(),
            "events": given.values().sum::<u64>(),
            "threads": given.len(),
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
            Ok(thread) => self.underway = Some(Underway { ticket, thread }),
            Err(error) => self.tell(ticket, &Err(error)),
        }
    }

    fn end(&mut self, Underway { ticket, thread }: Underway) {
        let taken = thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that took it panicked")));
        self.tell(ticket, &taken);
    }

    fn tell(&mut self, ticket: Option<u64>, taken: &io::Result<Snapshot>) {
        self.pool.snapshots.tell(taken);
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
        let _ = self.sidecar.answer(&Answer { ticket, text });
    }
}
