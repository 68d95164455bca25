use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, run};
use taut_capture::Adapters;
use taut_schemas::{StoreRuns, mark};
use taut_tiling::{Kernel, Layout, Rect, Surface, TileCopy, TilingError, WriteOrder};

fn events(driver: &str, overrides: &[(&str, &str)]) -> Vec<Event> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == "texture-upload").unwrap();
    let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let parameters = Parameters::new(workload.parameters, overrides).unwrap();
    let session = MemorySession::with_driver(driver);
    run(workload.name, &session, &parameters).unwrap();
    session.events()
}

/// Returns the recorded stores and the number of runs that encode them.
fn writes(events: &[Event]) -> (Vec<(usize, usize)>, usize) {
    let (mut stores, mut count) = (Vec::new(), 0);
    for writes in events.iter().filter_map(|event| event.mark::<mark::MappedWrites>()) {
        count += writes.runs.len();
        let runs = StoreRuns::new(&writes.runs, u64::MAX).unwrap();
        runs.for_each(|offset, size| stores.push((offset as usize, size as usize)));
    }
    (stores, count)
}

fn whole(layout: Layout) -> Result<TileCopy, TilingError> {
    TileCopy::new(&Surface::new(layout, 4096, 1024)?, Rect::from_origin(4096, 1024), 4096)
}

#[test]
fn the_stores_recorded_are_those_of_the_modes_copy_and_take_few_runs() {
    for order in WriteOrder::all() {
        for width in order.store_widths_bytes() {
            let mut expected = Vec::new();
            let store = |at: usize, width: usize| expected.push((at, width));
            whole(Layout::TileY).unwrap().observe_order(order, *width, store).unwrap();
            let overrides = [("mode", order.name()), ("store_bytes", &width.to_string())];
            let overrides = &overrides[..if order.store_widths_bytes().len() > 1 { 2 } else { 1 }];
            let (found, runs) = writes(&events("instant-access", overrides));
            assert!(found == expected, "{order} by {width}");
            assert!(runs < 40, "{order} by {width}: {runs} runs");
        }
    }
}

#[test]
fn whole_is_the_librarys_own_copy() {
    let mut expected = Vec::new();
    let copy = whole(Layout::TileY).unwrap();
    copy.observe_to_tiled(Kernel::best(), |at: usize, width: usize| expected.push((at, width)));
    let (found, _) = writes(&events("instant-access", &[("mode", "whole")]));
    assert!(found == expected);
}

#[test]
fn the_address_rule_is_the_one_that_map_reports() {
    let first = |events: &[Event]| writes(events).0[1];
    // Second store of the first row: column 1, which channel-select swizzle moves by 64 bytes.
    assert_eq!(first(&events("instant-access", &[])), (512 + 64, 16));
    assert_eq!(first(&events("instant-access", &[("swizzle", "other")])), (512, 16));
    // One tile to the right and one down; 4224 bytes need a pitch of 4608, 36 tiles.
    let base = (36 + 1) * 4096;
    assert_eq!(first(&events("instant-access-no-csx", &[])), (base + 512, 16));
    assert_eq!(first(&events("instant-access-no-csx", &[("swizzle", "other")])), (base + 512 + 64, 16));
}

#[test]
fn rectangles_are_clipped_to_their_texture() {
    let written = |overrides: &[(&str, &str)]| {
        writes(&events("instant-access", overrides)).0.iter().map(|(_, n)| n).sum::<usize>()
    };
    let small = [("width", "100"), ("height", "60"), ("rect_x", "90"), ("rect_y", "7"), ("rect_width", "64")];
    assert_eq!(written(&small), 10 * 4 * 53);
    let blocks = [("format", "BC1_UNORM"), ("width", "100"), ("height", "60"), ("rect_x", "8"), ("rect_height", "5")];
    assert_eq!(written(&blocks), 23 * 8 * 2);
    assert_eq!(written(&[("width", "1"), ("height", "1"), ("rect_x", "5"), ("format", "R8_UNORM")]), 1);
}

#[test]
fn scenes_give_number_and_extents() {
    let events = events("instant-access", &[("scene", "SpaceModule")]);
    let created = events.iter().filter(|event| event.name == "CreateTexture2D").count();
    assert_eq!(created, 2 * 11);
}

#[test]
fn without_the_extension_textures_go_through_linear_staging() {
    let events = events("reference", &[("width", "100"), ("height", "3"), ("uploads", "2"), ("mode", "optimized")]);
    let copies = events.iter().filter(|event| event.name == "CopyResource").count();
    let (stores, _) = writes(&events);
    assert_eq!((copies, stores.len()), (2, 2 * 3 * 25));
    assert_eq!(stores[24..26], [(384, 16), (448, 16)]);
}

#[test]
fn t08_reads_are_recorded_after_the_writes() {
    let events = events("instant-access", &[("read_back", "rows"), ("width", "64"), ("height", "64")]);
    let names: Vec<_> =
        events.iter().map(|event| event.name).filter(|name| name.starts_with("M") && *name != "Map").collect();
    assert_eq!(names, ["MappedWrites", "MemoryFence", "MappedReads"]);
    let reads = events.iter().find_map(|event| event.mark::<mark::MappedReads>()).unwrap();
    assert_eq!(StoreRuns::new(&reads.runs, u64::MAX).unwrap().len(), 64 * 16);
}

#[test]
fn the_driver_it_is_recorded_under_by_default_has_the_extension() {
    for workload in WORKLOADS {
        let profile = Adapters::named(workload.driver).unwrap().first().clone();
        assert!(workload.name != "texture-upload" || profile.direct_access.is_some());
    }
}
