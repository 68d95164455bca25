//! Small shaders that a driver can watch, specialise and run: the form they are written in, and all that is done to it.
//!
//! A shader is a function in SSA form: arithmetic, comparisons, select, counted loops. It runs once for each lane of a
//! [`Grid`], reads constant slots (one word each, the same for all lanes, as root constants are) and the lane's inputs,
//! and gives outputs. There are no branches, no memory and no calls.
//!
//! | step | where | what it promises |
//! |---|---|---|
//! | write | [`Builder`], or any serde format | a [`Function`], of which nothing is known yet |
//! | check | [`Function::check`] | a [`Shader`]: whatever reads or runs it cannot panic, leave its slots and inputs, or go on for ever |
//! | run | [`interpret`] | the reference: outputs, and instructions of the form executed |
//! | run fast | [`Compiled`] | machine code; the same outputs and the same count |
//! | watch | [`SlotProfile`] | which slots have had mostly one value, in constant memory |
//! | specialise | [`specialise`] | a [`Variant`]: a guard, and a shorter shader with the same outputs whenever it holds |
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
//! // A driver counts the constants of each execution, and finds that none changes.
//! let constants = [Word::of_f32(1.5), Word::of_bool(false)];
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
//! # Every machine gives the same bits
//!
//! The form has only operations whose result IEEE 754 or the form itself fixes to the bit: f32 add, subtract, multiply,
//! divide, square root and fused multiply-add, each rounded to nearest even; conversions that saturate; wrapping
//! integers. Every NaN is [`Word::NAN`], made so wherever one could come into being: at loads, casts and operations.
//! `min` and `max` give the other operand for a NaN, as Direct3D's do, and order −0 below +0. Exponentials, logarithms
//! and sines are polynomials in the form ([`Builder::exp2`] and its neighbours). So outputs and counts, of variants too,
//! may stand in a trace and be compared on any processor; machine code may not. Both ways to run expect the
//! floating-point environment that Rust expects: denormals kept, rounding to nearest.
//!
//! # What counts
//!
//! Each executed instruction counts one: literals, loads and arithmetic alike, a loop's head once, its end once for each
//! trip. A guard costs [`Guard::COST_PER_SLOT`] for each of its slots, once for a run, not for each lane: it is asked
//! when a command list executes. The generic shader asks nothing. Code with counters ([`Counted`]) counts how often it executes
//! its body and the body of each loop; each count is [`COUNTER_COST`] instructions more.
//!
//! # Safety
//!
//! A shader out of a trace cannot make a run touch other memory. Slots and inputs are named by numbers that the checker
//! compares with the declarations; [`Instruction::ConstantAt`], the one load whose index is computed, is clamped to a
//! window that it names. Loops have bounds, and [`Function::FUEL`] bounds what they may execute together. The checker
//! does not recurse, whatever it is given. `unsafe` stands in `machine.rs` alone, to call the compiled code.
#![deny(missing_docs, unsafe_code)]

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

/// Version of all that decides outputs, counts and variants. A trace that compares them records it; another version may
/// fold more, and so count less.
pub const FORM_VERSION: u32 = 1;
