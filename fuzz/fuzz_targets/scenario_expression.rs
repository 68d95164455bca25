//! Scenarios and expressions within one: parsing ends with a scenario or a message, and dropping the result terminates.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use taut_workloads::ScenarioFile;

fuzz_target!(init: taut_fuzz::begin(), |bytes: &[u8]| {
    let Some((form, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let literal: String = text.chars().filter(|letter| *letter != '\'' && !letter.is_control()).collect();
    let step = match form % 4 {
        // The input is the whole file.
        0 => return read(text),
        1 => format!("{{ play = \"h\", frames = 1, draws = 1, frame = '{literal}' }}"),
        2 => format!("{{ drain = true, when = '{literal}' }}"),
        _ => format!("{{ play = \"h\", frames = 1, draws = 1, constants = {{ exposure = '{literal}' }} }}"),
    };
    read(&format!("name = \"s\"\n[shaders]\nh = [\"exposure-resolve\"]\n[[phase]]\nname = \"p\"\nsteps = [{step}]\n"));
});

fn read(text: &str) {
    match ScenarioFile::parse(text, "scenario.toml", Path::new("/nonexistent")) {
        Ok(scenario) => drop((scenario.steps(), scenario.facts())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
