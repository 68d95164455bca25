//! Typed access to one field of an event, by the layout of the file.

use crate::format::error::ReadError;
use crate::read::translate::RowPlan;
use std::marker::PhantomData;
use taut_schemas::{EventCode, Field, FieldRef, SchemaTable};

/// Position of a field that holds a `T` in the rows of an event, looked up once by name in the file's table.
#[derive(Debug, Clone)]
pub struct RowField<T> {
    plan: RowPlan,
    of: PhantomData<fn() -> T>,
}

impl<T: Field> RowField<T> {
    /// Finds a field; `None` if the file has no such event, or lacks a part of the field.
    pub fn find(table: &SchemaTable, field: FieldRef<T>) -> Option<RowField<T>> {
        let plan = RowPlan::for_fields(table.find(field.event_ref())?, &field.described()).ok()?;
        plan.is_whole().then_some(RowField { plan, of: PhantomData })
    }

    /// Reads the field from a row of the event.
    ///
    /// # Errors
    /// The row does not have the file's layout, or holds a value that is invalid for the type.
    pub fn read(&self, row: &[u8]) -> Result<T, ReadError> {
        let mut found = Vec::new();
        self.plan.apply(row, &mut found)?;
        self.plan.decode(&found)
    }
}

impl<T> RowField<T> {
    /// Code of the event in the file.
    pub fn code(&self) -> EventCode {
        self.plan.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_schemas::{Encoder, PhaseEdge, info, mark};

    #[test]
    fn a_field_is_read_at_any_position_in_the_row() {
        use taut_schemas::Mark;
        let phase = mark::WorkloadPhase { phase_index: 7, edge: PhaseEdge::END, name: "upload".to_owned() };
        let mut row = vec![9, 9];
        phase.encode(&mut Encoder::new(&mut row));
        let mut table = SchemaTable::current();
        let (name, edge) = (info::<mark::WorkloadPhase>().name(), info::<mark::WorkloadPhase>().edge());
        let event = table.events.iter_mut().find(|event| event.name == mark::WorkloadPhase::NAME).unwrap();
        let mut before = event.fields[0].clone();
        before.name = "what_another_build_knows".to_owned();
        if let taut_schemas::FieldKind::Scalar(scalar) = &mut before.kind {
            scalar.width_bytes = 2;
        }
        event.fields.insert(0, before);
        assert_eq!(RowField::find(&table, name).unwrap().read(&row).unwrap(), "upload");
        assert_eq!(RowField::find(&table, edge).unwrap().read(&row).unwrap(), PhaseEdge::END);
        assert!(RowField::find(&table, name).unwrap().read(&row[1..]).is_err());
        table.events.iter_mut().for_each(|event| event.fields.retain(|field| field.name != "edge"));
        assert!(RowField::find(&table, edge).is_none());
    }
}
