//! Shader with its compiled forms.

use super::runs::Runs;
use std::sync::{Arc, OnceLock};
use taut_shaders::{Compiled, Shader};

/// Shader with its compiled forms.
pub(super) struct MachineCode {
    pub shader: Arc<Shader>,
    /// Compiled on first use: a deserialised shader may never run.
    pub(super) compiled: OnceLock<Option<Box<Compiled>>>,
    /// Instrumented code with counters, compiled on first use.
    pub(super) counting: OnceLock<Option<Box<Compiled>>>,
    /// Cache of earlier runs, if code is shared.
    pub(super) runs: Option<Runs>,
}

impl MachineCode {
    pub fn of(shader: Arc<Shader>, runs: Option<Runs>) -> MachineCode {
        MachineCode { shader, compiled: OnceLock::new(), counting: OnceLock::new(), runs }
    }

    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| Compiled::new(&self.shader).ok().map(Box::new)).as_deref()
    }
}
