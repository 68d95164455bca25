//! Profile of a driver model. A valid one has to yield a driver that answers queries.
#![no_main]

use libfuzzer_sys::fuzz_target;
use taut_runtime::{Profile, driver};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Profile::parse(text, "fuzz") {
        Ok(profile) => drop(driver(&profile)),
        Err(error) => assert!(error.to_string().contains("fuzz"), "{error}"),
    }
});
