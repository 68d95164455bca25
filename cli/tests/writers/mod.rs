//! Every way in which a command writes a file. `cli/src/args.rs` checks that no argument is missing here.

/// A command line that writes.
pub struct Writer {
    /// The command and the argument that names the output; an output argument stands here once at least.
    pub argument: (&'static str, &'static str),
    /// The command line; `IN` is a trace, `OUT` the output.
    pub line: &'static [&'static str],
    /// What the argument names.
    pub target: Target,
}

/// What an output argument names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A file.
    File,
    /// A folder, in which this file is one that is written; `TRACE` stands for the trace's id.
    Folder(&'static str),
}

const fn file(argument: (&'static str, &'static str), line: &'static [&'static str]) -> Writer {
    Writer { argument, line, target: Target::File }
}

/// All of them.
pub const WRITERS: [Writer; 26] = [
    file(("record", "output"), &["record", "small-level", "--threads", "1", "-o", "OUT"]),
    file(("record", "output"), &["record", "IN.jsonl", "-o", "OUT"]),
    file(("record", "output"), &["record", "IN.gltf", "-o", "OUT"]),
    file(("record", "output"), &["record", "small-level", "--driver", "IN.toml", "-o", "OUT"]),
    file(("recover", "output"), &["recover", "IN", "-o", "OUT"]),
    file(("replay", "output"), &["replay", "IN", "-o", "OUT"]),
    file(("replay", "output"), &["replay", "IN", "--tight", "on", "-o", "OUT"]),
    file(("replay", "changes"), &["replay", "IN", "--tight", "on", "--changes", "OUT"]),
    file(("replay", "picture"), &["replay", "IN", "--place", "tlsf", "--picture", "OUT"]),
    file(("replay", "picture"), &["replay", "IN", "--sweep", "n_min=50", "--picture", "OUT"]),
    file(("export", "output"), &["export", "IN", "--to", "jsonl", "-o", "OUT"]),
    file(("export", "output"), &["export", "IN", "--to", "perfetto", "-o", "OUT"]),
    file(("query", "output"), &["query", "IN", "SELECT count(*) AS n FROM heaps", "-o", "OUT"]),
    file(("query", "output"), &["query", "IN", "SELECT * FROM heaps", "--format", "csv", "-o", "OUT"]),
    file(("query", "output"), &["query", "IN", "SELECT * FROM heaps", "--format", "json", "-o", "OUT"]),
    file(("query", "output"), &["query", "IN", "SELECT * FROM heaps", "--format", "parquet", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "--format", "json", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "--format", "csv", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "--format", "html", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "--format", "markdown", "-o", "OUT"]),
    file(("analyze", "output"), &["analyze", "IN", "--baseline", "IN", "-o", "OUT"]),
    file(("analyze", "junit"), &["analyze", "IN", "--budget", "budget.toml", "--junit", "OUT"]),
    Writer {
        argument: ("export", "output"),
        line: &["export", "IN", "--to", "parquet", "-o", "OUT"],
        target: Target::Folder("heaps/trace=TRACE/heaps.parquet"),
    },
    Writer { argument: ("demo", "output"), line: &["demo", "-o", "OUT"], target: Target::Folder("small-level.taut") },
    Writer { argument: ("man", "output"), line: &["man", "-o", "OUT"], target: Target::Folder("taut-replay.1") },
];
