//! Names of files that Windows reserves, limits or encodes.

use crate::program::{files, run, succeed};
use std::ffi::OsString;

const RECORD: [&str; 5] = ["record", "small-level", "--clock", "logical", "-o"];

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: elsewhere these names denote files")]
fn reserved_names_and_trailing_dots_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["con", "CON.taut", "aux.taut", "lpt1", "x.taut.", "x.taut ", "x.taut:stream"] {
        let run = run(folder.path(), &[&RECORD[..], &[name]].concat());
        assert_eq!(run.code, Some(2), "{name}: {run:?}");
        assert!(run.stderr.contains("expected the name of a file, found"), "{name}: {run:?}");
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: elsewhere /dev/null is the name")]
fn the_null_device_discards_the_output() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["nul", "NUL"] {
        succeed(folder.path(), &[&RECORD[..], &[name]].concat());
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn paths_longer_than_260_letters_are_recorded_read_and_recovered() {
    let folder = tempfile::tempdir().unwrap();
    let long = (0..6).fold(folder.path().to_owned(), |path, _| {
        path.join("a_folder_with_a_name_of_sixty_letters_and_then_some_more_of_it_")
    });
    std::fs::create_dir_all(&long).unwrap();
    let trace = long.join("x.taut");
    assert!(trace.as_os_str().len() > 400);
    let of = |arguments: &[&str]| -> Vec<OsString> {
        arguments
            .iter()
            .map(|argument| if *argument == "TRACE" { trace.clone().into() } else { (*argument).into() })
            .collect()
    };
    for arguments in [
        &["record", "small-level", "--clock", "logical", "-o", "TRACE"][..],
        &["record", "small-level", "--clock", "logical", "-o", "TRACE"],
        &["replay", "TRACE"],
        &["recover", "TRACE"],
        &["info", "TRACE", "--verify"],
    ] {
        succeed(folder.path(), &of(arguments));
    }
    assert_eq!(files(&long), ["x.taut"]);
}

/// A name with a lone surrogate, or with a byte that is no UTF-8.
fn name_without_unicode() -> OsString {
    #[cfg(windows)]
    return std::os::windows::ffi::OsStringExt::from_wide(&[0x78, 0xd800, 0x2e, 0x74, 0x61, 0x75, 0x74]);
    #[cfg(not(windows))]
    std::os::unix::ffi::OsStringExt::from_vec(b"x\xff.taut".to_vec())
}

#[test]
fn names_that_are_not_unicode_denote_files() {
    let folder = tempfile::tempdir().unwrap();
    let name = name_without_unicode();
    let with_name = |arguments: &[&str]| arguments.iter().map(OsString::from).chain([name.clone()]).collect::<Vec<_>>();
    if std::fs::write(folder.path().join(&name), "").is_err() {
        let refused = run(folder.path(), &with_name(&RECORD));
        assert!(matches!(refused.code, Some(2..=4)), "{refused:?}");
        eprintln!("skipped: this file system has no such names");
        return;
    }
    std::fs::remove_file(folder.path().join(&name)).unwrap();
    succeed(folder.path(), &with_name(&RECORD));
    succeed(folder.path(), &with_name(&["replay"]));
    succeed(folder.path(), &with_name(&["info", "--json"]));
    // A workload's name is a text.
    let bad = run(folder.path(), &with_name(&["record"]));
    assert!(matches!(bad.code, Some(2..=4)), "{bad:?}");
}

#[test]
fn absolute_paths_are_accepted_and_shown_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("x.taut");
    let path = trace.to_str().unwrap();
    let recorded = succeed(folder.path(), &[&RECORD[..], &[path]].concat());
    // The message is wrapped at spaces, of which a temporary folder has none.
    assert!(recorded.contains(path) && !recorded.contains(r"\\?\"), "{recorded}");
    std::fs::write(folder.path().join("bad.toml"), "nothing = 1\n").unwrap();
    let driver = folder.path().join("bad.toml");
    let bad = run(folder.path(), &["record", "small-level", "--driver", driver.to_str().unwrap(), "-o", "y.taut"]);
    assert!(bad.code == Some(3) || bad.code == Some(2), "{bad:?}");
    assert!(bad.stderr.contains(driver.to_str().unwrap()) && !bad.stderr.contains(r"\\?\"), "{bad:?}");
}

#[test]
fn a_scene_names_its_files_by_absolute_paths_of_toml_strings() {
    let folder = tempfile::tempdir().unwrap();
    let driver = crate::program::repository("examples/driver.toml");
    std::fs::copy(driver, folder.path().join("driver.toml")).unwrap();
    let path = folder.path().join("driver.toml");
    // A literal string of TOML keeps backslashes.
    let scenario = std::fs::read_to_string(crate::program::repository("examples/benchmark.toml")).unwrap();
    assert!(!scenario.contains("driver.toml"));
    std::fs::write(folder.path().join("benchmark.toml"), scenario).unwrap();
    succeed(
        folder.path(),
        &["record", "benchmark.toml", "--clock", "logical", "-o", "x.taut", "--driver", path.to_str().unwrap()],
    );
    succeed(folder.path(), &["replay", "x.taut"]);
}
