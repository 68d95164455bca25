//! Evaluation of operations. The interpreter and the specialiser both call these functions, so folding cannot differ
//! from execution.
//!
//! Operands and results are canonical for their type.

use crate::fused::fused_multiply_add;
use crate::instruction::{BinaryOp, CompareOp, UnaryOp};
use crate::word::{Type, Word};

/// Evaluates an operation on one value of type `ty`.
pub(crate) fn unary(op: UnaryOp, ty: Type, a: Word) -> Word {
    match (op, ty) {
        (UnaryOp::Neg, Type::F32) => Word::from_f32(-a.f32()),
        (UnaryOp::Neg, _) => Word(a.0.wrapping_neg()),
        (UnaryOp::Abs, Type::F32) => Word::from_f32(a.f32().abs()),
        (UnaryOp::Abs, _) => Word::from_i32(a.i32().wrapping_abs()),
        (UnaryOp::Sqrt, _) => Word::from_f32(a.f32().sqrt()),
        (UnaryOp::Not, Type::Bool) => Word::from_bool(!a.bool()),
        (UnaryOp::Not, _) => Word(!a.0),
    }
}

/// Evaluates an operation on two values of type `ty`.
pub(crate) fn binary(op: BinaryOp, ty: Type, a: Word, b: Word) -> Word {
    match ty {
        Type::F32 => binary_f32(op, a.f32(), b.f32()),
        Type::I32 => match op {
            BinaryOp::Min => Word::from_i32(a.i32().min(b.i32())),
            BinaryOp::Max => Word::from_i32(a.i32().max(b.i32())),
            BinaryOp::Shr => Word::from_i32(a.i32().wrapping_shr(b.0)),
            _ => binary_bits(op, a.0, b.0),
        },
        Type::U32 | Type::Bool => binary_bits(op, a.0, b.0),
    }
}

fn binary_f32(op: BinaryOp, a: f32, b: f32) -> Word {
    Word::from_f32(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Min if a.is_nan() => b,
        BinaryOp::Max if a.is_nan() => b,
        BinaryOp::Min if a < b || b.is_nan() || a == b && a.is_sign_negative() => a,
        BinaryOp::Max if a > b || b.is_nan() || a == b && a.is_sign_positive() => a,
        BinaryOp::Min | BinaryOp::Max => b,
        // The other operations have no f32 form; the checker rejects them.
        BinaryOp::Div | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => a / b,
    })
}

fn binary_bits(op: BinaryOp, a: u32, b: u32) -> Word {
    Word(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a.wrapping_shl(b),
        // Division has an f32 form only; the checker rejects others.
        BinaryOp::Shr | BinaryOp::Div => a.wrapping_shr(b),
    })
}

/// Evaluates a comparison of two values of type `ty`.
pub(crate) fn compare(op: CompareOp, ty: Type, a: Word, b: Word) -> Word {
    fn holds<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
        match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }
    }
    Word::from_bool(match ty {
        Type::F32 => holds(op, a.f32(), b.f32()),
        Type::I32 => holds(op, a.i32(), b.i32()),
        Type::U32 | Type::Bool => holds(op, a.0, b.0),
    })
}

/// Evaluates `a * b + c` of f32, rounded once.
pub(crate) fn fma(a: Word, b: Word, c: Word) -> Word {
    Word::from_f32(fused_multiply_add(a.f32(), b.f32(), c.f32()))
}

/// Converts to the nearest value of type `to`.
pub(crate) fn convert(from: Type, to: Type, a: Word) -> Word {
    match (from, to) {
        (Type::F32, Type::I32) => Word::from_i32(a.f32() as i32),
        (Type::F32, Type::U32) => Word(a.f32() as u32),
        (Type::I32, Type::F32) => Word::from_f32(a.i32() as f32),
        (Type::U32 | Type::Bool, Type::F32) => Word::from_f32(a.0 as f32),
        (Type::I32, Type::U32) => Word::from_i32(a.i32().max(0)),
        (Type::U32, Type::I32) => Word(a.0.min(i32::MAX.cast_unsigned())),
        _ => a,
    }
}

/// Reinterprets the bits as a value of type `to`.
pub(crate) fn bitcast(to: Type, a: Word) -> Word {
    a.canonical(to)
}
