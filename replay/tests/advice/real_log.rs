//! The calls of a real allocator library: causes are all of the waste, and each change saves what was said.

use crate::causes::{Asked, Driver, wastes_by};
use crate::heaps;
use crate::told::{Told, is_of_descriptions};
use std::collections::BTreeMap;
use std::path::Path;
use taut_analyze::world::{Backing, Resource};
use taut_capture::call_log::{self, CallLog};
use taut_capture::{Clock, Session};
use taut_runtime::{Profile, Settings};
use taut_schemas::HeapType;
use taut_traces::{Workload, WriteOptions};

fn log() -> CallLog {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/d3d12ma-tight.jsonl.gz");
    call_log::read(&path).expect("the log").log
}

fn told(log: &CallLog, driver: &Driver, name: &str, file: &Path) -> Told {
    let (settings, workload) = (driver.settings.clone(), Workload::default());
    let plan = call_log::plan(log, &settings, &*taut_runtime::driver(&driver.profile));
    let options = WriteOptions::default();
    let session = Session::create(file, &driver.profile, settings, workload, Clock::Logical, options);
    let session = session.expect("a session");
    call_log::run(log, &plan, &session).expect("a run");
    session.finish().expect("a trace");
    Told::of(format!("the log on {name}"), file)
}

/// What the program at the peak takes less if it is made again with a change of those that waste by a cause: heap type by heap
/// type, since buffers of several cannot be one.
fn saved_bytes(told: &Told, driver: &Driver, cause: &str, change: &str) -> u64 {
    let lives = |one: &Resource| one.lives_after(told.turn) && one.allocation.is_some();
    let is_committed = |one: &Resource| matches!(one.backing, Backing::Committed { .. });
    let mut programs: BTreeMap<HeapType, (Vec<Asked>, Vec<bool>)> = BTreeMap::new();
    for (one, heap_type) in told.world().resources.iter().zip(told.world().heap_types()).filter(|(one, _)| lives(one)) {
        let (program, by) = programs.entry(*heap_type).or_default();
        program.push((one.desc, is_committed(one)));
        by.push(wastes_by(cause, one));
    }
    let saved = programs.values().map(|(program, by)| {
        let again = match change {
            "one_buffer" => driver.joined(program, by),
            other => driver.made_again(program, other, by),
        };
        driver.taken_bytes(program) - driver.taken_bytes(&again)
    });
    saved.sum()
}

#[test]
fn causes_of_the_log_are_the_waste_and_each_change_saves_what_it_says() {
    let (log, folder) = (log(), tempfile::tempdir().expect("a folder"));
    let mut made = Vec::new();
    for name in ["peer", "reference", "legacy"] {
        let profile = Profile::named(name).expect("a bundled profile");
        let driver = Driver { profile, settings: Settings::default() };
        let told = told(&log, &driver, name, &folder.path().join("log.taut"));
        told.assert_causes_are_the_waste();
        let free = told.memory().free;
        for cause in &told.figures.causes {
            for change in &cause.changes {
                if !heaps::assert_saves(&told.name, &free, cause, change) {
                    let saved = saved_bytes(&told, &driver, cause.name, change.change);
                    assert_eq!(saved, change.saving_bytes, "{}, {}: {change:?}", told.name, cause.name);
                }
                if is_of_descriptions(change) {
                    told.assert_saves_replayed(cause, change);
                }
                made.push(change.change);
            }
        }
    }
    for wanted in ["fitted_heaps", "no_empty_heaps", "moved_together", "placed", "one_buffer", "alignment_4_kib"] {
        assert!(made.contains(&wanted), "{wanted} is not among {made:?}");
    }
}
