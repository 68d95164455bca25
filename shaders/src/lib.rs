//! Shaders.
#![deny(missing_docs)]

mod arithmetic;
mod builder;
mod bundled;
mod check;
mod draft;
mod emit;
mod error;
mod fold;
mod function;
mod fused;
mod grid;
mod instruction;
mod interpret;
mod machine;
mod material;
mod math;
mod print;
mod profile;
mod slots;
mod specialise;
mod top;
mod variant;
mod word;

pub use builder::Builder;
pub use bundled::{BUNDLED, Bundled, Expected};
pub use error::ShaderError;
pub use function::{Declaration, Function, Shader};
pub use grid::{Grid, Run};
pub use instruction::{BinaryOp, CompareOp, InputId, Instruction, SlotId, Trips, UnaryOp, ValueId};
pub use interpret::interpret;
pub use machine::Compiled;
pub use material::Material;
pub use math::Vector;
pub use profile::{SlotProfile, StableSlot};
pub use specialise::{Unrolling, specialise};
pub use top::{TopValue, TopValues};
pub use variant::{Gain, Guard, Variant};
pub use word::{Type, Word};
