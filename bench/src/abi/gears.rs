//! glxgears on Mesa's Direct3D 12 driver: frames per second with and without the recorder, and the replay of a recording.

use super::options::AbiOptions;
use crate::BenchError;
use crate::statistics::{median, quartile};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use taut_analyze::render::{grouped, span};
use taut_app::run::{Launch, RunOptions};
use taut_app::world::{RulesOptions, WorldOptions};
use taut_com::FOLDER_VARIABLE;
use taut_replay::{Options, Replayer};
use taut_runtime::RuleSet;
use taut_traces::{Trace, WriteOptions};

/// Program of the measurement.
const PROGRAM: &str = "glxgears";
/// Seconds after which the program prints a line with its frames.
const LINE_S: u64 = 5;
/// Replays of the recording.
const REPLAYS: u32 = 3;
/// Word before which a line of the program has its frames.
const FRAMES: &str = " frames in ";

/// Figures of the program.
pub struct Gears {
    seconds: u64,
    recorded_fps: Vec<f64>,
    unrecorded_fps: Vec<f64>,
    ratios: Vec<f64>,
    calls: u64,
    bytes: u64,
    /// Duration of the recording, and of its replay.
    record_ns: u64,
    replay_ns: u64,
    is_identical: bool,
}

/// A run of the program.
struct GearsRun {
    fps: f64,
    ns: u64,
}

/// Measures pairs of runs.
///
/// # Errors
/// The program is missing or fails: the reason. A benchmark without it has no such figures.
pub fn measure(options: &AbiOptions, folder: &Path) -> Result<Gears, String> {
    let path_of = |pair: u32| folder.join(format!("gears-{pair}.taut"));
    let mut gears = Gears {
        seconds: options.seconds,
        recorded_fps: Vec::new(),
        unrecorded_fps: Vec::new(),
        ratios: Vec::new(),
        calls: 0,
        bytes: 0,
        record_ns: 0,
        replay_ns: 0,
        is_identical: false,
    };
    for pair in 0..options.pairs {
        let path = path_of(pair);
        let before = (pair % 2 == 0).then(|| run(options, &path, false)).transpose()?;
        let recorded = run(options, &path, true)?;
        let unrecorded = before.map_or_else(|| run(options, &path, false), Ok)?;
        gears.recorded_fps.push(recorded.fps);
        gears.unrecorded_fps.push(unrecorded.fps);
        gears.ratios.push(recorded.fps / unrecorded.fps.max(1e-9));
        gears.record_ns = recorded.ns;
    }
    gears.replay(&path_of(options.pairs - 1)).map_err(|error| error.to_string())?;
    Ok(gears)
}

/// Launch of a recorded program with the options of `taut run`.
///
/// # Errors
/// A folder cannot be written, or a part of the system is missing.
pub fn launch(options: &AbiOptions, output: &Path, program: &str, gl: bool) -> Result<Launch, taut_app::Error> {
    let rules = RulesOptions { rules: RuleSet::default().to_string(), settings: Vec::new() };
    let options_of_run = RunOptions {
        program: program.to_owned(),
        output: output.to_owned(),
        world: WorldOptions { driver: None, rules },
        machine: None,
        strict: false,
        quiet: true,
        gl,
        wine: false,
        writing: WriteOptions::default(),
    };
    Launch::new(options_of_run, &options.library)
}

/// Runs the program until it has printed the last line before the end of the time.
fn run(options: &AbiOptions, path: &Path, is_recorded: bool) -> Result<GearsRun, String> {
    let launch = launch(options, path, PROGRAM, true).map_err(|error| error.to_string())?;
    let environment = launch.environment().into_iter();
    let environment = environment.filter(|(name, _)| is_recorded || *name != FOLDER_VARIABLE);
    let mut command = Command::new(PROGRAM);
    command.envs(environment).env("vblank_mode", "0").stdout(Stdio::piped()).stderr(Stdio::null());
    let begun = Instant::now();
    let mut program = command.spawn().map_err(|error| format!("{PROGRAM} (Debian package mesa-utils): {error}"))?;
    let fps = frames(&mut program, options.seconds);
    let ns = begun.elapsed().as_nanos() as u64;
    // A program that has ended cannot be killed.
    let _ = program.kill();
    program.wait().map_err(|error| error.to_string())?;
    let traces = launch.traces().map_err(|error| error.to_string())?;
    if is_recorded == traces.is_empty() {
        return Err(format!("{PROGRAM} does not use the library"));
    }
    Ok(GearsRun { fps: fps?, ns })
}

/// Median of the frames per second in the program's lines. The first line is a warm-up if another one follows.
fn frames(program: &mut Child, seconds: u64) -> Result<f64, String> {
    let stdout = program.stdout.take().ok_or("no output")?;
    let lines = usize::try_from((seconds / LINE_S).max(1)).unwrap_or(1);
    let mut rates: Vec<f64> = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let line = line.map_err(|error| error.to_string())?;
        let Some((frames, _)) = line.split_once(FRAMES) else { continue };
        let frames: u64 = frames.trim().parse().map_err(|_| format!("expected a number of frames, found {line}"))?;
        rates.push(frames as f64 / LINE_S as f64);
        if rates.len() == lines {
            break;
        }
    }
    if rates.len() < lines {
        return Err(format!("{PROGRAM} ended early"));
    }
    Ok(quartile(if rates.len() > 1 { &rates[1..] } else { &rates }, 2))
}

impl Gears {
    fn replay(&mut self, path: &Path) -> Result<(), BenchError> {
        // The recorder of a killed process releases its lock with the process.
        taut_app::recover::wait_until_ended(path, Duration::from_secs(5));
        let trace = Trace::open(path)?;
        self.bytes = trace.summary().file_bytes;
        let replayer = Replayer::new(&trace, Options::default());
        let mut times = Vec::new();
        for _ in 0..REPLAYS {
            let begun = Instant::now();
            let outcome = replayer.run().map_err(|source| BenchError::Replay { trace: PROGRAM.to_owned(), source })?;
            times.push(begun.elapsed().as_nanos() as u64);
            (self.calls, self.is_identical) = (outcome.calls, outcome.is_identical());
        }
        self.replay_ns = median(&mut times);
        Ok(())
    }

    /// True if the replay was identical.
    pub fn is_identical(&self) -> bool {
        self.is_identical
    }

    fn figures(&self) -> [f64; 6] {
        let [recorded, unrecorded, ratio] =
            [&self.recorded_fps, &self.unrecorded_fps, &self.ratios].map(|samples| quartile(samples, 2));
        let calls_per_s = self.calls as f64 * 1e9 / self.record_ns.max(1) as f64;
        let bytes_per_call = self.bytes as f64 / self.calls.max(1) as f64;
        let replay = self.replay_ns as f64 / self.record_ns.max(1) as f64;
        [recorded, unrecorded, ratio, calls_per_s, bytes_per_call, replay]
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        let [recorded, unrecorded, ratio, calls_per_s, bytes_per_call, replay] = self.figures();
        json!({
            "seconds": self.seconds,
            "recorded_fps": recorded,
            "unrecorded_fps": unrecorded,
            "recorded_over_unrecorded": ratio,
            "calls": self.calls,
            "calls_per_s": calls_per_s,
            "bytes_per_call": bytes_per_call,
            "record_ns": self.record_ns,
            "replay_ns": self.replay_ns,
            "replay_over_record": replay,
            "identical": self.is_identical,
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let [recorded, unrecorded, ratio, calls_per_s, bytes_per_call, replay] = self.figures();
        format!(
            "{PROGRAM}, {} pairs of {} s\n\
             \x20 {recorded:>10.0} frames/s recorded   {ratio:.2} of {unrecorded:.0} unrecorded; target at least 0.7\n\
             \x20 {:>10} calls/s, {bytes_per_call:.2} bytes/call ({} calls)\n\
             \x20 {:>10} replay   {replay:.2} of the recording ({}); target at most 0.5\n",
            self.ratios.len(),
            self.seconds,
            grouped(calls_per_s as u64),
            grouped(self.calls),
            span(self.replay_ns),
            span(self.record_ns),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_those_of_the_lines_after_the_first() {
        let printed = "echo loading; for n in 300 600; do echo \"$n frames in 5.0 seconds = 60.000 FPS\"; done";
        let program = || Command::new("sh").args(["-c", printed]).stdout(Stdio::piped()).spawn();
        let read = |seconds| program().map(|mut program| frames(&mut program, seconds));
        assert_eq!(read(5).ok(), Some(Ok(60.0)));
        assert_eq!(read(10).ok(), Some(Ok(120.0)));
        assert_eq!(read(15).ok(), Some(Err("glxgears ended early".to_owned())));
    }
}
