//! `accesses`: driver accesses to handle memory.

use super::column::columns;
use super::{Make, Parts, Table};
use crate::error::TableError;
use std::collections::HashMap;
use std::ops::ControlFlow;
use taut_analyze::Analysis;
use taut_analyze::events::{Events, ValueNames};
use taut_analyze::handles::{At, FeedItem, HandleReader};
use taut_schemas::handle_rules::HandleEvent;
use taut_schemas::{DriverHandle, EventCode, HandleAccess, HandleType, Opcode, SchemaTable};

pub(super) const TABLE: Table = Table {
    name: "accesses",
    description: "One row per driver access to the memory of a handle, in the order of all threads; adjacent accesses \
                  are merged. Recorded with the setting `handle_accesses`.",
    columns: COLUMNS,
    fields_of: None,
    make: Make::InParts(make),
};

/// Rows per chunk.
const ROWS: usize = 1 << 16;

columns! {
    row of rows: &AccessRows<'_>;
    stamp: I64, "Time of the record, right after the call, in ticks.", row.at.stamp;
    thread: I64, "The thread of the call.", row.at.thread;
    context: U64, "Id of the context of the call.", row.context;
    call: Text in rows.calls, "Name of the DDI call.", row.call;
    handle: U64, "Handle; null for memory without a handle.", Some(row.access.handle.0).filter(|handle| *handle != 0);
    handle_type: Text, "D3D11DDI_HANDLETYPE of the handle, without its prefix; null for a context's own handle and if unknown.", Some(rows.types.of(&row.owner?.1));
    owner: U64, "Id of the context that owns the handle; null if unknown.", Some(row.owner?.0);
    offset_bytes: I64, "Offset in the handle's memory; the address for memory without a handle.", row.access.offset_bytes;
    size_bytes: I64, "Size of the access.", row.access.size_bytes;
    is_write: Bool, "True for a write, false for a read.", row.access.is_write;
    in_creation: Bool, "True if the call created the handle.", row.in_creation;
}

struct AccessRow {
    at: At,
    context: u64,
    /// Index of the call's name in `calls`.
    call: u32,
    access: HandleAccess,
    /// Context and type of the accessed handle, if known.
    owner: Option<(u64, HandleType)>,
    in_creation: bool,
}

struct AccessRows<'a> {
    rows: &'a [AccessRow],
    calls: &'a [&'a str],
    types: &'a ValueNames<'a, HandleType>,
}

impl<'a> AccessRows<'a> {
    fn all(&self) -> impl Iterator<Item = &'a AccessRow> {
        self.rows.iter()
    }
}

/// Live handles, and the names of calls seen so far.
#[derive(Default)]
struct Known<'a> {
    live: HashMap<u64, (u64, HandleType)>,
    calls: Vec<&'a str>,
    places: HashMap<u16, u32>,
}

impl<'a> Known<'a> {
    fn on_event(&mut self, event: &HandleEvent) {
        match event {
            HandleEvent::Created { context, handle_type, handle, .. } => {
                self.live.insert(handle.driver_handle.0, (context.0, *handle_type));
            }
            HandleEvent::Destroyed { handle, .. } => {
                self.live.remove(&handle.0);
            }
            _ => {}
        }
    }

    fn call(&mut self, table: &'a SchemaTable, line: u16) -> u32 {
        *self.places.entry(line).or_insert_with(|| {
            let start = table.event(EventCode::new(line, Opcode::Start));
            self.calls.push(start.map_or("", |event| event.name.as_str()));
            self.calls.len() as u32 - 1
        })
    }
}

fn make(analysis: &Analysis, parts: &mut Parts<'_>) -> Result<(), TableError> {
    let types = Events::new(&analysis.trace().header().schema).names();
    let table = SchemaTable::current();
    let (mut known, mut rows) = (Known::default(), Vec::new());
    let mut flow = ControlFlow::Continue(());
    let mut give = |rows: &mut Vec<AccessRow>, calls: &[&str]| -> Result<ControlFlow<()>, TableError> {
        let mut frame = parts.frame();
        fill(&AccessRows { rows, calls, types: &types }, &mut frame)?;
        rows.clear();
        parts.give(frame)
    };
    HandleReader::new(analysis.source())?.each(|at, context, record| -> Result<_, TableError> {
        match record {
            FeedItem::Event { event, .. } => known.on_event(event),
            FeedItem::Failed { .. } => {}
            FeedItem::Accessed { line, created_handle, accesses } => {
                let call = known.call(&table, line);
                rows.extend(accesses.iter().map(|access| AccessRow {
                    at,
                    context: context.0,
                    call,
                    access: *access,
                    owner: known.live.get(&access.handle.0).copied(),
                    in_creation: created_handle == access.handle && created_handle != DriverHandle::default(),
                }));
            }
        }
        if rows.len() >= ROWS {
            flow = give(&mut rows, &known.calls)?;
        }
        Ok(flow)
    })?;
    // A table has at least one chunk, so an empty one is emitted if there are no rows.
    if flow.is_continue() {
        let _ = give(&mut rows, &known.calls)?;
    }
    Ok(())
}
