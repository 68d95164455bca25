//! Published scenes, if they exist next to the checkout: their traces must match the ground truth.

use crate::scenes::recording::{Phases, parameters, record, recorded};
use std::path::PathBuf;
use std::time::Instant;
use taut_workloads::scene::{Scene, read};

/// Ground truth of a scene's items, from the table that the command line's test also uses.
struct Truth {
    name: &'static str,
    items: &'static str,
    count: usize,
    /// Number of items in disjoint bins by size: below 256 B, 4 KiB, 64 KiB, and the rest.
    bins: [usize; 4],
    exact_bytes: u64,
    by_256_bytes: u64,
    by_64k_bytes: u64,
    constants: usize,
    images: usize,
    images_known: usize,
}

fn truths() -> Vec<Truth> {
    let table = include_str!("../../../../testdata/scenes/truth.tsv");
    let truth = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: usize| fields[field].parse::<usize>().unwrap();
        Truth {
            name: fields[0],
            items: fields[1],
            count: number(2),
            bins: [number(3), number(4), number(5), number(6)],
            exact_bytes: number(7) as u64,
            by_256_bytes: number(8) as u64,
            by_64k_bytes: number(9) as u64,
            constants: number(10),
            images: number(11),
            images_known: number(12),
        }
    };
    table.lines().skip(1).map(truth).collect()
}

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
        bins[[256, 4 << 10, 64 << 10].iter().filter(|min_bytes| desc.width >= **min_bytes).count()] += 1;
    }
    bins
}

#[test]
fn every_published_scene_comes_to_its_ground_truth() {
    for truth in truths() {
        let Some(scene) = scene(truth.name) else { return };
        assert_eq!(scene.images.len(), truth.images, "{}", truth.name);
        for (tight, item_bytes, constant_bytes) in
            [("off", truth.by_64k_bytes, 65_536), ("on", truth.by_256_bytes, 256)]
        {
            let overrides = parameters(&[("items", truth.items), ("tight", tight)]);
            let phases = recorded(&scene, "reference", &overrides);
            let at = format!("{}, {}, tight {tight}", truth.name, truth.items);
            assert_eq!(phases["items"].requested(), (truth.count, truth.exact_bytes), "{at}");
            assert_eq!(phases["items"].allocated.iter().sum::<u64>(), item_bytes, "{at}");
            assert_eq!(bins(&phases), truth.bins, "{at}");
            let constants = &phases["constants"];
            assert_eq!(constants.requested(), (truth.constants, 256 * truth.constants as u64), "{at}");
            let constant_bytes = constant_bytes * truth.constants as u64;
            assert_eq!(constants.allocated.iter().sum::<u64>(), constant_bytes, "{at}");
            assert_eq!(phases["textures"].descs.len(), truth.images_known, "{at}");
            let released = truth.count + truth.constants + truth.images_known;
            assert_eq!(phases["release"].released, released, "{at}");
            assert!(["items", "constants", "textures"].iter().all(|phase| phases[*phase].released == 0), "{at}");
        }
    }
}

/// Prints times without asserting any, because machines differ. `cargo test --release -p taut-workloads --test suite -- scenes::
/// scene_speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn scene_speed() {
    for truth in truths().iter().filter(|truth| truth.items == "views") {
        let start = Instant::now();
        let Some(scene) = scene(truth.name) else { return };
        let read_ms = start.elapsed().as_secs_f64() * 1e3;
        for memory in ["placed", "committed"] {
            let start = Instant::now();
            record(&scene, "reference", &parameters(&[("memory", memory)]), |_| ());
            let record_ms = start.elapsed().as_secs_f64() * 1e3;
            eprintln!("{}, {memory}: read {read_ms:.1} ms, recorded {record_ms:.1} ms", truth.name);
        }
    }
}
