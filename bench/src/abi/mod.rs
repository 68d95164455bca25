//! The C ABI: calls through tables of functions against the Rust interface, heaps, threads, and an OpenGL program.
//!
//! `taut run` prepares an environment in which libd3d12.so is the library; the measurement starts its own executable there, as
//! a client that also has a session of its own.

mod calls;
mod gears;
mod objects;
mod options;
mod threads;

use crate::BenchError;
use gears::Gears;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use taut_analyze::render::binary_bytes;

pub use calls::measure as measure_calls;
pub use options::AbiOptions;

/// Results of the benchmark.
pub struct AbiFigures {
    rounds: u32,
    /// Result of [`measure_calls`].
    calls: Value,
    /// The OpenGL program, or the reason why it was skipped.
    gears: Result<Gears, String>,
}

/// Measures calls in a process of their own, then the OpenGL program.
///
/// # Errors
/// The process cannot be started or fails.
pub fn measure(options: &AbiOptions) -> Result<AbiFigures, BenchError> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |source| BenchError::System { what, source }
    };
    let folder = tempfile::tempdir().map_err(failed("a folder for traces"))?;
    let calls = calls_of_client(options, folder.path())?;
    let gears = match options.pairs {
        0 => Err("--pairs 0".to_owned()),
        _ => gears::measure(options, folder.path()),
    };
    Ok(AbiFigures { rounds: options.rounds, calls, gears })
}

/// Starts the client and reads its result.
fn calls_of_client(options: &AbiOptions, folder: &Path) -> Result<Value, BenchError> {
    let failed = |source| BenchError::System { what: "the client of the benchmark".to_owned(), source };
    let launch = gears::launch(options, &folder.join("client.taut"), "bench abi", false)?;
    let Some((program, arguments)) = options.client.split_first() else { return Err(BenchError::NothingRecorded) };
    let mut command = Command::new(program);
    command.args(arguments).arg(folder).envs(launch.environment()).stderr(Stdio::inherit());
    let output = command.output().map_err(failed)?;
    if launch.traces()?.is_empty() {
        return Err(BenchError::NothingRecorded);
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.into()))
}

impl AbiFigures {
    /// True if the replay of the OpenGL program was identical, or the program was skipped.
    pub fn is_identical(&self) -> bool {
        self.gears.as_ref().map_or(true, Gears::is_identical)
    }

    /// Figures as JSON.
    pub fn json(&self) -> Value {
        json!({
            "rounds": self.rounds,
            "cases": self.calls["cases"],
            "scaling": self.calls["scaling"],
            "direct_scaling": self.calls["direct_scaling"],
            "resident_bytes": self.calls["resident_bytes"],
            "gears": self.gears.as_ref().ok().map(Gears::json),
            "gears_skipped": self.gears.as_ref().err(),
        })
    }

    /// Figures as text.
    pub fn text(&self) -> String {
        let mut text = format!("calls of a client of libd3d12.so, medians of {} interleaved pairs\n", self.rounds);
        text += self.calls["text"].as_str().unwrap_or_default();
        if let (Some(client), Some(direct)) = (self.calls["scaling"].as_f64(), self.calls["direct_scaling"].as_f64()) {
            text += &format!(
                "4 threads make {client:.2} times the resources of one; through the Rust interface {direct:.2} times\n"
            );
        }
        if let Some(bytes) = self.calls["resident_bytes"].as_u64() {
            text += &format!("8 heaps of 1 GiB that are not touched have {} of resident memory\n", binary_bytes(bytes));
        }
        match &self.gears {
            Ok(gears) => text + &gears.text(),
            Err(reason) => text + &format!("glxgears skipped: {reason}\n"),
        }
    }
}
