//! Round trip: a written trace is read back unchanged.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Random, Record, read, records, table, write};
use proptest::prelude::*;
use taut_schemas::SchemaTable;
use taut_traces::{Trace, WriteOptions};

fn small_buffers(buffer_bytes: usize) -> WriteOptions {
    WriteOptions { buffer_bytes, spare_buffers: 2, ..WriteOptions::default() }
}

fn assert_round_trip(table: &SchemaTable, records: &[Record], options: WriteOptions) {
    let (bytes, summary) = write(table, records, options);
    assert_eq!((summary.events, summary.lost_events), (records.len() as u64, 0));
    assert_eq!(summary.bytes, bytes.len() as u64);
    let trace = Trace::from_bytes(bytes).unwrap();
    assert_eq!(trace.damage(), []);
    assert!(trace.summary().complete);
    assert_eq!(trace.summary().events, records.len() as u64);
    assert!(read(&trace) == records, "the rows differ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn rows_of_any_schema_come_back(seed: u64, count in 0usize..400, threads in 1u32..5, buffer_bytes in 1usize..4096) {
        let mut random = Random(seed);
        let table = table(&mut random);
        let records = records(&mut random, &table, threads, count);
        assert_round_trip(&table, &records, small_buffers(buffer_bytes));
    }

    #[test]
    fn rows_of_the_real_schema_come_back(seed: u64, count in 0usize..400, threads in 1u32..5) {
        let table = SchemaTable::current();
        let records = records(&mut Random(seed), &table, threads, count);
        assert_round_trip(&table, &records, small_buffers(1 << 14));
    }
}

#[test]
fn records_that_fill_several_blocks_come_back() {
    let table = SchemaTable::current();
    let records = records(&mut Random(7), &table, 2, 200_000);
    assert_round_trip(&table, &records, WriteOptions::default());
}
