//! What replay knows about an event code of a file.

use taut_schemas::{EventCode, Layer, SchemaTable};
use taut_traces::{ReadError, RowPlan};

/// What replay knows about an event code of a file.
pub(crate) struct KnownEvent {
    pub layer: Layer,
    /// Its code in this build.
    pub code: EventCode,
    plan: RowPlan,
    /// Cuts rows of this build to the fields that the file has; `None` where it has all.
    cut: Option<RowPlan>,
}

impl KnownEvent {
    /// By code, the events of the file's table that this build has too.
    pub fn table(recorded: &SchemaTable, current: &SchemaTable) -> Vec<Option<KnownEvent>> {
        let mut events = Vec::new();
        for recorded in &recorded.events {
            let Some(current) = current.named(&recorded.provider, &recorded.name, recorded.opcode) else { continue };
            // A layout that cannot be rewritten is no obstacle until such an event comes up.
            let Ok(plan) = RowPlan::new(recorded, current) else { continue };
            let cut = (!plan.is_identity()).then(|| RowPlan::of_fields(current, &recorded.fields).ok()).flatten();
            let at = usize::from(recorded.code.0);
            if events.len() <= at {
                events.resize_with(at + 1, || None);
            }
            events[at] = Some(KnownEvent { layer: current.layer, code: current.code, plan, cut });
        }
        events
    }

    /// A row of the file in this build's layout; `translated` holds it where that is another.
    #[inline]
    pub fn translate<'a>(&self, row: &'a [u8], translated: &'a mut Vec<u8>) -> Result<&'a [u8], ReadError> {
        if self.plan.is_identity() {
            return Ok(row);
        }
        self.plan.apply(row, translated)?;
        Ok(translated)
    }

    /// A row of this build in the file's terms: what the file has no field for is as it is in translated rows. `None` where
    /// the file has all fields.
    pub fn in_files_terms(&self, row: &[u8]) -> Option<Vec<u8>> {
        let (mut cut, mut row_of_file) = (Vec::new(), Vec::new());
        self.cut.as_ref()?.apply(row, &mut cut).ok()?;
        self.plan.apply(&cut, &mut row_of_file).ok()?;
        Some(row_of_file)
    }
}
