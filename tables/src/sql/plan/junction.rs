//! Chains of an associative operator: `AND`, `OR` and `||`.

use super::kind::{Kind, Typed};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{Expr as Column, NULL, concat_str, lit};
use sqlparser::ast::{BinaryOperator, Expr, Spanned};

/// An associative operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Junction {
    All,
    Any,
    Concatenation,
}

impl Junction {
    pub fn new(op: &BinaryOperator) -> Option<Junction> {
        match op {
            BinaryOperator::And => Some(Junction::All),
            BinaryOperator::Or => Some(Junction::Any),
            BinaryOperator::StringConcat => Some(Junction::Concatenation),
            _ => None,
        }
    }

    /// Converts an operand to the operator's type.
    ///
    /// # Errors
    /// The expression has another type.
    pub fn operand(self, typed: &Typed, op: &BinaryOperator, whole: &Expr) -> Result<Column, Unsupported> {
        let kind = if self == Junction::Concatenation { Kind::Text } else { Kind::Bool };
        let message = || match self {
            Junction::Concatenation => "|| takes texts: use CAST(x AS VARCHAR) for a number".to_owned(),
            _ => format!("{op} takes conditions, found {}", typed.kind.word()),
        };
        typed.to(kind).map_or_else(|| unsupported(whole.span(), message()), Ok)
    }

    /// Joins operands; there is at least one.
    pub fn column(self, all: Vec<Column>) -> Typed {
        let balanced = |all, join| balanced(all, join).unwrap_or_else(|| lit(NULL));
        match self {
            Junction::All => Typed::new(balanced(all, Column::and), Kind::Bool),
            Junction::Any => Typed::new(balanced(all, Column::or), Kind::Bool),
            Junction::Concatenation => Typed::new(concat_str(all, "", false), Kind::Text),
        }
    }
}

/// Joins columns as a balanced tree: polars walks expressions recursively, so a chain would be as deep as it is long.
pub(super) fn balanced(mut all: Vec<Column>, join: fn(Column, Column) -> Column) -> Option<Column> {
    match all.len() {
        0 | 1 => all.pop(),
        length => {
            let rest = all.split_off(length / 2);
            Some(join(balanced(all, join)?, balanced(rest, join)?))
        }
    }
}
