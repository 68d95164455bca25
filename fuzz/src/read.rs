//! Calls of every reader of a trace, with a check that the results agree.

use taut_traces::{EventReader, Heads, Selection, Trace, fields};

/// Restricts all work to one thread, so that an execution costs little. If requested, writes the seeds and exits.
pub fn begin() {
    if let Some(corpus) = std::env::var_os("TAUT_FUZZ_SEEDS") {
        crate::seeds::write(corpus.as_ref());
        std::process::exit(0);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("the first pool of the process");
}

/// Calls every reader of a trace; readers must not panic, and must agree.
pub fn read_everything(trace: &Trace) {
    let schema = &trace.header().schema;
    let mut rows = trace.rows();
    let (mut count, mut wrong) = (0u64, 0u64);
    while let Some(row) = rows.next_row() {
        count += 1;
        match fields(schema, row.code, row.payload) {
            Ok(values) => drop(values),
            // Texts that are not UTF-8 are reported by their printer only.
            Err(_) => wrong += 1,
        }
    }
    let met = rows.damage().len();
    let found = trace.verify();
    assert!(found.len() >= met, "rows met {met} damages, verify {found:?}");
    let checked = trace.check();
    assert!(checked.len() <= found.len(), "check found more than verify");
    let events = schema.events.iter().map(|event| {
        let names = event.fields.iter().map(|field| field.name.clone());
        (event.code, names.collect())
    });
    let selection = Selection { events: events.collect() };
    let Ok(extract) = trace.extract(&selection) else { panic!("the selection is the table's own") };
    if found.is_empty() {
        assert_eq!(count, trace.summary().events, "a sound trace has all its events");
        assert_eq!(extract.damage, []);
        let extracted: usize = extract.threads.iter().map(|thread| thread.codes.len()).sum();
        assert_eq!(extracted as u64, count);
        assert!(wrong <= count);
    }
    let mut reader = EventReader::default();
    for block in trace.blocks() {
        let codes = trace.block_codes(block);
        let events = trace.block_events(block, &[], true, &mut reader);
        if let (Ok(codes), Ok(events)) = (codes, events) {
            let records: u32 = codes.iter().map(|(_, records)| records).sum();
            assert_eq!((events.kinds.len(), events.stamps.len()), (records as usize, records as usize));
        }
        let _ = trace.open_calls(block);
        let alone = std::slice::from_ref(block);
        let _ = trace.scan_blocks(&selection, alone, Heads::None, |part| part.columns.len());
    }
}
