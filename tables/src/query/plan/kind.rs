//! What an expression's values are, and how kinds meet.

use polars::prelude::{AnyValue, DataType, Expr, NULL, Scalar, lit};

/// What an expression's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::query) enum Kind {
    /// Signed numbers of 64 bits.
    Int,
    /// Identities of 64 bits.
    Id,
    Real,
    Bool,
    Text,
    /// Lists and structs, which can be selected, counted and asked for null.
    Nested,
    /// `NULL` alone.
    Null,
}

impl Kind {
    pub fn of(kind: &DataType) -> Kind {
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
            // Nothing else is made one of these.
            Kind::Null | Kind::Nested => DataType::Null,
        }
    }

    /// What a person calls it.
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

/// An expression and what is known of it.
#[derive(Debug, Clone)]
pub(in crate::query) struct Typed {
    pub expr: Expr,
    pub kind: Kind,
    /// The number, if it is an integer literal.
    pub number: Option<i128>,
    /// The text, if it is a text literal.
    pub text: Option<String>,
}

impl Typed {
    pub fn new(expr: Expr, kind: Kind) -> Typed {
        Typed { expr, kind, number: None, text: None }
    }

    pub fn null() -> Typed {
        Typed::new(lit(NULL), Kind::Null)
    }

    /// An integer literal that fits into 64 bits, signed or not.
    pub fn integer(number: i128) -> Option<Typed> {
        let (expr, kind) = match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => (lit(Scalar::new(DataType::Int64, AnyValue::Int64(number))), Kind::Int),
            (_, Ok(number)) => (lit(number), Kind::Id),
            _ => return None,
        };
        Some(Typed { number: Some(number), ..Typed::new(expr, kind) })
    }

    /// As another kind that it can be without loss of meaning.
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

/// The kind that all of these can be; none if there is none.
pub(super) fn common<'a>(all: impl IntoIterator<Item = &'a Typed> + Clone) -> Option<Kind> {
    const KINDS: [Kind; 6] = [Kind::Null, Kind::Int, Kind::Id, Kind::Real, Kind::Bool, Kind::Text];
    KINDS.into_iter().find(|kind| all.clone().into_iter().all(|one| one.to(*kind).is_some()))
}
