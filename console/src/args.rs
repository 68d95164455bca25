//! Command line arguments shared by several programs.

use crate::printing::Color;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Environment variable with the process id of the parent of `taut-tables`. If the parent ends without ending its child
/// (SIGKILL), `taut-tables` ends itself.
pub const STARTED_BY: &str = "TAUT_STARTED_BY";

/// Arguments of every command.
#[derive(Debug, Clone, Copy, Args)]
pub struct Common {
    /// Print the result as one JSON document
    #[arg(long, global = true)]
    pub json: bool,
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,
    /// Say nothing but the result
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Replace files of another kind, and write-protected ones; never what is read
    #[arg(long, global = true)]
    pub force: bool,
}

/// `taut query`.
#[derive(Debug, Args)]
pub struct Query {
    /// The traces, or a lake of them, then the question; of several traces, every table has a column `trace`. `SHOW TABLES`
    /// lists what can be asked
    #[arg(required = true, value_names = ["FILE", "SQL"], num_args = 1..)]
    pub files_then_sql: Vec<PathBuf>,
    /// Give the answer out in this form
    #[arg(long, value_enum, default_value = "table", value_name = "FORM")]
    pub format: QueryFormat,
    /// Write the answer to a file
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Print the rewrites of the question's plan, one per line with what each changes, then the plan; read no records
    #[arg(long)]
    pub explain: bool,
    /// Rows that a table shows; other forms have all
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub rows: usize,
    /// Keep no tables for the next question, and use none that were kept
    #[arg(long)]
    pub no_cache: bool,
    /// The memory that a query may use.
    #[command(flatten)]
    pub memory: MemoryLimit,
    /// In CSV, write `'` before texts that begin with =, +, -, @, a tab or a carriage return: spreadsheets evaluate them.
    /// Numbers stay
    #[arg(long)]
    pub csv_safe: bool,
}

/// The memory that a query may use.
#[derive(Debug, Clone, Copy, Args)]
pub struct MemoryLimit {
    /// Memory that a query may use, such as 512MiB; one that needs more ends with exit code 1 [default: half of the machine's
    /// memory, or of a lower limit that the process has]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
}

/// Parses a size such as `64MiB`, or a number of bytes. The minimum is 1.
pub fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 5] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1), ("", 1)];
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = text[digits.len()..].trim();
    let known = UNITS.iter().find(|(name, _)| *name == unit);
    let number = digits.parse::<u64>().ok().filter(|number| *number > 0);
    let size = known.zip(number).and_then(|((_, bytes), number)| number.checked_mul(*bytes));
    size.ok_or_else(|| "expected a size such as 64MiB, in B, KiB, MiB or GiB".to_owned())
}

impl Query {
    /// Splits the arguments into the traces and the SQL, which is the last one wherever options are placed. `None` if
    /// one is missing.
    pub fn files_and_sql(&self) -> Option<(&[PathBuf], &str)> {
        let (sql, files) = self.files_then_sql.split_last()?;
        if files.is_empty() { None } else { Some((files, sql.to_str()?)) }
    }
}

/// `taut shell`.
#[derive(Debug, Args)]
pub struct Shell {
    /// The traces, or a lake of them; of several traces, every table has a column `trace`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Rows that an answer shows
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub rows: usize,
    /// Keep no tables for the next question, and use none that were kept
    #[arg(long)]
    pub no_cache: bool,
    /// The memory that a query may use.
    #[command(flatten)]
    pub memory: MemoryLimit,
    /// In CSV, write `'` before texts that begin with =, +, -, @, a tab or a carriage return: spreadsheets evaluate them.
    /// Numbers stay
    #[arg(long)]
    pub csv_safe: bool,
}

/// `taut cache`.
#[derive(Debug, Args)]
pub struct CacheArguments {
    /// Take everything away
    #[arg(value_enum)]
    pub action: Option<CacheAction>,
}

/// Actions on the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CacheAction {
    /// Takes everything away
    Clear,
}

/// `taut bench read`.
#[derive(Debug, Args)]
pub struct BenchRead {
    /// The trace [default: one that is made for the purpose]
    pub file: Option<PathBuf>,
    /// Records of that
    #[arg(long, default_value_t = 8_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "file")]
    pub events: u64,
    /// Measure so many times, in turn
    #[arg(long, default_value_t = 9, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// A table for people
    Table,
    /// Comma-separated values
    Csv,
    /// One JSON array of objects
    Json,
    /// For data tools
    Parquet,
}

/// `taut export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The trace; for Parquet any number of them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What to write
    #[arg(long, value_enum, value_name = "FORM")]
    pub to: ExportFormat,
    /// Where to [default: `lake` for Parquet, else the trace's name with another ending]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// A column `tag_KEY` of the table `traces`, of these traces
    #[arg(long = "tag", value_name = "KEY=VALUE", value_parser = tag)]
    pub tags: Vec<(String, String)>,
}

/// Parses a tag. Its key becomes part of a column name, which limits its characters.
fn tag(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    let is_name =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    match is_name {
        true => Ok((key.to_owned(), value.to_owned())),
        false => Err(format!("the key `{key}`: expected lower-case letters, digits and `_`")),
    }
}

/// The forms of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Every table as a Parquet file, in a directory partitioned by trace; others may be there already
    Parquet,
    /// Every record as a JSON object, one a line
    Jsonl,
    /// A Perfetto trace for ui.perfetto.dev: calls, tasks, submissions and phases as slices, memory as counters
    Perfetto,
}
