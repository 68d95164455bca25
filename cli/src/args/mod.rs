//! Command-line arguments of `taut`.

mod bench;
mod etl;
mod groups;
mod hlk;
mod import;
mod listing;
mod recording;
mod replaying;
mod running;

use crate::choices;
use crate::fit_options::FitOptions;
use crate::handle_options::HandleOptions;
use crate::headings::{CONDITIONS, LIMITS};
use crate::heap_budget_options::HeapBudgetOptions;
use crate::present_options::PresentOptions;
pub use bench::{
    Bench, BenchAbi, BenchCapture, BenchContexts, BenchEtl, BenchPresent, BenchRecord, BenchReplay, BenchTile,
};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
pub use etl::{EtlCommand, EtlInfoArguments, EtlProfileArguments};
pub use hlk::Hlk;
pub use import::Import;
pub use listing::{Drivers, Machines, Workloads};
pub use recording::{Control, ControlRequest, IdentityChoice, Record, Recover};
pub use replaying::Replay;
pub use running::Run;
use std::path::PathBuf;
use taut_app::world::{RulesOptions, WorldOptions};
pub use taut_console::args::{CacheAction, CacheArguments, Common, Duckdb, Export, ExportFormat, Query, Shell};

/// Records what a Direct3D runtime and its driver do, replays it exactly, and reports what it cost
#[derive(Debug, Parser)]
#[command(name = "taut", version, after_long_help = EXIT_CODES)]
pub struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Returns the command with its subcommands in groups of the help.
pub fn command() -> clap::Command {
    let taut = Arguments::command();
    let template = groups::template(&taut);
    taut.help_template(template)
}

/// Meaning of the exit codes, at the end of the help.
const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a finding, such as a divergence or a failed check
  2    wrong usage
  3    corrupt or incomplete input, read as far as possible
  4    a file cannot be read or written
  130  interrupted, with complete output";

/// The commands, in alphabetical order; `groups` has their order in the help.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print size and alignment of resource descriptions
    ///
    /// Example: taut alloc-info --driver peer descs.jsonl
    ///
    /// Input and output are JSON Lines: one description, one answer.
    AllocInfo(AllocInfo),
    /// Report waste, PGO, handles, presents and tiling of traces
    ///
    /// Example: taut analyze level.taut --report alignment
    ///
    /// A budget file makes it a check for CI: taut analyze level.taut --budget limits.toml
    Analyze(Analyze),
    /// Compare taut's speed with memcpy, clock reads and other floors
    ///
    /// Example: taut bench replay level.taut
    #[command(subcommand)]
    Bench(Bench),
    /// Show the cached tables of queries, or delete them
    ///
    /// Example: taut cache clear
    ///
    /// The first query of a finished trace caches its tables for the next ones: 2 GiB at most, the oldest are deleted first.
    /// `query --no-cache` and `shell --no-cache` ignore the cache.
    Cache(CacheArguments),
    /// Print the script that completes commands in a shell
    ///
    /// Example: taut completions bash > ~/.local/share/bash-completion/completions/taut
    Completions(Completions),
    /// Control a running recording: status, snapshot, stop
    ///
    /// Example: taut control level.taut snapshot
    ///
    /// The recording process answers within 0.1 s, except while it writes a snapshot.
    Control(Control),
    /// Record, replay and analyze a bundled workload
    ///
    /// Example: taut demo
    Demo(Demo),
    /// Compare calls, results, messages and figures of two traces
    ///
    /// Example: taut diff level.taut tight.taut
    ///
    /// Calls are matched by thread and position, objects by the calls that created them. Exit code 1 if anything differs.
    Diff(Diff),
    /// List the driver models, or print one with its profile
    ///
    /// Example: taut drivers reference
    Drivers(Drivers),
    /// Print the events of a trace
    ///
    /// Example: taut dump level.taut --event CreateHeap --limit 5
    Dump(Dump),
    /// Show Windows traces (.etl), or print a recording profile
    ///
    /// Example: taut etl info capture.etl
    #[command(subcommand)]
    Etl(EtlCommand),
    /// Convert a trace to Parquet, JSON Lines or Perfetto
    ///
    /// Example: taut export level.taut --to parquet -o lake/
    Export(Export),
    /// Run conformance tests of the specifications on a driver
    ///
    /// Example: taut hlk --driver my-driver.toml
    Hlk(Hlk),
    /// Import the events of a Windows trace (.etl)
    ///
    /// Example: taut import capture.etl -o capture.taut
    ///
    /// Imports the events that have a description; the trace states the number of all others. Exit code 3 if a part of the
    /// file could not be read.
    Import(Import),
    /// Show header, threads, event counts and losses of a trace
    ///
    /// Example: taut info level.taut
    Info(Info),
    /// List the machines, or print one with its profile
    ///
    /// Example: taut machines hybrid-laptop
    Machines(Machines),
    /// Print the manual page, or write one page per command
    ///
    /// Example: taut man | man -l -
    Man(Man),
    /// Query the tables of traces in SQL
    ///
    /// Example: taut query level.taut "SELECT format, sum(rounding_bytes) FROM resources GROUP BY format"
    Query(Query),
    /// Record a workload, a scene, a capture or a call log
    ///
    /// Example: taut record small-level --driver reference -o level.taut
    Record(Record),
    /// Complete the trace of a recording that was killed
    ///
    /// Example: taut recover level.taut
    ///
    /// Every event that was recorded before the end of the process is in the trace or in its sidecar FILE.live, which is removed
    /// after the recovery.
    Recover(Recover),
    /// Re-execute a trace, as recorded or as a what-if
    ///
    /// Example: taut replay level.taut --repeat 20
    ///
    /// With a change: taut replay level.taut --tight on -o tight.taut
    ///
    /// Without changes, every call, argument and result is compared. With --driver, --rules, --tight or another change the
    /// recorded calls run under other conditions: resources are re-placed by first fit in the recorded heaps, which grow
    /// where needed. The decisions of the application (which heaps and resources, and when) stay as recorded.
    Replay(Replay),
    /// Run an unmodified Direct3D 12 or OpenGL program and record it
    ///
    /// Example: taut run --gl -o gears.taut -- glxgears
    ///
    /// The program uses the simulated runtime in place of libd3d12.so and libdxcore.so, or of d3d12.dll and dxgi.dll (--wine).
    /// Draws and dispatches are recorded, not executed. Exit code: the program's; 128+N if signal N ended it; 127 if it
    /// cannot be started.
    Run(Run),
    /// Print every API call, DDI call and mark with its fields
    ///
    /// Example: taut schema
    Schema,
    /// Start DuckDB with views of all tables
    ///
    /// Example: taut duckdb level.taut -- -c "SELECT kind, sum(size_bytes) FROM resources GROUP BY ALL"
    ///
    /// The program `duckdb` must be in PATH; the package duckdb-cli of PyPI has it. Arguments after `--` are those of
    /// DuckDB, and its exit code is passed on. The views have the names and rows of `taut query`; tables are cached as Parquet
    /// (`taut cache`). Several traces are also schemas. With --print, another DuckDB client can read the same views.
    Duckdb(Duckdb),
    /// Query traces interactively
    ///
    /// Example: taut shell level.taut
    ///
    /// The shell has history and completion; Ctrl-C cancels a query, `.help` lists the dot commands. From a pipe, it runs each
    /// statement that ends with `;`, and continues after one that fails unless `--bail` is set; the exit code then is that of
    /// the failure.
    Shell(Shell),
    /// Print addresses of texels in tiled surfaces
    ///
    /// Example: taut tile-info positions.jsonl
    ///
    /// A line is {"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}; layouts of three dimensions take `z`, and
    /// beyond their first tiles `rows`, the rows of a slice.
    TileInfo(TileInfo),
    /// List the workloads, or explain one with its parameters
    ///
    /// Example: taut workloads streaming-world
    Workloads(Workloads),
}

/// `taut demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// Output directory; the demo keeps its traces and its page there [default: a new temporary directory]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// One driver, and the rules.
#[derive(Debug, Clone, Args)]
pub struct WorldChoice {
    /// Driver model (see `taut drivers`), or a profile [default: reference]
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers), help_heading = CONDITIONS)]
    pub driver: Option<String>,
    /// Rules and settings.
    #[command(flatten)]
    pub rules: RulesChoice,
}

/// Drivers, one per adapter, and the rules.
#[derive(Debug, Clone, Args)]
pub struct AdaptersChoice {
    /// Driver model (see `taut drivers`), or a profile; A+B: two adapters [default: the workload's, or reference]
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers), help_heading = CONDITIONS)]
    pub driver: Option<String>,
    /// Rules and settings.
    #[command(flatten)]
    pub rules: RulesChoice,
}

/// Rules and settings.
#[derive(Debug, Clone, Args)]
pub struct RulesChoice {
    /// Rule set of the runtime [default: 1.618]
    #[arg(long, default_value = "1.618", value_name = "RULES", add = choices::named(choices::rules), help_heading = CONDITIONS)]
    #[arg(hide_default_value = true)]
    #[arg(long_help = choices::one_of("Rule set of the runtime [default: 1.618]", &choices::rules()))]
    pub rules: String,
    /// Setting of the runtime; repeatable
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::settings), help_heading = CONDITIONS)]
    #[arg(long_help = choices::one_of("Setting of the runtime; repeatable", &choices::settings()))]
    pub setting: Vec<String>,
}

impl WorldChoice {
    /// Converts the choice to options.
    pub fn options(&self) -> WorldOptions {
        WorldOptions { driver: self.driver.clone(), rules: self.rules.options() }
    }
}

impl AdaptersChoice {
    /// Converts the choice to options.
    pub fn options(&self) -> WorldOptions {
        WorldOptions { driver: self.driver.clone(), rules: self.rules.options() }
    }
}

impl RulesChoice {
    fn options(&self) -> RulesOptions {
        RulesOptions { rules: self.rules.clone(), settings: self.setting.clone() }
    }
}

/// `taut diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// First trace
    pub a: PathBuf,
    /// Second trace
    pub b: PathBuf,
    /// Max fields and figures to print; all are counted [default: 24; where presents differ, only names of calls]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// `taut analyze`.
#[derive(Debug, Args)]
pub struct Analyze {
    /// Traces
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Reports to print [default: all that apply]
    #[arg(long, value_delimiter = ',', value_name = "NAME,..", add = choices::named(choices::reports))]
    #[arg(long_help = choices::one_of("Reports to print [default: all that apply]", &choices::reports()))]
    pub report: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "table", value_name = "FORMAT")]
    pub format: AnalyzeForm,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Prefix text cells that a spreadsheet evaluates with `'`, with --format csv
    ///
    /// These are cells that begin with =, +, -, @, a tab or a carriage return; numbers stay as they are.
    #[arg(long)]
    pub csv_safe: bool,
    /// Check figures against the limits of this file; exit code 1 if one is exceeded
    #[arg(long, value_name = "FILE.toml", help_heading = LIMITS)]
    pub budget: Option<PathBuf>,
    /// Compare figures with those of this trace; limits may be relative to it
    #[arg(long, value_name = "FILE.taut", help_heading = LIMITS)]
    pub baseline: Option<PathBuf>,
    /// Write the results of the limits to a JUnit XML file
    #[arg(long, value_name = "PATH", requires = "budget", help_heading = LIMITS)]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub fit: FitOptions,
    #[command(flatten)]
    pub handles: HandleOptions,
    #[command(flatten)]
    pub presents: PresentOptions,
    #[command(flatten)]
    pub heap_budgets: HeapBudgetOptions,
}

/// Output formats of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnalyzeForm {
    /// Text and tables
    Table,
    /// One JSON document
    Json,
    /// One figure per line: trace, report, figure, value
    Csv,
    /// The columns of csv as a Parquet file
    Parquet,
    /// One page with charts
    Html,
    /// For a pull request: verdicts, figures against the baseline, exceeded limits
    Markdown,
}

/// `taut completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// Shell
    pub shell: clap_complete::Shell,
}

/// `taut man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Write taut.1 and a page per command to this directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// `taut info`.
#[derive(Debug, Args)]
pub struct Info {
    /// Trace
    pub file: PathBuf,
    /// Check the checksum of every block
    #[arg(long)]
    pub verify: bool,
}

/// `taut dump`.
#[derive(Debug, Args)]
pub struct Dump {
    /// Trace
    pub file: PathBuf,
    /// First stamp to print
    #[arg(long, value_name = "STAMP")]
    pub from: Option<u64>,
    /// Last stamp to print
    #[arg(long, value_name = "STAMP")]
    pub to: Option<u64>,
    /// Print the events around this stamp
    #[arg(long, value_name = "STAMP", conflicts_with_all = ["from", "to"])]
    pub around: Option<u64>,
    /// Print only events of this thread
    #[arg(long, value_name = "N")]
    pub thread: Option<u32>,
    /// Print only events of this name, such as CreateHeap or d3d11:Map
    #[arg(long, value_name = "NAME", add = choices::named(choices::events))]
    pub event: Option<String>,
    /// Print new events of a running recording until it ends
    #[arg(long, conflicts_with = "around")]
    pub follow: bool,
    /// Max events to print
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// `taut alloc-info`.
#[derive(Debug, Args)]
pub struct AllocInfo {
    /// Descriptions, one JSON object per line [default: standard input]
    pub file: Option<PathBuf>,
    /// Driver and rules.
    #[command(flatten)]
    pub world: WorldChoice,
}

/// `taut tile-info`.
#[derive(Debug, Args)]
pub struct TileInfo {
    /// Positions, one JSON object per line [default: standard input]
    pub file: Option<PathBuf>,
}

#[cfg(test)]
mod tests;
