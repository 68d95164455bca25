//! `handles`: handles of Direct3D 11 objects, in each context.

use super::column::columns;
use super::{Make, Parts, Table};
use crate::error::TableError;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::handles::{HandleReader, HandleRecord};
use taut_schemas::HandleType;

pub(super) const TABLE: Table = Table {
    name: "handles",
    description: "One handle that a driver has of an object in a context, from the call that made it to that which destroyed it, in \
                  the order of their creation.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

columns! {
    row of rows: &HandleRows<'_>;
    handle: U64, "Its address.", row.handle;
    context: U64, "Id of its context.", row.context;
    is_immediate: Bool, "The context is an immediate one.", row.is_immediate;
    handle_type: Text, "D3D11DDI_HANDLETYPE without its prefix.", rows.types.of(&row.handle_type);
    size_bytes: I64, "Bytes of its memory.", row.size_bytes;
    ic_handle: U64, "The object's handle of the immediate context: its own there.", row.ic_handle;
    dependency_handle: U64, "The handle, of the same context, of what the object depends on; null if of nothing.", Some(row.dependency).filter(|handle| *handle != 0);
    recycled: Bool, "In a deferred context: its memory was another handle's before.", row.recycled;
    created_stamp: I64, "When the call that made it was over, in ticks.", row.created.0;
    created_ns: I64, "The same in nanoseconds since the trace's first stamp.", rows.analysis.since_start_ns(row.created.0);
    created_thread: I64, "The thread of that call.", row.created.1;
    destroyed_stamp: I64, "When it was destroyed, or its context was; null if it lives at the end.", row.destroyed;
    destroyed_ns: I64, "The same in nanoseconds.", rows.analysis.since_start_ns(row.destroyed?);
    reads: I64, "Reads of its memory; null where the trace tells no accesses.", Some(row.accesses.0).filter(|_| rows.has_accesses);
    writes: I64, "Writes to its memory; null likewise.", Some(row.accesses.1).filter(|_| rows.has_accesses);
}

struct HandleRows<'a> {
    analysis: &'a Analysis,
    records: &'a [HandleRecord],
    types: ValueNames<'a, HandleType>,
    has_accesses: bool,
}

impl<'a> HandleRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a HandleRecord> {
        self.records.iter()
    }
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let records = analysis.handle_records()?;
    let types = Events::new(&analysis.trace().header().schema).names();
    let has_accesses = HandleReader::any_accesses(analysis.trace());
    let mut frame = parts.frame();
    fill(&HandleRows { analysis, records: &records, types, has_accesses }, &mut frame)?;
    parts.give(frame).map(|_| ())
}
