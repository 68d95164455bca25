//! Commands one of whose calls to the file system fails, or all from that on: each call in turn, then calls by chance.
//!
//! Files of the user that were there before stay as they are, an exit code of 0 means that everything is complete, no process
//! panics or ends by a signal, and the same command without a fault then succeeds and gives the bytes of a run without any.
#![allow(clippy::expect_used)]
#![cfg(target_os = "linux")]

mod cases;
mod shim;
#[path = "../suite/taut/mod.rs"]
mod taut;

use cases::{CASES, Case, Kind};
use serde_json::Value;
use shim::{ERRORS, Fault, Run, Shim};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use taut::Taut;

/// Runs by default; `TAUT_FAULTS` sets another number, with a run without faults after each.
const RUNS: usize = 100;

/// By default, of so many runs one has a run without faults after it.
const RERUN_EVERY: usize = 3;

/// Maximum number of waits for the writer that a recording with a real clock may contain.
const MAX_WAITS: u64 = 16;

/// Files of the user's next to the outputs, whose names are like those of unfinished files.
const BYSTANDERS: [&str; 6] =
    ["notes.txt", ".taut-notes.part", "out.jsonl~", "new.taut.part", "new.taut.live.old", "x.taut.ring.txt"];

/// Files below a folder and what is in them; of folders, that they are there.
type Files = BTreeMap<PathBuf, Option<Vec<u8>>>;

fn everything(folder: &Path) -> Files {
    let (mut found, mut folders) = (Files::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let contents = if path.is_dir() { None } else { Some(fs::read(&path).expect("a file")) };
            folders.extend(contents.is_none().then(|| path.clone()));
            found.insert(path.strip_prefix(folder).expect("it is below").to_owned(), contents);
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).expect("a file is copied");
        return;
    }
    fs::create_dir(to).expect("a folder is made");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// The files that cases begin with.
struct Fixtures(tempfile::TempDir);

impl Fixtures {
    fn make(shim: &Shim) -> Fixtures {
        let folder = tempfile::tempdir().expect("a folder");
        let make = |arguments: &[&str]| {
            let run = shim.run(folder.path(), arguments, None);
            assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
        };
        let record = ["record", "small-level", "--threads", "1", "--clock", "logical", "-o"];
        make(&[&record[..], &["complete.taut"]].concat());
        make(&[&record[..], &["other.taut", "--driver", "peer"]].concat());
        make(&[&record[..], &["old.taut", "--seed", "2"]].concat());
        make(&["export", "other.taut", "--to", "jsonl", "-o", "old.jsonl"]);
        make(&["analyze", "other.taut", "--format", "csv", "-o", "old.csv"]);
        make(&["export", "other.taut", "--to", "parquet", "-o", "lake"]);
        make(&["query", "complete.taut", cases::QUESTION]);
        let budget = "limits = [\"health.lost_events == 0\"]\n";
        fs::write(folder.path().join("budget.toml"), budget).expect("a budget");
        killed(folder.path());
        Fixtures(folder)
    }

    /// A folder with the inputs of a case and the user's other files.
    fn place(&self, case: &Case) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (fixture, name) in case.inputs {
            copy(&self.0.path().join(fixture), &folder.path().join(name));
        }
        for name in BYSTANDERS {
            fs::write(folder.path().join(name), format!("the user's {name}")).expect("a bystander");
        }
        folder
    }
}

/// A recording whose process was killed, and its sidecar.
fn killed(folder: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    let arguments = [
        "record",
        "streaming-world",
        "--threads",
        "1",
        "--set",
        "frames=1000000",
        "--buffer-size",
        "16KiB",
        "--buffers",
        "4",
    ];
    command.args(arguments).args(["-o", "killed.taut"]).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let mut recording = command.spawn().expect("a recording begins");
    let begun = Instant::now();
    let has_blocks = || fs::metadata(folder.join("killed.taut")).is_ok_and(|file| file.len() > 100_000);
    while !has_blocks() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(1));
    }
    recording.kill().expect("it is killed");
    recording.wait().expect("it ends");
}

/// Result of a case without faults.
struct Expected {
    files: Files,
    run: Run,
    /// Events of the recording, if it is one.
    events: u64,
}

fn events(folder: &Path, trace: &str) -> Option<Value> {
    let run = Taut::new(folder).run(&["info", trace, "--json"]);
    serde_json::from_str(&run.stdout).ok()
}

impl Expected {
    fn of(case: &Case, fixtures: &Fixtures, shim: &Shim) -> Expected {
        let folder = fixtures.place(case);
        let run = shim.run(folder.path(), case.arguments, None);
        assert_eq!(run.code, Some(0), "{}: {}", case.name, run.stderr);
        let info = events(folder.path(), "new.taut");
        let events = info.and_then(|info| info["events"].as_u64()).unwrap_or_default();
        Expected { files: everything(folder.path()), run, events }
    }
}

/// One run with a fault and one without after it.
struct Attempt<'a> {
    case: &'a Case,
    expected: &'a Expected,
    folder: tempfile::TempDir,
    before: Files,
    run: Run,
    /// The call that failed.
    failed: Option<(String, PathBuf)>,
    lasts: bool,
}

impl Attempt<'_> {
    fn text(&self) -> String {
        let failed = self.failed.as_ref().map(|(call, path)| format!("{call} {}", path.display()));
        let lasts = if self.lasts { " and all after it" } else { "" };
        format!("{}: {failed:?}{lasts}: exit {:?}: {}", self.case.name, self.run.code, self.run.stderr)
    }

    fn is_output(&self, path: &Path) -> bool {
        self.case.outputs.iter().any(|output| path.starts_with(output))
    }

    fn check(&self) {
        let text = self.text();
        let code = self.run.code.unwrap_or_else(|| panic!("no signal: {text}"));
        assert!((0..=4).contains(&code), "an exit code from 0 to 4: {text}");
        assert!(!self.run.stderr.contains("panicked"), "no panic: {text}");
        let after = everything(self.folder.path());
        for (path, contents) in self.before.iter().filter(|(path, _)| !self.is_output(path)) {
            assert!(after.get(path) == Some(contents), "{} stays as it is: {text}", path.display());
        }
        // What cannot be removed stays; what is removed in another order may, too.
        let may_leave = self.lasts || self.failed.as_ref().is_some_and(|(call, _)| call == "unlink");
        let is_unfinished = |path: &Path| path.extension().is_some_and(|extension| extension == "part");
        for path in after.keys().filter(|path| !self.before.contains_key(*path)) {
            let is_fine = self.is_output(path) && !is_unfinished(path);
            assert!(is_fine || may_leave, "{} is not left over: {text}", path.display());
        }
        match self.case.kind {
            Kind::Writes | Kind::WritesSeveral => self.check_outputs(&after, code == 0),
            Kind::Answers => {
                assert!(code != 0 || self.run.stdout == self.expected.run.stdout, "the same answer: {text}");
            }
            Kind::Removes => {
                let left = after.keys().find(|path| self.is_output(path));
                assert!(code != 0 || left.is_none(), "{left:?} is removed: {text}");
            }
            Kind::Records => self.check_recording(code),
            Kind::WritesTimed => {
                let missing =
                    self.expected.files.keys().find(|path| self.is_output(path) && !after.contains_key(*path));
                assert!(code != 0 || missing.is_none(), "{missing:?} is there: {text}");
            }
            Kind::Recovers => {}
        }
    }

    /// Each output is complete or as before; a folder of several, file by file.
    fn check_outputs(&self, after: &Files, is_complete: bool) {
        let text = self.text();
        for (path, complete) in self.expected.files.iter().filter(|(path, _)| self.is_output(path)) {
            let (before, found) = (self.before.get(path), after.get(path));
            let is_in_folder = !self.case.outputs.iter().any(|output| path == Path::new(output));
            let is_unchanged = found == before && !is_complete;
            // A trace of a lake is there with all its tables or not at all, so its files go before others come.
            let is_gone = found.is_none() && is_in_folder && before != Some(complete) && !is_complete;
            assert!(found == Some(complete) || is_unchanged || is_gone, "{} is whole: {text}", path.display());
        }
    }

    /// Produced events are stored or counted as lost.
    fn check_recording(&self, code: i32) {
        let (text, produced) = (self.text(), self.expected.events);
        let is_before = self.before.get(Path::new("new.taut")).is_some_and(|before| {
            before
                .as_ref()
                .is_some_and(|before| fs::read(self.folder.path().join("new.taut")).is_ok_and(|found| found == *before))
        });
        let Some(info) = events(self.folder.path(), "new.taut").filter(|_| !is_before) else {
            assert_ne!(code, 0, "no recording is a failure: {text}");
            return;
        };
        let number = |name: &str| info[name].as_u64().unwrap_or_default();
        let (preserved, lost) = (number("events"), number("lost_events"));
        let found = format!("{preserved} preserved, {lost} lost, {produced} produced");
        // With a real clock, a thread that waits for the writer on a loaded machine records the wait.
        let max_produced = produced + if self.case.is_timed() { MAX_WAITS } else { 0 };
        let is_produced = |events: u64| (produced..=max_produced).contains(&events);
        assert!(code != 0 || (is_produced(preserved) && lost == 0), "{found}: {text}");
        // A recording that ended early says so, and its workload produced less.
        let has_ended_early = info["interrupted"] == true || info["complete"] == false;
        let sum = preserved + lost;
        let is_counted = if has_ended_early { sum <= max_produced } else { is_produced(sum) };
        assert!(is_counted, "{found}: {text}");
    }

    /// Checks that the same command succeeds without a fault.
    fn rerun(&self, shim: &Shim) {
        let left: Vec<PathBuf> = everything(self.folder.path()).into_keys().collect();
        let line = [self.case.arguments, self.case.rerun_arguments].concat();
        let mut run = shim.run(self.folder.path(), &line, None);
        // A file that a demo can neither list nor remove needs --force, and the message says so.
        if self.lasts && self.case.kind == Kind::WritesTimed && run.code == Some(2) && run.stderr.contains("--force") {
            run = shim.run(self.folder.path(), &[&line[..], &["--force"]].concat(), None);
        }
        let text = format!("{}\nthen exit {:?}: {}", self.text(), run.code, run.stderr);
        assert_eq!(run.code, Some(0), "the second run succeeds: {text}");
        if self.case.kind == Kind::Answers {
            assert_eq!(run.stdout, self.expected.run.stdout, "the second answer is the same: {text}");
            return;
        }
        if self.case.kind == Kind::Removes {
            // Where neither a folder nor its mark can be created, it stays, empty.
            let is_empty = |path: &Path| self.lasts && self.case.outputs.iter().any(|output| path == Path::new(output));
            let mut left = everything(self.folder.path()).into_keys().filter(|path| self.is_output(path));
            let left = left.find(|path| !is_empty(path));
            assert_eq!(left, None, "the second run removes all: {text}");
            return;
        }
        // Names of cached tables depend on the file, and the tables only save time.
        let is_cached = |path: &Path| self.case.kind == Kind::Records && path.starts_with("cache");
        let is_timed = self.case.is_timed() || self.case.kind == Kind::WritesTimed;
        let after = everything(self.folder.path());
        for (path, contents) in self.expected.files.iter().filter(|(path, _)| !is_cached(path)) {
            let found = after.get(path);
            let is_same = found == Some(contents) || (is_timed && found.is_some());
            assert!(is_same, "{} has the bytes of a run without faults: {text}", path.display());
        }
        // The second recording numbers its snapshots after those of the first one.
        let is_numbered = |output: &&str| output.ends_with(".taut") && *output != "new.taut";
        let snapshots = if self.case.kind == Kind::Records { self.case.outputs } else { &[] };
        let is_snapshot =
            |path: &Path| snapshots.iter().filter(|output| is_numbered(output)).any(|of| path == Path::new(of));
        let others = after.keys().filter(|path| !self.expected.files.contains_key(*path) && !is_cached(path));
        for path in others.filter(|path| !is_snapshot(path)) {
            assert!(left.contains(path), "the second run leaves nothing else, and {} is new: {text}", path.display());
        }
    }
}

/// Runs a command with a fault and checks what it leaves.
fn attempt<'a>(case: &'a Case, expected: &'a Expected, fixtures: &Fixtures, shim: &Shim, fault: Fault) -> Attempt<'a> {
    let folder = fixtures.place(case);
    let before = everything(folder.path());
    let run = shim.run(folder.path(), case.arguments, Some(fault));
    let failed = run.calls.get(fault.at).map(|(call, path)| {
        let path = path.strip_prefix(folder.path()).unwrap_or(path);
        (call.clone(), path.to_owned())
    });
    let attempt = Attempt { case, expected, folder, before, run, failed, lasts: fault.lasts };
    attempt.check();
    attempt
}

/// Results of all cases without faults.
fn expected_of(cases: &[&Case], fixtures: &Fixtures, shim: &Shim) -> Vec<Expected> {
    let half = cases.len() / 2;
    let of =
        |cases: &[&Case]| -> Vec<Expected> { cases.iter().map(|case| Expected::of(case, fixtures, shim)).collect() };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| of(&cases[..half]));
        let second = of(&cases[half..]);
        let mut all = first.join().expect("the cases succeed");
        all.extend(second);
        all
    })
}

/// Next pseudo-random number: a seed gives equal numbers each time.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// So many of the calls of all cases, in an order by chance, each of them before any comes a second time.
fn faults(calls: &[usize], runs: usize) -> Vec<(usize, Fault)> {
    let mut state = 7;
    let each = calls.iter().enumerate().flat_map(|(case, calls)| (0..*calls).map(move |at| (case, at)));
    let mut chosen: Vec<(usize, usize)> = each.collect();
    for place in (1..chosen.len()).rev() {
        chosen.swap(place, random(&mut state) % (place + 1));
    }
    chosen.truncate(runs);
    while chosen.len() < runs {
        let case = random(&mut state) % calls.len();
        chosen.push((case, random(&mut state) % calls[case].max(1)));
    }
    let fault =
        |state: &mut u64, at| Fault { at, error: ERRORS[random(state) % 2], lasts: random(state).is_multiple_of(3) };
    chosen.into_iter().map(|(case, at)| (case, fault(&mut state, at))).collect()
}

#[test]
fn whichever_call_fails_files_stay_success_means_complete_and_a_second_run_is_as_the_first_would_have_been() {
    let Some(shim) = Shim::build() else {
        eprintln!("skipped: faults: there is no C compiler `cc`");
        return;
    };
    if !taut::tables_are_built("faults") {
        return;
    }
    let wanted = std::env::var("TAUT_FAULTS").ok();
    let runs = wanted.as_ref().map_or(RUNS, |runs| runs.parse().expect("a number"));
    let only = std::env::var("TAUT_FAULTS_OF").unwrap_or_default();
    let fixtures = Fixtures::make(&shim);
    let cases: Vec<&Case> = CASES.iter().filter(|case| case.name.contains(&only)).collect();
    let expected = expected_of(&cases, &fixtures, &shim);
    for (case, expected) in cases.iter().zip(&expected) {
        println!("{}: {} calls", case.name, expected.run.calls.len());
    }
    let calls: Vec<usize> = expected.iter().map(|expected| expected.run.calls.len()).collect();
    let faults = faults(&calls, runs);
    let next = AtomicUsize::new(0);
    let failures = AtomicUsize::new(0);
    let work = || {
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let Some((case, fault)) = faults.get(turn) else { break };
            let reruns = wanted.is_some() || turn.is_multiple_of(RERUN_EVERY);
            let run = || {
                let attempt = attempt(cases[*case], &expected[*case], &fixtures, &shim, *fault);
                if reruns {
                    attempt.rerun(&shim);
                }
            };
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err() {
                failures.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        (0..std::thread::available_parallelism().map_or(2, usize::from)).for_each(|_| drop(scope.spawn(work)));
    });
    assert_eq!(failures.into_inner(), 0, "of {} runs", faults.len());
}
