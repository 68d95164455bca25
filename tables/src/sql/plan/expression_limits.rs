//! Limits on the depth and number of expressions, counted after aliases are expanded.

use crate::sql::QueryError;
use crate::sql::error::{Unsupported, unsupported};
use crate::sql::parse::MAX_CHAIN;
use sqlparser::ast::{Expr, Spanned};
use std::cell::Cell;
use taut_analyze::render::grouped;

/// Max number of expressions in a query. Each use of an alias is replaced by its whole expression, so a short text may
/// expand to any number of expressions.
const MAX_EXPRESSIONS: usize = 4_000_000;

/// Depth and count of the expressions being planned.
#[derive(Debug, Default)]
pub(in crate::sql) struct Levels {
    depth: Cell<usize>,
    count: Cell<usize>,
}

impl Levels {
    /// Number of expressions that were entered.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.count.get()
    }

    /// Enters an expression; the level ends when the returned guard is dropped.
    pub fn enter(&self, expr: &Expr) -> Result<Level<'_>, Unsupported> {
        // Twice the longest chain of a text, because aliases nest chains within chains.
        if self.depth.get() > 2 * MAX_CHAIN {
            return unsupported(
                expr.span(),
                format!("the query is nested too deeply: more than {} levels", 2 * MAX_CHAIN),
            );
        }
        if self.count.get() >= MAX_EXPRESSIONS {
            let limit_text = grouped(MAX_EXPRESSIONS as u64);
            return Err(QueryError::Limit(format!("this query needs more than {limit_text} expressions: select less")));
        }
        self.count.set(self.count.get() + 1);
        self.depth.set(self.depth.get() + 1);
        Ok(Level(self))
    }
}

/// Guard of one expression level.
pub(in crate::sql) struct Level<'a>(&'a Levels);

impl Drop for Level<'_> {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get() - 1);
    }
}
