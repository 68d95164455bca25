//! The commands that are run with faults, and what they may write.

/// A command.
pub struct Case {
    pub name: &'static str,
    /// Files of the fixtures that are there before, and their names there.
    pub inputs: &'static [(&'static str, &'static str)],
    pub arguments: &'static [&'static str],
    /// Files and folders that it writes. Each is as before, complete, or absent where it was absent.
    pub outputs: &'static [&'static str],
    /// Arguments that a second run needs in addition: only `--force` replaces a recording.
    pub rerun_arguments: &'static [&'static str],
    pub kind: Kind,
}

/// Checks of a command in addition to those of all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The outputs have equal bytes each time.
    Writes,
    /// The answer is on standard output; the outputs only save time and may be missing.
    Answers,
    /// Success means that none of its outputs is there any more.
    Removes,
    /// The output is a trace that may be incomplete, with the number of lost events.
    Records,
    /// The command changes a trace in place.
    Recovers,
    /// The command writes several files, each of which is complete or absent.
    WritesSeveral,
    /// The command writes several files whose bytes depend on the time.
    WritesTimed,
}

impl Case {
    /// True if the recording has times of a real clock.
    pub fn is_timed(&self) -> bool {
        self.arguments.contains(&"monotonic")
    }
}

const TRACE: (&str, &str) = ("complete.taut", "x.taut");
const OTHER: (&str, &str) = ("other.taut", "y.taut");
const KILLED: [(&str, &str); 2] = [("killed.taut", "x.taut"), ("killed.taut.live", "x.taut.live")];

const RECORD: [&str; 8] = ["record", "small-level", "--threads", "1", "--clock", "logical", "-o", "new.taut"];

pub const QUESTION: &str =
    "SELECT kind, count(*) AS n, sum(size_bytes) AS bytes FROM resources GROUP BY kind ORDER BY 1";

const fn writes(
    name: &'static str,
    inputs: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
    outputs: &'static [&'static str],
) -> Case {
    Case { name, inputs, arguments, outputs, rerun_arguments: &[], kind: Kind::Writes }
}

/// All of them.
pub const CASES: &[Case] = &[
    writes("jsonl", &[TRACE], &["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"], &["out.jsonl"]),
    writes(
        "jsonl over another",
        &[TRACE, ("old.jsonl", "out.jsonl")],
        &["export", "x.taut", "--to", "jsonl", "-o", "out.jsonl"],
        &["out.jsonl"],
    ),
    writes("perfetto", &[TRACE], &["export", "x.taut", "--to", "perfetto", "-o", "out.pftrace"], &["out.pftrace"]),
    Case {
        kind: Kind::WritesSeveral,
        ..writes("lake", &[TRACE], &["export", "x.taut", "--to", "parquet", "-o", "lake"], &["lake"])
    },
    Case {
        kind: Kind::WritesSeveral,
        ..writes(
            "lake with another trace",
            &[TRACE, ("lake", "lake")],
            &["export", "x.taut", "--to", "parquet", "-o", "lake"],
            &["lake"],
        )
    },
    Case {
        kind: Kind::WritesSeveral,
        ..writes(
            "lake with the same trace",
            &[OTHER, ("lake", "lake")],
            &["export", "y.taut", "--to", "parquet", "-o", "lake", "--tag", "a=b"],
            &["lake"],
        )
    },
    writes("report", &[TRACE], &["analyze", "x.taut", "-o", "out.txt"], &["out.txt"]),
    writes("page", &[TRACE], &["analyze", "x.taut", "--format", "html", "-o", "out.html"], &["out.html"]),
    Case {
        kind: Kind::WritesSeveral,
        ..writes(
            "figures and JUnit",
            &[TRACE, OTHER, ("budget.toml", "budget.toml"), ("old.csv", "out.csv")],
            &[
                "analyze",
                "x.taut",
                "y.taut",
                "--format",
                "csv",
                "-o",
                "out.csv",
                "--budget",
                "budget.toml",
                "--junit",
                "out.xml",
            ],
            &["out.csv", "out.xml"],
        )
    },
    writes(
        "parquet of figures",
        &[TRACE],
        &["analyze", "x.taut", "--format", "parquet", "-o", "out.parquet"],
        &["out.parquet"],
    ),
    writes(
        "answer",
        &[TRACE, ("old.csv", "out.csv")],
        &["query", "x.taut", QUESTION, "--no-cache", "--format", "csv", "-o", "out.csv"],
        &["out.csv"],
    ),
    writes(
        "parquet of an answer",
        &[TRACE],
        &[
            "query",
            "x.taut",
            "SELECT stamp, thread FROM events",
            "--no-cache",
            "--format",
            "parquet",
            "-o",
            "out.parquet",
        ],
        &["out.parquet"],
    ),
    Case { kind: Kind::Answers, ..writes("cached tables", &[TRACE], &["query", "x.taut", QUESTION], &["cache"]) },
    Case {
        kind: Kind::Answers,
        ..writes(
            "cached tables of another trace",
            &[OTHER, ("cache", "cache")],
            &["query", "y.taut", QUESTION],
            &["cache"],
        )
    },
    Case {
        kind: Kind::Removes,
        ..writes("clearing the cache", &[("cache", "cache")], &["cache", "clear"], &["cache"])
    },
    writes("recovery to another file", &KILLED, &["recover", "x.taut", "-o", "new.taut"], &["new.taut"]),
    Case {
        kind: Kind::Recovers,
        ..writes("recovery in place", &KILLED, &["recover", "x.taut"], &["x.taut", "x.taut.live", "x.taut.live.part"])
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes("recording", &[], &RECORD, &["new.taut", "new.taut.live"])
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes("recording over another", &[("old.taut", "new.taut")], &RECORD, &["new.taut", "new.taut.live"])
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes(
            "recording with snapshots",
            &[],
            &[
                "record",
                "small-level",
                "--threads",
                "1",
                "--clock",
                "monotonic",
                "--snapshot-on",
                "CreateHeap",
                "-o",
                "new.taut",
            ],
            &["new.taut", "new.taut.live", "new.1.taut", "new.2.taut", "new.3.taut"],
        )
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes(
            "ring",
            &[],
            &[
                "record",
                "small-level",
                "--threads",
                "1",
                "--clock",
                "logical",
                "--mode",
                "ring",
                "--max-size",
                "1MiB",
                "-o",
                "new.taut",
            ],
            &["new.taut", "new.taut.live", "new.taut.ring"],
        )
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes(
            "circular",
            &[],
            &[
                "record",
                "small-level",
                "--threads",
                "1",
                "--clock",
                "logical",
                "--mode",
                "circular",
                "--max-size",
                "1MiB",
                "-o",
                "new.taut",
            ],
            &["new.taut", "new.taut.live", "new.taut.ring"],
        )
    },
    Case {
        kind: Kind::Records,
        rerun_arguments: &["--force"],
        ..writes(
            "recording with tables",
            &[],
            &["record", "small-level", "--threads", "1", "--clock", "logical", "--tables", "-o", "new.taut"],
            &["new.taut", "new.taut.live", "cache"],
        )
    },
    Case { kind: Kind::WritesTimed, ..writes("demo", &[], &["demo", "-o", "demo"], &["demo"]) },
    writes("what-if", &[TRACE], &["replay", "x.taut", "--tight", "on", "-o", "tight.taut"], &["tight.taut"]),
];
