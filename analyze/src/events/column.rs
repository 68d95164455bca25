//! Columns: a field of an event, located in a trace's own table.

use super::values::{FieldPart, Optionals, Values};
use std::marker::PhantomData;
use taut_schemas::{
    EventCode, EventSchema, Field, FieldKind, FieldRef, FieldSchema, HResultCode, ObjectId, Role, ScalarSchema,
    SchemaTable,
};
use taut_traces::{Column as Found, EventColumns, ThreadExtract};

/// Location of a field that holds a `T` in a trace. It is found once, by name.
#[derive(Debug, Clone)]
pub struct Column<T> {
    code: EventCode,
    parts: Vec<ColumnPlace>,
    of: PhantomData<fn() -> T>,
}

/// Location in the trace of one field of this build's layout of a value.
#[derive(Debug, Clone)]
pub(super) struct ColumnPlace {
    /// Name in the trace, if the trace has the field.
    pub name: Option<String>,
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    /// A number, with its width in bytes.
    Number(u8),
    /// A text, or bytes.
    Bytes { is_text: bool },
    /// A list or an optional: for each column of an element its index in the trace and its width in bytes.
    List(Vec<(Option<usize>, u8)>),
}

impl<T: Field> Column<T> {
    /// Finds a field; `None` if the trace has no part of it. A descriptor may lack some members.
    pub fn find(schema: &SchemaTable, field: FieldRef<T>) -> Option<Column<T>> {
        let event = schema.find(field.event_ref())?;
        let parts: Vec<ColumnPlace> = field.described().iter().map(|wanted| place(event, wanted)).collect();
        let any = parts.iter().any(|part| part.name.is_some());
        any.then_some(Column { code: event.code, parts, of: PhantomData })
    }

    /// The names of the field's parts in the trace.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| part.name.as_deref())
    }

    /// The values of some records, if the event was selected.
    pub fn values<'a>(&self, records: &'a ThreadExtract) -> Values<'a, T> {
        let Some(event) = records.columns.iter().find(|columns| columns.code == self.code) else {
            return Values::default();
        };
        Values::new(self.parts.iter().map(|place| place.part(event)))
    }
}

impl Column<HResultCode> {
    /// Finds the result code in any call's stop; `None` for a call without one.
    pub(super) fn of_stop(stop: &EventSchema) -> Option<Column<HResultCode>> {
        let is_result =
            |field: &&FieldSchema| matches!(&field.kind, FieldKind::Scalar(scalar) if scalar.role == Role::HResult);
        let field = stop.fields.iter().find(is_result)?;
        Some(Column { code: stop.code, parts: vec![place(stop, field)], of: PhantomData })
    }
}

impl<T> Column<T> {
    /// Converts a column of an object's typed id to one of [`ObjectId`].
    pub fn of_object(self) -> Column<ObjectId>
    where
        ObjectId: From<T>,
    {
        Column { code: self.code, parts: self.parts, of: PhantomData }
    }

    /// The event's code in the trace.
    pub fn code(&self) -> EventCode {
        self.code
    }
}

/// The values of some records; empty for a field that the trace lacks.
pub fn values<'a, T: Field>(column: &Option<Column<T>>, records: &'a ThreadExtract) -> Values<'a, T> {
    column.as_ref().map(|column| column.values(records)).unwrap_or_default()
}

impl ColumnPlace {
    pub fn part<'a>(&self, event: &'a EventColumns) -> FieldPart<'a> {
        let name = self.name.as_deref();
        let found = event.fields.iter().find(|(known, _)| Some(known.as_str()) == name).map(|(_, column)| column);
        match (&self.shape, found) {
            (Shape::Number(width_bytes), Some(Found::Numbers(numbers))) => FieldPart::Number(*width_bytes, numbers),
            (Shape::Bytes { is_text }, Some(Found::Texts { ends, bytes })) => {
                FieldPart::Bytes { is_text: *is_text, ends, bytes }
            }
            (Shape::List(columns), Some(Found::Lists { ends, columns: found })) => {
                let column = |(place, width_bytes): &(Option<usize>, u8)| {
                    let found = place.and_then(|place| found.get(place));
                    (*width_bytes, found.map(|(_, numbers)| numbers.as_slice()))
                };
                FieldPart::List { ends, columns: columns.iter().map(column).collect() }
            }
            (Shape::Number(width_bytes), _) => {
                FieldPart::Missing { width_bytes: usize::from(*width_bytes), is_number: true }
            }
            _ => FieldPart::Missing { width_bytes: size_of::<u32>(), is_number: false },
        }
    }
}

/// Locates a field of this build in an event. A field of the same name and another kind counts as missing.
pub(super) fn place(event: &EventSchema, wanted: &FieldSchema) -> ColumnPlace {
    let found = event.fields.iter().find(|known| known.name == wanted.name);
    let kind = found.map(|found| &found.kind);
    let (shape, is_same) = match &wanted.kind {
        FieldKind::Scalar(scalar) => (Shape::Number(scalar.width_bytes), matches!(kind, Some(FieldKind::Scalar(_)))),
        FieldKind::Text => (Shape::Bytes { is_text: true }, matches!(kind, Some(FieldKind::Text))),
        FieldKind::Bytes => (Shape::Bytes { is_text: false }, matches!(kind, Some(FieldKind::Bytes))),
        FieldKind::List(columns) | FieldKind::Optional(columns) => {
            let known: &[ScalarSchema] = found.map(FieldSchema::scalars).unwrap_or_default();
            let place = |column: &ScalarSchema| known.iter().position(|known| known.name == column.name);
            let columns = columns.iter().map(|column| (place(column), column.width_bytes)).collect();
            (Shape::List(columns), matches!(kind, Some(FieldKind::List(_) | FieldKind::Optional(_))))
        }
    };
    ColumnPlace { name: is_same.then(|| wanted.name.clone()), shape }
}

/// Name of a part of a field that an event of the trace lacks; `None` if it has the whole field.
pub(super) fn lacking<T: Field>(event: &EventSchema, field: FieldRef<T>) -> Option<String> {
    let lacks = |wanted: &FieldSchema| place(event, wanted).name.is_none();
    field.described().into_iter().find(lacks).map(|field| field.name)
}

/// Location of a member of an optional descriptor in a trace.
#[derive(Debug, Clone)]
pub struct ElementColumn<T> {
    code: EventCode,
    /// The optional's name in the trace.
    name: String,
    /// Index of the member among the optional's columns.
    place: usize,
    of: PhantomData<fn() -> T>,
}

impl<T: Field> ElementColumn<T> {
    /// Finds the member that `member` refers to; `None` if the trace lacks it.
    pub fn find<D: Field>(
        schema: &SchemaTable,
        optional: FieldRef<Option<D>>,
        member: fn(FieldRef<D>) -> FieldRef<T>,
    ) -> Option<ElementColumn<T>> {
        let event = schema.find(optional.event_ref())?;
        let (optional_name, member) =
            (optional.described().pop()?.name, member(optional.element()).described().pop()?.name);
        let known = event.fields.iter().find(|known| known.name == optional_name)?;
        let place = known.scalars().iter().position(|known| known.name == member)?;
        Some(ElementColumn { code: event.code, name: optional_name, place, of: PhantomData })
    }

    /// The member's values in some records, if the optional was selected.
    pub fn values<'a>(&self, records: &'a ThreadExtract) -> Optionals<'a> {
        let event = records.columns.iter().find(|columns| columns.code == self.code);
        let found = event.and_then(|event| event.fields.iter().find(|(known, _)| *known == self.name));
        match found {
            Some((_, Found::Lists { ends, columns })) => {
                let numbers = columns.get(self.place).map(|(_, numbers)| numbers.as_slice());
                Optionals::new(ends, numbers.unwrap_or_default())
            }
            _ => Optionals::default(),
        }
    }
}
