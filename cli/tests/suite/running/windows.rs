//! Tests of `taut run --wine`: a Windows program of this folder, compiled with mingw. Skipped by name where Wine or the
//! compiler is not installed.

use super::{assert_replays, in_folder, is_installed};
use crate::taut::{Run, Taut};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Wine as Debian packages it.
const WINE_LIBRARY: &str = "/usr/lib/x86_64-linux-gnu/wine/x86_64-unix/ntdll.so";
const WINE_SERVER: &str = "/usr/lib/wine/wineserver64";

fn has_wine(test: &str) -> bool {
    let found = Path::new(WINE_LIBRARY).is_file() && Path::new(WINE_SERVER).is_file();
    if !found {
        eprintln!("skipped: {test}: Wine (Debian package wine64) is not installed");
    }
    found
}

/// Settings of Wine for a test, whose processes end with it.
struct Prefix<'a> {
    taut: &'a Taut,
    path: PathBuf,
}

impl Prefix<'_> {
    fn new(taut: &Taut) -> Prefix<'_> {
        Prefix { taut, path: taut.folder().join("prefix") }
    }

    /// Runs `taut run --wine` with these words. Outputs are files: services of Wine use them after the program's end.
    fn run(&self, words: &[&str]) -> Run {
        let path = |name: &str| self.taut.folder().join(name);
        let file = |name: &str| File::create(path(name)).expect("a file");
        let mut command = self.taut.command(&["run", "--wine"]);
        command.args(words).env("WINEPREFIX", &self.path).env("WINEDEBUG", "-all").env("TMPDIR", self.taut.folder());
        // The user's choice of another Direct3D has no effect.
        command.env("WINEDLLOVERRIDES", "d3d12,dxgi=n");
        command.stdin(Stdio::null()).stdout(file("stdout")).stderr(file("stderr"));
        let status = command.status().expect("it runs");
        let text = |name: &str| fs::read_to_string(path(name)).expect("text").replace('\r', "");
        Run { code: status.code().expect("an exit code"), stdout: text("stdout"), stderr: text("stderr") }
    }
}

impl Drop for Prefix<'_> {
    fn drop(&mut self) {
        for action in ["-k", "-w"] {
            let _ = Command::new(WINE_SERVER).arg(action).env("WINEPREFIX", &self.path).status();
        }
    }
}

/// True if Wine and the compiler are installed; reports the skipped test otherwise.
fn has_tools(test: &str) -> bool {
    has_wine(test) && is_installed(test, "x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64")
}

/// Compiles a program or a DLL of this folder.
fn compile(taut: &Taut, source: &str, output: &str, words: &[&str]) {
    let source = format!("{}/tests/suite/running/{source}", env!("CARGO_MANIFEST_DIR"));
    let mut compiler = Command::new("x86_64-w64-mingw32-g++");
    compiler.args(["-std=c++17", "-static", "-o", output, &source]).args(words);
    assert!(compiler.current_dir(taut.folder()).status().expect("the compiler runs").success());
}

#[test]
fn a_windows_program_finds_its_bytes_under_wine_and_its_trace_replays() {
    let test = "a_windows_program_finds_its_bytes_under_wine";
    if !has_tools(test) {
        return;
    }
    in_folder(|taut| {
        compile(taut, "windows.cpp", "windows.exe", &["-ld3d12", "-ldxgi"]);
        let prefix = Prefix::new(taut);
        let run = prefix.run(&["-o", "win.taut", "--", "windows.exe", "7"]);
        assert_eq!((run.code, run.stdout.as_str()), (7, "checked\n"), "{}", run.stderr);
        assert_replays(taut, "win.taut", &run);
        let names = taut.stdout(&["dump", "win.taut", "--event", "SetName"]);
        assert!(names.contains("fen\u{e7}e \u{1f600}"), "{names}");
        let calls = taut.stdout(&["dump", "win.taut"]);
        for call in ["EnumAdapters", "CopyBufferRegion", "CopyTextureRegion", "ReadFromSubresource", "ResolveQueryData"]
        {
            assert!(calls.contains(call), "{call} is in the trace");
        }
    });
}

/// The unmodified library of another project: its backend for Direct3D 12 writes, copies and reads back.
#[test]
fn wgpu_s_library_for_windows_finds_its_bytes_and_its_trace_replays() {
    let test = "wgpu_s_library_for_windows";
    let folder = std::env::var_os("TAUT_WGPU").map(|folder| Path::new(&folder).join("wgpu/resources"));
    let Some(folder) = folder.filter(|folder| folder.join("wgpu_native-release.dll").is_file()) else {
        eprintln!("skipped: {test}: TAUT_WGPU names no folder with wgpu's wheel for Windows");
        return;
    };
    if !has_tools(test) {
        return;
    }
    let folder = folder.to_str().expect("a path");
    in_folder(|taut| {
        compile(taut, "wgpu.cpp", "wgpu.exe", &["-I", folder]);
        // Wine 8 lacks a library of one function.
        compile(taut, "process_prng.cpp", "bcryptprimitives.dll", &["-shared", "-ladvapi32"]);
        let prefix = Prefix::new(taut);
        let run = prefix.run(&["-o", "wgpu.taut", "--", "wgpu.exe", &format!("{folder}/wgpu_native-release.dll")]);
        assert_eq!(run.code, 0, "{} {}", run.stdout, run.stderr);
        assert_eq!(run.stdout, "Taut simulated adapter (reference)\nchecked\n", "{}", run.stderr);
        assert!(
            run.stderr.lines().next_back().is_some_and(|line| line.ends_with("objects are released.")),
            "{}",
            run.stderr
        );
        assert_replays(taut, "wgpu.taut", &run);
    });
}

#[test]
fn a_file_that_is_no_windows_program_is_refused_before_the_start() {
    let test = "a_file_that_is_no_windows_program";
    if !has_wine(test) {
        return;
    }
    in_folder(|taut| {
        let prefix = Prefix::new(taut);
        let run = prefix.run(&["-o", "x.taut", "--", "/bin/true"]);
        assert!(run.code == 4 && run.stderr.contains("expected a Windows program for x86-64"), "{}", run.stderr);
        let missing = prefix.run(&["-o", "x.taut", "--", "./missing.exe"]);
        assert_eq!(missing.code, 127, "{}", missing.stderr);
        assert!(!taut.folder().join("x.taut").exists() && !prefix.path.exists(), "nothing was started");
    });
}
