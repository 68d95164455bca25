//! Values: 32 bits with a type.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Type of a value. Each takes one 32-bit word in slots, inputs and outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// IEEE 754 binary32. Every NaN is [`Word::NAN`].
    F32,
    /// Two's complement; arithmetic wraps.
    I32,
    /// Unsigned; arithmetic wraps.
    U32,
    /// 0 or 1. A slot or input of this type is true if any of its bits is set, as Direct3D reads a `BOOL`.
    Bool,
}

impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Type::F32 => "f32",
            Type::I32 => "i32",
            Type::U32 => "u32",
            Type::Bool => "bool",
        })
    }
}

/// 32 bits of a constant slot, an input, an output or a value. Equal words have equal bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
#[repr(transparent)]
pub struct Word(pub u32);

impl Word {
    /// Canonical NaN of the form: quiet, positive, no payload.
    pub const NAN: Word = Word(0x7fc0_0000);

    /// Creates a word from an f32; a NaN becomes [`Word::NAN`].
    pub fn from_f32(number: f32) -> Self {
        if number.is_nan() { Self::NAN } else { Self(number.to_bits()) }
    }

    /// Creates a word from an i32.
    pub fn from_i32(number: i32) -> Self {
        Self(number.cast_unsigned())
    }

    /// Creates a word from a bool: 1 or 0.
    pub fn from_bool(truth: bool) -> Self {
        Self(u32::from(truth))
    }

    /// Returns the word as f32.
    pub fn f32(self) -> f32 {
        f32::from_bits(self.0)
    }

    /// Returns the word as i32.
    pub fn i32(self) -> i32 {
        self.0.cast_signed()
    }

    /// True if any bit is set.
    pub fn bool(self) -> bool {
        self.0 != 0
    }

    /// Returns the result of loading these bits as type `ty`: any NaN becomes the canonical one, any true value becomes
    /// 1.
    pub fn canonical(self, ty: Type) -> Self {
        match ty {
            Type::F32 => Self::from_f32(self.f32()),
            Type::Bool => Self::from_bool(self.bool()),
            Type::I32 | Type::U32 => self,
        }
    }

    /// Formats the word as a value of type `ty`; NaN, infinity and −0 are distinct from all other values.
    pub fn display(self, ty: Type) -> impl fmt::Display {
        Written(self, ty)
    }
}

struct Written(Word, Type);

impl fmt::Display for Written {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Type::F32 => write!(out, "{:?}", self.0.f32()),
            Type::I32 => write!(out, "{}", self.0.i32()),
            Type::U32 => write!(out, "{}", self.0.0),
            Type::Bool => write!(out, "{}", self.0.bool()),
        }
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#010x}", self.0)
    }
}
