//! Column definitions: names, types and documentation.

use crate::error::TableError;
use polars::prelude::{DataFrame, DataType, Field, IntoColumn, Series};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// 64-bit identifiers: handles, addresses, hashes. They are compared, not used in arithmetic.
    U64,
    /// Signed 64-bit integers, so that a difference can be negative.
    I64,
    /// 64-bit floating point numbers.
    F64,
    /// True or false.
    Bool,
    /// Text.
    Text,
    /// Any number of elements: numbers, or structs of numbers; see [`TableColumn::elements`].
    List,
}

impl ColumnKind {
    /// Name of the type in the documentation.
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

    /// Polars type of a single value. A list's type depends on its elements, see [`TableColumn::data_type`].
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

/// Definition of a column that a table has for every trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Name, unit last.
    pub name: &'static str,
    pub kind: ColumnKind,
    /// Meaning, and when the value is null.
    pub doc: &'static str,
}

/// A column of a table of one trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Name, unit last.
    pub name: String,
    pub kind: ColumnKind,
    /// Elements of a list column: one number without a name, or several named ones.
    pub elements: Vec<(String, ColumnKind)>,
    pub doc: Cow<'static, str>,
}

impl TableColumn {
    /// Creates a column of single values.
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

/// Converts the chunks of one table, in order, to the declared column types.
pub(super) struct TypeConversion<'a> {
    table: &'a str,
    columns: &'a [TableColumn],
    /// Number of rows in the previous chunks.
    rows: AtomicU64,
}

impl<'a> TypeConversion<'a> {
    pub fn new(table: &'a str, columns: &'a [TableColumn]) -> TypeConversion<'a> {
        TypeConversion { table, columns, rows: AtomicU64::new(0) }
    }

    /// Returns a chunk with its columns converted to the declared types.
    ///
    /// A number above 2⁶³ − 1 becomes null, as documented for each such column: d3d12.h uses UINT64_MAX for "no size".
    ///
    /// # Errors
    /// A stamp is above 2⁶³ − 1, which only a broken or hostile trace holds: a null would look like a missing time.
    pub fn part(&self, mut part: DataFrame) -> Result<DataFrame, TableError> {
        let first = self.rows.fetch_add(part.height() as u64, Ordering::Relaxed);
        for column in self.columns {
            let Some(place) = part.get_column_index(&column.name) else { continue };
            let (found, declared) = (part.columns()[place].dtype().clone(), column.data_type());
            if found == declared {
                continue;
            }
            let before = part.columns()[place].as_materialized_series();
            let cast = before.cast(&declared)?;
            if is_stamp(&column.name)
                && let Some((row, value)) = unfit(before, &cast)
            {
                let (table, column) = (self.table.to_owned(), column.name.clone());
                return Err(TableError::TooLarge { table, row: first + row + 1, column, value });
            }
            part.replace_column(place, cast.into_column())?;
        }
        Ok(part)
    }
}

/// True if a column holds stamps: positions in the order of events.
fn is_stamp(name: &str) -> bool {
    name == "stamp" || name.ends_with("_stamp")
}

/// The first value that became null in a cast, and its row in the column, from 0.
fn unfit(before: &Series, cast: &Series) -> Option<(u64, String)> {
    if cast.null_count() <= before.null_count() {
        return None;
    }
    let (was, is) = (before.is_null(), cast.is_null());
    let row = was.iter().zip(is.iter()).position(|pair| pair == (Some(false), Some(true)))?;
    Some((row as u64, before.get(row).map(|value| value.to_string()).unwrap_or_default()))
}

/// Declares a table's columns: name, type, documentation, and value in a row. Generates `COLUMNS`, the definitions, and
/// `fill`, which adds the wanted columns to a frame in the order of declaration.
///
/// ```text
/// columns! {
///     row of rows: &HeapRows<'_>;
///     heap: U64, "Handle of the heap.", row.heap.id.0;
///     mode: Text in &rows.modes, "Its mode.", rows.mode(row);
/// }
/// ```
///
/// `rows.all()` returns the rows. The value of a column `in` a list of texts is the index of its text.
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
