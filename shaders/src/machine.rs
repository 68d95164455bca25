//! Shaders as machine code. The only file with `unsafe`: it calls what Cranelift made.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::AbiParam;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

use crate::emit::emit;
use crate::error::ShaderError;
use crate::fused::fused_multiply_add;
use crate::grid::{Grid, Run, Shape};
use crate::shader::Shader;
use crate::word::Word;

/// The signature that `emit` fills: constants, inputs, outputs, lanes, executed.
type Entry = unsafe extern "C" fn(*const Word, *const Word, *mut Word, usize, *mut u64);

/// Machine code of a shader, for this machine. Gives what [`interpret`](crate::interpret) gives, bit for bit and count
/// for count. Threads may share it.
pub struct Compiled {
    entry: Entry,
    shape: Shape,
    /// Owns the code; taken only to free it. (The mutex makes it shareable; nothing ever waits for it.)
    module: Mutex<Option<JITModule>>,
}

impl Compiled {
    /// Compiles a shader.
    ///
    /// # Errors
    /// [`ShaderError::Machine`] if there is no back end for this machine or it refuses the function.
    pub fn new(shader: &Shader) -> Result<Self, ShaderError> {
        Self::compile(shader, Features::OfThisMachine)
            .map_err(|reason| ShaderError::Machine { shader: shader.name().to_owned(), reason })
    }

    fn compile(shader: &Shader, features: Features) -> Result<Self, String> {
        let mut module = module(features)?;
        let target = module.target_config().pointer_type();
        let mut context = module.make_context();
        context.func.signature.params.extend([target; 5].map(AbiParam::new));
        let mut frontend = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        emit(shader, builder, target).finalize(module.target_config());
        let id = module.declare_anonymous_function(&context.func.signature).map_err(|error| error.to_string())?;
        module.define_function(id, &mut context).map_err(|error| format!("{error:?}"))?;
        module.finalize_definitions().map_err(|error| error.to_string())?;
        let code = module.get_finalized_function(id);
        // SAFETY: `code` is the start of a function that was made with the target's C calling convention, five
        // pointer-sized parameters and no result, which is `Entry`. It stays mapped as long as the module lives, and
        // `Compiled` frees that last, when nobody can hold `entry`: it never leaves `run`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code) };
        Ok(Self { entry, shape: Shape::of(shader), module: Mutex::new(Some(module)) })
    }

    /// Runs the code over a grid.
    ///
    /// # Errors
    /// Constants or inputs of another number than the shader declares.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Result<Run, ShaderError> {
        self.shape.check(constants, grid)?;
        let mut outputs = vec![Word::default(); grid.lanes() * self.shape.outputs];
        let mut executed = 0;
        // SAFETY: the code loads constants at indices below the number of declared slots, and for each of `lanes`
        // lanes inputs and outputs at indices below the declared numbers, moving on by as many: the checker has seen
        // each index, windows are clamped to their last slot, and there is no other address in the code. The slices
        // have just these lengths (`Shape::check` and the line above). `Word` is a transparent u32, aligned for 4-byte
        // access; outputs and `executed` are borrowed mutably, so nothing else reads or writes them. Every loop ends,
        // and its frame is probed page by page. The module lives as long as `self`.
        unsafe {
            let (inputs, lanes) = (grid.inputs().as_ptr(), grid.lanes());
            (self.entry)(constants.as_ptr(), inputs, outputs.as_mut_ptr(), lanes, &raw mut executed);
        }
        Ok(Run { outputs, executed })
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(module) = module {
            // SAFETY: `drop` has the only reference, so no call of `entry` is running, and none can follow.
            unsafe { module.free_memory() }
        }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Compiled").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// Which instructions may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Features {
    OfThisMachine,
    /// Those that every machine of this architecture has; so tests see what an old one would do.
    #[cfg_attr(not(test), expect(dead_code))]
    OfAllMachines,
}

/// A module for this machine.
fn module(features: Features) -> Result<JITModule, String> {
    if I64.bytes() as usize != size_of::<usize>() {
        return Err("pointers have not 64 bits".to_owned());
    }
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // A large frame touches every page on its way, so it meets the guard page rather than leap over it.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        // Checked by this crate's own tests; in the field the time is better spent.
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder_with_options(features == Features::OfThisMachine)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    // Where the machine has no such instruction.
    builder.symbol("fmaf", fused_multiply_add as *const u8);
    Ok(JITModule::new(builder))
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{BUNDLED, interpret};

    /// Without an instruction for fused multiply-add, for one, the code calls the crate's own.
    #[test]
    fn machines_without_newer_instructions_give_the_same() {
        for bundled in BUNDLED {
            let material = bundled.material().unwrap();
            let code = Compiled::compile(&material.shader, Features::OfAllMachines).unwrap();
            for frame in 0..4 {
                let grid = Grid::sample(&material.shader, 64, u64::from(frame)).unwrap();
                let constants = material.constants(frame);
                let expected = interpret(&material.shader, &constants, &grid);
                assert_eq!(code.run(&constants, &grid), expected, "{}", bundled.name);
            }
        }
    }
}
