//! Event of a call that panicked.

use taut_schemas::{EventCode, Mark, Opcode, mark};

/// Event that replaces the stop of a call that panicked.
pub(super) const PANICKED: EventCode = EventCode::new(mark::CallPanicked::ID, Opcode::Info);
