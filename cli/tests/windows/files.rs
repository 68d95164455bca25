//! Files that are open, mapped or shared with other processes.

use crate::program::{files, run, succeed};
use std::fs::File;
use std::io::Read;

/// Linux replaces a name whatever is open; so does Windows, in two steps where it refuses one.
#[test]
fn a_trace_that_is_open_elsewhere_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let record = ["record", "small-level", "--clock", "logical", "-o", "x.taut"];
    succeed(folder.path(), &record);
    let before = std::fs::read(folder.path().join("x.taut")).unwrap();
    let mut open = File::open(folder.path().join("x.taut")).unwrap();
    succeed(folder.path(), &[&record[..], &["--seed", "3", "--force"]].concat());
    let mut after = Vec::new();
    open.read_to_end(&mut after).unwrap();
    assert_eq!(before, after, "the open file is the old one");
    assert_ne!(std::fs::read(folder.path().join("x.taut")).unwrap(), before);
    drop(open);
    succeed(folder.path(), &["analyze", "x.taut", "--format", "html", "-o", "x.html"]);
    let open = File::open(folder.path().join("x.html")).unwrap();
    succeed(folder.path(), &["analyze", "x.taut", "--format", "html", "-o", "x.html"]);
    drop(open);
    let remaining = files(folder.path());
    assert!(remaining.iter().all(|name| ["x.html", "x.taut"].contains(&name.as_str())), "{remaining:?}");
}

#[test]
#[cfg_attr(not(windows), ignore = "on Windows: elsewhere no open file is locked against others")]
fn a_file_that_another_process_does_not_share_stays_and_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let record = ["record", "small-level", "--clock", "logical", "-o", "x.taut"];
    succeed(folder.path(), &record);
    let before = std::fs::read(folder.path().join("x.taut")).unwrap();
    let mut options = File::options();
    options.read(true);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
    let alone = options.open(folder.path().join("x.taut")).unwrap();
    for arguments in [&record[..], &["info", "x.taut"]] {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, Some(4), "{run:?}");
        assert!(run.stderr.contains("x.taut"), "{run:?}");
    }
    drop(alone);
    assert_eq!(std::fs::read(folder.path().join("x.taut")).unwrap(), before);
    assert_eq!(files(folder.path()), ["x.taut"]);
}

#[test]
fn an_input_is_recognised_under_another_spelling_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["record", "small-level", "--clock", "logical", "-o", "x.taut"]);
    std::fs::create_dir(folder.path().join("other")).unwrap();
    let other = if cfg!(windows) { "other\\..\\X.TAUT" } else { "other/../x.taut" };
    let before = std::fs::read(folder.path().join("x.taut")).unwrap();
    let run = run(folder.path(), &["replay", "x.taut", "--tight", "on", "-o", other, "--force"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(std::fs::read(folder.path().join("x.taut")).unwrap(), before);
}
