//! The published scenes, where they stand beside the checkout: causes are all of the waste, and each change saves what the
//! scene takes less when it is replayed, and when it is recorded anew, with that change.

use crate::heaps;
use crate::told::{Told, is_of_descriptions};
use std::path::{Path, PathBuf};
use taut_capture::scene::{PARAMETERS, Scene, read, run};
use taut_capture::workloads::Parameters;
use taut_capture::{Clock, Session};
use taut_runtime::{Profile, Settings};
use taut_traces::{Workload, WriteOptions};

/// The published scenes.
const SCENES: [&str; 6] =
    ["ABeautifulGame", "AbandonedWarehouse", "Bonza4X", "FlightHelmet", "SpaceModule", "Sponza01"];

fn published() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/scenes");
    if !folder.is_dir() {
        eprintln!("skipped: the published scenes do not stand beside the checkout");
        return None;
    }
    Some(folder)
}

/// How a scene is recorded: its driver and its parameters.
struct Recording<'a> {
    scene: &'a Scene,
    driver: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl Recording<'_> {
    /// Records the scene with these parameters more.
    fn told(&self, more: &[(&str, &str)], file: &Path) -> Told {
        let given = self.given.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let parameters = Parameters::new(PARAMETERS, given.collect()).expect("parameters of scenes");
        let profile = Profile::named(self.driver).expect("a bundled profile");
        let (workload, options) = (Workload::default(), WriteOptions::default());
        let session = Session::create(file, &profile, Settings::default(), workload, Clock::Logical, options);
        let session = session.expect("a session");
        run(self.scene, &session, &parameters).expect("a recording");
        session.finish().expect("a trace");
        let name = format!("{} on {}, {:?}, {more:?}", self.scene.name, self.driver, self.given);
        Told::of(name, file)
    }

    /// The causes are the waste, and every change saves what was said: replayed, recorded anew, and all of the first ones
    /// together. Gives back how many changes were made.
    fn assert_causes(&self, folder: &Path) -> usize {
        let told = self.told(&[], &folder.join("scene.taut"));
        told.assert_causes_are_the_waste();
        let before = told.memory();
        let (mut made, mut together, mut said) = (0, Vec::new(), 0);
        for cause in &told.figures.causes {
            for (place, change) in cause.changes.iter().enumerate() {
                let is_of_heaps = heaps::assert_saves(&told.name, &before.free, cause, change);
                if is_of_descriptions(change) {
                    told.assert_saves_replayed(cause, change);
                }
                let anew = self.told(&[(cause.name, change.change)], &folder.join("anew.taut"));
                let after = anew.memory();
                let saved = match change.change {
                    "falling_alignment" => before.free.padding_bytes - after.free.padding_bytes,
                    "fitted_heaps" => before.real_bytes() - after.real_bytes(),
                    _ => before.taken_bytes - after.taken_bytes,
                };
                assert_eq!(saved, change.saving_bytes, "{}: {}", anew.name, cause.name);
                if place == 0 && !is_of_heaps {
                    together.push((cause.name, change.change));
                    said += cause.saving_with_before_bytes;
                }
                made += 1;
            }
        }
        let all = self.told(&together, &folder.join("anew.taut"));
        assert_eq!(before.taken_bytes - all.memory().taken_bytes, said, "{}", all.name);
        made
    }
}

/// Walks all scenes with resources in memory of one kind, by drivers, each tight and classic.
fn assert_scenes(memory: &str, drivers: &[&str]) {
    let Some(scenes) = published() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut made = 0;
    for name in SCENES {
        let scene = read(&scenes.join(name).join(format!("{name}.gltf"))).expect("a scene");
        for driver in drivers {
            for tight in ["off", "on"] {
                let given = vec![("memory", memory), ("tight", tight)];
                made += Recording { scene: &scene, driver, given }.assert_causes(folder.path());
            }
        }
    }
    assert!(made > SCENES.len(), "{made} changes");
}

#[test]
fn causes_of_placed_scenes_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    assert_scenes("placed", &["reference"]);
}

#[test]
fn causes_of_committed_scenes_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    assert_scenes("committed", &["reference"]);
}

#[test]
#[ignore = "every driver model: minutes"]
fn causes_of_scenes_on_every_driver_are_the_waste_and_each_change_saves_what_a_replay_of_it_does() {
    let drivers: Vec<&str> = Profile::bundled().iter().map(|(name, _)| *name).collect();
    ["placed", "committed"].into_iter().for_each(|memory| assert_scenes(memory, &drivers));
}
