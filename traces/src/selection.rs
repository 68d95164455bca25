//! What to extract of a trace.

use taut_schemas::EventCode;

/// Which events and fields to extract.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Events, each with the names of the fields wanted: scalars, texts, byte strings, lists or optionals.
    pub events: Vec<(EventCode, Vec<String>)>,
}

/// What [`Trace::scan_blocks`] gives of every record, whether its event is selected or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// Nothing.
    None,
    /// Its code.
    Codes,
    /// Its code and its stamp.
    CodesAndStamps,
}
