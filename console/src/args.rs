//! Command line arguments shared by several programs.

use crate::printing::Color;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Environment variable with the process id of the parent of `taut-tables`. If the parent ends without ending its child
/// (SIGKILL), `taut-tables` ends itself.
pub const STARTED_BY: &str = "TAUT_STARTED_BY";

/// Heading of the options of every command.
const GLOBAL: &str = "Global options";

/// Arguments of every command.
#[derive(Debug, Clone, Copy, Args)]
pub struct Common {
    /// Print the result as one JSON document
    #[arg(long, global = true, help_heading = GLOBAL)]
    #[arg(long_help = "Print the result as one JSON document; its keys are frozen from version 0.1.0")]
    pub json: bool,
    /// Colours: auto, always or never [default: auto]
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN", help_heading = GLOBAL)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub color: Color,
    /// Show all columns of tables on a terminal that is too narrow for them
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub wide: bool,
    /// Print no progress and no notes; of reports, only verdicts and broken limits
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    pub quiet: bool,
    /// Replace files of another kind and write-protected files; never an input
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub force: bool,
}

/// `taut query`.
#[derive(Debug, Args)]
pub struct Query {
    /// Traces or a lake, then the query; with several traces, every table has a column `trace`. `SHOW TABLES` lists the tables
    #[arg(required = true, value_names = ["FILE", "SQL"], num_args = 1..)]
    pub files_then_sql: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT")]
    pub format: QueryFormat,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Print the rewrites of the plan, one per line, then the plan; read no records
    #[arg(long)]
    pub explain: bool,
    /// Max rows of a table; other formats have all rows
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub rows: usize,
    /// Do not read or write cached tables
    #[arg(long)]
    pub no_cache: bool,
    /// The memory that a query may use.
    #[command(flatten)]
    pub memory: MemoryLimit,
    /// Prefix text cells that a spreadsheet evaluates with `'`, in CSV
    ///
    /// These are cells that begin with =, +, -, @, a tab or a carriage return; numbers stay as they are.
    #[arg(long)]
    pub csv_safe: bool,
}

/// The memory that a query may use.
#[derive(Debug, Clone, Copy, Args)]
pub struct MemoryLimit {
    /// Max memory of a query, such as 512MiB [default: half of the memory of the machine or process]
    ///
    /// A query that needs more ends with exit code 1.
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
    /// Traces or a lake; with several traces, every table has a column `trace`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Max rows of an answer
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub rows: usize,
    /// Do not read or write cached tables
    #[arg(long)]
    pub no_cache: bool,
    /// The memory that a query may use.
    #[command(flatten)]
    pub memory: MemoryLimit,
    /// Prefix text cells that a spreadsheet evaluates with `'`, in CSV
    ///
    /// These are cells that begin with =, +, -, @, a tab or a carriage return; numbers stay as they are.
    #[arg(long)]
    pub csv_safe: bool,
    /// End at the first statement of a pipe that fails
    #[arg(long)]
    pub bail: bool,
}

/// Environment variable with the folder for the files of one `taut duckdb`, which `taut` removes when the program has
/// ended.
pub const SESSION_FOLDER: &str = "TAUT_DUCKDB_SESSION";

/// `taut duckdb`.
#[derive(Debug, Args)]
pub struct Duckdb {
    /// Traces or a lake; with several traces, every table has a column `trace`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print the SQL that creates the views, for another DuckDB client
    #[arg(long)]
    pub print: bool,
    /// The memory that computing the tables may use.
    #[command(flatten)]
    pub memory: MemoryLimit,
    /// Arguments of the program `duckdb`
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// `taut cache`.
#[derive(Debug, Args)]
pub struct CacheArguments {
    /// Action [default: show the cached tables]
    #[arg(value_enum)]
    pub action: Option<CacheAction>,
}

/// Actions on the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CacheAction {
    /// Delete all cached tables
    Clear,
}

/// `taut bench read`.
#[derive(Debug, Args)]
pub struct BenchRead {
    /// Trace [default: a generated one]
    pub file: Option<PathBuf>,
    /// Records of the generated trace
    #[arg(long, default_value_t = 8_000_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "file")]
    pub events: u64,
    /// Interleaved rounds
    #[arg(long, default_value_t = 9, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// Output formats of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryFormat {
    /// Aligned columns
    Table,
    /// Comma-separated values
    Csv,
    /// One JSON array of objects
    Json,
    /// A Parquet file
    Parquet,
}

/// `taut export`.
#[derive(Debug, Args)]
pub struct Export {
    /// Trace; several for Parquet
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", alias = "format")]
    pub to: ExportFormat,
    /// Output [default: the folder `lake` for Parquet, otherwise the trace's name with another suffix]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Value of the column `tag_KEY` in the table `traces`; repeatable
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

/// Output formats of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Every table as a Parquet file, in a directory partitioned by trace, which may exist
    Parquet,
    /// Every record as a JSON object, one per line
    Jsonl,
    /// A trace for ui.perfetto.dev: calls, tasks, submissions and phases as slices, memory as counters
    Perfetto,
    /// A Windows trace (.etl): every record as a TraceLogging event of the provider Tautline
    Etl,
}
