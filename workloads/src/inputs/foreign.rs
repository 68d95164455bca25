//! Files of other programs that are known but not read, with advice.

use super::content::{Content, Shape};
use std::path::Path;

/// Known kind of file.
pub(super) struct ForeignFormat {
    /// Name with article.
    pub name: &'static str,
    pub advice: &'static str,
    /// Lower-case suffix of a binary format without fixed first bytes; empty for none.
    suffix: &'static str,
    matches: fn(&Content) -> bool,
}

const NEVER: fn(&Content) -> bool = |_| false;

/// Known kinds, in the order of detection.
const FOREIGN: [ForeignFormat; 16] = [
    ForeignFormat {
        name: "Chrome trace events",
        advice: "`taut export` writes them, and nothing reads them",
        suffix: "",
        matches: |content| content.has_key("traceEvents"),
    },
    ForeignFormat {
        name: "a report of `taut analyze --json`",
        advice: "record its workload",
        suffix: "",
        matches: |content| content.has_key("reports"),
    },
    ForeignFormat {
        name: "a table of cases",
        advice: "`taut hlk --cases FILE` runs it",
        suffix: "",
        matches: |content| content.has_key("cases") && content.has_key("about"),
    },
    ForeignFormat {
        name: "a trace of this program",
        advice: "`taut analyze`, `taut replay` and `taut info` read it",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"\xb1TF1"),
    },
    ForeignFormat {
        name: "an ETW trace (.etl)",
        advice: "`taut etl info` describes it, `taut import` makes a trace of its events; PresentMon --etl_file converts its presents to CSV",
        suffix: ".etl",
        // WMI_BUFFER_HEADER::BufferType is 4 in the first buffer, and the first record's header type has its high bits.
        matches: |content| {
            content.bytes.get(0x36..0x38) == Some(&[4, 0]) && content.bytes.get(0x4b).is_some_and(|kind| *kind >= 0xc0)
        },
    },
    ForeignFormat {
        name: "a RenderDoc capture (.rdc)",
        advice: "it is not read",
        suffix: ".rdc",
        matches: |content| content.bytes.starts_with(b"RDOC"),
    },
    ForeignFormat {
        name: "a GFXReconstruct capture (.gfxr)",
        advice: "gfxrecon-convert --format jsonl converts it to a file that is read",
        suffix: ".gfxr",
        matches: |content| content.bytes.starts_with(b"GFXR"),
    },
    ForeignFormat { name: "a PIX capture (.wpix)", advice: "it is not read", suffix: ".wpix", matches: NEVER },
    ForeignFormat {
        name: "a Windows program (.exe or .dll)",
        advice: "programs are not run; record one of the files that other programs write about it",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"MZ"),
    },
    ForeignFormat {
        name: "a Linux program (ELF)",
        advice: "programs are not run; record one of the files that other programs write about it",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"\x7fELF"),
    },
    ForeignFormat {
        name: "a zip archive",
        advice: "unpack it",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"PK\x03\x04"),
    },
    ForeignFormat {
        name: "a Zstandard stream",
        advice: "uncompress it; of compressed files, gzip logs of calls are read",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"\x28\xb5\x2f\xfd"),
    },
    ForeignFormat {
        name: "an SQLite database",
        advice: "it is not read",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"SQLite format 3"),
    },
    ForeignFormat {
        name: "a Parquet file",
        advice: "`taut export --to parquet` writes them, and `taut query` reads traces",
        suffix: "",
        matches: |content| content.bytes.starts_with(b"PAR1"),
    },
    ForeignFormat {
        name: "a budget",
        advice: "`taut analyze TRACE --budget FILE` checks it",
        suffix: "",
        matches: |content| content.toml_keys().any(|key| ["limits", "workloads", "allow_wall_clock"].contains(&key)),
    },
    ForeignFormat {
        name: "a profile of a driver or a machine",
        advice: "--driver and --machine take it",
        suffix: "",
        matches: |content| content.toml_keys().any(|key| ["adapters", "ddi_version"].contains(&key)),
    },
];

/// Returns the known kind of a file, by its content or, for binary formats, its suffix.
pub(super) fn name(path: &Path, content: &Content) -> Option<&'static ForeignFormat> {
    let file = path.to_string_lossy().to_lowercase();
    let by_name = |format: &&ForeignFormat| {
        let is_other = matches!(content.shape, Shape::Binary | Shape::Text);
        is_other && !format.suffix.is_empty() && file.ends_with(format.suffix)
    };
    FOREIGN.iter().find(|format| (format.matches)(content)).or_else(|| FOREIGN.iter().find(by_name))
}
