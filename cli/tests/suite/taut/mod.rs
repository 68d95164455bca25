//! Runner of the binary, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The binary, with the folder to run in.
pub struct Taut {
    folder: PathBuf,
}

/// Result of a run.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Taut {
    pub fn new(folder: &Path) -> Taut {
        Taut { folder: folder.to_owned() }
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_taut"))
            .args(arguments)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .env("TAUT_CACHE", "")
            .output()
            .expect("the binary runs");
        Run {
            code: output.status.code().expect("an exit code"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
        }
    }

    /// Runs a command that must succeed, and returns its output.
    pub fn stdout(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    }
}

/// True if `taut-tables` is next to `taut`, as `cargo test --workspace` builds it. A test that needs it is skipped with
/// a message, and fails in CI.
#[allow(dead_code)]
pub fn tables_are_built(test: &str) -> bool {
    let program = format!("taut-tables{}", std::env::consts::EXE_SUFFIX);
    let built = Path::new(env!("CARGO_BIN_EXE_taut")).with_file_name(program).is_file();
    if !built {
        eprintln!("skipped: {test}: taut-tables is not built (`cargo build -p taut-tables` builds it)");
        assert!(std::env::var_os("CI").is_none(), "in CI it has to be there");
    }
    built
}

/// Records a small trace, with the same bytes each time.
#[allow(dead_code)]
pub fn recorded(taut: &Taut) -> PathBuf {
    taut.stdout(&["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "level.taut"]);
    taut.folder.join("level.taut")
}

/// Removes the figures that change with the format or the lists: file sizes, and numbers of four digits or more
/// (offsets, checksums).
#[allow(dead_code)]
pub fn without_sizes(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive([' ', '\n', ',', ':']) {
        let bare = word.trim_end_matches([' ', '\n', ',', ':']);
        let number = bare.strip_prefix("0x").unwrap_or(bare);
        let is_number = number.len() >= 4 && number.chars().all(|digit| digit.is_ascii_hexdigit());
        if ["B", "KiB", "MiB"].contains(&bare) {
            let start = out.trim_end().rfind(' ').map_or(0, |at| at + 1);
            out.replace_range(start.., "… ");
        }
        out += if is_number { "…" } else { bare };
        out += &word[bare.len()..];
    }
    out
}
