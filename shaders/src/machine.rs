//! Machine code of shaders. The only file with `unsafe`, to call the code that Cranelift generates.
#![allow(unsafe_code)]

use std::fmt;
use std::sync::{Mutex, PoisonError};

use cranelift_codegen::ir::AbiParam;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};

use crate::counted::{Counted, basic_block_count};
use crate::emit::emit;
use crate::error::ShaderError;
use crate::fused::fused_multiply_add;
use crate::grid::{Grid, Run, Shape};
use crate::shader::Shader;
use crate::word::Word;

/// Signature of the code that `emit` generates: constants, inputs, outputs, lanes, executed, counts.
type Entry = unsafe extern "C" fn(*const Word, *const Word, *mut Word, usize, *mut u64, *mut u64);

/// Machine code of a shader for this processor. Returns the results of [`interpret`](crate::interpret), bit for bit and
/// count for count. Threads may share it.
pub struct Compiled {
    entry: Entry,
    shape: Shape,
    /// Number of counters of the code.
    counters: usize,
    /// Owner of the code; taken only to free it. (The mutex makes it `Sync`; no thread ever waits for it.)
    module: Mutex<Option<JITModule>>,
}

impl Compiled {
    /// Compiles a shader.
    ///
    /// # Errors
    /// [`ShaderError::Machine`] if there is no back end for this processor or it rejects the function.
    pub fn new(shader: &Shader) -> Result<Self, ShaderError> {
        Self::compile(shader, Features::OfThisMachine, false)
            .map_err(|reason| ShaderError::Machine { shader: shader.name().to_owned(), reason })
    }

    /// Compiles a shader with counters.
    ///
    /// # Errors
    /// As [`Compiled::new`].
    pub fn counting(shader: &Shader) -> Result<Self, ShaderError> {
        Self::compile(shader, Features::OfThisMachine, true)
            .map_err(|reason| ShaderError::Machine { shader: shader.name().to_owned(), reason })
    }

    fn compile(shader: &Shader, features: Features, counts: bool) -> Result<Self, String> {
        let mut module = module(features)?;
        let target = module.target_config().pointer_type();
        let mut context = module.make_context();
        context.func.signature.params.extend([target; 6].map(AbiParam::new));
        let mut frontend = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        emit(shader, builder, target, counts).finalize(module.target_config());
        let id = module.declare_anonymous_function(&context.func.signature).map_err(|error| error.to_string())?;
        module.define_function(id, &mut context).map_err(|error| format!("{error:?}"))?;
        module.finalize_definitions().map_err(|error| error.to_string())?;
        let code = module.get_finalized_function(id);
        // SAFETY: `code` is the start of a function that was made with the target's C calling convention, six
        // pointer-sized parameters and no result, which is `Entry`. It stays mapped as long as the module lives, and
        // `Compiled` frees that last, when nobody can hold `entry`: it never leaves `run`.
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(code) };
        let counters = if counts { basic_block_count(shader) } else { 0 };
        Ok(Self { entry, shape: Shape::new(shader), counters, module: Mutex::new(Some(module)) })
    }

    /// Runs the code over a grid.
    ///
    /// # Errors
    /// A number of constants or inputs other than declared.
    pub fn run(&self, constants: &[Word], grid: &Grid) -> Result<Run, ShaderError> {
        Ok(self.run_counting(constants, grid)?.run)
    }

    /// Runs the code over a grid, and returns its counters as well, if it has any.
    ///
    /// # Errors
    /// As [`Compiled::run`].
    pub fn run_counting(&self, constants: &[Word], grid: &Grid) -> Result<Counted, ShaderError> {
        self.shape.check(constants, grid)?;
        let mut outputs = vec![Word::default(); grid.lanes() * self.shape.outputs];
        let (mut executed, mut counts) = (0, vec![0; self.counters]);
        // SAFETY: the code loads constants at indices below the number of declared slots, and for each of `lanes` lanes
        // inputs and outputs at indices below the declared numbers, advancing by as many: the checker has checked each
        // index, windows are clamped to their last slot, and there is no other address in the code. The slices have
        // exactly these lengths (`Shape::check` and the lines above). Counters are accessed only by code compiled with
        // them, at indices below the number of basic blocks, which is their number. `Word` is a transparent u32,
        // aligned for 4-byte access; outputs, counts and `executed` are borrowed mutably, so nothing else reads or
        // writes them. Every loop ends, and the frame is probed page by page. The module lives as long as `self`.
        unsafe {
            let (inputs, lanes) = (grid.inputs().as_ptr(), grid.lanes());
            (self.entry)(
                constants.as_ptr(),
                inputs,
                outputs.as_mut_ptr(),
                lanes,
                &raw mut executed,
                counts.as_mut_ptr(),
            );
        }
        Ok(Counted { run: Run { outputs, executed }, counts })
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

/// Processor instructions that may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Features {
    OfThisMachine,
    /// Instructions of every processor of this architecture, for tests of old processors.
    #[cfg_attr(not(test), expect(dead_code))]
    OfAllMachines,
}

/// Creates a module for this processor.
fn module(features: Features) -> Result<JITModule, String> {
    if I64.bytes() as usize != size_of::<usize>() {
        return Err("pointers have not 64 bits".to_owned());
    }
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        // Stack probes: a large frame touches every page, so that it hits the guard page instead of skipping it.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        // Checked by this crate's own tests; disabled in releases for speed.
        ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder_with_options(features == Features::OfThisMachine)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    // Used where the processor has no such instruction.
    builder.symbol("fmaf", fused_multiply_add as *const u8);
    Ok(JITModule::new(builder))
}

#[cfg(test)]
#[expect(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{BUNDLED, COUNTER_COST, interpret, interpret_counting};

    #[test]
    fn counters_count_executions_of_basic_blocks_and_change_no_output() {
        for bundled in BUNDLED {
            let material = bundled.material().unwrap();
            let (code, plain) =
                (Compiled::counting(&material.shader).unwrap(), Compiled::new(&material.shader).unwrap());
            let grid = Grid::sample(&material.shader, 8, 3).unwrap();
            let constants = material.constants(1);
            let counted = code.run_counting(&constants, &grid).unwrap();
            assert_eq!(Ok(&counted), interpret_counting(&material.shader, &constants, &grid).as_ref());
            let without = plain.run_counting(&constants, &grid).unwrap();
            assert!(without.counts.is_empty() && without.run.outputs == counted.run.outputs, "{}", bundled.name);
            assert_eq!(counted.counts[0], 8, "the body, once for each lane");
            let cost = counted.counts.iter().sum::<u64>() * COUNTER_COST;
            assert_eq!(counted.run.executed, without.run.executed + cost, "{}", bundled.name);
        }
    }

    /// Without an instruction for fused multiply-add, the code calls the crate's own function.
    #[test]
    fn machines_without_newer_instructions_give_the_same() {
        for bundled in BUNDLED {
            let material = bundled.material().unwrap();
            let code = Compiled::compile(&material.shader, Features::OfAllMachines, false).unwrap();
            for frame in 0..4 {
                let grid = Grid::sample(&material.shader, 64, u64::from(frame)).unwrap();
                let constants = material.constants(frame);
                let expected = interpret(&material.shader, &constants, &grid);
                assert_eq!(code.run(&constants, &grid), expected, "{}", bundled.name);
            }
        }
    }
}
