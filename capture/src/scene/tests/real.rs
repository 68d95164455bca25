//! The published scenes, wherever they stand beside the checkout: what their traces say must be their ground truth.

use super::recording::{Phases, parameters, recorded};
use crate::scene::{Scene, read};
use std::path::PathBuf;
use std::time::Instant;

/// What is known of a scene's items: number, disjoint bins by size (below 256 B, 4 KiB, 64 KiB, and the rest), bytes
/// exactly, in units of 256 B, and of 64 KiB.
type Items = (usize, [usize; 4], [u64; 3]);

struct Truth {
    name: &'static str,
    views: Items,
    accessors: Items,
    constants: usize,
    /// Images, and those whose extents are known.
    images: (usize, usize),
}

const WAREHOUSE: Items = (7060, [6292, 458, 225, 85], [43_437_228, 44_714_496, 497_745_920]);
const BONZA: Items = (5645, [81, 2542, 2990, 32], [52_611_624, 53_213_440, 372_047_872]);
const SPONZA: Items = (125, [5, 10, 43, 67], [10_714_737, 10_728_704, 15_335_424]);
const GAME: Items = (32, [0, 0, 5, 27], [10_829_440, 10_833_664, 11_862_016]);
const TRUTHS: [Truth; 6] = [
    Truth { name: "AbandonedWarehouse", views: WAREHOUSE, accessors: WAREHOUSE, constants: 1211, images: (59, 7) },
    Truth { name: "Bonza4X", views: BONZA, accessors: BONZA, constants: 1509, images: (128, 110) },
    Truth { name: "Sponza01", views: SPONZA, accessors: SPONZA, constants: 52, images: (25, 25) },
    Truth {
        name: "FlightHelmet",
        views: (4, [0, 0, 0, 4], [3_227_148, 3_227_392, 3_342_336]),
        accessors: (30, [0, 1, 8, 21], [3_227_148, 3_231_744, 4_325_376]),
        constants: 12,
        images: (15, 12),
    },
    Truth { name: "ABeautifulGame", views: GAME, accessors: GAME, constants: 64, images: (33, 33) },
    Truth {
        name: "SpaceModule",
        views: (4, [0, 0, 0, 4], [7_519_376, 7_519_744, 7_667_712]),
        accessors: (193, [9, 69, 88, 27], [7_519_368, 7_540_224, 17_104_896]),
        constants: 53,
        images: (14, 11),
    },
];

fn scene(name: &str) -> Option<Scene> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/scenes");
    if !folder.is_dir() {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
        return None;
    }
    Some(read(&folder.join(name).join(format!("{name}.gltf"))).unwrap())
}

fn bins(phases: &Phases) -> [usize; 4] {
    let mut bins = [0; 4];
    for desc in &phases["items"].descs {
        bins[[256, 4 << 10, 64 << 10].iter().filter(|least| desc.width >= **least).count()] += 1;
    }
    bins
}

#[test]
fn every_published_scene_comes_to_its_ground_truth() {
    for truth in TRUTHS {
        let Some(scene) = scene(truth.name) else { return };
        let (images, known) = truth.images;
        assert_eq!(scene.images.len(), images, "{}", truth.name);
        for (items, (count, sizes, [exact, by_256, by_64k])) in [("views", truth.views), ("accessors", truth.accessors)]
        {
            for (tight, item_bytes, constant_bytes) in [("off", by_64k, 65_536), ("on", by_256, 256)] {
                let phases = recorded(&scene, "reference", &parameters(&[("items", items), ("tight", tight)]));
                let at = format!("{}, {items}, tight {tight}", truth.name);
                assert_eq!(phases["items"].requested(), (count, exact), "{at}");
                assert_eq!(phases["items"].allocated.iter().sum::<u64>(), item_bytes, "{at}");
                assert_eq!(bins(&phases), sizes, "{at}");
                let constants = &phases["constants"];
                assert_eq!(constants.requested(), (truth.constants, 256 * truth.constants as u64), "{at}");
                let constant_bytes = constant_bytes * truth.constants as u64;
                assert_eq!(constants.allocated.iter().sum::<u64>(), constant_bytes, "{at}");
                assert_eq!(phases["textures"].descs.len(), known, "{at}");
                assert_eq!(phases["release"].released, count + truth.constants + known, "{at}");
                assert!(["items", "constants", "textures"].iter().all(|phase| phases[*phase].released == 0), "{at}");
            }
        }
    }
}

/// Not an assertion: machines differ. `cargo test --release -p taut-capture scene_speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn scene_speed() {
    for truth in TRUTHS {
        let start = Instant::now();
        let Some(scene) = scene(truth.name) else { return };
        let read_ms = start.elapsed().as_secs_f64() * 1e3;
        for memory in ["placed", "committed"] {
            let start = Instant::now();
            super::recording::record(&scene, "reference", &parameters(&[("memory", memory)]), |_| ());
            let record_ms = start.elapsed().as_secs_f64() * 1e3;
            eprintln!("{}, {memory}: read {read_ms:.1} ms, recorded {record_ms:.1} ms", truth.name);
        }
    }
}
