//! A shader that can be run.

use std::sync::Arc;
use taut_shaders::{Compiled, Grid, Run, Shader, Word, interpret};

/// A shader as it is run. Outputs and counts are the same either way.
pub(super) enum Code {
    /// By machine code.
    Machine(Box<Compiled>),
    /// By the interpreter, where there is no back end for the machine.
    Interpreted(Arc<Shader>),
}

impl Code {
    /// Makes a shader ready to run.
    pub fn new(shader: &Shader) -> Self {
        match Compiled::new(shader) {
            Ok(compiled) => Code::Machine(Box::new(compiled)),
            Err(_) => Code::Interpreted(Arc::new(shader.clone())),
        }
    }

    /// Runs it over a grid. None if constants or inputs are of another number than the shader declares.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Option<Run> {
        match self {
            Code::Machine(compiled) => compiled.run(constants, grid).ok(),
            Code::Interpreted(shader) => interpret(shader, constants, grid).ok(),
        }
    }
}
