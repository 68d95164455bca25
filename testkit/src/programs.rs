//! The built programs, run in a folder of the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Path of a program that is built with the tests of its crate.
pub fn built_program(name: &str) -> PathBuf {
    // Cargo puts a program into the folder above that of the tests' binaries.
    let tests = std::env::current_exe().expect("the path of this test");
    let folder = tests.parent().and_then(Path::parent).expect("the folder of the build");
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The program `taut` or `taut-tables`, with the folder to run in.
pub struct Taut {
    program: PathBuf,
    folder: PathBuf,
}

/// Result of a run.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The outcome of a program that ended by itself.
    pub fn of(Output { status, stdout, stderr }: Output) -> Run {
        Run {
            code: status.code().expect("an exit code"),
            stdout: String::from_utf8(stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(stderr).expect("UTF-8 on stderr"),
        }
    }
}

impl Taut {
    /// `taut` in a folder.
    pub fn new(folder: &Path) -> Taut {
        Taut { program: built_program("taut"), folder: folder.to_owned() }
    }

    /// `taut-tables` in a folder.
    pub fn tables(folder: &Path) -> Taut {
        Taut { program: built_program("taut-tables"), folder: folder.to_owned() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A command without colours and without a cache.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.folder).env("NO_COLOR", "1").env("TAUT_CACHE", "");
        command
    }

    /// Runs a command that ends by itself.
    pub fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().expect("the program runs"))
    }

    /// Runs a command that must succeed, and returns its output.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }
}
