//! Inputs and results of runs.

use crate::error::ShaderError;
use crate::hash::fnv1a;
use crate::shader::Shader;
use crate::word::{Type, Word};

/// Lanes of a run with their inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    lanes: usize,
    inputs: Vec<Word>,
}

impl Grid {
    /// Maximum number of lanes of a run.
    pub const MAX_LANES: usize = 4096;

    /// Creates a grid from inputs in lane order: the inputs of a lane are contiguous, in the order of their
    /// declarations.
    ///
    /// # Errors
    /// More than [`Grid::MAX_LANES`] lanes; a number of words other than lanes × inputs.
    pub fn new(shader: &Shader, lanes: usize, inputs: Vec<Word>) -> Result<Self, ShaderError> {
        Self::check_lanes(lanes)?;
        let expected = lanes * shader.function().inputs.len();
        if inputs.len() != expected {
            return Err(ShaderError::Arguments { what: "words of input", found: inputs.len(), expected });
        }
        Ok(Self { lanes, inputs })
    }

    /// Creates a grid whose inputs depend on `seed` only: f32 spread over −1 to 1, i32 over −128 to 127, u32 over 0 to
    /// 255, bool either.
    ///
    /// # Errors
    /// More than [`Grid::MAX_LANES`] lanes.
    pub fn sample(shader: &Shader, lanes: usize, seed: u64) -> Result<Self, ShaderError> {
        Self::check_lanes(lanes)?;
        let declared = &shader.function().inputs;
        let types = std::iter::repeat_n(declared, lanes).flatten().map(|input| input.ty);
        let inputs = types.zip(0u64..).map(|(ty, at)| {
            let bits = mix(seed ^ mix(at));
            match ty {
                // 24 bits: each value is a distinct f32.
                Type::F32 => Word::from_f32((bits >> 40) as f32 / (1 << 23) as f32 - 1.0),
                Type::I32 => Word::from_i32((bits >> 56) as i32 - 128),
                Type::U32 => Word((bits >> 56) as u32),
                Type::Bool => Word((bits >> 63) as u32),
            }
        });
        Ok(Self { lanes, inputs: inputs.collect() })
    }

    fn check_lanes(lanes: usize) -> Result<(), ShaderError> {
        if lanes <= Self::MAX_LANES {
            return Ok(());
        }
        Err(ShaderError::Limit { what: "lanes", found: lanes, min_allowed: 0, max_allowed: Self::MAX_LANES })
    }

    /// Returns the number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Returns the inputs in lane order.
    pub fn inputs(&self) -> &[Word] {
        &self.inputs
    }
}

/// Numbers of words that a shader reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub constants: usize,
    pub inputs: usize,
    pub outputs: usize,
}

impl Shape {
    pub fn new(shader: &Shader) -> Self {
        let function = shader.function();
        let (constants, inputs) = (function.constants.len(), function.inputs.len());
        Self { constants, inputs, outputs: function.outputs.len() }
    }

    /// Checks that grid and constants have the lengths of this shape; a run needs no other check.
    pub fn check(self, constants: &[Word], grid: &Grid) -> Result<(), ShaderError> {
        let fits = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(ShaderError::Arguments { what, found, expected }) }
        };
        fits("constants", constants.len(), self.constants)?;
        fits("words of input", grid.inputs.len(), grid.lanes * self.inputs)
    }
}

/// Returns a bijective 64-bit mix (the finaliser of SplitMix64).
fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Outputs in lane order, each canonical for its type.
    pub outputs: Vec<Word>,
    /// Number of executed instructions, over all lanes. A loop counts one for its head, and one for its end per trip.
    pub executed: u64,
}

impl Run {
    /// Returns the 64-bit FNV-1a hash of the outputs as little-endian bytes: the same on every processor and in every
    /// version.
    pub fn output_hash(&self) -> u64 {
        fnv1a(self.outputs.iter().flat_map(|word| word.0.to_le_bytes()))
    }
}
