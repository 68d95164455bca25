//! The table of docs/what-if.md: live recordings beside what-ifs from other drivers' recordings.

use crate::figures::Figures;
use crate::{assert_sound, drivers, live, what_if};
use std::path::Path;

/// Live recordings of each workload under each driver.
const LIVE: usize = 3;

/// What stands before the table in the document.
const HEADING: &str = "<!-- written by replay/tests/what_if_tasks -->\n";

/// Scenes of the game last long enough for what is compiled to be drawn with.
const WORKLOADS: [(&str, &[(&str, &str)]); 4] = [
    ("game-session", &[("frames", "600"), ("scene", "200"), ("threads", "2")]),
    ("benchmark-priming", &[]),
    ("never-converges", &[]),
    ("mode-storm", &[("threads", "4"), ("frames", "300")]),
];

/// Workloads whose threads wait for no task: what draws are served by is a matter of the machine's pace.
const RACES: [&str; 2] = ["game-session", "mode-storm"];

fn span(least: f64, most: f64) -> String {
    let (least, most) = (format!("{least:.1}"), format!("{most:.1}"));
    if least == most { least } else { format!("{least} – {most}") }
}

fn counts(least: u64, most: u64) -> String {
    if least == most { least.to_string() } else { format!("{least} – {most}") }
}

/// Takes minutes. What live recordings have is a range: threads race, and the machine does other things.
#[test]
#[ignore = "records each workload nine times"]
fn what_ifs_are_within_five_points_of_live_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = format!(
        "{HEADING}\n| workload | recorded under | what if | variants, live | what if | served, live | what if | saved, live | what \
         if | points off |\n|---|---|---|---|---|---|---|---|---|---|\n"
    );
    let (mut tried, mut near) = (0, 0);
    for (workload, given) in WORKLOADS {
        // Drivers take turns, so that the machine is as busy for one as for another.
        let recorded: Vec<_> = (0..LIVE)
            .map(|at| {
                let folder = folder.path().join(format!("{workload}-{at}"));
                std::fs::create_dir(&folder).expect("a folder");
                drivers().map(|driver| live(workload, &driver, given, &folder))
            })
            .collect();
        let of = |at: usize| recorded.iter().map(move |turn| &turn[at]);
        for (from_at, from) in drivers().iter().enumerate() {
            for (at, driver) in drivers().iter().enumerate().filter(|(at, _)| *at != from_at) {
                let what = format!("{workload}: {} from {}", driver.name, from.name);
                let (least, most) = Figures::range(&of(at).map(Figures::of).collect::<Vec<_>>());
                let others = of(from_at).map(|recorded| {
                    let other = what_if(recorded, driver, None, &folder.path().join("what-if.taut"));
                    assert_sound(&other, &what);
                    Figures::of(&other)
                });
                let found = Figures::middle(&others.collect::<Vec<_>>());
                table += &format!(
                    "| {workload} | {} | {} | {} | {} | {} | {:.1} | {} | {:.1} | {:.1} |\n",
                    from.name,
                    driver.name,
                    counts(least.variants, most.variants),
                    found.variants,
                    span(least.served, most.served),
                    found.served,
                    span(least.saved, most.saved),
                    found.saved,
                    found.points_off(&least, &most),
                );
                tried += 1;
                near += i32::from(found.is_near(&least, &most));
                assert!(
                    RACES.contains(&workload) || found.is_near(&least, &most),
                    "{what}: {found:?}, {least:?} to {most:?}"
                );
            }
        }
    }
    table += &format!("\n{near} of {tried} are within 5 points.\n");
    println!("{table}");
    if std::env::var_os("BLESS").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/what-if.md");
        let document = std::fs::read_to_string(&file).expect("a document");
        let (words, _) = document.split_once(HEADING).expect("a place for the table");
        std::fs::write(file, words.to_owned() + &table).expect("a file");
    }
    // A busy machine may put off some of what races.
    assert!(near * 5 >= tried * 4, "{table}");
}
