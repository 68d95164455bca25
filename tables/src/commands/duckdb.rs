//! `taut duckdb`: the program `duckdb` with views of every table.
//!
//! The views read Parquet files with the tables. Files of a complete trace are in the cache of tables; the session's
//! folder has links to them, because the cache may remove a file while DuckDB runs, and the tables of other traces.

use super::duckdb_views::{TableFile, name, of_lake, of_traces};
use super::opened::Opened;
use super::query::wrong;
use std::io::{BufWriter, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use taut_console::args::{Common, Duckdb, SESSION_FOLDER};
use taut_console::outcome::{Failure, Outcome};
use taut_console::output::session_file;
use taut_console::printing::{print, print_message};
use taut_tables::TABLES;
use taut_tables::sql::{ListedTable, NamedTrace, Query, ResultFormat, ResultWriter};

/// Name of the program.
const PROGRAM: &str = "duckdb";

/// Creates the tables and starts the program, or prints the SQL of the views.
pub fn run(duckdb: &Duckdb, common: Common) -> Outcome {
    let opened = Opened::open(&duckdb.files, false)?;
    let session = if duckdb.print { None } else { Some(session_folder()?) };
    let sql = match opened.lake() {
        Some(lake) => of_lake(&absolute(lake)?, &TABLES.iter().map(|table| table.name).collect::<Vec<_>>()),
        None => {
            let traces =
                opened.traces().map(|trace| Ok((trace.name.clone(), tables(trace, session.as_deref(), common)?)));
            of_traces(&traces.collect::<Result<Vec<_>, Failure>>()?)
        }
    };
    let status = opened.damage();
    let Some(session) = session else {
        print(&sql)?;
        return Ok(status);
    };
    let views = session.join("views.sql");
    let failure = |error| Failure::io(error).context(views.display().to_string());
    session_file(&views).and_then(|mut file| file.write_all(sql.as_bytes())).map_err(failure)?;
    start(&views, &duckdb.arguments)
}

/// Files of all tables of a trace.
fn tables(trace: &NamedTrace, session: Option<&Path>, common: Common) -> Result<Vec<TableFile>, Failure> {
    let query = Query::new(vec![trace.clone()]);
    let mut files = Vec::new();
    for (number, listed) in query.tables().into_iter().enumerate() {
        let (provider, own_name) = split(&listed);
        let sql = match &provider {
            Some(provider) => format!("SELECT * FROM {}.{}", name(provider), name(&own_name)),
            None => format!("SELECT * FROM {}", name(&own_name)),
        };
        let full_name = listed.full_name.as_ref().unwrap_or(&listed.name);
        let in_cache = match &trace.cached {
            Some(cached) => cached.answer(full_name, &trace.analysis, |file, keys| write(&query, &sql, file, keys))?,
            None => None,
        };
        let in_session =
            session.map(|session| session.join(format!("{}.{number}.parquet", trace.name.replace('/', "_"))));
        let file = match (in_cache, in_session) {
            (Some(cached), None) => cached,
            // Without links, as between two file systems, the program reads the cache's file.
            (Some(cached), Some(link)) => {
                if std::fs::hard_link(&cached, &link).is_ok() {
                    link
                } else {
                    cached
                }
            }
            (None, Some(path)) => {
                create(&query, &sql, &path)?;
                path
            }
            (None, None) => {
                return Err(Failure::usage(format!(
                    "{}: the tables of this trace are not cached, because it is incomplete or damaged, or there is no cache: \
                     `taut recover` completes a trace",
                    trace.name
                )));
            }
        };
        files.push(TableFile { provider, name: own_name, file });
    }
    if trace.cached.is_none() && !common.quiet {
        print_message(format_args!(
            "{}: tables are not cached, because the trace is incomplete or damaged",
            trace.name
        ));
    }
    Ok(files)
}

/// Writes the answer to a query into a new file.
fn create(query: &Query, sql: &str, path: &Path) -> Result<(), Failure> {
    let failure = |error| Failure::io(error).context(path.display().to_string());
    let mut file = BufWriter::new(session_file(path).map_err(failure)?);
    write(query, sql, &mut file, Vec::new())?;
    file.flush().map_err(failure)
}

/// Provider and name of a table; a provider only if the name needs it.
fn split(table: &ListedTable) -> (Option<String>, String) {
    let full_name = table.full_name.as_deref().filter(|full_name| *full_name == table.name);
    match full_name.and_then(|full_name| full_name.rsplit_once('.')) {
        Some((provider, own_name)) => (Some(provider.to_owned()), own_name.to_owned()),
        None => (None, table.name.clone()),
    }
}

/// Writes the answer to a query as Parquet.
fn write(query: &Query, sql: &str, out: &mut (impl Write + Send), keys: Vec<(String, String)>) -> Result<(), Failure> {
    let mut writer = ResultWriter::new(ResultFormat::Parquet, out, keys);
    let mut pushed = Ok(());
    let answered = query.each(sql, &mut |part| {
        pushed = writer.push(part);
        if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    answered.map_err(|error| wrong(error, sql))?;
    pushed.and_then(|()| writer.finish()).map_err(Failure::io)
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::io(error).context(path.display().to_string()))
}

/// The folder that `taut` created for this session.
fn session_folder() -> Result<PathBuf, Failure> {
    std::env::var_os(SESSION_FOLDER).map(PathBuf::from).filter(|folder| folder.is_dir()).ok_or_else(|| {
        Failure::usage(format_args!("{SESSION_FOLDER} does not name a folder: `taut duckdb` starts this program"))
    })
}

/// Replaces this process by the program; `taut` waits for it and removes the session's folder.
fn start(views: &Path, arguments: &[std::ffi::OsString]) -> Outcome {
    let mut command = Command::new(PROGRAM);
    // Double quotes: DuckDB's shell does not read escapes in them, and a temporary folder has none.
    command.arg("-cmd").arg(format!(".read \"{}\"", views.display())).args(arguments);
    let failed = replace(&mut command)?;
    Err(match failed.kind() {
        ErrorKind::NotFound => Failure::io(std::io::Error::other(format!(
            "{PROGRAM}, DuckDB's command line, was not found in PATH: the package duckdb-cli of PyPI has it; --print prints the \
             views for other clients"
        ))),
        _ => Failure::io(failed).context(PROGRAM),
    })
}

/// Replaces this process, and returns only if that fails.
#[cfg(unix)]
fn replace(command: &mut Command) -> Result<std::io::Error, Failure> {
    use std::os::unix::process::CommandExt;
    Ok(command.exec())
}

/// Runs the program and ends with its exit code: other systems cannot replace a process.
#[cfg(not(unix))]
fn replace(command: &mut Command) -> Result<std::io::Error, Failure> {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => Ok(error),
    }
}
