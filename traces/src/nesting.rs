//! The stack of open calls of a thread.

use crate::limit;
use taut_schemas::{EventCode, Opcode};

/// Which calls are open, from the start and stop records alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Nesting {
    depth: u32,
    /// Codes of the start records, outermost first. Of a stack that a block lists in part, the inner part.
    open: Vec<EventCode>,
}

impl Nesting {
    /// The stack that a block begins with.
    pub fn new(depth: u32, open: &[EventCode]) -> Nesting {
        Nesting { depth, open: open.to_vec() }
    }

    /// Follows a record.
    pub fn follow(&mut self, code: EventCode, opcode: Opcode) {
        match opcode {
            Opcode::Info => {}
            Opcode::Start => {
                self.depth = self.depth.saturating_add(1);
                self.open.push(code);
            }
            // A stop without a start is legal input: the recording began inside the call, or its start was lost.
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

    /// The open calls that a block lists: of a deep stack, the innermost.
    pub fn listed(&self) -> &[EventCode] {
        &self.open[self.open.len().saturating_sub(limit::BLOCK_OPEN_CALLS)..]
    }

    /// Whether a block that lists `depth` and `open` can follow. Of a deep stack both may know a different part.
    pub fn leads_to(&self, depth: u32, open: &[EventCode]) -> bool {
        let known = self.open.iter().rev().zip(open.iter().rev());
        depth == self.depth && known.into_iter().all(|(expected, found)| expected == found)
    }
}
