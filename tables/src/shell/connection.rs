//! The shell's connection to its worker, which is started when a query needs it and killed by Ctrl-C.

use super::messages::Message;
use serde_json::Value;
use std::io::{BufReader, ErrorKind, Result as IoResult, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_console::args::{Common, STARTED_BY, Shell};
use taut_console::interrupt::handle_interrupt;

/// A running worker.
pub struct Connection {
    child: Arc<Mutex<Child>>,
    requests: ChildStdin,
    messages: BufReader<ChildStdout>,
}

/// Reason why a request ended without its last message.
pub enum Ended {
    /// Ctrl-C.
    Interrupted,
    /// The worker ended with this status.
    Worker(ExitStatus),
}

impl Connection {
    /// Starts a worker.
    ///
    /// # Errors
    /// The system starts no process.
    pub fn start(shell: &Shell, common: Common) -> IoResult<Connection> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).env_remove(STARTED_BY);
        if shell.no_cache {
            command.arg("--no-cache");
        }
        if common.force {
            command.arg("--force");
        }
        if let Some(bytes) = shell.memory.memory {
            command.arg("--memory").arg(bytes.to_string());
        }
        command.arg("--").args(&shell.files);
        // Ctrl-C on a terminal reaches the shell only, which then kills the worker.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(messages)) => {
                let messages = BufReader::new(messages);
                Ok(Connection { child: Arc::new(Mutex::new(child)), requests, messages })
            }
            _ => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    /// Sends a request and passes each response message to `take`, which returns true for the last one.
    ///
    /// # Errors
    /// The last message did not arrive; the connection is unusable.
    pub fn request(&mut self, request: &Value, take: &mut dyn FnMut(Message) -> bool) -> Result<(), Ended> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let guard = {
            let (child, interrupted) = (Arc::clone(&self.child), Arc::clone(&interrupted));
            handle_interrupt(move || {
                interrupted.store(true, Ordering::Release);
                // Fails if the worker has ended already, which is what is wanted.
                let _ = locked(&child).kill();
            })
        };
        let answered = self.exchange(request, take);
        drop(guard);
        if answered.is_ok() && !interrupted.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut child = locked(&self.child);
        if answered.is_err() && !interrupted.load(Ordering::Acquire) {
            // A worker that ends closes its output; one that sent an invalid message is still running and is killed.
            if answered.is_err_and(|error| error.kind() == ErrorKind::InvalidData) {
                let _ = child.kill();
            }
        }
        match child.wait() {
            Ok(status) if !interrupted.load(Ordering::Acquire) => Err(Ended::Worker(status)),
            _ => Err(Ended::Interrupted),
        }
    }

    fn exchange(&mut self, request: &Value, take: &mut dyn FnMut(Message) -> bool) -> IoResult<()> {
        writeln!(self.requests, "{request}")?;
        self.requests.flush()?;
        while !take(Message::read(&mut self.messages)?) {}
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut child = locked(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn locked(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}
