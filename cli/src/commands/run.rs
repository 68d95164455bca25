//! `taut run`: runs a program on the simulated runtime.

use crate::args::{Common, Run};
use taut_console::outcome::Outcome;

/// Runs the program and completes its traces.
#[cfg(not(target_os = "linux"))]
pub fn run(_: &Run, _: Common) -> Outcome {
    Err(taut_console::outcome::Failure::io(anyhow::anyhow!("taut run needs Linux")))
}

#[cfg(target_os = "linux")]
pub use on_linux::{library, run};

#[cfg(target_os = "linux")]
mod on_linux {
    use super::*;
    use crate::commands::foreground;
    use crate::commands::info::lost_text;
    use crate::commands::recover::{Completed, complete_in_place};
    use crate::failure::failure;
    use std::ffi::OsStr;
    use std::io;
    use std::os::unix::process::ExitStatusExt;
    use std::path::{Path, PathBuf};
    use std::process::ExitStatus;
    use taut_analyze::render::binary_bytes;
    use taut_app::run::{LIBRARY, Launch, RunOptions, check_program, client_summary, is_missing};
    use taut_console::interrupt;
    use taut_console::outcome::Failure;
    use taut_console::output::{Kind, Output, Outputs, is_stdio};
    use taut_console::printing::print_message;
    use taut_console::report_failure;
    use taut_schemas::counted;

    /// Exit code of a program that cannot be started.
    const NOT_STARTED: u8 = 127;

    /// Runs the program and completes its traces. Ends with the program's exit code.
    pub fn run(run: &Run, common: Common) -> Outcome {
        let Some((program, arguments)) = run.program.split_first() else {
            return Err(Failure::usage("expected a program after --"));
        };
        let path = target(run, program)?;
        check_program(program, run.wine).map_err(failure)?;
        let launch = Launch::new(options(run, program, &path, common), &library()?).map_err(failure)?;
        let mut outputs = Outputs::new([], common.force);
        let is_free = path.symlink_metadata().is_err();
        // An output that cannot be written is an error before the program starts.
        let output = outputs.open(&path, Kind::Trace)?;
        if !is_free && !common.force {
            return Err(Failure::usage(format_args!("{}: the file exists; --force replaces it", path.display())));
        }
        let not_started = |error| Failure::with_code(NOT_STARTED, format_args!("{}: {error}", program.display()));
        if run.wine && is_missing(program) {
            return Err(not_started(io::Error::from(io::ErrorKind::NotFound)));
        }
        let mut command = launch.command(program, arguments);
        let status = foreground::run(&mut command, interrupt::program_signals).map_err(not_started)?;
        let has_calls = complete(&launch, output, is_free, run, common);
        let code = exit_code(status);
        // The launch's folder is removed first.
        if let Some(folder) = launch.end() {
            print_message(format_args!(
                "processes of the program continue; {} stays for them, and a later run removes it",
                folder.display()
            ));
        }
        std::process::exit(if !has_calls && run.require_calls { code.max(1) } else { code })
    }

    /// Path of the trace.
    fn target(run: &Run, program: &OsStr) -> Result<PathBuf, Failure> {
        let name = || PathBuf::from(format!("{}.taut", program_name(program)));
        let path = run.output.clone().unwrap_or_else(name);
        run.writing.check(&path)?;
        if is_stdio(&path) {
            return Err(Failure::usage("-o -: the program writes to standard output; expected -o FILE"));
        }
        if run.writing.snapshot_on.is_some() {
            return Err(Failure::usage("--snapshot-on: a program's process takes no snapshots at events"));
        }
        std::path::absolute(&path).map_err(|error| Failure::io(error).context(path.display().to_string()))
    }

    fn program_name(program: &OsStr) -> String {
        Path::new(program).file_name().unwrap_or(program).to_string_lossy().into_owned()
    }

    fn options(run: &Run, program: &OsStr, path: &Path, common: Common) -> RunOptions {
        RunOptions {
            program: program_name(program),
            output: path.to_owned(),
            world: run.world.options(),
            machine: run.machine.clone(),
            strict: run.strict,
            quiet: common.quiet,
            gl: run.gl,
            wine: run.wine,
            writing: run.writing.write_options(),
        }
    }

    /// Finds the library: in `deps` in the folder of this executable, where each build of `taut` renews it, or in the folder
    /// itself, as it is installed.
    ///
    /// # Errors
    /// Neither folder has it.
    pub fn library() -> Result<PathBuf, Failure> {
        let own = std::env::current_exe().and_then(std::fs::canonicalize)?;
        let folder = own.parent().unwrap_or(Path::new("/"));
        [folder.join("deps").join(LIBRARY), folder.join(LIBRARY)].into_iter().find(|path| path.is_file()).ok_or_else(
            || {
                Failure::io(anyhow::anyhow!(
                    "{LIBRARY} is not in the folder of taut: `cargo build -p taut-com` builds it"
                ))
            },
        )
    }

    /// Completes the traces of the program's processes, and reports them on stderr. False if the program made no call. An
    /// error is only reported, because the program has its exit code.
    fn complete(launch: &Launch, output: Output, is_free: bool, run: &Run, common: Common) -> bool {
        let traces = launch.traces().map_err(failure);
        let traces = traces.unwrap_or_else(|error| {
            report_failure(&error);
            Vec::new()
        });
        if traces.is_empty() {
            let path = output.name().display().to_string();
            if launch.has_failure() {
                print_message(format_args!("no trace: the recorder could not begin {path}"));
                return true;
            }
            // Another run may have written the file since this one has begun.
            if is_free && output.name().symlink_metadata().is_ok() {
                print_message(format_args!("the program made no Direct3D call; {path} is of another run"));
                return false;
            }
            print_message(format_args!("the program made no Direct3D call; {path} is empty"));
            let options = run.writing.write_options();
            let written = launch.write_empty(|header| output.recorder(header, options)).map_err(failure);
            if let Err(error) = written.and_then(|()| output.finish().map(drop)) {
                report_failure(&error);
            }
            return false;
        }
        drop(output);
        for trace in &traces {
            match complete_in_place(trace) {
                Ok(Completed { written, has_unknown_losses }) => {
                    let is_lossless = written.lost_events == 0 && !has_unknown_losses;
                    if !common.quiet || !is_lossless {
                        print_message(format_args!(
                            "recorded {}: {}, {}, {}",
                            trace.display(),
                            counted(written.events, "event"),
                            binary_bytes(written.bytes),
                            lost_text(written.lost_events, has_unknown_losses)
                        ));
                    }
                }
                Err(error) => report_failure(&error),
            }
        }
        if !common.quiet {
            print_summary(traces.first());
        }
        true
    }

    /// Prints the report `client` of the first process's trace in three lines.
    fn print_summary(trace: Option<&PathBuf>) {
        let Some(trace) = trace else { return };
        // A trace that another process holds is not complete, and was reported.
        match client_summary(trace) {
            Ok(lines) => lines.iter().for_each(print_message),
            Err(error) => report_failure(&failure(error)),
        }
    }

    /// The program's exit code, as a shell reports it.
    fn exit_code(status: ExitStatus) -> i32 {
        status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1)
    }
}
