//! Tests of machines: listed, explained, described by the user, and refused if invalid.
#![allow(clippy::expect_used)]

use crate::taut;

use taut::Taut;

fn folder() -> (tempfile::TempDir, Taut) {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    (folder, taut)
}

#[test]
fn machines_are_listed_and_explained() {
    let (_folder, taut) = folder();
    let mut golden = String::new();
    for command in [&["machines"][..], &["machines", "hybrid-laptop"], &["machines", "desktop"]] {
        golden += &format!("$ taut {}\n{}\n", command.join(" "), taut.stdout(command));
    }
    insta::assert_snapshot!("machines", golden);
}

#[test]
fn an_explanation_is_a_valid_machine_for_a_recording() {
    let (folder, taut) = folder();
    std::fs::write(folder.path().join("mine.toml"), taut.stdout(&["machines", "desktop"])).expect("a machine");
    let short = ["--set", "frames=1", "--threads", "1"];
    for (machine, driver) in [("mine.toml", None), ("hybrid-laptop", Some("igpu-tier1+dgpu"))] {
        let named = ["record", "small-level", "--machine", machine, "-o", "a.taut", "--force"];
        let driver: Vec<&str> = driver.into_iter().flat_map(|driver| ["--driver", driver]).collect();
        let run = taut.run(&[&named[..], &driver, &short].concat());
        assert_eq!(run.code, 0, "{machine}: {}", run.stderr);
        assert!(run.stdout.contains(driver.last().unwrap_or(&"driver dgpu")), "{}", run.stdout);
        assert_eq!(taut.run(&["replay", "a.taut"]).code, 0, "{machine}");
    }
}

#[test]
fn machines_that_cannot_be_are_refused() {
    let (folder, taut) = folder();
    let sound = taut.stdout(&["machines", "desktop"]);
    std::fs::write(folder.path().join("bad.toml"), sound.replace("lanes = 16", "lanes = 15")).expect("a machine");
    for (machine, driver, code, message) in [
        ("bad.toml", "dgpu", 3, "key links[0].lanes: expected 1, 2, 4, 8 or 16, found 15"),
        ("desktpo", "dgpu", 2, "did you mean \"desktop\""),
        ("missing.toml", "dgpu", 4, "missing.toml"),
        ("desktop", "igpu-tier3+dgpu", 2, "the machine desktop has 1 adapter, found 2 drivers"),
    ] {
        let run = taut.run(&["record", "small-level", "--machine", machine, "--driver", driver, "-o", "a.taut"]);
        assert_eq!((run.code, run.stderr.contains(message)), (code, true), "{machine}: {}", run.stderr);
    }
    assert_eq!(taut.run(&["machines", "desk"]).code, 2);
}
