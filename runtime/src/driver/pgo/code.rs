//! Executable shader code.

use super::machine_code::MachineCode;
use super::runs::RunResult;
use super::shared_code::SharedCode;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;
use taut_shaders::{Compiled, Counted, Grid, Run, Shader, Word, interpret, interpret_counting};

/// Shader in executable form: machine code, or the interpreter if there is no back end for the processor. Outputs and
/// counts are the same in both. Serialised as the shader.
pub(super) struct Code(Arc<MachineCode>);

impl Code {
    /// Compiles a shader.
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

    pub fn shader(&self) -> &Arc<Shader> {
        &self.0.shader
    }

    /// Runs the code over a grid. `None` if the number of constants or inputs differs from the shader's declaration.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Option<Run> {
        match self.0.compiled() {
            Some(compiled) => compiled.run(constants, grid).ok(),
            None => interpret(self.shader(), constants, grid).ok(),
        }
    }

    /// Runs the code and returns only the results that follow from shader, constants and grid, from the cache if known.
    pub fn ran(&self, constants: &[Word], grid: &Arc<Grid>) -> Option<RunResult> {
        let run = || self.run(constants, grid).as_ref().map(RunResult::of);
        match &self.0.runs {
            Some(runs) => runs.known_or(constants, grid, run),
            None => run(),
        }
    }

    /// Runs the instrumented code.
    pub fn run_counting(&self, constants: &[Word], grid: &Grid) -> Option<Counted> {
        let counting = || Compiled::counting(self.shader()).ok().map(Box::new);
        match self.0.counting.get_or_init(counting) {
            Some(compiled) => compiled.run_counting(constants, grid).ok(),
            None => interpret_counting(self.shader(), constants, grid).ok(),
        }
    }

    #[cfg(test)]
    pub fn known(&self, constants: &[Word], grid: &Arc<Grid>) -> Option<RunResult> {
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
