//! Selection of events and fields to extract.

use taut_schemas::EventCode;

/// Events and fields to extract.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Events, each with the names of its fields: scalars, texts, byte strings, lists or optionals.
    pub events: Vec<(EventCode, Vec<String>)>,
}

/// Per-record data returned by [`Trace::scan_blocks`](crate::Trace::scan_blocks) for every record, selected or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// No data.
    None,
    /// Code of the record.
    Codes,
    /// Code and stamp of the record.
    CodesAndStamps,
}
