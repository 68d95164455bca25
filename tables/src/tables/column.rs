//! What is said of a table's columns: names, types and meaning, from which the documentation is made.

use crate::error::TableError;
use polars::prelude::{DataFrame, DataType, Field};
use std::borrow::Cow;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Identities of 64 bits: handles, addresses, hashes. They are compared, not reckoned with.
    U64,
    /// Numbers of 64 bits, signed, so that a difference can be negative.
    I64,
    /// Real numbers of 64 bits.
    F64,
    /// True or false.
    Bool,
    /// Words.
    Text,
    /// Any number of elements: numbers, or structs of numbers; see [`TableColumn::elements`].
    List,
}

impl ColumnKind {
    /// Its name in the documentation.
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::U64 => "u64",
            ColumnKind::I64 => "i64",
            ColumnKind::F64 => "f64",
            ColumnKind::Bool => "bool",
            ColumnKind::Text => "text",
            ColumnKind::List => "list",
        }
    }

    /// That of a value; of a list only its column tells.
    fn data_type(self) -> DataType {
        match self {
            ColumnKind::List => DataType::Null,
            ColumnKind::U64 => DataType::UInt64,
            ColumnKind::I64 => DataType::Int64,
            ColumnKind::F64 => DataType::Float64,
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
    /// Of a list, what each element has: one number without a name, or several with theirs.
    pub elements: Vec<(String, ColumnKind)>,
    /// What it means.
    pub doc: Cow<'static, str>,
}

impl TableColumn {
    /// A column of single values.
    pub(crate) fn new(name: impl Into<String>, kind: ColumnKind, doc: impl Into<Cow<'static, str>>) -> TableColumn {
        TableColumn { name: name.into(), kind, elements: Vec::new(), doc: doc.into() }
    }

    pub(crate) fn data_type(&self) -> DataType {
        match (self.kind, self.elements.as_slice()) {
            (ColumnKind::List, [(_, kind)]) => DataType::List(Box::new(kind.data_type())),
            (ColumnKind::List, several) => {
                let fields = several.iter().map(|(name, kind)| Field::new(name.as_str().into(), kind.data_type()));
                DataType::List(Box::new(DataType::Struct(fields.collect())))
            }
            (kind, _) => kind.data_type(),
        }
    }
}

impl From<&ColumnDoc> for TableColumn {
    fn from(column: &ColumnDoc) -> TableColumn {
        TableColumn::new(column.name, column.kind, column.doc)
    }
}

/// A part with its columns in the types that are said of them. A quantity above 2⁶³ − 1, which only a broken or hostile
/// trace holds, becomes null.
pub(super) fn as_said(mut part: DataFrame, columns: &[TableColumn]) -> Result<DataFrame, TableError> {
    for column in columns {
        let Some(place) = part.get_column_index(&column.name) else { continue };
        let (found, said) = (part.columns()[place].dtype().clone(), column.data_type());
        if found != said {
            let cast = part.columns()[place].cast(&said)?;
            part.replace_column(place, cast)?;
        }
    }
    Ok(part)
}

/// Declares a table's columns, each once: its name, its kind, its meaning, and its value in a row. Made of it are `COLUMNS`,
/// what is said of them, and `fill`, which adds those that are wanted to a frame, in the order declared.
///
/// ```text
/// columns! {
///     row of rows: &HeapRows<'_>;
///     heap: U64, "Handle of the heap.", row.heap.id.0;
///     mode: Text in &rows.modes, "Its mode.", rows.mode(row);
/// }
/// ```
///
/// `rows.all()` gives the rows. What is `in` a list of words has the place of its word as its value.
macro_rules! columns {
    ($row:ident of $rows:ident: $type:ty; $($name:ident: $kind:ident $(in $words:expr)?, $doc:literal, $value:expr;)*) => {
        const COLUMNS: &[$crate::tables::ColumnDoc] = &[$($crate::tables::ColumnDoc {
            name: stringify!($name),
            kind: $crate::tables::ColumnKind::$kind,
            doc: $doc,
        }),*];

        fn fill($rows: $type, frame: &mut $crate::tables::frame::Frame<'_>) -> Result<(), $crate::error::TableError> {
            $($crate::tables::column::columns!(@add frame, $name, $rows.all().map(|$row| $value) $(, $words)?);)*
            Ok(())
        }
    };
    (@add $frame:ident, $name:ident, $values:expr) => {
        $frame.column(stringify!($name), || $values.collect::<Vec<_>>())
    };
    (@add $frame:ident, $name:ident, $values:expr, $words:expr) => {
        $frame.words(stringify!($name), $words, || $values.collect())?
    };
}
pub(crate) use columns;
