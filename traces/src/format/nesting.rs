//! Stack of a thread's open calls.

use crate::format::limit;
use taut_schemas::{EventCode, Opcode};

/// Stack of open calls, derived from the start and stop records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Nesting {
    depth: u32,
    /// Codes of the start records, outermost first; the inner part if the stack began with a block that lists only
    /// that.
    open: Vec<EventCode>,
}

impl Nesting {
    /// Creates the stack with which a block begins.
    pub fn new(depth: u32, open: &[EventCode]) -> Nesting {
        Nesting { depth, open: open.to_vec() }
    }

    /// Applies a record.
    pub fn follow(&mut self, code: EventCode, opcode: Opcode) {
        match opcode {
            Opcode::Info => {}
            Opcode::Start => {
                self.depth = self.depth.saturating_add(1);
                self.open.push(code);
            }
            // A stop without a start is valid input: the recording began inside the call, or its start was lost.
            Opcode::Stop => {
                self.depth = self.depth.saturating_sub(1);
                self.open.pop();
            }
        }
    }

    /// Number of open calls.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Open calls that a block lists: of a deep stack, the innermost.
    pub fn listed(&self) -> &[EventCode] {
        &self.open[self.open.len().saturating_sub(limit::BLOCK_OPEN_CALLS)..]
    }

    /// True if this nesting can precede a block that begins with `depth` open calls, of which `open` are the innermost.
    /// Blocks store at most [`limit::BLOCK_OPEN_CALLS`] calls of a deep stack, so only the calls that both sides store
    /// are compared.
    pub fn can_precede(&self, depth: u32, open: &[EventCode]) -> bool {
        let known = self.open.iter().rev().zip(open.iter().rev());
        depth == self.depth && known.into_iter().all(|(expected, found)| expected == found)
    }
}
