//! Command-line arguments of `taut`.

mod bench;
mod hlk;
mod listing;
mod recording;
mod replaying;

use crate::choices;
use crate::fit_options::FitOptions;
use crate::handle_options::HandleOptions;
use crate::heap_budget_options::HeapBudgetOptions;
use crate::present_options::PresentOptions;
pub use bench::{Bench, BenchContexts, BenchPresent, BenchRecord, BenchReplay, BenchTile};
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use hlk::Hlk;
pub use listing::{Drivers, Machines, Workloads};
pub use recording::{ClockChoice, Control, ControlRequest, IdentityChoice, Record, Recover};
pub use replaying::Replay;
use std::path::PathBuf;
use taut_app::world::{RulesOptions, WorldOptions};
pub use taut_console::args::{CacheAction, CacheArguments, Common, Export, ExportFormat, Query, Shell};

/// Records what a Direct3D runtime and its driver say to each other, replays it exactly, and tells what it means.
///
/// Exit codes: 0 fine; 1 something was found (a divergence, a failed check); 2 usage; 3 the input is corrupt or
/// incomplete (what could be read was used); 4 reading or writing failed; 130 interrupted (what was written is whole).
#[derive(Debug, Parser)]
#[command(name = "taut", version, propagate_version = true)]
pub struct Arguments {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Records a bundled workload, replays it, analyzes it and prints the report
    ///
    /// What does all this do?
    ///
    /// Example: taut demo
    Demo(Demo),
    /// Records a workload, a glTF scene, the calls of a log or an allocator's dump into a trace
    ///
    /// What do these calls make the runtime say to the driver?
    ///
    /// Example: taut record small-level --driver reference -o level.taut
    Record(Record),
    /// Makes a whole trace of a recording whose process did not end it
    ///
    /// Every event that was recorded when the process was killed or crashed is there: in the trace, or in the file FILE.live
    /// beside it, which then goes.
    ///
    /// What survived the crash?
    ///
    /// Example: taut recover level.taut
    Recover(Recover),
    /// Asks a recording under way how it stands, for a snapshot, for other providers, or to end
    ///
    /// It is the recording's own process that answers, within a tenth of a second unless it writes a snapshot.
    ///
    /// What has it recorded so far?
    ///
    /// Example: taut control level.taut snapshot
    Control(Control),
    /// Re-executes a trace and compares every call, argument and result; or asks what would have been
    ///
    /// With --driver, --rules or --tight the recorded calls are made in another world. Resources are placed anew, first
    /// fit, in the heaps that were recorded for them, which grow where they must; the application's own decisions (which
    /// heaps, which resources, when) are not redone.
    ///
    /// Would the driver do the same again?
    ///
    /// Example: taut replay level.taut --repeat 20
    ///
    /// How much memory would tight alignment save?
    ///
    /// Example: taut replay level.taut --tight on -o tight.taut
    Replay(Replay),
    /// Reports on what a trace holds
    ///
    /// How much memory does alignment waste?
    ///
    /// Example: taut analyze level.taut --report alignment
    ///
    /// Does the driver's optimiser come to rest?
    ///
    /// Example: taut analyze pix.taut --report pgo
    ///
    /// Does this change break our limits?
    ///
    /// Example: taut analyze level.taut --budget limits.toml
    Analyze(Analyze),
    /// Tells which calls, results, messages and report figures of two traces differ
    ///
    /// Calls are matched by thread and position, objects by the calls that created them. Exit code 1 if anything differs.
    ///
    /// What did the other driver change?
    ///
    /// Example: taut diff level.taut tight.taut
    Diff(Diff),
    /// Asks traces in SQL
    ///
    /// Which formats lose most to alignment?
    ///
    /// Example: taut query level.taut "SELECT format, sum(rounding_bytes) FROM resources GROUP BY format"
    Query(Query),
    /// Answers questions in SQL, one after another
    ///
    /// With history, completion of tables and columns, and Ctrl-C for a question that takes too long; out of a pipe, what comes
    /// up to each `;`. `.help` lists the shell's own commands.
    ///
    /// What else do I want to know of it?
    ///
    /// Example: taut shell level.taut
    Shell(Shell),
    /// Tells what is kept of answered questions, and where; or takes it away
    ///
    /// Tables that questions make of a finished trace are kept for the next question: 2 GiB at most, the oldest go first. `query
    /// --no-cache` and `shell --no-cache` do without.
    ///
    /// Example: taut cache clear
    Cache(CacheArguments),
    /// Writes a trace in a form that other tools read
    ///
    /// How do I get at the records from Python or DuckDB?
    ///
    /// Example: taut export level.taut --to parquet -o lake/
    Export(Export),
    /// Shows a trace's header, threads, counts and losses
    ///
    /// What is in this file, and is it whole?
    ///
    /// Example: taut info level.taut
    Info(Info),
    /// Prints a trace's events
    ///
    /// What exactly was said when the heaps were created?
    ///
    /// Example: taut dump level.taut --event CreateHeap --limit 5
    Dump(Dump),
    /// Tells size and alignment of resource descriptions, one JSON object per line
    ///
    /// How large would this resource be?
    ///
    /// Example: taut alloc-info --driver peer descs.jsonl
    AllocInfo(AllocInfo),
    /// Tells where bytes lie in tiled surfaces, one JSON object per line
    ///
    /// A line is {"id":1,"layout":"tile_y","x_bytes":16,"y":4,"pitch_bytes":128}; layouts of three dimensions take `z`, and
    /// beyond their first tiles `rows`, the rows of a slice.
    ///
    /// Example: taut tile-info positions.jsonl
    TileInfo(TileInfo),
    /// Puts a driver to the documents' rules, each an executable check
    ///
    /// Does my driver model keep the rules?
    ///
    /// Example: taut hlk --driver my-driver.toml
    Hlk(Hlk),
    /// Lists the workloads that `record` knows, or explains one
    ///
    /// What can I tell a workload to do?
    ///
    /// Example: taut workloads streaming-world
    Workloads(Workloads),
    /// Lists the driver models, or explains one and prints its profile
    ///
    /// What can I compare with, and how do I write my own?
    ///
    /// Example: taut drivers reference
    Drivers(Drivers),
    /// Lists the machines, or explains one and prints its profile
    ///
    /// What do adapters share, and how do I describe my own machine?
    ///
    /// Example: taut machines hybrid-laptop
    Machines(Machines),
    /// Prints every call, DDI call and mark with its fields
    ///
    /// Example: taut schema
    Schema,
    /// Measures this machine
    ///
    /// Example: taut bench replay level.taut
    #[command(subcommand)]
    Bench(Bench),
    /// Prints a script that completes commands and options in a shell
    ///
    /// Example: taut completions bash > ~/.local/share/bash-completion/completions/taut
    Completions(Completions),
    /// Prints the manual page, or writes one page per command
    ///
    /// Example: taut man | man -l -
    Man(Man),
}

/// `taut demo`.
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the trace in this directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// Which one driver, and which rules.
#[derive(Debug, Clone, Args)]
pub struct WorldChoice {
    /// A driver model's name, or a profile of your own [default: reference, or the one a bundled workload is made for]
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers))]
    #[arg(long_help = choices::one_of("A driver model's name, or a profile of your own [default: reference, or the one a \
        bundled workload is made for]", &choices::drivers()))]
    pub driver: Option<String>,
    /// Rules and settings.
    #[command(flatten)]
    pub rules: RulesChoice,
}

/// Which drivers, an adapter each, and which rules.
#[derive(Debug, Clone, Args)]
pub struct AdaptersChoice {
    /// A driver model's name, or a profile of your own; A+B for an adapter each [default: reference, or the one a bundled
    /// workload is made for]
    #[arg(long, value_name = "NAME|FILE.toml", add = choices::named_or_file(choices::drivers))]
    #[arg(long_help = choices::one_of("A driver model's name, or a profile of your own; A+B for an adapter each [default: \
        reference, or the one a bundled workload is made for]", &choices::drivers()))]
    pub driver: Option<String>,
    /// Rules and settings.
    #[command(flatten)]
    pub rules: RulesChoice,
}

/// Which rules and settings.
#[derive(Debug, Clone, Args)]
pub struct RulesChoice {
    /// The rule set of the runtime
    #[arg(long, default_value = "1.618", value_name = "RULES", add = choices::named(choices::rules))]
    #[arg(long_help = choices::one_of("The rule set of the runtime", &choices::rules()))]
    pub rules: String,
    /// A setting of the runtime, such as strict=true
    #[arg(long, value_name = "KEY=VALUE", add = choices::named(choices::settings))]
    #[arg(long_help = choices::one_of("A setting of the runtime, such as strict=true", &choices::settings()))]
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
    /// A trace
    pub a: PathBuf,
    /// Another
    pub b: PathBuf,
    /// Show so many fields and figures; all are counted [default: 24; where presents differ, calls by their names]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// `taut analyze`.
#[derive(Debug, Args)]
pub struct Analyze {
    /// The traces
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Reports to make [default: all that apply]
    #[arg(long, value_delimiter = ',', value_name = "NAME,..", add = choices::named(choices::reports))]
    #[arg(long_help = choices::one_of("Reports to make [default: all that apply]", &choices::reports()))]
    pub report: Vec<String>,
    /// Give the reports out in this form
    #[arg(long, value_enum, default_value = "table", value_name = "FORM")]
    pub format: AnalyzeForm,
    /// Write the reports to a file
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Check figures against the limits of this file; exit code 1 if one is broken
    #[arg(long, value_name = "FILE.toml")]
    pub budget: Option<PathBuf>,
    /// Measure figures against those of this trace; limits of a budget can be relative to it
    #[arg(long, value_name = "FILE.taut")]
    pub baseline: Option<PathBuf>,
    /// Write what came of the limits to a JUnit XML file
    #[arg(long, value_name = "PATH", requires = "budget")]
    pub junit: Option<PathBuf>,
    /// With --format csv, put a `'` before cells of text that a spreadsheet would evaluate: those that begin with =, +, -, @, a
    /// tab or a carriage return. Numbers stay as they are
    #[arg(long)]
    pub csv_safe: bool,
    #[command(flatten)]
    pub fit: FitOptions,
    #[command(flatten)]
    pub handles: HandleOptions,
    #[command(flatten)]
    pub presents: PresentOptions,
    #[command(flatten)]
    pub heap_budgets: HeapBudgetOptions,
}

/// The forms of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnalyzeForm {
    /// Sentences and tables for people
    Table,
    /// One JSON document
    Json,
    /// One figure a line: trace, report, figure, value
    Csv,
    /// The same for data tools
    Parquet,
    /// One page for a browser, with charts
    Html,
    /// What a comment on a pull request needs: verdicts, figures against the baseline, broken limits
    Markdown,
}

/// `taut completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// `taut man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Write taut.1 and a page for each command into this directory
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// `taut info`.
#[derive(Debug, Args)]
pub struct Info {
    /// The trace
    pub file: PathBuf,
    /// Check every block, however long that takes
    #[arg(long)]
    pub verify: bool,
}

/// `taut dump`.
#[derive(Debug, Args)]
pub struct Dump {
    /// The trace
    pub file: PathBuf,
    /// Start at the first event with at least this stamp
    #[arg(long, value_name = "STAMP")]
    pub from: Option<u64>,
    /// Stop after the last event with at most this stamp
    #[arg(long, value_name = "STAMP")]
    pub to: Option<u64>,
    /// Show the events around this stamp
    #[arg(long, value_name = "STAMP", conflicts_with_all = ["from", "to"])]
    pub around: Option<u64>,
    /// Only this thread's events
    #[arg(long, value_name = "N")]
    pub thread: Option<u32>,
    /// Only events of this name; of one provider: d3d11:Map
    #[arg(long, value_name = "NAME", add = choices::named(choices::events))]
    pub event: Option<String>,
    /// While the trace is being recorded: go on with what comes, until the recording ends
    #[arg(long, conflicts_with = "around")]
    pub follow: bool,
    /// At most so many events
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// `taut alloc-info`.
#[derive(Debug, Args)]
pub struct AllocInfo {
    /// The descriptions, one JSON object per line [default: standard input]
    pub file: Option<PathBuf>,
    /// Driver and rules.
    #[command(flatten)]
    pub world: WorldChoice,
}

/// `taut tile-info`.
#[derive(Debug, Args)]
pub struct TileInfo {
    /// The positions, one JSON object per line [default: standard input]
    pub file: Option<PathBuf>,
}

#[cfg(test)]
mod tests;
