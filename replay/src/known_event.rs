//! Mapping between an event code of a file and the same event in this build.

use taut_schemas::{EventCode, Layer, SchemaTable};
use taut_traces::{ReadError, RowPlan};

/// Event of a file that this build knows as well, with the plans that convert its rows.
pub(crate) struct KnownEvent {
    pub layer: Layer,
    /// Event code in this build.
    pub code: EventCode,
    plan: RowPlan,
    /// Reduces rows of this build to the fields that the file has; `None` if the file has all fields.
    to_file_fields: Option<RowPlan>,
}

impl KnownEvent {
    /// Returns the events that the file's table and this build have in common, indexed by the file's code.
    pub fn table(recorded: &SchemaTable, current: &SchemaTable) -> Vec<Option<KnownEvent>> {
        let mut events = Vec::new();
        for recorded in &recorded.events {
            let Some(current) = current.named(&recorded.provider, &recorded.name, recorded.opcode) else { continue };
            // A layout that cannot be translated is an error only if such an event occurs.
            let Ok(plan) = RowPlan::new(recorded, current) else { continue };
            let to_file_fields =
                (!plan.is_identity()).then(|| RowPlan::for_fields(current, &recorded.fields).ok()).flatten();
            let at = usize::from(recorded.code.0);
            if events.len() <= at {
                events.resize_with(at + 1, || None);
            }
            events[at] = Some(KnownEvent { layer: current.layer, code: current.code, plan, to_file_fields });
        }
        events
    }

    /// Converts a row of the file to this build's layout; `translated` is the buffer for it where the layouts differ.
    #[inline]
    pub fn translate<'a>(&self, row: &'a [u8], translated: &'a mut Vec<u8>) -> Result<&'a [u8], ReadError> {
        if self.plan.is_identity() {
            return Ok(row);
        }
        self.plan.apply(row, translated)?;
        Ok(translated)
    }

    /// Converts a row of this build to the file's fields: a field that the file lacks takes the same default as in
    /// translated rows. `None` where the file has all fields.
    pub fn to_file_layout(&self, row: &[u8]) -> Option<Vec<u8>> {
        let (mut to_file_fields, mut row_of_file) = (Vec::new(), Vec::new());
        self.to_file_fields.as_ref()?.apply(row, &mut to_file_fields).ok()?;
        self.plan.apply(&to_file_fields, &mut row_of_file).ok()?;
        Some(row_of_file)
    }
}
