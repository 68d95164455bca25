//! Event codes: the line that a record belongs to, and its opcode.

use serde::{Deserialize, Serialize};

/// ETW's opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opcode {
    /// A call begins; carries its arguments (`EVENT_TRACE_TYPE_START`, 1).
    Start = 1,
    /// A call returns; carries its result (`EVENT_TRACE_TYPE_END`, 2).
    Stop = 2,
    /// An event without a duration (`EVENT_TRACE_TYPE_INFO`, 0); also an opcode that only a later build knows.
    #[serde(other)]
    Info = 0,
}

/// A record's code: the line's number times four, plus the opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventCode(pub u16);

impl EventCode {
    /// The code of line `id` with `opcode`.
    pub const fn new(id: u16, opcode: Opcode) -> EventCode {
        EventCode(id << 2 | opcode as u16)
    }

    /// Number of the line.
    pub const fn id(self) -> u16 {
        self.0 >> 2
    }

    /// The opcode, if the code's low bits are a valid one.
    pub const fn opcode(self) -> Option<Opcode> {
        match self.0 & 3 {
            0 => Some(Opcode::Info),
            1 => Some(Opcode::Start),
            2 => Some(Opcode::Stop),
            _ => None,
        }
    }
}
