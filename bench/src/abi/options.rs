//! Options of the benchmark of the C ABI.

use std::path::PathBuf;

/// Options of the benchmark.
#[derive(Debug, Clone)]
pub struct AbiOptions {
    /// libtaut_com.so.
    pub library: PathBuf,
    /// Program and arguments that call [`measure_calls`](super::measure_calls) and print its result, with the folder as last argument.
    pub client: Vec<PathBuf>,
    /// Rounds of calls.
    pub rounds: u32,
    /// Pairs of runs of the OpenGL program, and the time of each.
    pub pairs: u32,
    pub seconds: u64,
}
