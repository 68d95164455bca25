//! A shader that can be run.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use taut_shaders::{Compiled, Counted, Grid, Run, Shader, Word, interpret, interpret_counting};

/// A shader as it is run: by machine code, or by the interpreter where there is no back end for the machine. Outputs and counts
/// are the same either way. Written down, it is the shader.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Code {
    #[serde(with = "super::shared")]
    shader: Arc<Shader>,
    /// Made when it is first run, of a shader that was read.
    #[serde(skip)]
    compiled: OnceLock<Option<Box<Compiled>>>,
    /// The same with counters in it, made when it is first run.
    #[serde(skip)]
    counting: OnceLock<Option<Box<Compiled>>>,
}

impl Code {
    /// Makes a shader ready to run.
    pub fn new(shader: Arc<Shader>) -> Self {
        let code = Code { shader, compiled: OnceLock::new(), counting: OnceLock::new() };
        code.compiled();
        code
    }

    fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| Compiled::new(&self.shader).ok().map(Box::new)).as_deref()
    }

    /// The shader's text.
    pub fn shader(&self) -> &Arc<Shader> {
        &self.shader
    }

    /// Runs it over a grid. None if constants or inputs are of another number than the shader declares.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Option<Run> {
        match self.compiled() {
            Some(compiled) => compiled.run(constants, grid).ok(),
            None => interpret(&self.shader, constants, grid).ok(),
        }
    }

    /// The same with counters in the code.
    pub fn run_counting(&self, constants: &[Word], grid: &Grid) -> Option<Counted> {
        let counting = || Compiled::counting(&self.shader).ok().map(Box::new);
        match self.counting.get_or_init(counting) {
            Some(compiled) => compiled.run_counting(constants, grid).ok(),
            None => interpret_counting(&self.shader, constants, grid).ok(),
        }
    }
}
