//! What is said of a table's columns: names, types and meaning, from which the documentation is made.

use polars::prelude::DataType;
use std::borrow::Cow;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Unsigned numbers of 64 bits.
    U64,
    /// Unsigned numbers of 32 bits.
    U32,
    /// Signed numbers of 64 bits.
    I64,
    /// True or false.
    Bool,
    /// Words.
    Text,
}

impl ColumnKind {
    /// Its name in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::U64 => "u64",
            ColumnKind::U32 => "u32",
            ColumnKind::I64 => "i64",
            ColumnKind::Bool => "bool",
            ColumnKind::Text => "text",
        }
    }

    pub(crate) fn data_type(self) -> DataType {
        match self {
            ColumnKind::U64 => DataType::UInt64,
            ColumnKind::U32 => DataType::UInt32,
            ColumnKind::I64 => DataType::Int64,
            ColumnKind::Bool => DataType::Boolean,
            ColumnKind::Text => DataType::String,
        }
    }
}

/// A column that a table has of every trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Name, unit last.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it means, and when it is null.
    pub doc: &'static str,
}

/// A column of a table of one trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Name, unit last.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it means.
    pub doc: Cow<'static, str>,
}

impl From<&ColumnDoc> for TableColumn {
    fn from(column: &ColumnDoc) -> TableColumn {
        TableColumn { name: column.name.to_owned(), kind: column.kind, doc: Cow::Borrowed(column.doc) }
    }
}

/// A table's columns: `name: kind, "meaning";`.
macro_rules! columns {
    ($($name:ident: $kind:ident, $doc:literal;)*) => {
        &[$($crate::tables::ColumnDoc {
            name: stringify!($name),
            kind: $crate::tables::ColumnKind::$kind,
            doc: $doc,
        }),*]
    };
}
pub(crate) use columns;
