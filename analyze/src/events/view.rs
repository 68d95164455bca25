//! Views: the fields of an event that a reader needs, as a struct.

use super::selecting::Selecting;
use crate::error::AnalyzeError;
use std::fmt;
use taut_schemas::{EventCode, EventRef};
use taut_traces::ThreadExtract;

/// The fields of one event's records that a reader needs. [`view!`](crate::view) defines a view from a list of fields.
pub trait View: Sized {
    /// The call or mark of the lists.
    type Line;
    /// Location of the fields in a trace.
    type Columns: fmt::Debug + Send + Sync;
    /// Values of the fields in some records.
    type Values<'a>;

    /// The event.
    fn event() -> EventRef;

    /// Locates the fields in a trace, and selects them.
    ///
    /// # Errors
    /// The trace's table has the event, but lacks a required field.
    fn columns(selecting: &mut Selecting<'_>) -> Result<Self::Columns, AnalyzeError>;

    /// The values of some records.
    fn values<'a>(columns: &Self::Columns, records: &'a ThreadExtract) -> Self::Values<'a>;

    /// The view of record `row`.
    fn read(values: &Self::Values<'_>, row: u32) -> Self;
}

/// A view's event and fields, as located in a trace.
pub struct Found<V: View> {
    /// The event's code in the trace.
    pub code: EventCode,
    columns: V::Columns,
}

impl<V: View> Found<V> {
    /// Locates the fields, and selects them; `None` if the trace lacks the event.
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

/// Defines a struct that is a [`View`] of an event.
///
/// After `of` come [`start`](taut_schemas::start), [`stop`](taut_schemas::stop) or [`info`](taut_schemas::info), and
/// the call or mark. Each member is the field of the same name, or the one at the path after `=`; `whole` is the record
/// itself, for a call with a single result. Members after `if any` are `None` where the trace lacks them; the others
/// are required in a trace that has the event. Each group has at most twelve members.
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

        impl $crate::events::View for $Name {
            type Line = $Line;
            type Columns = (
                ( $( Option<$crate::events::Column<$ty>>, )* ),
                ( $( $( Option<$crate::events::Column<$option_ty>>, )* )? ),
            );
            type Values<'a> = (
                ( $( $crate::events::Values<'a, $ty>, )* ),
                ( $( $( $crate::events::Values<'a, $option_ty>, )* )? ),
            );

            fn event() -> taut_schemas::EventRef {
                taut_schemas::$record::<$Line>().event_ref()
            }

            fn columns(
                selecting: &mut $crate::events::Selecting<'_>,
            ) -> Result<Self::Columns, $crate::AnalyzeError> {
                let record = taut_schemas::$record::<$Line>();
                selecting.event(record.event_ref());
                Ok((
                    ( $( selecting.needed($crate::view!(@member record $field $($($member).+)?))?, )* ),
                    ( $( $( selecting.wanted($crate::view!(@member record $option $($($option_member).+)?)), )* )? ),
                ))
            }

            // A view without fields has no values.
            #[allow(clippy::unused_unit)]
            fn values<'a>(columns: &Self::Columns, records: &'a taut_traces::ThreadExtract) -> Self::Values<'a> {
                let (( $( $field, )* ), ( $( $( $option, )* )? )) = columns;
                let _ = records;
                (
                    ( $( $crate::events::values($field, records), )* ),
                    ( $( $( $crate::events::values($option, records), )* )? ),
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
