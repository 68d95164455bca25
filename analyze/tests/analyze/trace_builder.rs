//! Writes traces as a runtime would record them.

use std::collections::BTreeMap;
use taut_schemas::{
    Call, DdiAllocationInfo, Encoder, EventCode, Field, Mark, Opcode, PhaseEdge, ProviderSet, SchemaTable, d3d12_ddi,
    mark,
};
use taut_traces::{AdapterWorld, Header, ThreadWriter, Ticks, Trace, TraceWriter, Workload, World, WriteOptions};
use tempfile::TempDir;

/// A trace that is being written. Each record gets the next timestamp of one clock.
pub struct TraceBuilder {
    directory: TempDir,
    writer: TraceWriter,
    threads: BTreeMap<u32, ThreadWriter>,
    /// Id of the current thread.
    pub thread: u32,
    /// Timestamp of the last record.
    pub stamp: u64,
}

impl TraceBuilder {
    /// Creates a trace with the schema table of this build.
    pub fn new() -> TraceBuilder {
        TraceBuilder::with_schema(SchemaTable::current())
    }

    pub fn with_schema(schema: SchemaTable) -> TraceBuilder {
        TraceBuilder::with(schema, ProviderSet::ALL)
    }

    /// Creates a trace whose header lists only the given providers as recorded.
    pub fn of_providers(names: &[&str]) -> TraceBuilder {
        TraceBuilder::with(SchemaTable::current(), ProviderSet::named(names.iter().copied()).unwrap())
    }

    fn with(schema: SchemaTable, providers: ProviderSet) -> TraceBuilder {
        let world = World {
            adapters: vec![AdapterWorld { driver: "peer".to_owned(), ..Default::default() }],
            rules: "1.618".to_owned(),
            workload: Workload { name: "test".to_owned(), ..Default::default() },
            clock: Ticks { source: "test".to_owned(), ticks_per_second: 1_000_000 },
            providers: None,
            ..Default::default()
        };
        let directory = tempfile::tempdir().unwrap();
        let options = WriteOptions { providers, ..WriteOptions::default() };
        let writer = TraceWriter::create(
            directory.path().join("trace.taut"),
            Header { schema, world, ..Header::default() },
            options,
        )
        .unwrap();
        TraceBuilder { directory, writer, threads: BTreeMap::new(), thread: 0, stamp: 0 }
    }

    pub fn event(&mut self, id: u16, opcode: Opcode, payload: impl Fn(&mut Encoder<'_>)) {
        self.stamp += 1;
        let thread = self.threads.entry(self.thread).or_insert_with(|| self.writer.thread(self.thread));
        thread.event(EventCode::new(id, opcode), self.stamp, payload);
    }

    /// Writes an API call with nested events.
    pub fn api<C: Call>(&mut self, call: C, output: C::Output, inside: impl FnOnce(&mut Self)) {
        self.api_start(call);
        inside(self);
        self.event(C::ID, Opcode::Stop, |row| output.encode(row));
    }

    /// Writes an API call that never returns.
    pub fn api_start<C: Call>(&mut self, call: C) {
        self.event(C::ID, Opcode::Start, |row| {
            row.u64(0);
            call.encode(row);
        });
    }

    pub fn ddi<C: Call>(&mut self, call: C, output: C::Output) {
        self.event(C::ID, Opcode::Start, |row| call.encode(row));
        self.event(C::ID, Opcode::Stop, |row| output.encode(row));
    }

    pub fn mark<M: Mark>(&mut self, mark: M) {
        self.event(M::ID, Opcode::Info, |row| mark.encode(row));
    }

    pub fn phase(&mut self, phase_index: u32, edge: PhaseEdge, name: &str) {
        self.mark(mark::WorkloadPhase { phase_index, edge, name: name.to_owned() });
    }

    /// Writes a size query of the runtime to the driver.
    pub fn check(&mut self, (size_bytes, alignment_bytes): (u64, u64)) {
        let answer = DdiAllocationInfo { size_bytes, alignment_bytes, ..Default::default() };
        self.ddi(d3d12_ddi::CheckResourceAllocationInfo::default(), answer);
    }

    /// Returns the bytes of the file.
    pub fn bytes(self) -> Vec<u8> {
        drop(self.threads);
        assert_eq!(self.writer.finish().unwrap().lost_events, 0);
        std::fs::read(self.directory.path().join("trace.taut")).unwrap()
    }

    /// Returns the finished trace.
    pub fn finish(self) -> Trace {
        Trace::from_bytes(self.bytes()).unwrap()
    }
}
