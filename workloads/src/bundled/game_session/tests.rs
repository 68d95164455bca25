use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, run};
use std::collections::BTreeMap;
use taut_runtime::Profile;
use taut_schemas::{Call, HResultCode, d3d12};

const NAME: &str = "game-session";

fn played(driver: &str, overrides: &[(&str, &str)]) -> Vec<Event> {
    played_under(&Profile::named(driver).unwrap(), overrides)
}

fn played_under(driver: &Profile, overrides: &[(&str, &str)]) -> Vec<Event> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == NAME).unwrap();
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let session = MemorySession::under(driver);
    run(NAME, &session, &Parameters::new(workload.parameters, overrides).unwrap()).unwrap();
    assert_eq!(session.live_objects(), 0, "{}", driver.name);
    session.events()
}

#[test]
fn a_game_that_does_not_race_is_legal_whatever_the_driver_and_the_queues() {
    // The runtime creates no device for a driver whose cap exceeds its tier (C-08).
    let drivers = Profile::all().filter(|(name, _)| *name != "faulty-cap-over-tier");
    let drivers = drivers.filter_map(|(name, _)| Profile::named(name));
    for (driver, queues) in drivers.zip(["mixed", "own", "shared"].into_iter().cycle()) {
        let overrides = [("races", "0"), ("frames", "40"), ("scene", "14"), ("queues", queues)];
        let events = played_under(&driver, &overrides);
        let failed: Vec<_> = events.iter().filter(|event| event.failed()).take(3).collect();
        assert!(failed.is_empty(), "{}, {queues}: {failed:?}", driver.name);
    }
}

#[test]
fn a_lost_race_is_an_error_that_the_game_lives_with() {
    let events = played("reference", &[("threads", "8"), ("races", "100"), ("frames", "100"), ("shared", "2")]);
    let failed: Vec<_> = events.iter().filter(|event| event.failed()).collect();
    assert!(failed.len() > 20, "{} calls came too late", failed.len());
    for event in failed {
        let hr = event.hr.unwrap();
        assert!([HResultCode::E_HANDLE, HResultCode::E_INVALIDARG].contains(&hr), "{event:?}");
    }
}

#[test]
fn each_thread_draws_the_same_whatever_the_others_do() {
    let names = [
        d3d12::CreateGraphicsPipelineState::NAME,
        d3d12::CreateComputePipelineState::NAME,
        d3d12::SetGraphicsRoot32BitConstants::NAME,
        d3d12::SetComputeRoot32BitConstants::NAME,
        d3d12::DrawInstanced::NAME,
        d3d12::Dispatch::NAME,
    ];
    let by_thread = |seed| {
        let mut threads: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for event in played("reference", &[("races", "0"), ("frames", "60"), ("scene", "20"), ("seed", seed)]) {
            if names.contains(&event.name) {
                threads.entry(event.thread).or_default().push(event.name);
            }
        }
        threads
    };
    let once = by_thread("1");
    assert_eq!(once.len(), 4);
    assert_eq!(once, by_thread("1"));
    assert_ne!(once, by_thread("2"));
}
