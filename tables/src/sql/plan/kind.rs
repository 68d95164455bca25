//! Types of expressions, and their implicit conversions.

use polars::prelude::{AnyValue, DataType, Expr, NULL, Scalar, lit};

/// Type of an expression's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sql) enum Kind {
    /// Signed 64-bit integers.
    Int,
    /// Unsigned 64-bit identifiers: handles, addresses and hashes.
    Id,
    Real,
    Bool,
    Text,
    /// Lists and structs: they can be selected, counted and compared with null.
    Nested,
    /// `NULL` alone.
    Null,
}

impl Kind {
    pub fn from_data_type(kind: &DataType) -> Kind {
        match kind {
            DataType::Float64 | DataType::Float32 => Kind::Real,
            DataType::Boolean => Kind::Bool,
            DataType::String => Kind::Text,
            DataType::UInt64 => Kind::Id,
            DataType::Null => Kind::Null,
            DataType::List(_) | DataType::Struct(_) => Kind::Nested,
            _ => Kind::Int,
        }
    }

    pub fn data_type(self) -> DataType {
        match self {
            Kind::Int => DataType::Int64,
            Kind::Id => DataType::UInt64,
            Kind::Real => DataType::Float64,
            Kind::Bool => DataType::Boolean,
            Kind::Text => DataType::String,
            // No value is ever converted to these types.
            Kind::Null | Kind::Nested => DataType::Null,
        }
    }

    /// User-facing name of the type, with its article.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Int | Kind::Real => "a number",
            Kind::Id => "a handle, address or hash",
            Kind::Bool => "true or false",
            Kind::Text => "text",
            Kind::Nested => "a list or struct",
            Kind::Null => "null",
        }
    }

    pub fn is_number(self) -> bool {
        matches!(self, Kind::Int | Kind::Real | Kind::Null)
    }
}

/// A translated expression with its type.
#[derive(Debug, Clone)]
pub(in crate::sql) struct Typed {
    pub expr: Expr,
    pub kind: Kind,
    /// Value of an integer literal.
    pub number: Option<i128>,
    /// Value of a text literal.
    pub text: Option<String>,
}

impl Typed {
    pub fn new(expr: Expr, kind: Kind) -> Typed {
        Typed { expr, kind, number: None, text: None }
    }

    pub fn null() -> Typed {
        Typed::new(lit(NULL), Kind::Null)
    }

    /// The expression as a column of a result: the type of `NULL` alone is that of integers.
    pub fn output(&self) -> Expr {
        if self.kind == Kind::Null { self.expr.clone().cast(Kind::Int.data_type()) } else { self.expr.clone() }
    }

    /// Integer literal that fits into 64 bits, signed or unsigned.
    pub fn integer(number: i128) -> Option<Typed> {
        let (expr, kind) = match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => (lit(Scalar::new(DataType::Int64, AnyValue::Int64(number))), Kind::Int),
            (_, Ok(number)) => (lit(number), Kind::Id),
            _ => return None,
        };
        Some(Typed { number: Some(number), ..Typed::new(expr, kind) })
    }

    /// Converts implicitly to another type. `None` if the conversion could change the meaning.
    pub fn to(&self, kind: Kind) -> Option<Expr> {
        match (self.kind, kind) {
            (Kind::Null, _) => Some(lit(NULL).cast(kind.data_type())),
            (Kind::Int, Kind::Id) => Some(lit(u64::try_from(self.number?).ok()?)),
            (Kind::Int, Kind::Real) => Some(self.expr.clone().cast(DataType::Float64)),
            (own, kind) if own == kind => Some(self.expr.clone()),
            _ => None,
        }
    }
}

/// The first type that all expressions convert to; `None` if none exists.
pub(super) fn common<'a>(all: impl IntoIterator<Item = &'a Typed> + Clone) -> Option<Kind> {
    const KINDS: [Kind; 6] = [Kind::Null, Kind::Int, Kind::Id, Kind::Real, Kind::Bool, Kind::Text];
    KINDS.into_iter().find(|kind| all.clone().into_iter().all(|one| one.to(*kind).is_some()))
}
