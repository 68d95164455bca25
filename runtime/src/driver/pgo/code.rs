//! A shader that can be run.

use super::runs::{Ran, Runs};
use super::shared_code::SharedCode;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::{Arc, OnceLock};
use taut_shaders::{Compiled, Counted, Grid, Run, Shader, Word, interpret, interpret_counting};

/// A shader as it is run: by machine code, or by the interpreter where there is no back end for the machine. Outputs and counts
/// are the same either way. Written down, it is the shader.
pub(super) struct Code(Arc<MachineCode>);

/// A shader, and what was made of it.
pub(super) struct MachineCode {
    pub shader: Arc<Shader>,
    /// Made when it is first run, of a shader that was read.
    compiled: OnceLock<Option<Box<Compiled>>>,
    /// The same with counters in it, made when it is first run.
    counting: OnceLock<Option<Box<Compiled>>>,
    /// What it did so far, where code is shared.
    runs: Option<Runs>,
}

impl MachineCode {
    pub fn of(shader: Arc<Shader>, runs: Option<Runs>) -> MachineCode {
        MachineCode { shader, compiled: OnceLock::new(), counting: OnceLock::new(), runs }
    }

    fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| Compiled::new(&self.shader).ok().map(Box::new)).as_deref()
    }
}

impl Code {
    /// Makes a shader ready to run.
    pub fn new(shader: Arc<Shader>) -> Self {
        let code = Code::of(shader);
        code.0.compiled();
        code
    }

    fn of(shader: Arc<Shader>) -> Self {
        Code(match SharedCode::current() {
            Some(shared) => shared.code(shader),
            None => Arc::new(MachineCode::of(shader, None)),
        })
    }

    /// The shader's text.
    pub fn shader(&self) -> &Arc<Shader> {
        &self.0.shader
    }

    /// Runs it over a grid. None if constants or inputs are of another number than the shader declares.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Option<Run> {
        match self.0.compiled() {
            Some(compiled) => compiled.run(constants, grid).ok(),
            None => interpret(self.shader(), constants, grid).ok(),
        }
    }

    /// The same, of which only that is wanted which follows from shader, constants and grid.
    pub fn ran(&self, constants: &[Word], grid: &Arc<Grid>) -> Option<Ran> {
        let run = || self.run(constants, grid).as_ref().map(Ran::of);
        match &self.0.runs {
            Some(runs) => runs.known_or(constants, grid, run),
            None => run(),
        }
    }

    /// The same with counters in the code.
    pub fn run_counting(&self, constants: &[Word], grid: &Grid) -> Option<Counted> {
        let counting = || Compiled::counting(self.shader()).ok().map(Box::new);
        match self.0.counting.get_or_init(counting) {
            Some(compiled) => compiled.run_counting(constants, grid).ok(),
            None => interpret_counting(self.shader(), constants, grid).ok(),
        }
    }

    #[cfg(test)]
    pub fn known(&self, constants: &[Word], grid: &Arc<Grid>) -> Option<Ran> {
        self.0.runs.as_ref()?.known_or(constants, grid, || None)
    }

    #[cfg(test)]
    pub fn is_same_as(&self, other: &Code) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.shader.as_ref().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Shader::deserialize(deserializer).map(|shader| Code::of(Arc::new(shader)))
    }
}
