//! Table of bench/results/what-if.md: live recordings compared with what-ifs of other drivers' recordings.

use crate::what_if_tasks::figures::Figures;
use crate::what_if_tasks::{assert_sound, drivers, live, what_if};
use std::path::Path;

/// Number of live recordings of each workload under each driver.
const LIVE: usize = 3;

/// Line before the table in the document.
const HEADING: &str = "<!-- written by replay/tests/what_if_tasks -->\n";

/// Workloads with their parameters. Scenes of the game are long enough for compiled variants to be used.
const WORKLOADS: [(&str, &[(&str, &str)]); 4] = [
    ("game-session", &[("frames", "600"), ("scene", "200"), ("threads", "2")]),
    ("benchmark-priming", &[]),
    ("never-converges", &[]),
    ("mode-storm", &[("threads", "4"), ("frames", "300")]),
];

/// Workloads whose threads do not wait for tasks: the variants of draws depend on the machine's speed.
const RACES: [&str; 2] = ["game-session", "mode-storm"];

fn span(min: f64, max: f64) -> String {
    let (min, max) = (format!("{min:.1}"), format!("{max:.1}"));
    if min == max { min } else { format!("{min} – {max}") }
}

fn counts(min: u64, max: u64) -> String {
    if min == max { min.to_string() } else { format!("{min} – {max}") }
}

/// Takes minutes. Live recordings give a range, because threads race and the machine is shared.
#[test]
#[ignore = "records each workload nine times"]
fn what_ifs_are_within_five_points_of_live_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = format!(
        "{HEADING}\n| workload | recorded under | what-if driver | variants | what-if | served | what-if | saved | what-if \
         | points off |\n|---|---|---|---|---|---|---|---|---|---|\n"
    );
    let (mut tried, mut near, mut waiting_points_off) = (0, 0, 0.0_f64);
    for (workload, overrides) in WORKLOADS {
        // Drivers take turns, so that the load of the machine affects all of them alike.
        let recorded: Vec<_> = (0..LIVE)
            .map(|at| {
                let folder = folder.path().join(format!("{workload}-{at}"));
                std::fs::create_dir(&folder).expect("a folder");
                drivers().map(|driver| live(workload, &driver, overrides, &folder))
            })
            .collect();
        let of = |at: usize| recorded.iter().map(move |turn| &turn[at]);
        for (from_at, from) in drivers().iter().enumerate() {
            for (at, driver) in drivers().iter().enumerate().filter(|(at, _)| *at != from_at) {
                let what = format!("{workload}: {} from {}", driver.name, from.name);
                let (min, max) = Figures::range(&of(at).map(Figures::of).collect::<Vec<_>>());
                let others = of(from_at).map(|recorded| {
                    let other = what_if(recorded, driver, None, &folder.path().join("what-if.taut"));
                    assert_sound(&other, &what);
                    Figures::of(&other)
                });
                let found = Figures::middle(&others.collect::<Vec<_>>());
                let points_off = found.points_off(&min, &max);
                let row = format!(
                    "| {workload} | {} | {} | {} | {} | {} | {:.1} | {} | {:.1} | {:.1} |\n",
                    from.name,
                    driver.name,
                    counts(min.variants, max.variants),
                    found.variants,
                    span(min.served, max.served),
                    found.served,
                    span(min.saved, max.saved),
                    found.saved,
                    points_off,
                );
                if RACES.contains(&workload) {
                    table += &row;
                } else {
                    waiting_points_off = waiting_points_off.max(points_off);
                }
                tried += 1;
                near += i32::from(found.is_near(&min, &max));
                assert!(
                    RACES.contains(&workload) || found.is_near(&min, &max),
                    "{what}: {found:?}, {min:?} to {max:?}"
                );
            }
        }
    }
    table += &format!(
        "\nThe other workloads, whose threads wait for tasks, are at most {waiting_points_off:.1} points off. In {near} of {tried} \
         cases, served and saved are at most 5 points off.\n"
    );
    println!("{table}");
    if std::env::var_os("BLESS").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/results/what-if.md");
        let document = std::fs::read_to_string(&file).expect("a document");
        let (words, _) = document.split_once(HEADING).expect("a place for the table");
        std::fs::write(file, words.to_owned() + &table).expect("a file");
    }
    // A loaded machine may delay some of the racing tasks.
    assert!(near * 5 >= tried * 4, "{table}");
}
