//! What is to be asked, opened: traces, or a lake.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::render::grouped;
use taut_console::cache::{Cache, Seen};
use taut_console::outcome::{Failure, Status};
use taut_console::printing::tell;
use taut_console::traces::{name, names, open, tell_damage};
use taut_schemas::counted;
use taut_tables::CachedTables;
use taut_tables::formats::{LakeError, ReadLake};
use taut_tables::query::{NamedTrace, Query};

/// What is to be asked.
#[derive(Debug, Clone)]
pub enum Opened {
    /// Traces, each under a name of its own.
    Traces(Vec<OpenTrace>),
    /// All traces of a lake.
    Lake(Arc<ReadLake>),
}

/// A trace that is asked.
#[derive(Debug, Clone)]
pub struct OpenTrace {
    file: PathBuf,
    /// How its file was when it was opened.
    seen: Option<Seen>,
    named: NamedTrace,
}

impl Opened {
    /// Opens the files, or the lake. Tables that are made of them are kept, unless there is to be `no_cache`.
    ///
    /// # Errors
    /// One cannot be read, or is neither trace nor lake; or a lake is not alone.
    pub fn open(files: &[PathBuf], no_cache: bool) -> Result<Opened, Failure> {
        match (files, files.iter().find(|file| file.is_dir())) {
            (_, None) => {}
            ([lake], Some(_)) => return Ok(Opened::Lake(Arc::new(ReadLake::open(lake).map_err(not_asked)?))),
            (_, Some(lake)) => {
                let lake = lake.display();
                let why = "a lake is asked alone; `taut export FILE --to parquet -o LAKE` takes a trace into it";
                return Err(Failure::usage(format_args!("{lake}: {why}")));
            }
        }
        let cache = if no_cache { None } else { Cache::of_user() };
        let traces = files.iter().zip(names(files)).map(|(file, own_name)| opened(file, own_name, cache.as_ref()));
        Ok(Opened::Traces(traces.collect::<Result<_, _>>()?))
    }

    /// The tables.
    pub fn query(&self) -> Query {
        match self {
            Opened::Traces(traces) => Query::new(traces.iter().map(|trace| trace.named.clone()).collect()),
            Opened::Lake(lake) => Query::of_lake(lake.clone()),
        }
    }

    /// Makes the tables that are kept, where there is a place for them.
    ///
    /// # Errors
    /// One cannot be made.
    pub fn make_all(&self) -> Result<(), Failure> {
        let Opened::Traces(traces) = self else { return Ok(()) };
        for OpenTrace { file, named, .. } in traces {
            match &named.cached {
                Some(cached) => {
                    cached.make_all(&named.analysis).map_err(|error| Failure::input(error).context(name(file)))?
                }
                None => tell(format_args!("{}: no tables are kept of it", name(file))),
            }
        }
        Ok(())
    }

    /// The one trace that is asked, if it is one.
    pub fn one(&self) -> Option<&Analysis> {
        match self {
            Opened::Traces(traces) => match traces.as_slice() {
                [one] => Some(&one.named.analysis),
                _ => None,
            },
            Opened::Lake(_) => None,
        }
    }

    /// What is asked, by name, and how many records each has, where that is known.
    pub fn listed(&self) -> Vec<[String; 2]> {
        let of_trace =
            |trace: &OpenTrace| [trace.named.name.clone(), grouped(trace.named.analysis.trace().summary().events)];
        match self {
            Opened::Traces(traces) => traces.iter().map(of_trace).collect(),
            Opened::Lake(lake) => lake.traces().iter().map(|id| [id.clone(), String::new()]).collect(),
        }
    }

    /// Whether a file is another than when it was opened.
    pub fn has_changed(&self) -> bool {
        let has = |trace: &OpenTrace| trace.seen.is_some() && Seen::of(&trace.file) != trace.seen;
        matches!(self, Opened::Traces(traces) if traces.iter().any(has))
    }

    /// Tells the damage that was met.
    pub fn damage(&self) -> Status {
        match self {
            Opened::Traces(traces) => {
                let told = traces.iter().map(|OpenTrace { file, named, .. }| {
                    tell_damage(file, named.analysis.trace(), &named.analysis.damage_met())
                });
                told.max().unwrap_or(Status::Fine)
            }
            Opened::Lake(lake) => match lake.damaged() {
                [] => Status::Fine,
                [first, ..] => {
                    let damaged = counted(lake.damaged().len() as u64, "trace");
                    let lake = name(lake.folder());
                    tell(format_args!("{lake}: {damaged} had damage when they were exported (`trace={first}`)"));
                    Status::Incomplete
                }
            },
        }
    }
}

fn opened(file: &Path, own_name: String, cache: Option<&Cache>) -> Result<OpenTrace, Failure> {
    let seen = Seen::of(file);
    let failure = |error| Failure::input(error).context(name(file));
    let analysis = Analysis::new(open(file)?).map_err(failure)?;
    let cached = cache.cloned().zip(seen.clone());
    let cached = cached.and_then(|(cache, seen)| CachedTables::of(cache, file, seen, &analysis));
    Ok(OpenTrace { file: file.to_owned(), seen, named: NamedTrace { cached, ..NamedTrace::new(own_name, analysis) } })
}

fn not_asked(error: LakeError) -> Failure {
    match error {
        LakeError::Folder { .. } => Failure::io(error),
        error => Failure::input(error),
    }
}
