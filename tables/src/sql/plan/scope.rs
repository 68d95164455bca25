//! Name resolution: tables and columns in scope.

use super::kind::{Kind, Typed};
use crate::sql::error::{Unsupported, missing, unsupported};
use polars::prelude::{LazyFrame, PlSmallStr, col};
use sqlparser::ast::Ident;

/// Rows under named columns: a table, or a query's result.
#[derive(Clone)]
pub(in crate::sql) struct Relation {
    pub frame: LazyFrame,
    /// Column names, which are unique, and types, in order.
    pub columns: Vec<(String, Kind)>,
}

/// Tables that `WITH` defines.
pub(super) type Named = Vec<(String, Relation)>;

/// A column in scope.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    /// Name or alias of the table.
    pub table: String,
    pub name: String,
    /// Name of the column in the frame, which is unique over all tables of the FROM.
    pub key: PlSmallStr,
    pub kind: Kind,
    /// True if a `USING` join merged this column into the other side's; it is then reachable through its table only.
    pub merged: bool,
}

/// All columns in scope.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub columns: Vec<Bound>,
}

pub(super) fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

impl Scope {
    pub fn new(table: &str, relation: &Relation) -> Scope {
        let bound = |(name, kind): &(String, Kind)| Bound {
            table: table.to_owned(),
            name: name.clone(),
            key: name.as_str().into(),
            kind: *kind,
            merged: false,
        };
        Scope { columns: relation.columns.iter().map(bound).collect() }
    }

    pub fn has_table(&self, table: &str) -> bool {
        self.columns.iter().any(|column| same(&column.table, table))
    }

    /// Returns the columns that an unqualified name can refer to.
    pub fn find(&self, name: &str) -> Vec<&Bound> {
        self.columns.iter().filter(|column| same(&column.name, name) && !column.merged).collect()
    }

    /// Resolves an unqualified column; `None` if it does not exist, an error if it is ambiguous.
    pub fn bare(&self, name: &Ident) -> Result<Option<Typed>, Unsupported> {
        match self.find(&name.value).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(Typed::new(col(one.key.clone()), one.kind))),
            several => {
                let which: Vec<String> =
                    several.iter().map(|column| format!("`{}.{}`", column.table, column.name)).collect();
                unsupported(name.span, format!("`{}` is ambiguous: use {}", name.value, which.join(" or ")))
            }
        }
    }

    /// Resolves the column `table.name`.
    pub fn qualified(&self, table: &Ident, name: &Ident) -> Result<Typed, Unsupported> {
        if !self.has_table(&table.value) {
            let tables = self.columns.iter().map(|column| column.table.as_str());
            return missing(table.span, "table", &table.value, tables);
        }
        let of_table = || self.columns.iter().filter(|column| same(&column.table, &table.value));
        match of_table().find(|column| same(&column.name, &name.value)) {
            Some(found) => Ok(Typed::new(col(found.key.clone()), found.kind)),
            None => missing(name.span, "column", &name.value, of_table().map(|column| column.name.as_str())),
        }
    }
}
