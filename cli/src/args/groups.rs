//! Groups of commands in the help of `taut`.

use clap::Command;
use std::fmt::Write;

/// Groups, in the order of the help. Each command is in one group.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Get started", &["demo", "record", "run", "import", "info"]),
    ("Ask", &["analyze", "diff", "query", "shell", "duckdb", "dump"]),
    ("Check", &["replay", "hlk", "bench"]),
    ("Manage", &["control", "recover", "export", "cache", "etl"]),
    (
        "Reference",
        &["workloads", "drivers", "machines", "schema", "alloc-info", "tile-info", "completions", "man", "help"],
    ),
];

/// Description of clap's own command, which does not exist yet when the template is made.
const HELP: &str = "Print the help of a command";

/// Returns the template of the help of `taut`: its commands in groups, then its options.
pub fn template(taut: &Command) -> String {
    let mut text = "{about-with-newline}\nUsage: taut [OPTIONS] <COMMAND>\n".to_owned();
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{group}:\n");
        for name in names {
            let about = taut.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(|| HELP.to_owned(), ToString::to_string);
            let _ = writeln!(text, "  {name:<11}  {about}");
        }
    }
    text + "\nOptions:\n{options}{after-help}\n"
}
