//! Columns extracted from a trace.

use crate::format::error::Damage;
use taut_schemas::EventCode;

/// Columns extracted from a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extract {
    /// Threads in order of their numbers.
    pub threads: Vec<ThreadExtract>,
    /// Damage of blocks whose records are missing from the columns, and of opening the trace.
    pub damage: Vec<Damage>,
}

/// Columns of one thread's records, in recording order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadExtract {
    pub thread: u32,
    /// Code of every record, with which starts and stops can be joined by their nesting.
    pub codes: Vec<EventCode>,
    /// Stamp of every record, in ticks.
    pub stamps: Vec<u64>,
    /// Selected events, in the selection's order.
    pub columns: Vec<EventColumns>,
}

/// Selected fields of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventColumns {
    pub code: EventCode,
    /// Fields in the selection's order. Element i of each belongs to the thread's i-th record of this event.
    pub fields: Vec<(String, Column)>,
}

/// Values of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Scalars.
    Numbers(Vec<u64>),
    /// Texts and byte strings, concatenated.
    Texts {
        /// End of each value in `bytes`.
        ends: Vec<usize>,
        bytes: Vec<u8>,
    },
    /// Lists and optionals, with their elements concatenated.
    Lists {
        /// End of each list, in elements.
        ends: Vec<usize>,
        /// Columns of the elements.
        columns: Vec<(String, Vec<u64>)>,
    },
}

impl Column {
    /// Number of records.
    pub fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::Texts { ends, .. } | Column::Lists { ends, .. } => ends.len(),
        }
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scalars; empty for any other kind of column.
    pub fn numbers(&self) -> &[u64] {
        match self {
            Column::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// Appends the records of a column of the same field.
    pub(crate) fn append(&mut self, other: Column) {
        match (self, other) {
            (Column::Numbers(numbers), Column::Numbers(more)) => numbers.extend(more),
            (Column::Texts { ends, bytes }, Column::Texts { ends: more, bytes: more_bytes }) => {
                ends.extend(more.into_iter().map(|end| end + bytes.len()));
                bytes.extend(more_bytes);
            }
            (Column::Lists { ends, columns }, Column::Lists { ends: more, columns: more_columns }) => {
                let elements = ends.last().copied().unwrap_or_default();
                ends.extend(more.into_iter().map(|end| end + elements));
                columns.iter_mut().zip(more_columns).for_each(|((_, column), (_, more))| column.extend(more));
            }
            // Unreachable: columns of one field have one kind.
            _ => {}
        }
    }
}
