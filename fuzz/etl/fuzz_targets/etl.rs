//! Windows traces: buffer walk, decompression and decoding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_etl::{Decoder, Etl};

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = Etl::from_bytes(bytes.to_vec()) else { return };
    let decoder = Decoder::new(&file);
    let mut events = file.events();
    while let Some(record) = events.next_record() {
        decoder.decode(&record, &mut |_, value| {
            value.text();
        });
        file.header().wall_clock(record.tick);
    }
});
