//! Progress of operations as a bar on the terminal.

use taut_app::{Progress, Step};
use taut_console::printing::print_message;
use taut_console::progress;

/// Receiver that shows a bar.
pub struct ProgressBar {
    /// True to show nothing.
    pub quiet: bool,
}

impl Progress for ProgressBar {
    fn watch(&self, step: Step<'_>, work: &mut dyn FnMut()) {
        progress::with_progress(step.total, step.name, self.quiet, step.done, work);
    }

    fn note(&self, message: &str) {
        if !self.quiet {
            print_message(message);
        }
    }
}
