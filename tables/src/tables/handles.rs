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
    description: "One row per driver handle of an object in a context, from creation to destruction, in order of \
                  creation.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

columns! {
    row of rows: &HandleRows<'_>;
    handle: U64, "Address of the handle.", row.handle;
    context: U64, "Id of the context.", row.context;
    is_immediate: Bool, "True for an immediate context.", row.is_immediate;
    handle_type: Text, "D3D11DDI_HANDLETYPE without its prefix.", rows.types.of(&row.handle_type);
    size_bytes: I64, "Size of the handle's memory.", row.size_bytes;
    ic_handle: U64, "Handle of the object in the immediate context; there, equal to `handle`.", row.ic_handle;
    dependency_handle: U64, "Handle, in the same context, that the object depends on; null without a dependency.", Some(row.dependency).filter(|handle| *handle != 0);
    recycled: Bool, "True if another handle of the deferred context used the memory before.", row.recycled;
    created_stamp: I64, "Return of the creating call, in ticks.", row.created.0;
    created_ns: I64, "Return of the creating call, in ns since the first stamp.", rows.analysis.since_start_ns(row.created.0);
    created_thread: I64, "Thread of the creating call.", row.created.1;
    destroyed_stamp: I64, "Destruction of the handle or its context, in ticks; null if the handle lives at the end.", row.destroyed;
    destroyed_ns: I64, "Destruction, in ns.", rows.analysis.since_start_ns(row.destroyed?);
    reads: I64, "Reads of the handle's memory; null if the trace records no accesses.", Some(row.accesses.0).filter(|_| rows.has_accesses);
    writes: I64, "Writes to the handle's memory; null if the trace records no accesses.", Some(row.accesses.1).filter(|_| rows.has_accesses);
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
