//! A driver model's profile. One that is read is a driver, which answers.
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
