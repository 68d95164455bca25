//! The program, and what its tests share.

use std::path::PathBuf;

#[allow(unused_imports)]
pub use taut_testkit::{Run, Taut};

/// True if `taut-tables` is next to `taut`, as `cargo test --workspace` builds it. A test that needs it is skipped with
/// a message, and fails in CI.
#[allow(dead_code)]
pub fn tables_are_built(test: &str) -> bool {
    let built = taut_testkit::built_program("taut-tables").is_file();
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
    taut.folder().join("level.taut")
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
