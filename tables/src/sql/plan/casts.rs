//! `CAST`, limited to types whose conversions match DuckDB's.

use super::expression::Expressions;
use super::kind::{Kind, Typed};
use crate::sql::error::{Unsupported, unsupported};
use polars::prelude::{DataType, RoundMode, lit};
use sqlparser::ast::{CastKind, DataType as Wanted, Expr, Spanned};

fn is_rounded(expr: &Expr) -> bool {
    match expr {
        Expr::Function(function) => super::functions::name_of(function) == "round",
        Expr::Nested(inner) => is_rounded(inner),
        _ => matches!(expr, Expr::Ceil { .. } | Expr::Floor { .. }),
    }
}

impl Expressions<'_> {
    pub fn cast(&mut self, whole: &Expr) -> Result<Typed, Unsupported> {
        let Expr::Cast { kind, expr, data_type, .. } = whole else { return unsupported(whole.span(), "no CAST") };
        let value = self.of(expr)?;
        let wanted = match data_type {
            Wanted::BigInt(_) | Wanted::Int8(_) | Wanted::Int64 => DataType::Int64,
            Wanted::Int(_) | Wanted::Integer(_) | Wanted::Int4(_) | Wanted::Int32 => DataType::Int32,
            Wanted::BigIntUnsigned(_) | Wanted::UBigInt | Wanted::UInt64 => DataType::UInt64,
            Wanted::Double(_) | Wanted::DoublePrecision | Wanted::Float8 | Wanted::Float64 => DataType::Float64,
            Wanted::Varchar(_) | Wanted::Text | Wanted::String(_) => DataType::String,
            Wanted::Boolean | Wanted::Bool => DataType::Boolean,
            other => {
                let known = "BIGINT, INTEGER, UBIGINT, DOUBLE, VARCHAR or BOOLEAN";
                let message = format!("`{other}` is not supported: CAST takes {known}");
                return unsupported(whole.span(), message);
            }
        };
        let cast = match (value.kind, Kind::from_data_type(&wanted)) {
            (Kind::Null, to) => Typed::new(value.expr.cast(wanted), to),
            (from, to) if from == to && to != Kind::Int => value,
            (Kind::Int | Kind::Id, to @ (Kind::Int | Kind::Id)) => Typed::new(value.expr.strict_cast(wanted), to),
            (Kind::Text, Kind::Int) => Typed::new(value.expr.strict_cast(wanted), Kind::Int),
            (Kind::Real, Kind::Int) if !is_rounded(expr) => {
                return unsupported(
                    whole.span(),
                    "expected an explicit rounding: CAST(round(x) AS BIGINT), floor(x) or ceil(x)",
                );
            }
            (Kind::Real, Kind::Int) => {
                let whole = value.expr.round(0, RoundMode::HalfToEven);
                Typed::new(whole.strict_cast(wanted), Kind::Int)
            }
            (Kind::Int | Kind::Id, Kind::Real) => Typed::new(value.expr.cast(wanted), Kind::Real),
            (Kind::Int | Kind::Id | Kind::Bool, Kind::Text) => Typed::new(value.expr.cast(wanted), Kind::Text),
            (Kind::Bool, Kind::Int) => Typed::new(value.expr.cast(wanted), Kind::Int),
            (Kind::Int, Kind::Bool) => Typed::new(value.expr.neq(lit(0i64)), Kind::Bool),
            (from, to) => {
                return unsupported(whole.span(), format!("{} cannot be cast to {}", from.word(), to.word()));
            }
        };
        // `Kind::Int` is 64 bits wide in every plan; the cast above has checked the narrower range.
        let cast = if cast.kind == Kind::Int { Typed::new(cast.expr.cast(DataType::Int64), Kind::Int) } else { cast };
        match kind {
            CastKind::Cast | CastKind::DoubleColon => Ok(cast),
            _ => unsupported(whole.span(), "`TRY_CAST` is not supported: CAST fails where a value does not fit"),
        }
    }
}
