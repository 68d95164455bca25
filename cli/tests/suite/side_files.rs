//! Tests of files next to a recording: foreign files never change, a different trace is replaced only with `--force`, a
//! recording ended at its start leaves no partial files, and one on a full disk retains what fits and counts the rest.
#![allow(clippy::expect_used)]
#![cfg(unix)]

use crate::taut;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use taut::Taut;
use taut_traces::{PathClaim, PathInUse, Trace};

const RECORD: [&str; 4] = ["record", "small-level", "-o", "x.taut"];

const RING: [&str; 8] = ["record", "small-level", "-o", "x.taut", "--mode", "ring", "--max-size", "1MiB"];

/// Every path below a folder, with mode, and contents or link target.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let metadata = fs::symlink_metadata(&path).expect("it is there");
            let contents = match () {
                () if metadata.is_symlink() => {
                    fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
                }
                () if metadata.is_dir() => {
                    folders.push(path.clone());
                    Vec::new()
                }
                // Reading a pipe would wait for a writer.
                () if !metadata.is_file() => Vec::new(),
                () => fs::read(&path).expect("a file"),
            };
            found.insert(path, (metadata.mode(), contents));
        }
    }
    found
}

/// Checks that recording is refused with exit code 2 and a message that names `name`, and changes nothing.
fn refused(arguments: &[&str], name: &str, place: impl Fn(&Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    place(folder.path());
    let before = everything(folder.path());
    let run = Taut::new(folder.path()).run(arguments);
    assert_eq!(run.code, 2, "{name}: {}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(name) && run.stderr.contains("found"), "{name}: {}", run.stderr);
    assert!(!run.stderr.contains(".part"), "{}", run.stderr);
    assert_eq!(everything(folder.path()), before, "{name}");
}

fn write(path: PathBuf, text: &str) {
    fs::write(path, text).expect("it is written");
}

#[test]
fn a_foreign_file_with_the_name_of_a_side_file_stays_and_refuses_the_recording() {
    for arguments in [&RECORD[..], &RING] {
        for forced in [false, true] {
            let mut arguments = arguments.to_vec();
            arguments.extend(forced.then_some("--force"));
            let refused = |name: &str, place: &dyn Fn(&Path)| refused(&arguments, name, place);
            refused("x.taut.live", &|folder| write(folder.join("x.taut.live"), "notes"));
            refused("x.taut.live", &|folder| write(folder.join("x.taut.live"), ""));
            refused("x.taut.live", &|folder| {
                write(folder.join("n.txt"), "precious");
                symlink("n.txt", folder.join("x.taut.live")).expect("a link");
            });
            refused("x.taut.live", &|folder| symlink("nowhere", folder.join("x.taut.live")).expect("a link"));
            refused("x.taut.live", &|folder| {
                write(folder.join("n.txt"), "precious");
                fs::hard_link(folder.join("n.txt"), folder.join("x.taut.live")).expect("a link");
            });
            refused("x.taut.live", &|folder| fs::create_dir(folder.join("x.taut.live")).expect("a folder"));
            refused("x.taut.live", &|folder| {
                let mkfifo_status =
                    Command::new("mkfifo").arg(folder.join("x.taut.live")).status().expect("mkfifo runs");
                assert!(mkfifo_status.success());
            });
            refused("x.taut.ring", &|folder| {
                fs::create_dir(folder.join("x.taut.ring")).expect("a folder");
                write(folder.join("x.taut.ring/2024"), "diary");
            });
            refused("x.taut.ring", &|folder| {
                fs::create_dir(folder.join("photos")).expect("a folder");
                write(folder.join("photos/1"), "a");
                symlink("photos", folder.join("x.taut.ring")).expect("a link");
            });
            refused("x.taut.ring", &|folder| write(folder.join("x.taut.ring"), "text"));
        }
    }
}

#[test]
fn a_file_of_another_user_is_no_side_file() {
    if !nix_is_root() {
        eprintln!("skipped: a_file_of_another_user_is_no_side_file: only root can give a file away");
        return;
    }
    for arguments in [&RECORD[..], &RING] {
        refused(arguments, "x.taut.live", |folder| {
            let path = folder.join("x.taut.live");
            write(path.clone(), "");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).expect("permissions");
            std::os::unix::fs::chown(&path, Some(65534), None).expect("another owner");
        });
    }
}

fn nix_is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[test]
fn files_with_other_names_stay_and_are_no_obstacle() {
    for arguments in [&RECORD[..], &RING] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["x.taut.part", "x.1.taut", "x.taut.live.old"] {
            write(path(name), "the user's");
        }
        symlink("nowhere", path("x.2.taut")).expect("a link");
        let before = everything(folder.path());
        Taut::new(folder.path()).stdout(arguments);
        let mut after = everything(folder.path());
        assert!(after.remove(&path("x.taut")).is_some());
        assert_eq!(after, before);
    }
}

#[test]
fn side_files_are_for_their_user_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["record", "streaming-world", "--set", "frames=1000000000", "-o", "x.taut", "--mode", "ring"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(arguments)
        .args(["--max-size", "1MiB"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mode = |name: &str| fs::metadata(folder.path().join(name)).ok().map(|found| found.mode() & 0o777);
    while mode("x.taut").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let modes = [mode("x.taut.live"), mode("x.taut.ring")];
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(modes, [Some(0o600), Some(0o700)]);
    // The remaining files belong to the user, and recovery removes them as usual.
    assert_eq!(Taut::new(folder.path()).run(&RECORD).code, 2);
    Taut::new(folder.path()).stdout(&["recover", "x.taut"]);
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["x.taut"]);
}

#[test]
fn a_trace_of_the_same_is_replaced_and_one_of_something_else_needs_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&RECORD);
    let with = |more: &[&'static str]| [&RECORD[..], more].concat();
    taut.stdout(&RECORD);
    taut.stdout(&with(&["--seed", "7"]));
    for (more, difference) in [
        (&["--driver", "peer"][..], "driver"),
        (&["--set", "textures=3"], "textures"),
        (&["--rules", "1.619.4"], "rules"),
    ] {
        let before = fs::read(folder.path().join("x.taut")).expect("a trace");
        let run = taut.run(&with(more));
        assert_eq!(run.code, 2, "{more:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("x.taut") && run.stderr.contains(difference), "{more:?}: {}", run.stderr);
        assert_eq!(fs::read(folder.path().join("x.taut")).expect("a trace"), before, "{more:?}");
    }
    let other = ["record", "game-session", "--set", "frames=3", "-o", "x.taut"];
    let run = taut.run(&other);
    assert!(run.code == 2 && run.stderr.contains("workload"), "{}", run.stderr);
    taut.stdout(&[&other[..], &["--force"]].concat());
}

#[test]
fn an_unfinished_trace_stays_whatever_is_recorded_unless_forced() {
    let folder = tempfile::tempdir().expect("a folder");
    let taut = Taut::new(folder.path());
    taut.stdout(&RECORD);
    let path = folder.path().join("x.taut");
    let whole = fs::read(&path).expect("a trace");
    let cut = &whole[..whole.len() - 40];
    write_bytes(&path, cut);
    let run = taut.run(&RECORD);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert_eq!(fs::read(&path).expect("a trace"), cut);
    taut.stdout(&[&RECORD[..], &["--force"]].concat());
}

fn write_bytes(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("it is written");
}

/// Deterministic pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

#[test]
fn a_recording_ended_in_its_first_50_ms_leaves_no_partial_file() {
    let rounds: u64 = std::env::var("TAUT_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(45);
    let mut random = Random(9);
    for round in 0..rounds {
        let name = ["INT", "TERM", "KILL"][(round % 3) as usize];
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_taut"), "record", "streaming-world"]);
        command.args(["--set", "frames=1000000000", "-o", "x.taut"]);
        if round % 2 == 1 {
            command.args(["--mode", "ring", "--max-size", "1MiB"]);
        }
        let spawned = command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = spawned.expect("the binary runs");
        std::thread::sleep(Duration::from_micros(random.below(50_000)));
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        child.wait().expect("it ends");
        let what = format!("round {round}, {name}: {:?}", everything(folder.path()).keys());
        let (path, sidecar) = (folder.path().join("x.taut"), folder.path().join("x.taut.live"));
        if path.exists() {
            Trace::open(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
        } else if name != "KILL" {
            assert!(everything(folder.path()).is_empty(), "{what}");
        }
        if let Ok(page) = fs::read(&sidecar) {
            assert!(page.len() >= 4096 && page.starts_with(b"\x89TAUTLV\n"), "{what}");
            // A sidecar whose trace never appeared does not block the next recording.
            let holder = PathClaim::holder(&path);
            assert!(path.exists() || holder.is_none(), "{what}: {holder:?}");
            assert!(!matches!(holder, Some(PathInUse::BeingRecorded(_))), "{what}");
        }
        if !path.exists() {
            Taut::new(folder.path()).stdout(&RECORD);
        }
    }
}

/// Records on an empty file system of this size. Returns exit code, bytes of the trace, bytes of all files, `info`, and
/// stderr.
fn on_small_disk(mebibytes: u64, more: &str) -> Option<(i64, u64, u64, Value, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!(
        "mount -t tmpfs -o size={mebibytes}m none {disk} || exit 99\n\
         cd {disk}\n\
         {taut} record streaming-world --threads 4 --set frames=100000 -o x.taut {more} >/dev/null 2>{disk}.err\n\
         echo $?\n\
         du -s -B1 --apparent-size x.taut | cut -f1\n\
         du -s -B1 . | cut -f1\n\
         {taut} info x.taut --json 2>/dev/null\n",
        disk = folder.path().display(),
        taut = env!("CARGO_BIN_EXE_taut"),
    );
    let run = Command::new("unshare").args(["--mount", "--map-root-user", "sh", "-c", &script]).output().ok()?;
    if run.status.code() == Some(99) || run.stdout.is_empty() {
        return None;
    }
    let stderr = fs::read_to_string(format!("{}.err", folder.path().display())).unwrap_or_default();
    let _ = fs::remove_file(format!("{}.err", folder.path().display()));
    let text = String::from_utf8(run.stdout).expect("UTF-8");
    let mut lines = text.splitn(4, '\n');
    let mut number = || lines.next().expect("a line").parse::<u64>().expect("a number");
    let (code, trace_bytes, all_bytes) = (number(), number(), number());
    let info: Value = serde_json::from_str(lines.next().expect("JSON")).expect("JSON");
    Some((code as i64, trace_bytes, all_bytes, info, stderr))
}

#[test]
fn a_full_disk_keeps_what_fits_and_what_is_lost_is_counted() {
    for mebibytes in [4, 8, 16, 32] {
        for more in ["", "--on-full drop"] {
            let Some((code, trace_bytes, all_bytes, info, stderr)) = on_small_disk(mebibytes, more) else {
                eprintln!(
                    "skipped: a_full_disk_keeps_what_fits_and_what_is_lost_is_counted: no file system can be mounted"
                );
                return;
            };
            let what = format!("{mebibytes} MiB {more}: {trace_bytes} of {all_bytes} bytes, {stderr}");
            assert_eq!(code, 4, "{what}");
            assert!(all_bytes * 10 >= (mebibytes << 20) * 8, "{what}");
            assert!(trace_bytes * 10 >= (mebibytes << 20) * 8, "{what}");
            assert!(!stderr.contains(".part") && !stderr.contains("nothing from here on"), "{what}");
            // The recorder reports the same number of lost events as the trace.
            let lost: u64 = stderr
                .split("; ")
                .filter_map(|part| part.split(" event").next()?.replace(',', "").parse::<u64>().ok())
                .sum();
            assert_eq!(info["complete"], true, "{what}");
            assert_eq!(info["lost_events"], lost, "{what}");
            assert!(info["events"].as_u64().is_some_and(|events| events > 0), "{what}");
        }
    }
}
