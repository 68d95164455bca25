//! Call log, plain or compressed: parsed, and planned for a driver with other answers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use taut_workloads::call_log::{CallLog, plan};
use taut_capture::{Profile, Settings};

fuzz_target!(|bytes: &[u8]| {
    let Ok(reading) = CallLog::from_reader(Cursor::new(bytes.to_vec()), "fuzz".to_owned()) else { return };
    let lines = &reading.log.lines;
    assert!(lines.iter().enumerate().all(|(at, line)| line.seq == at as u64), "lines follow each other");
    if let Some(error) = reading.error {
        assert!(error.to_string().contains("fuzz"), "{error}");
    }
    let driver = taut_runtime::driver(&Profile::named("legacy").expect("bundled"));
    let plan = plan(&reading.log, &Settings::default(), &*driver);
    let _ = format!("{:?}", plan.changes());
});
