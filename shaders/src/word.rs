//! What a value is: 32 bits and a type that says how to read them.

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
    /// The one NaN of the form: quiet, positive, no payload.
    pub const NAN: Word = Word(0x7fc0_0000);

    /// The bits of a number; a NaN becomes [`Word::NAN`].
    pub fn of_f32(number: f32) -> Self {
        if number.is_nan() { Self::NAN } else { Self(number.to_bits()) }
    }

    /// The bits of a number.
    pub fn of_i32(number: i32) -> Self {
        Self(number.cast_unsigned())
    }

    /// 1 if true, else 0.
    pub fn of_bool(truth: bool) -> Self {
        Self(u32::from(truth))
    }

    /// Read as f32.
    pub fn f32(self) -> f32 {
        f32::from_bits(self.0)
    }

    /// Read as i32.
    pub fn i32(self) -> i32 {
        self.0.cast_signed()
    }

    /// Whether any bit is set.
    pub fn bool(self) -> bool {
        self.0 != 0
    }

    /// What a load of type `ty` makes of these bits: NaNs become one, true becomes 1.
    pub fn canonical(self, ty: Type) -> Self {
        match ty {
            Type::F32 => Self::of_f32(self.f32()),
            Type::Bool => Self::of_bool(self.bool()),
            Type::I32 | Type::U32 => self,
        }
    }

    /// The word as a value of type `ty` in text; a NaN, an infinity or −0 can be told apart from all others.
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
