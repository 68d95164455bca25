//! Tests of `taut run`: exit codes, complete traces and identical replays of unmodified programs. Programs of other
//! packages are skipped by name where they are not installed.
#![cfg(target_os = "linux")]

mod allocator;
mod directml;
mod kills;
mod programs;
mod windows;

use crate::taut::{Run, Taut};
use std::path::Path;
use std::process::Command;

/// Runs `taut run` with these options and words; signals that end a test's process end no other.
fn run(taut: &Taut, words: &[&str]) -> Run {
    let mut all = vec!["run"];
    all.extend(words);
    taut.run(&all)
}

fn in_folder(test: impl FnOnce(&Taut)) {
    let folder = tempfile::tempdir().expect("a folder");
    test(&Taut::new(folder.path()));
}

fn client() -> String {
    format!("{}/tests/suite/running/client.py", env!("CARGO_MANIFEST_DIR"))
}

/// True if a program of this name is installed; reports the skipped test otherwise.
fn is_installed(test: &str, program: &str, package: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !found {
        eprintln!("skipped: {test}: {program} (Debian package {package}) is not installed");
    }
    found
}

fn has_mesa(test: &str) -> bool {
    let driver = Path::new("/usr/lib/x86_64-linux-gnu/dri/d3d12_dri.so");
    if !driver.is_file() {
        eprintln!("skipped: {test}: Mesa's Direct3D 12 driver (Debian package libgl1-mesa-dri) is not installed");
        return false;
    }
    [("xvfb-run", "xvfb"), ("xauth", "xauth"), ("glxinfo", "mesa-utils"), ("glxgears", "mesa-utils")]
        .into_iter()
        .all(|(program, package)| is_installed(test, program, package))
}

/// Runs `taut run --gl` under a display of its own.
fn run_with_display(taut: &Taut, words: &[&str]) -> Run {
    let inner = taut.command(words);
    let mut command = Command::new("xvfb-run");
    command.arg("-a").arg(inner.get_program()).args(inner.get_args()).current_dir(taut.folder());
    command.env("NO_COLOR", "1");
    let output = command.output().expect("xvfb-run runs");
    Run {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn assert_replays(taut: &Taut, trace: &str, run: &Run) {
    assert!(run.stderr.contains("0 lost"), "{}", run.stderr);
    let text = taut.stdout(&["replay", trace]);
    assert!(text.contains("identical"), "{text}");
    assert!(!taut.folder().join(format!("{trace}.live")).exists());
}

/// Calls that each recording of the client has.
const RECORDED: [&str; 12] = [
    "ClearCommandListState",
    "DrawIndexedInstanced",
    "CopyTextureRegion",
    "ResourceBarrier",
    "OMSetRenderTargets",
    "SetGraphicsRootDescriptorTable",
    "ClearDepthStencilView",
    "ResolveQueryData",
    "ExecuteIndirect",
    "CopyDescriptors",
    "CreateOpaqueComputePipelineState",
    "ResetCommandAllocator",
];

#[test]
fn every_end_of_a_program_leaves_a_complete_trace_and_its_exit_code() {
    if !is_installed("every_end_of_a_program", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        for (end, code) in [("exit", 7), ("_exit", 8), ("abort", 134), ("segv", 139), ("signal", 143), ("fork", 0)] {
            let trace = format!("{end}.taut");
            let run = run(taut, &["-o", &trace, "--", "python3", &client(), end]);
            assert_eq!((run.code, run.stdout.as_str()), (code, "used\n"), "{end}: {}", run.stderr);
            assert!(run.stderr.contains("draws and dispatches are recorded, not executed"), "{}", run.stderr);
            assert_eq!(run.stderr.contains("is a copy and is not recorded"), end == "fork", "{}", run.stderr);
            assert_replays(taut, &trace, &run);
        }
        let calls = taut.stdout(&["dump", "exit.taut"]);
        for call in RECORDED {
            assert!(calls.contains(call), "{call} is in the trace");
        }
        let marks = taut.stdout(&["dump", "exit.taut", "--event", "UnsupportedCall"]);
        assert!(!marks.contains("CommandList") && marks.contains("CreateSharedHandle"), "{marks}");
    });
}

#[test]
fn objects_follow_the_rules_of_com() {
    if !is_installed("objects_follow_the_rules_of_com", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let client = format!("{}/tests/suite/running/com_client.py", env!("CARGO_MANIFEST_DIR"));
        let run = run(taut, &["-o", "com.taut", "--", "python3", &client]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "checked\n"), "{}", run.stderr);
        assert!(run.stderr.contains("ID3D12Fence::Signal was called on a released object"), "{}", run.stderr);
        assert_replays(taut, "com.taut", &run);
        let report = taut.stdout(&["analyze", "com.taut", "--report", "client", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let client = &report["reports"]["client"];
        let one = |list: &str, key: &str, value: &str| {
            let found = client[list].as_array().expect("a list").iter().find(|one| one[key] == value);
            found.unwrap_or_else(|| panic!("{list}: {value}: {client}")).clone()
        };
        let fences = one("objects", "kind", "fence");
        assert_eq!((&fences["alive"], &fences["names"]), (&1.into(), &serde_json::json!(["leaked fence"])));
        assert_eq!(one("objects", "kind", "device")["alive"], 1);
        assert_eq!(one("queried", "interface", "ID3D12Device4")["returned"], "E_NOINTERFACE");
        assert!(one("after_release", "method", "AddRef")["count"].as_u64() >= Some(1));
        assert_eq!(client["represents_gpu"], false);
        let last: Vec<&str> = run.stderr.lines().rev().take(3).collect();
        assert!(last[0].contains("1 device and 1 fence"), "{}", run.stderr);
        assert!(last[1].contains("not executed: nothing") && last[2].contains("released objects"), "{}", run.stderr);
    });
}

/// Compiles the client of DirectX-Headers; false, with a message, where the compiler or the headers are missing.
fn has_cpp_client(test: &str, taut: &Taut) -> bool {
    let has_headers = Path::new("/usr/include/wsl/winadapter.h").is_file();
    if !has_headers {
        eprintln!("skipped: {test}: DirectX-Headers (Debian package directx-headers-dev) are not installed");
    }
    if !has_headers || !is_installed(test, "g++", "g++") {
        return false;
    }
    let source = format!("{}/tests/suite/running/client.cpp", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-o", "client", &source, "-I/usr/include/wsl/stubs", "-I/usr/include/directx"]);
    compiler.args(["-lDirectX-Guids", "-ldl", "-lpthread"]).current_dir(taut.folder());
    assert!(compiler.status().expect("g++ runs").success());
    true
}

#[test]
fn layouts_and_answers_are_those_of_the_headers_on_four_threads() {
    in_folder(|taut| {
        if !has_cpp_client("layouts_and_answers_are_those_of_the_headers", taut) {
            return;
        }
        let run = run(taut, &["-o", "headers.taut", "--", "./client"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "checked\n"), "{}", run.stderr);
        assert_replays(taut, "headers.taut", &run);
        assert!(run.stderr.lines().next_back().is_some_and(|line| line.starts_with("taut: All")), "{}", run.stderr);
        let messages = taut.stdout(&["dump", "headers.taut", "--event", "DebugMessage"]);
        for text in [
            "CopyBufferRegion: the source is not within its resource.",
            "CopyTextureRegion: the destination is not within its resource.",
            "CopyTiles: the source is not within its resource.",
            "WriteBufferImmediate: an address is not in memory of the adapter.",
        ] {
            assert!(messages.contains(text), "{text}: {messages}");
        }
    });
}

/// A limit of the address space refuses the window of 1 TiB.
#[test]
fn a_program_under_a_limit_of_its_address_space_has_memory_for_each_allocation() {
    in_folder(|taut| {
        if !has_cpp_client("a_program_under_a_limit_of_its_address_space", taut) {
            return;
        }
        let run = run(taut, &["-o", "limited.taut", "--", "sh", "-c", "ulimit -v 4194304; exec ./client"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "checked\n"), "{}", run.stderr);
        assert_replays(taut, "limited.taut", &run);
    });
}

/// The increments of descriptor handles are those of the driver's profile.
#[test]
fn a_profile_sets_the_size_of_descriptors() {
    in_folder(|taut| {
        if !has_cpp_client("a_profile_sets_the_size_of_descriptors", taut) {
            return;
        }
        let profile = taut.stdout(&["drivers", "reference"]) + "\n[descriptors]\nrtv_bytes = 48\n";
        std::fs::write(taut.folder().join("own.toml"), profile).expect("a profile");
        let run = run(taut, &["-o", "own.taut", "--driver", "own.toml", "--", "./client"]);
        assert_eq!((run.code, run.stdout.as_str()), (0, "checked\n"), "{}", run.stderr);
        assert_replays(taut, "own.taut", &run);
        let answers = taut.stdout(&["dump", "own.taut", "--event", "GetDescriptorSizeInBytes"]);
        assert!(answers.contains("RTV") && answers.contains("48"), "{answers}");
    });
}

#[test]
fn bench_abi_compares_calls_with_the_rust_interface() {
    in_folder(|taut| {
        let text = taut.stdout(&["bench", "abi", "--repeat", "1", "--pairs", "0", "--json"]);
        let bench: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let cases = bench["cases"].as_array().expect("cases");
        assert_eq!(cases.len(), 10, "{bench}");
        for case in cases {
            assert!(case["ratio"].as_f64() > Some(0.0) && case["ns_per_call"].as_f64() > Some(0.0), "{case}");
        }
        assert!(bench["scaling"].as_f64() > Some(0.0) && bench["resident_bytes"].as_u64() < Some(64 << 20), "{bench}");
        assert_eq!(bench["gears_skipped"], "--pairs 0");
        let text = taut.stdout(&["bench", "abi", "--repeat", "1", "--pairs", "0"]);
        assert!(text.contains("GetDesc of a resource, recorded") && text.contains("glxgears skipped"), "{text}");
    });
}

#[test]
fn an_unsupported_call_is_a_mark_and_ends_a_strict_run() {
    if !is_installed("an_unsupported_call", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let loose = run(taut, &["-o", "loose.taut", "--", "python3", &client(), "strict"]);
        assert_eq!(loose.code, 0, "{}", loose.stderr);
        let marks = taut.stdout(&["dump", "loose.taut", "--event", "UnsupportedCall"]);
        assert!(marks.contains("SetStablePowerState") && marks.contains("40"), "{marks}");
        let strict = run(taut, &["-o", "strict.taut", "--strict", "--", "python3", &client(), "strict"]);
        assert_eq!((strict.code, strict.stdout.as_str()), (1, "used\n"), "{}", strict.stderr);
        assert_replays(taut, "strict.taut", &strict);
    });
}

#[test]
fn a_program_without_calls_leaves_an_empty_trace() {
    in_folder(|taut| {
        let plain = run(taut, &["-o", "x.taut", "--", "sh", "-c", "cat; exit 3"]);
        assert_eq!(plain.code, 3, "{}", plain.stderr);
        assert!(plain.stderr.contains("made no Direct3D call"), "{}", plain.stderr);
        assert!(taut.stdout(&["info", "x.taut"]).contains("complete"));
        assert_eq!(run(taut, &["--require-calls", "--force", "-o", "x.taut", "--", "true"]).code, 1);
        let signal = run(taut, &["--force", "-o", "x.taut", "--", "sh", "-c", "kill -9 $$"]);
        assert_eq!(signal.code, 137, "{}", signal.stderr);
    });
}

/// The recorder in the program can write nothing beyond 64 KiB: its trace states the loss, although the program succeeds.
#[test]
fn a_recorder_that_cannot_write_states_the_loss_in_the_trace() {
    if !is_installed("a_recorder_that_cannot_write", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let recorded = taut.command(&["run", "-o", "x.taut", "--", "python3", &client(), "_exit"]);
        let mut limited = Command::new("bash");
        limited.args(["-c", "ulimit -f 64; exec \"$@\"", "bash"]).arg(recorded.get_program()).args(recorded.get_args());
        let output = limited.current_dir(taut.folder()).output().expect("bash runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(8) && text.contains("an unknown number lost"), "{text}");
        let info = taut.run(&["info", "x.taut"]);
        assert!(info.code == 3 && info.stdout.contains("an unknown number lost"), "{} {}", info.stdout, info.stderr);
        let json = taut.run(&["info", "x.taut", "--json"]).stdout;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&json["complete"], &json["has_unknown_losses"]), (&false.into(), &true.into()));
        let health = taut.run(&["analyze", "x.taut", "--report", "health"]);
        assert!(
            health.code == 3 && health.stdout.contains("the number of lost records is unknown"),
            "{}",
            health.stdout
        );
        assert_eq!(taut.run(&["replay", "x.taut"]).code, 3);
    });
}

#[test]
fn no_file_is_replaced_without_force() {
    in_folder(|taut| {
        std::fs::write(taut.folder().join("x.taut"), "notes").expect("a file");
        assert_eq!(run(taut, &["-o", "x.taut", "--", "true"]).code, 2);
        taut.stdout(&["record", "small-level", "--set", "frames=1", "-o", "y.taut"]);
        let before = std::fs::read(taut.folder().join("y.taut")).expect("a trace");
        let refused = run(taut, &["-o", "y.taut", "--", "true"]);
        assert!(refused.code == 2 && refused.stderr.contains("--force"), "{}", refused.stderr);
        assert_eq!(std::fs::read(taut.folder().join("y.taut")).expect("a trace"), before);
    });
}

#[test]
fn errors_before_the_start_have_codes_of_their_own() {
    in_folder(|taut| {
        assert_eq!(run(taut, &["-o", "x.taut"]).code, 2);
        assert_eq!(run(taut, &["-o", "x.taut", "--", "./no-such-program"]).code, 127);
        assert_eq!(run(taut, &["-o", "no/folder/x.taut", "--", "true"]).code, 4);
        assert_eq!(run(taut, &["--driver", "no-such", "--", "true"]).code, 2);
        assert!(!taut.folder().join("x.taut").exists());
        let mut headless = taut.command(&["run", "--gl", "--", "true"]);
        let headless = headless.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it runs");
        let text = String::from_utf8_lossy(&headless.stderr);
        assert!(headless.status.code() == Some(4) && text.contains("xvfb"), "{text}");
    });
}

/// Folders of runs in `folder`.
fn run_folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().contains("taut-run-")).collect()
}

/// Runs the client with this end, with folders of runs in the test's folder.
fn run_client(taut: &Taut, trace: impl AsRef<std::ffi::OsStr>, end: &str) -> std::process::Output {
    let mut command = taut.command(&["run", "--force", "-o"]);
    command.arg(trace).args(["--", "python3", &client(), end]).env("TMPDIR", taut.folder());
    command.output().expect("it runs")
}

/// Starts runs until they have removed all folders of runs except `left`.
fn wait_for_removal(taut: &Taut, left: &[std::path::PathBuf]) {
    let begin = std::time::Instant::now();
    while run_folders(taut.folder()) != left {
        assert!(begin.elapsed().as_secs() < 60, "{:?}", run_folders(taut.folder()));
        let mut command = taut.command(&["run", "--force", "-o", "later.taut", "--", "true"]);
        assert!(command.env("TMPDIR", taut.folder()).status().expect("it runs").success());
    }
}

#[test]
fn the_output_may_have_any_name_and_be_a_link_to_no_file() {
    use std::os::unix::ffi::OsStrExt;
    if !is_installed("the_output_may_have_any_name", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let name = std::ffi::OsStr::from_bytes(b"x\xff.taut");
        let output = run_client(taut, name, "exit");
        assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(taut.folder().join(name).is_file());
        std::os::unix::fs::symlink("target.taut", taut.folder().join("link.taut")).expect("a link");
        let refused = run(taut, &["-o", "link.taut", "--", "true"]);
        assert!(refused.code == 2 && !taut.folder().join("target.taut").exists(), "{}", refused.stderr);
        assert_eq!(run_client(taut, "link.taut", "exit").status.code(), Some(7));
        assert!(taut.folder().join("link.taut").is_symlink());
        assert!(taut.stdout(&["replay", "target.taut"]).contains("identical"));
    });
}

#[test]
fn a_temporary_folder_that_the_loader_cannot_search_is_not_used() {
    if !is_installed("a_temporary_folder", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        for name in ["a:b", "a;b", "a$LIB"] {
            let folder = taut.folder().join(name);
            std::fs::create_dir(&folder).expect("a folder");
            let mut command = taut.command(&["run", "--force", "-o", "x.taut", "--", "python3", &client(), "exit"]);
            let output = command.env("TMPDIR", &folder).output().expect("it runs");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(7) && text.contains("0 lost"), "{name}: {text}");
        }
    });
}

#[test]
fn processes_that_outlive_the_program_have_the_library() {
    if !is_installed("processes_that_outlive", "python3", "python3") {
        return;
    }
    in_folder(|taut| {
        let copied = run_client(taut, "copy.taut", "copy");
        let text = String::from_utf8_lossy(&copied.stderr);
        assert!(text.contains("0 lost") && text.contains("processes of the program continue"), "{text}");
        // The copy runs for another 5 seconds, and has neither the lock nor a mapping of the trace.
        assert!(taut.stdout(&["replay", "copy.taut"]).contains("identical"));
        let output = run_client(taut, "daemon.taut", "daemon");
        assert!(String::from_utf8_lossy(&output.stderr).contains("made no Direct3D call"));
        assert!(!run_folders(taut.folder()).is_empty());
        wait_for_removal(taut, &[]);
        let entries = std::fs::read_dir(taut.folder()).expect("a folder").flatten().map(|entry| entry.file_name());
        let mut later = entries.map(|name| name.to_string_lossy().into_owned());
        let is_later = |name: &String| name.starts_with("daemon.") && name.ends_with(".taut") && name != "daemon.taut";
        let later = later.find(is_later).expect("the daemon's trace");
        taut.stdout(&["recover", &later]);
        assert!(taut.stdout(&["replay", &later]).contains("identical"));
    });
}

#[test]
fn a_later_run_removes_the_folder_of_a_killed_one() {
    in_folder(|taut| {
        let mut command = taut.command(&["run", "-o", "x.taut", "--", "sh", "-c", "kill -9 $PPID"]);
        let killed = command.env("TMPDIR", taut.folder()).output().expect("it runs");
        assert_eq!(killed.status.code(), None);
        assert_eq!(run_folders(taut.folder()).len(), 1);
        std::fs::create_dir(taut.folder().join("taut-run-foreign")).expect("a folder");
        wait_for_removal(taut, &[taut.folder().join("taut-run-foreign")]);
    });
}

#[test]
fn glxinfo_ends_as_on_other_drivers_and_names_the_adapter() {
    if !has_mesa("glxinfo") {
        return;
    }
    in_folder(|taut| {
        let run =
            run_with_display(taut, &["run", "-o", "info.taut", "--gl", "--driver", "peer", "--", "glxinfo", "-B"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("D3D12 (Taut simulated adapter (peer))"), "{}", run.stdout);
        assert_replays(taut, "info.taut", &run);
    });
}

#[test]
fn a_killed_glxgears_is_replayed() {
    if !has_mesa("glxgears") {
        return;
    }
    in_folder(|taut| {
        let script = "glxgears >/dev/null & sleep 1.5; kill -9 $!; wait $!";
        let run = run_with_display(taut, &["run", "-o", "gears.taut", "--gl", "--", "sh", "-c", script]);
        assert_eq!(run.code, 137, "{}", run.stderr);
        assert_replays(taut, "gears.taut", &run);
    });
}

#[test]
fn each_process_has_a_trace() {
    if !has_mesa("each_process_has_a_trace") {
        return;
    }
    in_folder(|taut| {
        let script = "glxinfo & glxinfo & wait";
        let run = run_with_display(taut, &["run", "-o", "two.taut", "--gl", "--", "sh", "-c", script]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let entries = std::fs::read_dir(taut.folder()).expect("a folder").flatten();
        let traces: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert_eq!(traces.len(), 2, "{traces:?}");
        traces.iter().for_each(|trace| assert_replays(taut, trace, &run));
    });
}
