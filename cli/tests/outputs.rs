//! Nothing that a person has is destroyed: every command that writes is tried on what must not be written over.
#![allow(clippy::expect_used)]

mod taut;
mod writers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use taut::{Run, Taut};
use writers::{Target, WRITERS, Writer};

/// A file that no command would write.
const FOREIGN: &[u8] = b"Dear Anna,\nthe cat is fed.\n";

/// A folder with everything that the command lines read.
struct Place {
    folder: tempfile::TempDir,
    taut: Taut,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let place = Place { folder, taut };
        place.taut.stdout(&["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "in.taut"]);
        place.write("budget.toml", b"limits = [\"health.lost_events == 0\"]\n");
        place.write("in.toml", place.taut.stdout(&["drivers", "reference"]).as_bytes());
        place.write("in.jsonl", LOG.as_bytes());
        place.write("in.gltf", br#"{"asset":{"version":"2.0"}}"#);
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.at(name), bytes).expect("a file is written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).expect("a file is read")
    }

    /// Every file that is there, without following links.
    fn all(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    walk(&path, found)
                } else {
                    drop(found.insert(path.clone(), fs::read(&path).unwrap_or_default()))
                }
            }
        }
        let mut found = BTreeMap::new();
        walk(self.folder.path(), &mut found);
        found
    }

    fn run(&self, writer: &Writer, output: &str, more: &[&str]) -> Run {
        let mut line: Vec<&str> =
            writer.line.iter().map(|word| if *word == "OUT" { output } else { input(word) }).collect();
        line.extend(more);
        self.taut.run(&line)
    }
}

/// The shortest log there is.
const LOG: &str = concat!(
    r#"{"format":"d3d12-calls","version":1,"source":"a test","allocator_flags":0,"tests":{"0":"(setup)"}}"#,
    "\n",
    r#"{"seq":0,"thread":0,"test":0,"call":"EndCapture","objects_created":0,"objects_live":0}"#,
    "\n"
);

fn input(word: &'static str) -> &'static str {
    match word {
        "IN" => "in.taut",
        "IN.jsonl" => "in.jsonl",
        "IN.gltf" => "in.gltf",
        "IN.toml" => "in.toml",
        word => word,
    }
}

/// What a command line reads.
fn input_of(writer: &Writer) -> Option<&'static str> {
    writer.line.iter().find(|word| word.starts_with("IN")).map(|word| input(word))
}

fn files() -> impl Iterator<Item = &'static Writer> {
    WRITERS.iter().filter(|writer| writer.target == Target::File)
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let place = Place::new();
    for writer in files() {
        let Some(input) = input_of(writer) else { continue };
        let before = place.read(input);
        let mut names = vec![input.to_owned(), format!("./{input}")];
        #[cfg(unix)]
        {
            let _ = fs::remove_file(place.at("link"));
            let _ = fs::remove_file(place.at("hard"));
            std::os::unix::fs::symlink(input, place.at("link")).expect("a link");
            fs::hard_link(place.at(input), place.at("hard")).expect("a link");
            names.extend(["link".to_owned(), "hard".to_owned()]);
        }
        for name in names {
            for force in [&[][..], &["--force"]] {
                let run = place.run(writer, &name, force);
                let words = (writer.argument, writer.line, &name, force);
                assert_eq!(run.code, 2, "{words:?}: {}{}", run.stdout, run.stderr);
                assert_eq!(run.stderr.lines().count(), 1, "{words:?}: {}", run.stderr);
                assert!(run.stderr.contains("is the input"), "{words:?}: {}", run.stderr);
                assert!(place.read(input) == before, "{words:?} changed its input");
            }
        }
    }
}

#[test]
fn a_file_of_another_kind_is_replaced_by_force_alone_and_one_of_its_own_kind_at_once() {
    let place = Place::new();
    for writer in files() {
        place.write("out", FOREIGN);
        let before = place.all();
        let run = place.run(writer, "out", &[]);
        assert_eq!(run.code, 2, "{:?}: {}{}", writer.line, run.stdout, run.stderr);
        assert!(run.stderr.contains("--force") && run.stderr.lines().count() == 1, "{}", run.stderr);
        assert!(place.all() == before, "{:?} left something", writer.line);
        let forced = place.run(writer, "out", &["--force"]);
        assert_eq!(forced.code, 0, "{:?}: {}", writer.line, forced.stderr);
        let written = place.read("out");
        assert!(written != FOREIGN);
        // Its own result, a file that is empty, and nothing at all need no force. CSV of any columns is known by its name.
        let own = if writer.line.contains(&"csv") { "own.csv" } else { "own" };
        place.write(own, &written);
        place.write("empty", b"");
        for name in [own, "empty", "new"] {
            let run = place.run(writer, name, &[]);
            assert_eq!(run.code, 0, "{:?} {name}: {}", writer.line, run.stderr);
            assert!(!place.read(name).is_empty());
        }
        ["own", "own.csv", "empty", "new", "out"].iter().for_each(|name| drop(fs::remove_file(place.at(name))));
        assert!(place.all().keys().all(|path| before.contains_key(path)), "{:?} left something", writer.line);
    }
}

#[test]
fn no_command_writes_over_a_foreign_file_in_a_folder() {
    let place = Place::new();
    for writer in &WRITERS {
        let Target::Folder(file) = writer.target else { continue };
        let first = place.run(writer, "folder", &[]);
        assert_eq!(first.code, 0, "{:?}: {}", writer.line, first.stderr);
        let file = match file.split_once("TRACE") {
            None => place.at("folder").join(file),
            Some((before, _)) => {
                let table = place.at("folder").join(before.split('/').next().expect("a table"));
                let partition = fs::read_dir(table).expect("partitions").flatten().next().expect("one").path();
                partition.join(Path::new(file).file_name().expect("a name"))
            }
        };
        let again = place.run(writer, "folder", &[]);
        assert_eq!(again.code, 0, "{:?}: {}", writer.line, again.stderr);
        fs::write(&file, FOREIGN).expect("a file is written");
        let before = place.all();
        assert_eq!(place.run(writer, "folder", &[]).code, 2, "{:?}", writer.line);
        assert!(place.all() == before, "{:?} left something", writer.line);
        assert_eq!(place.run(writer, "folder", &["--force"]).code, 0, "{:?}", writer.line);
        assert!(fs::read(&file).expect("a file") != FOREIGN);
        assert_eq!(place.run(writer, "in.taut", &[]).code, if writer.line[0] == "export" { 2 } else { 4 });
        assert!(place.taut.run(&["info", "in.taut"]).code == 0, "{:?}", writer.line);
        fs::remove_dir_all(place.at("folder")).expect("the folder goes");
    }
}

#[test]
fn work_that_fails_leaves_neither_a_part_nor_a_new_folder() {
    let place = Place::new();
    let before = place.all();
    let whole = place.read("in.taut");
    place.write("broken.taut", &whole[..20]);
    place.write("bad.toml", b"name = 3\n");
    for writer in &WRITERS {
        let broken = |word: &&str| -> &'static str {
            match *word {
                "IN" => "broken.taut",
                "IN.toml" => "bad.toml",
                "IN.jsonl" | "IN.gltf" => "no-such-input.gltf",
                "OUT" => "out",
                _ => "",
            }
        };
        if input_of(writer).is_none() {
            continue;
        }
        let line: Vec<&str> =
            writer.line.iter().map(|word| if broken(word).is_empty() { *word } else { broken(word) }).collect();
        let run = place.taut.run(&line);
        assert!(run.code > 1, "{line:?}: {}", run.stdout);
        assert!(!place.at("out").exists(), "{line:?}");
    }
    let run = place.taut.run(&["query", "in.taut", "SELECT nothing FROM heaps", "--format", "csv", "-o", "out"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let run = place.taut.run(&["record", "small-level", "--set", "threads=no", "-o", "out"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    fs::remove_file(place.at("broken.taut")).expect("it goes");
    fs::remove_file(place.at("bad.toml")).expect("it goes");
    assert!(place.all() == before, "something is left: {:?}", place.all().keys());
}

#[test]
fn names_that_no_file_can_have_are_refused() {
    let place = Place::new();
    fs::create_dir(place.at("folder")).expect("a folder");
    let before = place.all();
    for writer in files() {
        for (name, code) in [("", 2), (".", 2), ("folder", 2), ("new/", 2), ("no/such/folder/out", 4)] {
            let run = place.run(writer, name, &[]);
            assert_eq!(run.code, code, "{:?} {name:?}: {}", writer.line, run.stderr);
            // An empty name is refused by the parser of arguments, in its own words.
            assert!(name.is_empty() || run.stderr.lines().count() == 1, "{:?} {name:?}: {}", writer.line, run.stderr);
            assert!(run.stderr.contains(name));
        }
    }
    let run = place.taut.run(&["replay", "in.taut", "--tight", "on", "-o", "x", "--changes", "./x"]);
    assert!(run.code == 2 && run.stderr.contains("two outputs"), "{}", run.stderr);
    assert!(place.all() == before);
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices_are_as_with_any_program() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let mode = |name: &str| fs::metadata(place.at(name)).expect("a file").permissions().mode() & 0o7777;
    let export = |output: &str| place.taut.run(&["export", "in.taut", "--to", "jsonl", "-o", output]);
    // As any new file, and as the one that was there.
    place.write("any", b"");
    assert_eq!(export("out").code, 0);
    assert_eq!(mode("out"), mode("any"));
    fs::set_permissions(place.at("out"), fs::Permissions::from_mode(0o640)).expect("a mode");
    assert_eq!(export("out").code, 0);
    assert_eq!(mode("out"), 0o640);
    // A link stays one, whether it leads to a file or not yet.
    fs::create_dir(place.at("elsewhere")).expect("a folder");
    for file in ["out", "elsewhere/new"] {
        let _ = fs::remove_file(place.at("link"));
        std::os::unix::fs::symlink(file, place.at("link")).expect("a link");
        assert_eq!(export("link").code, 0, "{file}");
        assert!(fs::symlink_metadata(place.at("link")).expect("a link").is_symlink(), "{file}");
        assert!(!place.read(file).is_empty());
    }
    let _ = fs::remove_file(place.at("link"));
    std::os::unix::fs::symlink("link", place.at("link")).expect("a link");
    assert_eq!(export("link").code, 4);
    // Write-protected.
    fs::set_permissions(place.at("out"), fs::Permissions::from_mode(0o440)).expect("a mode");
    let run = export("out");
    assert!(run.code == 2 && run.stderr.contains("write-protected"), "{}", run.stderr);
    assert_eq!(place.taut.run(&["export", "in.taut", "--to", "jsonl", "-o", "out", "--force"]).code, 0);
    assert_eq!(export("/dev/null").code, 0);
    let run = export("/dev/stdout");
    assert!(run.code == 0 && run.stdout.as_bytes() == place.read("out"), "nothing but the output is written there");
    if Path::new("/dev/full").exists() {
        assert_eq!(export("/dev/full").code, 4);
    }
}

#[test]
#[cfg(unix)]
fn what_is_printed_to_a_full_disk_is_a_failure_help_too() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let lines: [&[&str]; 6] =
        [&["--help"], &["-h"], &["--version"], &["help", "record"], &["analyze", "--help"], &["workloads"]];
    for line in lines {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_taut")).args(line).stdout(full).output();
        let output = run.expect("the binary runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{line:?}: {told}");
        assert!(told.starts_with("taut: standard output: "), "{line:?}: {told}");
    }
}

#[test]
fn two_writers_of_one_file_leave_it_whole() {
    let place = Place::new();
    let line = |threads: &str| {
        ["record", "small-level", "--threads", threads, "--clock", "logical", "-o", "both.taut"].map(str::to_owned)
    };
    std::thread::scope(|scope| {
        for threads in ["1", "2", "3", "4"] {
            let line = line(threads);
            let taut = &place.taut;
            scope.spawn(move || {
                let run = taut.run(&line.each_ref().map(String::as_str));
                let is_refused = run.code == 4 && run.stderr.contains("is recording this file");
                assert!(run.code == 0 || is_refused, "{}", run.stderr);
            });
        }
    });
    assert_eq!(place.taut.run(&["info", "both.taut", "--verify"]).code, 0);
    assert!(place.all().keys().all(|path| !path.to_string_lossy().contains(".part")));
}

/// Runs a command that may write no file of more than so many blocks of 512 bytes, as if the disk were full then.
#[cfg(unix)]
fn on_a_small_disk(place: &Place, blocks: u32, arguments: &[&str]) -> Run {
    let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    with_shell(place, &line, arguments)
}

#[cfg(unix)]
fn with_shell(place: &Place, line: &str, arguments: &[&str]) -> Run {
    let output = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_taut")])
        .args(arguments)
        .current_dir(place.at(""))
        .env("TAUT_CACHE", "")
        .output()
        .expect("a shell runs");
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// By default a signal ends who writes beyond the limit.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_like_any_other() {
    let place = Place::new();
    for blocks in [16, 1400] {
        let line = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let run = with_shell(&place, &line, &["record", "streaming-world", "--set", "frames=3000"]);
        assert_eq!(run.code, 4, "{}", run.stderr);
        // The header alone is larger than the lesser one.
        let at_once = run.stderr.contains("nothing from here on is recorded");
        assert_eq!(place.at("streaming-world.taut").exists(), at_once);
        assert_eq!(at_once, blocks == 1400, "{}", run.stderr);
        assert_eq!(run.stderr.contains("lost: "), at_once, "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_recording_that_finds_no_room_for_its_head_leaves_the_trace_that_was_there_and_else_what_had_room() {
    let place = Place::new();
    let before = place.read("in.taut");
    let line = ["record", "streaming-world", "--set", "frames=3000", "-o", "in.taut"];
    let run = on_a_small_disk(&place, 16, &line);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(place.read("in.taut") == before);
    let run = on_a_small_disk(&place, 16, &["record", "streaming-world", "--set", "frames=3000"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(!place.at("streaming-world.taut").exists());
    let run = on_a_small_disk(&place, 1400, &line);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let info = place.taut.run(&["info", "in.taut", "--json"]);
    assert_eq!(info.code, 3, "{}", info.stderr);
    let info: serde_json::Value = serde_json::from_str(&info.stdout).expect("JSON");
    assert_eq!(info["workload"], "streaming-world");
    assert!(info["events"].as_u64() > Some(0), "{info}");
    let rest = |path: &&PathBuf| [".part", ".live"].iter().any(|end| path.to_string_lossy().contains(end));
    assert!(!place.all().keys().any(|path| rest(&path)));
}

#[cfg(unix)]
#[test]
fn parquet_that_finds_no_room_is_a_failure_of_writing() {
    if !taut::tables_are_built("parquet_that_finds_no_room_is_a_failure_of_writing") {
        return;
    }
    let place = Place::new();
    let all = "SELECT * FROM calls";
    for line in [
        &["export", "in.taut", "--to", "parquet", "-o", "lake"][..],
        &["query", "in.taut", all, "--format", "parquet", "-o", "calls.parquet"],
    ] {
        let run = on_a_small_disk(&place, 2, line);
        assert_eq!(run.code, 4, "{line:?}: {}", run.stderr);
        assert!(run.stderr.contains("File too large") && !run.stderr.contains("specification"), "{}", run.stderr);
        assert!(!place.at("lake").exists() && !place.at("calls.parquet").exists(), "{line:?}");
    }
}
