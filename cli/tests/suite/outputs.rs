//! Tests that no command destroys files of the user: every command that writes is run on outputs that it must not
//! overwrite.
#![allow(clippy::expect_used)]

use crate::taut;
use crate::writers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use taut::{Run, Taut};
use taut_testkit::testdata;
use writers::{Target, WRITERS, Writer};

/// Contents that no command would write.
const FOREIGN: &[u8] = b"Dear Anna,\nthe cat is fed.\n";

/// Folder with all inputs of the command lines.
struct TestFolder {
    folder: tempfile::TempDir,
    taut: Taut,
}

impl TestFolder {
    fn new() -> TestFolder {
        let folder = tempfile::tempdir().expect("a folder");
        let taut = Taut::new(folder.path());
        let test_folder = TestFolder { folder, taut };
        test_folder.taut.stdout(&["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "in.taut"]);
        test_folder.write("budget.toml", b"limits = [\"health.lost_events == 0\"]\n");
        test_folder.write("in.toml", test_folder.taut.stdout(&["drivers", "reference"]).as_bytes());
        test_folder.write("in.jsonl", LOG.as_bytes());
        test_folder.write("in.etl", &crate::import::windows_trace());
        test_folder.write("in.gltf", br#"{"asset":{"version":"2.0"}}"#);
        test_folder
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

    /// Every file of the folder with its contents, without following links.
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

/// Shortest valid log.
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
        "IN.etl" => "in.etl",
        "IN.toml" => "in.toml",
        word => word,
    }
}

/// Input file of a command line, if it has one.
fn input_of(writer: &Writer) -> Option<&'static str> {
    writer.line.iter().find(|word| word.starts_with("IN")).map(|word| input(word))
}

fn files() -> impl Iterator<Item = &'static Writer> {
    WRITERS.iter().filter(|writer| writer.target == Target::File)
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let test_folder = TestFolder::new();
    for writer in files() {
        let Some(input) = input_of(writer) else { continue };
        let before = test_folder.read(input);
        let mut names = vec![input.to_owned(), format!("./{input}")];
        #[cfg(unix)]
        {
            let _ = fs::remove_file(test_folder.at("link"));
            let _ = fs::remove_file(test_folder.at("hard"));
            std::os::unix::fs::symlink(input, test_folder.at("link")).expect("a link");
            fs::hard_link(test_folder.at(input), test_folder.at("hard")).expect("a link");
            names.extend(["link".to_owned(), "hard".to_owned()]);
        }
        for name in names {
            for force in [&[][..], &["--force"]] {
                let run = test_folder.run(writer, &name, force);
                let words = (writer.argument, writer.line, &name, force);
                assert_eq!(run.code, 2, "{words:?}: {}{}", run.stdout, run.stderr);
                assert_eq!(run.stderr.lines().count(), 1, "{words:?}: {}", run.stderr);
                assert!(run.stderr.contains("is the input"), "{words:?}: {}", run.stderr);
                assert!(test_folder.read(input) == before, "{words:?} changed its input");
            }
        }
    }
}

#[test]
fn a_file_of_another_kind_needs_force_and_one_of_the_same_kind_is_replaced() {
    let test_folder = TestFolder::new();
    for writer in files() {
        test_folder.write("out", FOREIGN);
        let before = test_folder.all();
        let run = test_folder.run(writer, "out", &[]);
        assert_eq!(run.code, 2, "{:?}: {}{}", writer.line, run.stdout, run.stderr);
        assert!(run.stderr.contains("--force") && run.stderr.lines().count() == 1, "{}", run.stderr);
        assert!(test_folder.all() == before, "{:?} left something", writer.line);
        let forced = test_folder.run(writer, "out", &["--force"]);
        assert_eq!(forced.code, 0, "{:?}: {}", writer.line, forced.stderr);
        let written = test_folder.read("out");
        assert!(written != FOREIGN);
        // The command's own output, an empty file and a missing file need no force. CSV is recognised by its name,
        // because it can have any columns.
        let own = if writer.line.contains(&"csv") { "own.csv" } else { "own" };
        test_folder.write(own, &written);
        test_folder.write("empty", b"");
        for name in [own, "empty", "new"] {
            let run = test_folder.run(writer, name, &[]);
            assert_eq!(run.code, 0, "{:?} {name}: {}", writer.line, run.stderr);
            assert!(!test_folder.read(name).is_empty());
        }
        ["own", "own.csv", "empty", "new", "out"].iter().for_each(|name| drop(fs::remove_file(test_folder.at(name))));
        assert!(test_folder.all().keys().all(|path| before.contains_key(path)), "{:?} left something", writer.line);
    }
}

#[test]
fn no_command_writes_over_a_foreign_file_in_a_folder() {
    let test_folder = TestFolder::new();
    for writer in &WRITERS {
        let Target::Folder(file) = writer.target else { continue };
        let first = test_folder.run(writer, "folder", &[]);
        assert_eq!(first.code, 0, "{:?}: {}", writer.line, first.stderr);
        let file = match file.split_once("TRACE") {
            None => test_folder.at("folder").join(file),
            Some((before, _)) => {
                let table = test_folder.at("folder").join(before.split('/').next().expect("a table"));
                let partition = fs::read_dir(table).expect("partitions").flatten().next().expect("one").path();
                partition.join(Path::new(file).file_name().expect("a name"))
            }
        };
        let second = test_folder.run(writer, "folder", &[]);
        assert_eq!(second.code, 0, "{:?}: {}", writer.line, second.stderr);
        fs::write(&file, FOREIGN).expect("a file is written");
        let before = test_folder.all();
        assert_eq!(test_folder.run(writer, "folder", &[]).code, 2, "{:?}", writer.line);
        assert!(test_folder.all() == before, "{:?} left something", writer.line);
        assert_eq!(test_folder.run(writer, "folder", &["--force"]).code, 0, "{:?}", writer.line);
        assert!(fs::read(&file).expect("a file") != FOREIGN);
        assert_eq!(test_folder.run(writer, "in.taut", &[]).code, if writer.line[0] == "export" { 2 } else { 4 });
        assert!(test_folder.taut.run(&["info", "in.taut"]).code == 0, "{:?}", writer.line);
        fs::remove_dir_all(test_folder.at("folder")).expect("the folder goes");
    }
}

#[test]
fn work_that_fails_leaves_neither_a_part_nor_a_new_folder() {
    let test_folder = TestFolder::new();
    let before = test_folder.all();
    let whole = test_folder.read("in.taut");
    test_folder.write("broken.taut", &whole[..20]);
    test_folder.write("bad.toml", b"name = 3\n");
    for writer in &WRITERS {
        let broken = |word: &&str| -> &'static str {
            match *word {
                "IN" => "broken.taut",
                "IN.toml" => "bad.toml",
                "IN.jsonl" | "IN.gltf" | "IN.etl" => "no-such-input.gltf",
                "OUT" => "out",
                _ => "",
            }
        };
        if input_of(writer).is_none() {
            continue;
        }
        let line: Vec<&str> =
            writer.line.iter().map(|word| if broken(word).is_empty() { *word } else { broken(word) }).collect();
        let run = test_folder.taut.run(&line);
        assert!(run.code > 1, "{line:?}: {}", run.stdout);
        assert!(!test_folder.at("out").exists(), "{line:?}");
    }
    let run = test_folder.taut.run(&["query", "in.taut", "SELECT nothing FROM heaps", "--format", "csv", "-o", "out"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let run = test_folder.taut.run(&["record", "small-level", "--set", "threads=no", "-o", "out"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    fs::remove_file(test_folder.at("broken.taut")).expect("it goes");
    fs::remove_file(test_folder.at("bad.toml")).expect("it goes");
    assert!(test_folder.all() == before, "something is left: {:?}", test_folder.all().keys());
}

#[test]
fn names_that_no_file_can_have_are_refused() {
    let test_folder = TestFolder::new();
    fs::create_dir(test_folder.at("folder")).expect("a folder");
    let before = test_folder.all();
    for writer in files() {
        for (name, code) in [("", 2), (".", 2), ("folder", 2), ("new/", 2), ("no/such/folder/out", 4)] {
            let run = test_folder.run(writer, name, &[]);
            assert_eq!(run.code, code, "{:?} {name:?}: {}", writer.line, run.stderr);
            // The argument parser refuses an empty name, with a message of its own.
            assert!(name.is_empty() || run.stderr.lines().count() == 1, "{:?} {name:?}: {}", writer.line, run.stderr);
            assert!(run.stderr.contains(name));
        }
    }
    let run = test_folder.taut.run(&["replay", "in.taut", "--tight", "on", "-o", "x", "--changes", "./x"]);
    assert!(run.code == 2 && run.stderr.contains("two outputs"), "{}", run.stderr);
    assert!(test_folder.all() == before);
}

#[cfg(unix)]
#[test]
fn links_permissions_and_devices_are_as_with_any_program() {
    use std::os::unix::fs::PermissionsExt;
    let test_folder = TestFolder::new();
    let mode = |name: &str| fs::metadata(test_folder.at(name)).expect("a file").permissions().mode() & 0o7777;
    let export = |output: &str| test_folder.taut.run(&["export", "in.taut", "--to", "jsonl", "-o", output]);
    // The mode of a new file is the default one; an existing file keeps its mode.
    test_folder.write("any", b"");
    assert_eq!(export("out").code, 0);
    assert_eq!(mode("out"), mode("any"));
    fs::set_permissions(test_folder.at("out"), fs::Permissions::from_mode(0o640)).expect("a mode");
    assert_eq!(export("out").code, 0);
    assert_eq!(mode("out"), 0o640);
    // A link stays a link, whether or not its target exists.
    fs::create_dir(test_folder.at("elsewhere")).expect("a folder");
    for file in ["out", "elsewhere/new"] {
        let _ = fs::remove_file(test_folder.at("link"));
        std::os::unix::fs::symlink(file, test_folder.at("link")).expect("a link");
        assert_eq!(export("link").code, 0, "{file}");
        assert!(fs::symlink_metadata(test_folder.at("link")).expect("a link").is_symlink(), "{file}");
        assert!(!test_folder.read(file).is_empty());
    }
    let _ = fs::remove_file(test_folder.at("link"));
    std::os::unix::fs::symlink("link", test_folder.at("link")).expect("a link");
    assert_eq!(export("link").code, 4);
    // Write-protected file.
    fs::set_permissions(test_folder.at("out"), fs::Permissions::from_mode(0o440)).expect("a mode");
    let run = export("out");
    assert!(run.code == 2 && run.stderr.contains("write-protected"), "{}", run.stderr);
    assert_eq!(test_folder.taut.run(&["export", "in.taut", "--to", "jsonl", "-o", "out", "--force"]).code, 0);
    assert_eq!(export("/dev/null").code, 0);
    let run = export("/dev/stdout");
    assert!(
        run.code == 0 && run.stdout.as_bytes() == test_folder.read("out"),
        "nothing but the output is written there"
    );
    if Path::new("/dev/full").exists() {
        assert_eq!(export("/dev/full").code, 4);
    }
}

#[test]
#[cfg(unix)]
fn printing_to_a_full_disk_is_a_failure_also_for_help() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let lines: [&[&str]; 6] =
        [&["--help"], &["-h"], &["--version"], &["help", "record"], &["analyze", "--help"], &["workloads"]];
    for line in lines {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_taut")).args(line).stdout(full).output();
        let output = run.expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{line:?}: {message}");
        assert!(message.starts_with("taut: standard output: "), "{line:?}: {message}");
    }
}

#[test]
fn two_writers_of_one_file_leave_it_whole() {
    let test_folder = TestFolder::new();
    let line = |threads: &str| {
        ["record", "small-level", "--threads", threads, "--clock", "logical", "-o", "both.taut"].map(str::to_owned)
    };
    std::thread::scope(|scope| {
        for threads in ["1", "2", "3", "4"] {
            let line = line(threads);
            let taut = &test_folder.taut;
            scope.spawn(move || {
                let run = taut.run(&line.each_ref().map(String::as_str));
                let is_busy = run.code == 4 && run.stderr.contains("is recording this file");
                // A writer that begins after another one has finished finds a trace with other settings; one that begins
                // while another one creates its side file finds a file without a control page.
                let is_refused = run.code == 2 && run.stderr.contains("both.taut");
                assert!(run.code == 0 || is_busy || is_refused, "exit {}: {}", run.code, run.stderr);
            });
        }
    });
    assert_eq!(test_folder.taut.run(&["info", "both.taut", "--verify"]).code, 0);
    assert!(test_folder.all().keys().all(|path| !path.to_string_lossy().contains(".part")));
}

/// Runs a command with a limit on the size of files, in blocks of 512 bytes, as if the disk were full.
#[cfg(unix)]
fn on_a_small_disk(test_folder: &TestFolder, blocks: u32, arguments: &[&str]) -> Run {
    let line = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    with_shell(test_folder, &line, arguments)
}

#[cfg(unix)]
fn with_shell(test_folder: &TestFolder, line: &str, arguments: &[&str]) -> Run {
    let output = std::process::Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_taut")])
        .args(arguments)
        .current_dir(test_folder.at(""))
        .env("TAUT_CACHE", "")
        .output()
        .expect("a shell runs");
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The default action of SIGXFSZ would end the process.
#[cfg(unix)]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_like_any_other() {
    let test_folder = TestFolder::new();
    for blocks in [16, 1400] {
        let line = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let run = with_shell(&test_folder, &line, &["record", "streaming-world", "--set", "frames=3000"]);
        assert_eq!(run.code, 4, "{}", run.stderr);
        // The header alone exceeds the smaller limit.
        let at_once = run.stderr.contains("nothing from here on is recorded");
        assert_eq!(test_folder.at("streaming-world.taut").exists(), at_once);
        assert_eq!(at_once, blocks == 1400, "{}", run.stderr);
        assert_eq!(run.stderr.contains("lost: "), at_once, "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_recording_on_a_full_disk_leaves_the_former_trace_or_a_partial_one() {
    let test_folder = TestFolder::new();
    let before = test_folder.read("in.taut");
    let line = ["record", "streaming-world", "--set", "frames=3000", "-o", "in.taut", "--force"];
    let run = on_a_small_disk(&test_folder, 16, &line);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(test_folder.read("in.taut") == before);
    let run = on_a_small_disk(&test_folder, 16, &["record", "streaming-world", "--set", "frames=3000"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    assert!(!test_folder.at("streaming-world.taut").exists());
    let run = on_a_small_disk(&test_folder, 1400, &line);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let info = test_folder.taut.run(&["info", "in.taut", "--json"]);
    assert_eq!(info.code, 3, "{}", info.stderr);
    let info: serde_json::Value = serde_json::from_str(&info.stdout).expect("JSON");
    assert_eq!(info["workload"], "streaming-world");
    assert!(info["events"].as_u64() > Some(0), "{info}");
    // The sidecar remains: the trace has no end, and the sidecar holds the events and losses that the trace lacks.
    assert!(!test_folder.all().keys().any(|path| path.to_string_lossy().contains(".part")));
}

#[cfg(unix)]
#[test]
fn parquet_on_a_full_disk_is_a_failure_of_writing() {
    if !taut::tables_are_built("parquet_on_a_full_disk_is_a_failure_of_writing") {
        return;
    }
    let test_folder = TestFolder::new();
    let all = "SELECT * FROM calls";
    for line in [
        &["export", "in.taut", "--to", "parquet", "-o", "lake"][..],
        &["query", "in.taut", all, "--format", "parquet", "-o", "calls.parquet"],
    ] {
        let run = on_a_small_disk(&test_folder, 2, line);
        assert_eq!(run.code, 4, "{line:?}: {}", run.stderr);
        assert!(run.stderr.contains("File too large") && !run.stderr.contains("specification"), "{}", run.stderr);
        assert!(!test_folder.at("lake").exists() && !test_folder.at("calls.parquet").exists(), "{line:?}");
    }
}

#[test]
fn files_of_a_recording_that_is_read_are_never_replaced() {
    let test_folder = TestFolder::new();
    test_folder.write("in.taut.live", b"events");
    fs::create_dir(test_folder.at("in.taut.ring")).expect("a folder");
    test_folder.write("in.taut.ring/14", b"blocks");
    let before = test_folder.all();
    for target in ["in.taut.live", "in.taut.ring/14", "in.taut.ring/15"] {
        let run = test_folder.taut.run(&["export", "in.taut", "--to", "jsonl", "-o", target, "--force"]);
        assert_eq!(run.code, 2, "{target}: {}", run.stderr);
        assert!(run.stderr.contains("belongs to the recording"), "{}", run.stderr);
        assert!(test_folder.all() == before, "{target}");
    }
}

#[test]
fn files_that_an_input_names_are_inputs_and_are_never_replaced() {
    let test_folder = TestFolder::new();
    let scene = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":64,"uri":"b%20b.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":64}],"images":[{"uri":"i.png"}]}"#;
    test_folder.write("scene.gltf", scene.as_bytes());
    test_folder.write("b b.bin", &[0; 64]);
    test_folder.write("i.png", b"no image");
    let glow = fs::read(testdata("glow.toml")).expect("a shader");
    test_folder.write("glow.toml", &glow);
    let steps = "steps = [{ play = \"glow.toml\" }]";
    test_folder.write("s.toml", format!("name = \"s\"\n[[phase]]\nname = \"p\"\n{steps}\n").as_bytes());
    std::os::unix::fs::symlink("i.png", test_folder.at("link.png")).expect("a link");
    let before = test_folder.all();
    for (input, target) in [
        (&["scene.gltf"][..], "b b.bin"),
        (&["scene.gltf"], "i.png"),
        (&["scene.gltf"], "link.png"),
        (&["scene.gltf", "--set", "api=d3d11"], "b b.bin"),
        (&["s.toml"], "glow.toml"),
    ] {
        let run = test_folder.taut.run(&[&["record"], input, &["-o", target, "--force"]].concat());
        assert_eq!(run.code, 2, "{target}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("{target}: this file is the input")), "{}", run.stderr);
        assert!(test_folder.all() == before, "{target}");
    }
}

#[test]
fn a_side_file_of_another_recording_is_never_replaced() {
    let test_folder = TestFolder::new();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["record", "streaming-world", "--set", "frames=1000000000", "-o", "other.taut"])
        .args(["--mode", "ring", "--max-size", "1MiB"])
        .current_dir(test_folder.at(""))
        .spawn()
        .expect("the binary runs");
    let begun = std::time::Instant::now();
    while !test_folder.at("other.taut.ring/1").exists() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "no segment");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let segments = fs::read_dir(test_folder.at("other.taut.ring")).expect("a folder").flatten();
    let segment = segments.map(|entry| entry.file_name().into_string().expect("UTF-8")).max().expect("a segment");
    let segment = format!("other.taut.ring/{segment}");
    let before = test_folder.all();
    for target in ["other.taut.live", &segment] {
        for line in [
            &["record", "small-level", "-o", target, "--force"][..],
            &["export", "in.taut", "--to", "jsonl", "-o", target, "--force"],
            &["replay", "in.taut", "-o", target, "--force"],
        ] {
            let run = test_folder.taut.run(line);
            assert_eq!(run.code, 2, "{line:?}: {}", run.stderr);
            assert!(run.stderr.contains("belongs to a recording"), "{}", run.stderr);
            assert!(test_folder.all() == before, "{line:?}");
        }
    }
    // A file that only has such a name is a file like any other.
    test_folder.write("letter.live", b"Dear");
    assert_eq!(test_folder.taut.run(&["record", "small-level", "-o", "letter.live"]).code, 2);
    assert_eq!(test_folder.taut.run(&["record", "small-level", "-o", "letter.live", "--force"]).code, 0);
}
