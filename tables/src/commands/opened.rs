//! Opened inputs of a query: traces, or a lake.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use taut_analyze::Analysis;
use taut_analyze::render::grouped;
use taut_console::cache::{Cache, FileState};
use taut_console::outcome::{Failure, Status};
use taut_console::printing::print_message;
use taut_console::traces::{name, names, open, report_damage};
use taut_schemas::counted;
use taut_tables::CachedTables;
use taut_tables::parquet::{LakeError, ReadLake};
use taut_tables::sql::{NamedTrace, Query};

/// Inputs of a query.
#[derive(Debug, Clone)]
pub enum Opened {
    /// Traces, each with a unique name.
    Traces(Vec<OpenTrace>),
    /// All traces of a lake.
    Lake(Arc<ReadLake>),
}

/// An opened trace.
#[derive(Debug, Clone)]
pub struct OpenTrace {
    file: PathBuf,
    /// State of the file when it was opened.
    file_state: Option<FileState>,
    named: NamedTrace,
}

impl Opened {
    /// Opens the files, or the lake. Computed tables are cached unless `no_cache` is set.
    ///
    /// # Errors
    /// A file cannot be read, or is neither a trace nor a lake; or a lake is combined with other files.
    pub fn open(files: &[PathBuf], no_cache: bool) -> Result<Opened, Failure> {
        match (files, files.iter().find(|file| file.is_dir())) {
            (_, None) => {}
            ([lake], Some(_)) => return Ok(Opened::Lake(Arc::new(ReadLake::open(lake).map_err(open_failure)?))),
            (_, Some(lake)) => {
                let lake = lake.display();
                let why = "a lake is queried alone; `taut export FILE --to parquet -o LAKE` adds a trace";
                return Err(Failure::usage(format_args!("{lake}: {why}")));
            }
        }
        let cache = if no_cache { None } else { Cache::for_user() };
        let traces = files.iter().zip(names(files)).map(|(file, own_name)| opened(file, own_name, cache.as_ref()));
        Ok(Opened::Traces(traces.collect::<Result<_, _>>()?))
    }

    /// Returns the tables to query.
    pub fn query(&self) -> Query {
        let query = match self {
            Opened::Traces(traces) => Query::new(traces.iter().map(|trace| trace.named.clone()).collect()),
            Opened::Lake(lake) => Query::from_lake(lake.clone()),
        };
        query.with_memory(crate::memory_limit::limit())
    }

    /// Computes and caches the tables of each trace that can be cached.
    ///
    /// # Errors
    /// A table cannot be computed.
    pub fn make_all(&self) -> Result<(), Failure> {
        let Opened::Traces(traces) = self else { return Ok(()) };
        for OpenTrace { file, named, .. } in traces {
            match &named.cached {
                Some(cached) => {
                    cached.make_all(&named.analysis).map_err(|error| Failure::input(error).context(name(file)))?
                }
                None => print_message(format_args!("{}: no tables are cached", name(file))),
            }
        }
        Ok(())
    }

    /// The traces; empty for a lake.
    pub fn traces(&self) -> impl Iterator<Item = &NamedTrace> {
        let traces = match self {
            Opened::Traces(traces) => traces.as_slice(),
            Opened::Lake(_) => &[],
        };
        traces.iter().map(|trace| &trace.named)
    }

    /// Folder of the lake; `None` for traces.
    pub fn lake(&self) -> Option<&Path> {
        match self {
            Opened::Traces(_) => None,
            Opened::Lake(lake) => Some(lake.folder()),
        }
    }

    /// Returns the trace if there is exactly one.
    pub fn one(&self) -> Option<&Analysis> {
        match self {
            Opened::Traces(traces) => match traces.as_slice() {
                [one] => Some(&one.named.analysis),
                _ => None,
            },
            Opened::Lake(_) => None,
        }
    }

    /// Names of the traces, with their number of records if known.
    pub fn listed(&self) -> Vec<[String; 2]> {
        let of_trace =
            |trace: &OpenTrace| [trace.named.name.clone(), grouped(trace.named.analysis.trace().summary().events)];
        match self {
            Opened::Traces(traces) => traces.iter().map(of_trace).collect(),
            Opened::Lake(lake) => lake.traces().iter().map(|id| [id.clone(), String::new()]).collect(),
        }
    }

    /// True if a file has changed since it was opened.
    pub fn has_changed(&self) -> bool {
        let has =
            |trace: &OpenTrace| trace.file_state.is_some() && FileState::from_path(&trace.file) != trace.file_state;
        matches!(self, Opened::Traces(traces) if traces.iter().any(has))
    }

    /// Reports the damage met so far on stderr.
    pub fn damage(&self) -> Status {
        match self {
            Opened::Traces(traces) => {
                let statuses = traces.iter().map(|OpenTrace { file, named, .. }| {
                    report_damage(file, named.analysis.trace(), &named.analysis.damage_met())
                });
                statuses.max().unwrap_or(Status::Fine)
            }
            Opened::Lake(lake) => match lake.damaged() {
                [] => Status::Fine,
                [first, ..] => {
                    let damaged = counted(lake.damaged().len() as u64, "trace");
                    let lake = name(lake.folder());
                    print_message(format_args!(
                        "{lake}: {damaged} had damage when they were exported (`trace={first}`)"
                    ));
                    Status::Incomplete
                }
            },
        }
    }
}

fn opened(file: &Path, own_name: String, cache: Option<&Cache>) -> Result<OpenTrace, Failure> {
    let file_state = FileState::from_path(file);
    let failure = |error| Failure::input(error).context(name(file));
    let analysis = Analysis::new(open(file)?).map_err(failure)?;
    let cached = cache.cloned().zip(file_state.clone());
    let cached = cached.and_then(|(cache, file_state)| CachedTables::new(cache, file, file_state, &analysis));
    Ok(OpenTrace {
        file: file.to_owned(),
        file_state,
        named: NamedTrace { cached, ..NamedTrace::new(own_name, analysis) },
    })
}

fn open_failure(error: LakeError) -> Failure {
    match error {
        LakeError::Folder { .. } => Failure::io(error),
        error => Failure::input(error),
    }
}
