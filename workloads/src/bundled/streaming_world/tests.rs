use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, run};
use std::collections::BTreeMap;
use taut_runtime::Profile;
use taut_schemas::{Call, HResultCode, d3d12};

const NAME: &str = "streaming-world";

fn played(driver: &str, overrides: &[(&str, u64)]) -> Vec<Event> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == NAME).unwrap();
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
    let session = MemorySession::with_driver(driver);
    run(NAME, &session, &Parameters::new(workload.parameters, overrides).unwrap()).unwrap();
    assert_eq!(session.live_objects(), 0, "{driver}");
    session.events()
}

fn by_thread(events: &[Event]) -> BTreeMap<u32, Vec<&'static str>> {
    let mut threads: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for event in events {
        threads.entry(event.thread).or_default().push(event.name);
    }
    threads
}

#[test]
fn a_thread_that_races_for_nothing_does_the_same_whatever_the_others_do() {
    let overrides = [("threads", 5), ("races", 0), ("frames", 100)];
    let once = by_thread(&played("reference", &overrides));
    assert_eq!(once.len(), 5);
    assert_eq!(once, by_thread(&played("reference", &overrides)));
    assert_ne!(once[&1], once[&2]);
    let other = by_thread(&played("reference", &[("threads", 5), ("races", 0), ("frames", 100), ("seed", 2)]));
    assert_ne!(once[&1], other[&1]);
}

#[test]
fn a_lost_race_is_an_error_that_the_application_lives_with() {
    for (driver, _) in Profile::bundled() {
        let events = played(driver, &[("threads", 8), ("races", 100), ("frames", 200), ("shared", 4)]);
        let failed: Vec<_> = events.iter().filter(|event| event.failed()).collect();
        assert!(failed.len() > 20, "{driver}: {} calls came too late", failed.len());
        for event in failed {
            let hr = event.hr.unwrap();
            assert!([HResultCode::E_HANDLE, HResultCode::E_INVALIDARG].contains(&hr), "{event:?}");
        }
    }
}

#[test]
fn every_call_of_a_game_occurs() {
    let names: Vec<_> = played("reference", &[("frames", 300)]).iter().map(|event| event.name).collect();
    for name in [
        d3d12::GetResourceAllocationInfo::NAME,
        d3d12::GetResourceAllocationInfo1::NAME,
        d3d12::CreateHeap::NAME,
        d3d12::CreatePlacedResource::NAME,
        d3d12::CreateCommittedResource::NAME,
        d3d12::ReleaseResource::NAME,
        d3d12::ReleaseHeap::NAME,
        d3d12::GetDesc::NAME,
        d3d12::GetHeapDesc::NAME,
        d3d12::GetGPUVirtualAddress::NAME,
        d3d12::SetName::NAME,
        d3d12::Map::NAME,
        d3d12::Unmap::NAME,
    ] {
        assert!(names.contains(&name), "{name}");
    }
}

/// Returns the maximum number of live objects.
fn peak(events: &[Event]) -> i64 {
    let (mut live, mut peak) = (0, 0);
    for event in events.iter().filter(|event| !event.failed()) {
        live += match event.name {
            name if name.starts_with("Create") && name != d3d12::CreateDevice::NAME => 1,
            name if name.starts_with("Release") => -1,
            _ => 0,
        };
        peak = peak.max(live);
    }
    peak
}

#[test]
fn a_long_run_holds_no_more_than_a_short_one() {
    let peak = |frames| peak(&played("reference", &[("frames", frames), ("threads", 1)]));
    let (short, long) = (peak(100), peak(3000));
    assert!(long < short + short / 4, "{long} after {short}");
}
