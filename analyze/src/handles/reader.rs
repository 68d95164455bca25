//! Reads the events of handles in the order of all threads.

use super::thread_feed::{FeedItem, ThreadFeed};
use crate::error::AnalyzeError;
use crate::events::{
    self, At, Batches, Column, Lists, MergedThreads, RowColumns, Rows, Selecting, Source, Values, values,
};
use std::fmt;
use std::ops::ControlFlow;
use taut_schemas::{
    Call, D3d11ContextId, HResultCode, HandleAccess, Opcode, SchemaTable, d3d11_callbacks, d3d11_context_ddi as ddi,
    info, mark, start,
};
use taut_traces::{Selection, ThreadExtract, Trace};

/// Lines of which only the context is read.
const CONTEXT_ONLY: [u16; 2] = [ddi::Draw::ID, ddi::Flush::ID];
/// Max records per batch: each record may have many accesses.
const BATCH_RECORDS: u64 = 1 << 18;
/// Marks a code that is not read.
const UNREAD: u16 = u16::MAX;

/// The columns of a code's records.
pub(super) enum Kind {
    Start { line: u16, columns: RowColumns },
    Stop { line: u16, columns: Option<RowColumns>, result: Option<Column<HResultCode>> },
    Callback { line: u16, columns: RowColumns },
    Accesses { context: Option<Column<D3d11ContextId>>, accesses: Column<Vec<HandleAccess>> },
}

/// The values of a code's records in a block.
pub(super) enum Binding<'a> {
    Rows(Rows<'a>),
    Stop(Rows<'a>, Values<'a, HResultCode>),
    Accesses(Values<'a, D3d11ContextId>, Lists<'a>),
}

impl Kind {
    pub fn bind<'a>(&self, records: &'a ThreadExtract) -> Binding<'a> {
        match self {
            Kind::Start { columns, .. } | Kind::Callback { columns, .. } => Binding::Rows(columns.rows(records)),
            Kind::Stop { columns, result, .. } => {
                let rows = columns.as_ref().map(|columns| columns.rows(records)).unwrap_or_default();
                Binding::Stop(rows, values(result, records))
            }
            Kind::Accesses { context, accesses } => {
                Binding::Accesses(values(context, records), accesses.values(records).lists())
            }
        }
    }
}

/// The codes that are read, with their columns.
pub(super) struct Reading {
    /// Per code, an index into `kinds`.
    pub places: Vec<u16>,
    pub kinds: Vec<Kind>,
}

/// Reads the handles of a trace.
pub struct HandleReader<'s> {
    source: &'s Source,
    reading: Reading,
    selection: Selection,
}

impl fmt::Debug for HandleReader<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HandleReader").field("selection", &self.selection).finish_non_exhaustive()
    }
}

impl<'s> HandleReader<'s> {
    /// True if a trace has, or may have, handles. Reads no records.
    pub fn any(trace: &Trace) -> bool {
        events::any(trace, &[start::<ddi::CreateDevice>().event_ref()])
    }

    /// True if a trace has, or may have, accesses to handle memory.
    pub fn any_accesses(trace: &Trace) -> bool {
        events::any(trace, &[info::<mark::HandleAccesses>().event_ref()])
    }

    /// Creates a reader of a trace. Reads no records yet.
    ///
    /// # Errors
    /// The trace's table has the mark of accesses, but not its fields.
    pub fn new(source: &'s Source) -> Result<HandleReader<'s>, AnalyzeError> {
        let mut selecting = Selecting::new(&source.trace().header().schema);
        // Codes are 16 bits wide.
        let mut reading = Reading { places: vec![UNREAD; 1 << 16], kinds: Vec::new() };
        let table = SchemaTable::current();
        let is_context_ddi = |provider: &str| provider == ddi::FAMILY.provider;
        for event in table.events.iter().filter(|event| is_context_ddi(&event.provider)) {
            let (line, silent) = (event.code.id(), CONTEXT_ONLY.contains(&event.code.id()));
            let found = match (event.opcode, silent) {
                (Opcode::Start, true) => RowColumns::select_first(&mut selecting, event),
                (Opcode::Start, false) | (Opcode::Stop, false) => RowColumns::select(&mut selecting, event),
                _ => None,
            };
            let code = selecting.schema().named(&event.provider, &event.name, event.opcode).map(|found| found.code);
            let Some(code) = code else { continue };
            let kind = match (event.opcode, found) {
                (Opcode::Start, Some(columns)) => Kind::Start { line, columns },
                (Opcode::Stop, columns) => {
                    let stop = selecting.schema().event(code);
                    let result = stop.and_then(|stop| selecting.result(stop));
                    Kind::Stop { line, columns, result }
                }
                _ => continue,
            };
            reading.read(code.0, kind);
        }
        let callbacks = [
            start::<d3d11_callbacks::SetError>().event_ref(),
            start::<d3d11_callbacks::DisableDeferredStagingResourceDestruction>().event_ref(),
        ];
        for event in callbacks.into_iter().filter_map(|callback| table.find(callback)) {
            let line = event.code.id();
            if let Some(columns) = RowColumns::select(&mut selecting, event) {
                reading.read(columns.code.0, Kind::Callback { line, columns });
            }
        }
        let record = info::<mark::HandleAccesses>();
        let context = selecting.needed(record.context())?;
        if let Some(accesses) = selecting.needed(record.accesses())? {
            reading.read(accesses.code().0, Kind::Accesses { context, accesses });
        }
        Ok(HandleReader { source, reading, selection: selecting.finish() })
    }

    /// Decodes all that [`HandleReader::each`] reads, without processing it, as a lower bound for its time. Returns the
    /// number of records.
    ///
    /// # Errors
    /// The trace could not be read.
    pub fn decode(self) -> Result<u64, AnalyzeError> {
        let mut records = 0;
        Batches::with_records(self.source.trace(), BATCH_RECORDS).each(&self.selection, |batch| {
            records += batch.parts.iter().map(|part| u64::from(part.block.records)).sum::<u64>();
            Ok::<_, AnalyzeError>(ControlFlow::Continue(()))
        })?;
        Ok(records)
    }

    /// Calls `visit` with all events in order, with stamp, thread and context, until it breaks.
    ///
    /// # Errors
    /// The trace could not be read, or `visit` failed.
    pub fn each<E: From<AnalyzeError> + Send>(
        self,
        mut visit: impl FnMut(At, D3d11ContextId, FeedItem<'_>) -> Result<ControlFlow<()>, E> + Send,
    ) -> Result<(), E> {
        let HandleReader { source, reading, selection } = self;
        let batches = Batches::with_records(source.trace(), BATCH_RECORDS);
        let mut threads: MergedThreads<'_, ThreadFeed> = MergedThreads::new(&batches);
        let damage = batches.each(&selection, |batch| {
            threads.decode(batch.parts, |thread, part| thread.block(&reading, &part));
            let flow = threads.emit(&batch.next_stamps, |at, thread, waiting| {
                let shown = thread.show(&waiting, |item| visit(at, waiting.context, item));
                shown.unwrap_or(Ok(ControlFlow::Continue(())))
            });
            threads.iter_mut().for_each(|(_, thread)| thread.forget());
            flow
        })?;
        source.met(&damage);
        Ok(())
    }
}

impl Reading {
    fn read(&mut self, code: u16, kind: Kind) {
        self.places[usize::from(code)] = self.kinds.len() as u16;
        self.kinds.push(kind);
    }
}
