//! Calls of a real allocator library: causes add up to the waste, and each change saves what it claims.

use crate::advice::causes::{Driver, RequestedResource, wastes_by};
use crate::advice::heaps;
use crate::advice::reported::{ReportedTrace, is_of_descriptions};
use std::collections::BTreeMap;
use std::path::Path;
use taut_analyze::memory::{Backing, Resource};
use taut_capture::Clock;
use taut_runtime::{Profile, Settings};
use taut_schemas::HeapType;
use taut_testkit::{Recording, testdata};
use taut_workloads::call_log::{self, CallLog};

fn log() -> CallLog {
    call_log::read(&testdata("d3d12ma-tight.jsonl.gz")).expect("the log").log
}

fn reported(log: &CallLog, driver: &Driver, name: &str, file: &Path) -> ReportedTrace {
    let recording = Recording::new(&driver.profile).with_settings(driver.settings.clone()).with_clock(Clock::Logical);
    recording.record_call_log(log, file);
    ReportedTrace::of(format!("the log on {name}"), file)
}

/// Returns the saving of a change for the resources at the peak, computed per heap type, because buffers of different
/// types cannot be merged.
fn saved_bytes(reported: &ReportedTrace, driver: &Driver, cause: &str, change: &str) -> u64 {
    let lives = |one: &Resource| one.lives_after(reported.turn) && one.allocation.is_some();
    let is_committed = |one: &Resource| matches!(one.backing, Backing::Committed { .. });
    let mut programs: BTreeMap<HeapType, (Vec<RequestedResource>, Vec<bool>)> = BTreeMap::new();
    for (one, heap_type) in
        reported.world().resources.iter().zip(reported.world().heap_types()).filter(|(one, _)| lives(one))
    {
        let (program, by) = programs.entry(*heap_type).or_default();
        program.push((one.desc, is_committed(one)));
        by.push(wastes_by(cause, one));
    }
    let saved = programs.values().map(|(program, by)| {
        let changed_program = match change {
            "one_buffer" => driver.joined(program, by),
            other => driver.with_change(program, other, by),
        };
        driver.in_use_bytes(program) - driver.in_use_bytes(&changed_program)
    });
    saved.sum()
}

#[test]
fn causes_of_the_log_are_the_waste_and_each_change_saves_what_it_claims() {
    let (log, folder) = (log(), tempfile::tempdir().expect("a folder"));
    let mut checked = Vec::new();
    for name in ["peer", "reference", "legacy"] {
        let profile = Profile::named(name).expect("a bundled profile");
        let driver = Driver { profile, settings: Settings::default() };
        let reported = reported(&log, &driver, name, &folder.path().join("log.taut"));
        reported.assert_causes_are_the_waste();
        let free = reported.memory().free;
        for cause in &reported.figures.causes {
            for change in &cause.changes {
                if !heaps::assert_saves(&reported.name, &free, cause, change) {
                    let saved = saved_bytes(&reported, &driver, cause.name, change.change);
                    assert_eq!(saved, change.saving_bytes, "{}, {}: {change:?}", reported.name, cause.name);
                }
                if is_of_descriptions(change) {
                    reported.assert_saves_replayed(cause, change);
                }
                checked.push(change.change);
            }
        }
    }
    for wanted in ["fitted_heaps", "no_empty_heaps", "moved_together", "placed", "one_buffer", "alignment_4_kib"] {
        assert!(checked.contains(&wanted), "{wanted} is not among {checked:?}");
    }
}
