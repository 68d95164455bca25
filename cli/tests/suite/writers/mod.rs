//! Table of all command lines that write a file. `cli/src/args.rs` checks that it has every output argument.

/// A command line that writes.
pub struct Writer {
    /// Command, and argument that names the output. Every output argument occurs at least once.
    pub argument: (&'static str, &'static str),
    /// The command line; `IN` is a trace, `OUT` the output.
    pub line: &'static [&'static str],
    /// Kind of the output.
    pub target: Target,
}

/// Kind of an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    File,
    /// A folder, with the name of a file that is written into it; `TRACE` stands for the trace's id.
    Folder(&'static str),
}

const fn file(argument: (&'static str, &'static str), line: &'static [&'static str]) -> Writer {
    Writer { argument, line, target: Target::File }
}

/// All command lines.
pub const WRITERS: [Writer; 27] = [
    file(("record", "output"), &["record", "small-level", "--threads", "1", "-o", "OUT"]),
    file(("record", "output"), &["record", "IN.jsonl", "-o", "OUT"]),
    file(("record", "output"), &["record", "IN.gltf", "-o", "OUT"]),
    file(("record", "output"), &["record", "small-level", "--driver", "IN.toml", "-o", "OUT"]),
    file(("import", "output"), &["import", "IN.etl", "-o", "OUT"]),
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
