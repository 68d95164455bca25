//! The replayer: walks the recorded events in stamp order, makes the calls again, and compares.

use crate::error::{ReplayError, row_error};
use crate::known_event::KnownEvent;
use crate::outcome::Outcome;
use crate::policy::{Faithful, Policy};
use crate::run::Run;
use crate::what_if::{Tight, WhatIf, WhatIfOutcome};
use crate::world::ReplayWorld;
use taut_schemas::{CodecError, EventCode, EventSchema, FieldKind, Layer, Opcode, Role, ScalarSchema, SchemaTable};
use taut_traces::{Row, Trace, TraceWriter, World};

/// How far to replay and what to keep.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Stop after the last event with a stamp up to this, in ticks.
    pub until: u64,
    /// How many divergences to keep; all are counted.
    pub keep_divergences: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { until: u64::MAX, keep_divergences: 10 }
    }
}

/// Replays one trace.
pub struct Replayer<'t> {
    pub(crate) trace: &'t Trace,
    pub(crate) schema: SchemaTable,
    events: Vec<Option<KnownEvent>>,
    pub(crate) options: Options,
    /// The calls whose arguments hold addresses.
    pub(crate) address_calls: Vec<EventCode>,
}

impl<'t> Replayer<'t> {
    /// A replayer for `trace`.
    pub fn new(trace: &'t Trace, options: Options) -> Replayer<'t> {
        let schema = SchemaTable::current();
        let events = KnownEvent::table(&trace.header().schema, &schema);
        let address_calls = schema.events.iter().filter(|event| carries_addresses(event)).map(|event| event.code);
        let address_calls = address_calls.collect();
        Replayer { trace, schema, events, options, address_calls }
    }

    /// Replays on the recorded world.
    ///
    /// # Errors
    /// The world cannot be rebuilt, the trace cannot be read, or it has an event this build does not know.
    pub fn run(&self) -> Result<Outcome, ReplayError> {
        self.run_on(ReplayWorld::recorded(&self.trace.header().world)?, None)
    }

    /// Replays on `world`; what happens there is written to `output`, under the recorded stamps.
    ///
    /// # Errors
    /// The trace cannot be read, or it has an event this build does not know.
    pub fn run_on(&self, world: ReplayWorld, output: Option<&TraceWriter>) -> Result<Outcome, ReplayError> {
        self.pass(Run::new(self, world, output, &mut Faithful))
    }

    /// Replays on another world: `world` has its driver and settings, `tight` says what becomes of the tight flag. What
    /// the heaps need there is found first; then the calls are made, changed accordingly, and what happens is written to
    /// `output`.
    ///
    /// # Errors
    /// A world cannot be built, the trace cannot be read, or it has an event this build does not know.
    pub fn what_if(
        &self,
        world: &World,
        tight: Tight,
        output: Option<&TraceWriter>,
    ) -> Result<WhatIfOutcome, ReplayError> {
        let recorded = ReplayWorld::recorded(&self.trace.header().world)?;
        let mut what_if = WhatIf::survey(self, recorded, ReplayWorld::recorded(world)?, tight)?;
        let replayed = self.pass(Run::new(self, ReplayWorld::recorded(world)?, output, &mut what_if))?;
        Ok(WhatIfOutcome { replayed, ..what_if.outcome })
    }

    fn pass<P: Policy>(&self, mut run: Run<'_, 't, P>) -> Result<Outcome, ReplayError> {
        let damage = self.each_row(|row| run.row(row))?;
        Ok(Outcome { damage, ..run.finish() })
    }

    /// Hands every event up to the last wanted one to `take`, in order; gives the damage met.
    pub(crate) fn each_row(
        &self,
        mut take: impl FnMut(&Row<'_>) -> Result<(), ReplayError>,
    ) -> Result<Vec<taut_traces::Damage>, ReplayError> {
        let mut rows = self.trace.rows();
        while let Some(row) = rows.next_row() {
            if row.stamp > self.options.until {
                break;
            }
            take(&row)?;
        }
        Ok(rows.damage().to_vec())
    }

    /// What this build knows of a row's event.
    #[inline]
    pub(crate) fn known(&self, row: &Row<'_>) -> Result<&KnownEvent, ReplayError> {
        let known = self.events.get(usize::from(row.code.0)).and_then(Option::as_ref);
        known.ok_or_else(|| {
            let event = self.trace.header().schema.event(row.code);
            let found = event.map_or_else(|| format!("code {}", row.code.0), |event| event.name.clone());
            ReplayError::UnknownEvent { stamp: row.stamp, thread: row.thread, found }
        })
    }

    pub(crate) fn is_ddi_start(&self, code: EventCode) -> bool {
        code.opcode() == Some(Opcode::Start) && self.schema.event(code).is_some_and(|event| event.layer == Layer::Ddi)
    }

    pub(crate) fn name(&self, code: EventCode) -> String {
        self.schema.event(code).map_or_else(|| format!("event {}", code.0), |event| event.name.clone())
    }

    pub(crate) fn row_error(&self, row: &Row<'_>, code: EventCode, source: CodecError) -> ReplayError {
        row_error(row, self.name(code), source)
    }
}

fn carries_addresses(event: &EventSchema) -> bool {
    let address = |scalars: &[ScalarSchema]| scalars.iter().any(|scalar| scalar.role == Role::Address);
    let carries = event.fields.iter().any(|field| match &field.kind {
        FieldKind::Scalar(scalar) => address(std::slice::from_ref(scalar)),
        FieldKind::List(columns) | FieldKind::Optional(columns) => address(columns),
        FieldKind::Text | FieldKind::Bytes => false,
    });
    event.layer == Layer::Api && event.opcode == Opcode::Start && carries
}
