//! Names and what they stand for.

use super::kind::{Kind, Typed};
use super::refusal::{Refused, missing, refuse};
use polars::prelude::{LazyFrame, PlSmallStr, col};
use sqlparser::ast::Ident;

/// Rows under named columns: a table, or what a question gives.
#[derive(Clone)]
pub(in crate::query) struct Relation {
    pub frame: LazyFrame,
    /// Names, no two alike, and kinds, in order.
    pub columns: Vec<(String, Kind)>,
}

/// Tables that a question names for itself (`WITH`).
pub(super) type Named = Vec<(String, Relation)>;

/// A column that expressions can name.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    /// The table, as the question calls it.
    pub table: String,
    pub name: String,
    /// The frame's own name for it.
    pub key: PlSmallStr,
    pub kind: Kind,
    /// Columns joined with `USING` stand for this one too; it is named with its table only.
    pub merged: bool,
}

/// The columns that expressions can name.
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

    /// The columns that a bare name can mean.
    pub fn find(&self, name: &str) -> Vec<&Bound> {
        self.columns.iter().filter(|column| same(&column.name, name) && !column.merged).collect()
    }

    /// The column that a bare name means; none if there is none.
    pub fn bare(&self, name: &Ident) -> Result<Option<Typed>, Refused> {
        match self.find(&name.value).as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(Typed::new(col(one.key.clone()), one.kind))),
            several => {
                let which: Vec<String> =
                    several.iter().map(|column| format!("`{}.{}`", column.table, column.name)).collect();
                refuse(name.span, format!("`{}` may be {}: say which", name.value, which.join(" or ")))
            }
        }
    }

    /// The column `table.name`.
    pub fn qualified(&self, table: &Ident, name: &Ident) -> Result<Typed, Refused> {
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
