//! Small shaders that a driver can profile, specialise and run: their form, and everything that operates on it.
//!
//! A shader is a function in SSA form: arithmetic, comparisons, select, counted loops. It runs once for each lane of a
//! [`Grid`], reads constant slots (one word each, the same for all lanes, like root constants) and the lane's inputs,
//! and produces outputs. There are no branches, no memory and no calls.
//!
//! | step | where | guarantee |
//! |---|---|---|
//! | build | [`Builder`], or any serde format | a [`Function`], unchecked |
//! | check | [`Function::check`] | a [`Shader`]: running it cannot panic, access other slots, or loop forever |
//! | run | [`interpret`] | the reference: outputs, and the number of executed instructions of the form |
//! | run fast | [`Compiled`] | machine code; same outputs and same count |
//! | profile | [`SlotProfile`] | slots with one predominant value, in constant memory |
//! | specialise | [`specialise`] | a [`Variant`]: a guard, and a shorter shader with the same outputs while it holds |
//! | judge | [`Gain`] | instructions executed before and after, guard included |
//!
//! ```
//! use std::collections::BTreeMap;
//! use taut_shaders::{Builder, Compiled, Gain, Grid, SlotProfile, Type, Unrolling, Word, interpret, specialise};
//!
//! // colour * 2^stops, and fog if it is on.
//! let mut b = Builder::new("exposure");
//! let (stops, fog) = (b.constant("stops", Type::F32), b.constant("fog", Type::Bool));
//! let colour = b.input("colour", Type::F32);
//! let exposure = b.exp2(stops);
//! let lit = b.mul(colour, exposure);
//! let half = b.f32(0.5);
//! let fogged = b.lerp(lit, half, half);
//! let shown = b.select(fog, fogged, lit);
//! b.output(shown);
//! let shader = b.finish()?;
//!
//! // A driver counts the constants of each execution: none changes.
//! let constants = [Word::from_f32(1.5), Word::from_bool(false)];
//! let mut profile = SlotProfile::new(2);
//! profile.observe(&constants, 200);
//! let stable: BTreeMap<_, _> = profile.stable(200, 950).map(|stable| (stable.slot, stable.word)).collect();
//! let variant = specialise(&shader, &stable, Unrolling::default())?;
//!
//! // The variant's machine code gives what the interpreter gives for the original, for fewer instructions.
//! let grid = Grid::sample(&shader, 64, 1)?;
//! let reference = interpret(&shader, &constants, &grid)?;
//! assert!(variant.guard.holds(&constants));
//! let run = Compiled::new(&variant.shader)?.run(&constants, &grid)?;
//! assert_eq!(run.output_hash(), reference.output_hash());
//! assert!(Gain::measure(&shader, &variant, &constants, &grid)?.permille() > 800);
//! # Ok::<(), taut_shaders::ShaderError>(())
//! ```
//!
//! # Bit-exact results
//!
//! The form has only operations whose result IEEE 754 or the form itself defines to the bit: f32 add, subtract,
//! multiply, divide, square root and fused multiply-add, each rounded to nearest even; saturating conversions; wrapping
//! integers. Every NaN is [`Word::NAN`], canonicalised at loads, casts and operations. `min` and `max` return the other
//! operand for a NaN, as in Direct3D, and order −0 below +0. Exponentials, logarithms and sines are polynomials in the
//! form ([`Builder::exp2`] and related methods). So outputs and counts, of variants too, may be stored in a trace and
//! compared on any processor; machine code may not. Interpreter and machine code require the floating-point environment
//! that Rust requires: denormals enabled, rounding to nearest.
//!
//! # Instruction counts
//!
//! Each executed instruction counts one: literals, loads and arithmetic, a loop's head once, its end once per trip. A
//! guard costs [`Guard::COST_PER_SLOT`] for each of its slots, once per run, not per lane: it is evaluated when a
//! command list executes. The generic shader has no guard. Instrumented code ([`Counted`]) counts executions of its
//! body and of each loop body; each count costs [`COUNTER_COST`] additional instructions.
//!
//! # Safety
//!
//! A shader from a trace cannot make a run access other memory. Slots and inputs are indices that the checker compares
//! with the declarations; [`Instruction::ConstantAt`], the only load with a computed index, is clamped to its window.
//! Loops have bounds, and [`Function::FUEL`] bounds the instructions that they execute together. The checker does not
//! recurse, for any input. `unsafe` is used in `machine.rs` only, to call the compiled code.
#![deny(unsafe_code)]

mod arithmetic;
mod builder;
mod bundled;
mod check;
mod counted;
mod draft;
mod emit;
mod error;
mod fold;
mod function;
mod fused;
mod grid;
mod hash;
mod instruction;
mod interpret;
mod machine;
mod material;
mod material_text;
mod math;
mod print;
mod profile;
mod shader;
mod slots;
mod specialise;
mod subset;
mod top;
mod variant;
mod word;

pub use builder::Builder;
pub use bundled::{BUNDLED, Bundled, Expected};
pub use counted::{COUNTER_COST, Counted};
pub use error::ShaderError;
pub use function::{Declaration, Function};
pub use grid::{Grid, Run};
pub use instruction::{BinaryOp, CompareOp, InputId, Instruction, SlotId, Trips, UnaryOp, ValueId};
pub use interpret::{interpret, interpret_counting};
pub use machine::Compiled;
pub use material::Material;
pub use material_text::MaterialError;
pub use math::Vector;
pub use profile::{SlotProfile, StableSlot};
pub use shader::Shader;
pub use specialise::{Unrolling, specialise};
pub use subset::cheaper;
pub use top::{TopValue, TopValues};
pub use variant::{Gain, Guard, Variant};
pub use word::{Type, Word};

/// Version of everything that determines outputs, counts and variants. A trace that compares them records it; another
/// version may fold more, and so count less.
pub const FORM_VERSION: u32 = 1;
