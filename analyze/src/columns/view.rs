//! Views: the fields of an event that a reader looks at, as a struct of its own.

use super::selecting::Selecting;
use crate::error::AnalyzeError;
use std::fmt;
use taut_schemas::{EventCode, EventRef};
use taut_traces::ThreadExtract;

/// What a reader looks at of one event's records. [`view!`](crate::view) makes one of a list of fields.
pub trait View: Sized {
    /// The call or mark of the lists.
    type Line;
    /// Where a trace has the fields.
    type Columns: fmt::Debug + Send + Sync;
    /// What some records have in them.
    type Values<'a>;

    /// The event.
    fn event() -> EventRef;

    /// Finds the fields in a trace, and reads them.
    ///
    /// # Errors
    /// The trace's table has the event, but not one of the fields without which it cannot be understood.
    fn columns(selecting: &mut Selecting<'_>) -> Result<Self::Columns, AnalyzeError>;

    /// The values of some records.
    fn values<'a>(columns: &Self::Columns, records: &'a ThreadExtract) -> Self::Values<'a>;

    /// The view of record `row`.
    fn read(values: &Self::Values<'_>, row: u32) -> Self;
}

/// A view's event and fields, found in a trace.
pub struct Found<V: View> {
    /// The event's code in the trace.
    pub code: EventCode,
    columns: V::Columns,
}

impl<V: View> Found<V> {
    /// Finds them, and reads them; none if the trace does not have the event.
    ///
    /// # Errors
    /// As [`View::columns`].
    pub fn select(selecting: &mut Selecting<'_>) -> Result<Option<Found<V>>, AnalyzeError> {
        let columns = V::columns(selecting)?;
        Ok(selecting.schema().find(V::event()).map(|event| Found { code: event.code, columns }))
    }

    /// The values of some records.
    pub fn values<'a>(&self, records: &'a ThreadExtract) -> V::Values<'a> {
        V::values(&self.columns, records)
    }
}

impl<V: View> fmt::Debug for Found<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.code, self.columns)
    }
}

/// Makes a struct a [`View`] of an event.
///
/// Behind `of` stand [`start`](taut_schemas::start), [`stop`](taut_schemas::stop) or [`info`](taut_schemas::info) and the call
/// or mark. Each member is a field of that name, or the one that the path behind `=` leads to; `whole` is the record itself, where a call
/// returns one thing. Those behind `if any` are
/// `None` where the trace lacks them; a trace that has the event has to have the others. Of both there are at most twelve.
#[macro_export]
macro_rules! view {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident of $record:ident $Line:ty {
            $( $(#[$doc:meta])* $field:ident: $ty:ty $(= $($member:ident).+)?, )*
        } $( if any { $( $(#[$option_doc:meta])* $option:ident: $option_ty:ty $(= $($option_member:ident).+)?, )* } )?
    ) => {
        $(#[$meta])*
        $vis struct $Name {
            $( $(#[$doc])* pub $field: $ty, )*
            $( $( $(#[$option_doc])* pub $option: Option<$option_ty>, )* )?
        }

        impl $crate::columns::View for $Name {
            type Line = $Line;
            type Columns = (
                ( $( Option<$crate::columns::Column<$ty>>, )* ),
                ( $( $( Option<$crate::columns::Column<$option_ty>>, )* )? ),
            );
            type Values<'a> = (
                ( $( $crate::columns::Values<'a, $ty>, )* ),
                ( $( $( $crate::columns::Values<'a, $option_ty>, )* )? ),
            );

            fn event() -> taut_schemas::EventRef {
                taut_schemas::$record::<$Line>().of_event()
            }

            fn columns(
                selecting: &mut $crate::columns::Selecting<'_>,
            ) -> Result<Self::Columns, $crate::AnalyzeError> {
                let record = taut_schemas::$record::<$Line>();
                selecting.event(record.of_event());
                Ok((
                    ( $( selecting.needed($crate::view!(@member record $field $($($member).+)?))?, )* ),
                    ( $( $( selecting.wanted($crate::view!(@member record $option $($($option_member).+)?)), )* )? ),
                ))
            }

            // A view of no field has no values.
            #[allow(clippy::unused_unit)]
            fn values<'a>(columns: &Self::Columns, records: &'a taut_traces::ThreadExtract) -> Self::Values<'a> {
                let (( $( $field, )* ), ( $( $( $option, )* )? )) = columns;
                let _ = records;
                (
                    ( $( $crate::columns::values($field, records), )* ),
                    ( $( $( $crate::columns::values($option, records), )* )? ),
                )
            }

            fn read(values: &Self::Values<'_>, row: u32) -> Self {
                let (( $( $field, )* ), ( $( $( $option, )* )? )) = values;
                let _ = row;
                $Name { $( $field: $field.or_default(row), )* $( $( $option: $option.get(row), )* )? }
            }
        }
    };
    (@member $record:ident $field:ident) => {
        $record.$field()
    };
    (@member $record:ident $field:ident whole) => {
        $record
    };
    (@member $record:ident $field:ident $($member:ident).+) => {
        $record$(.$member())+
    };
}
