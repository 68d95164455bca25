//! Columns that were extracted of a trace.

use crate::error::Damage;
use taut_schemas::EventCode;

/// Columns of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extract {
    /// Per thread, in order of their numbers.
    pub threads: Vec<ThreadExtract>,
    /// Damage in the blocks, whose records are missing from the columns; that of opening the trace included.
    pub damage: Vec<Damage>,
}

/// Columns of one thread's records, in the order they were recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadExtract {
    /// Number of the thread.
    pub thread: u32,
    /// Code of every record, so that starts and stops can be joined by their nesting.
    pub codes: Vec<EventCode>,
    /// Stamp of every record, in ticks.
    pub stamps: Vec<u64>,
    /// The selected events, in the selection's order.
    pub columns: Vec<EventColumns>,
}

/// The selected fields of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventColumns {
    /// The event.
    pub code: EventCode,
    /// Fields in the selection's order. Element i of each is that of the thread's i-th record of this event.
    pub fields: Vec<(String, Column)>,
}

/// The values of one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// Scalars.
    Numbers(Vec<u64>),
    /// Texts and byte strings, one after another.
    Texts {
        /// Where each ends in `bytes`.
        ends: Vec<usize>,
        /// Their bytes.
        bytes: Vec<u8>,
    },
    /// Lists and optionals, elements one after another.
    Lists {
        /// Where each list ends, in elements.
        ends: Vec<usize>,
        /// The columns of the elements.
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

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scalars; empty for anything else.
    pub fn numbers(&self) -> &[u64] {
        match self {
            Column::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// Adds the records of a column of the same field.
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
            // Columns of one field have one kind.
            _ => {}
        }
    }
}
