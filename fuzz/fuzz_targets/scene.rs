//! A glTF scene, text or binary.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

fuzz_target!(|bytes: &[u8]| {
    let path = taut_fuzz::folder().join("x.gltf");
    fs::write(&path, bytes).unwrap();
    if let Err(error) = taut_workloads::scene::read(&path) {
        assert!(error.to_string().contains("x.gltf"), "{error}");
    }
});
