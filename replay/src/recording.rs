//! Recording as replays and what-ifs read it: events in stamp order, resolved to the events of this build.

use crate::error::{ReplayError, row_error};
use crate::known_event::KnownEvent;
use taut_schemas::{
    CodecError, Decoder, EventCode, EventSchema, FieldKind, Layer, Mark, Opcode, Provider, ProviderSet, Role,
    ScalarSchema, SchemaTable, mark,
};
use taut_traces::{Row, Trace};

/// Extent and limits of a replay.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Last stamp to replay, in ticks.
    pub until: u64,
    /// Maximum number of divergences to store; all are counted.
    pub keep_divergences: usize,
    /// Interval in calls after which the state is written as a rundown and the replay continues in a new world restored
    /// from it; 0 for never.
    pub rundown_every: u64,
}

impl Options {
    /// Returns the number of calls at which the next rundown is due, after `calls` calls.
    pub(crate) fn next_rundown(self, calls: u64) -> u64 {
        if self.rundown_every == 0 { u64::MAX } else { calls.saturating_add(self.rundown_every) }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { until: u64::MAX, keep_divergences: 10, rundown_every: 0 }
    }
}

/// One trace and the extent to which it is replayed.
pub(crate) struct Recording<'t> {
    pub trace: &'t Trace,
    pub schema: SchemaTable,
    events: Vec<Option<KnownEvent>>,
    /// File codes by this build's codes: `None` where the file's table lacks the event.
    of_current: Vec<Option<EventCode>>,
    /// True if the file's table lacks some event of this build.
    has_new: bool,
    pub options: Options,
    /// Calls whose arguments contain GPU addresses.
    pub address_calls: Vec<EventCode>,
}

impl<'t> Recording<'t> {
    pub fn new(trace: &'t Trace, options: Options) -> Recording<'t> {
        let schema = SchemaTable::current();
        let events = KnownEvent::table(&trace.header().schema, &schema);
        let mut of_current = vec![None; usize::from(schema.events.last().map_or(0, |event| event.code.0)) + 1];
        for (code, event) in events.iter().enumerate().filter_map(|(code, event)| Some((code, event.as_ref()?))) {
            of_current[usize::from(event.code.0)] = Some(EventCode(code as u16));
        }
        let has_new = schema.events.iter().any(|event| of_current[usize::from(event.code.0)].is_none());
        let address_calls = schema.events.iter().filter(|event| carries_addresses(event)).map(|event| event.code);
        let address_calls = address_calls.collect();
        Recording { trace, schema, events, of_current, has_new, options, address_calls }
    }

    /// Checks that the trace can have inputs.
    ///
    /// # Errors
    /// No event of its table is an input.
    pub fn check_inputs(&self) -> Result<(), ReplayError> {
        let table = &self.trace.header().schema;
        let imported = self.trace.header().world.workload.imported_from();
        if imported.is_none() && table.events.is_empty() || table.events.iter().any(|event| event.layer.is_input()) {
            return Ok(());
        }
        let mut providers: Vec<&str> = table.events.iter().map(|event| event.provider.as_str()).collect();
        providers.sort_unstable();
        providers.dedup();
        let providers = providers.join(", ");
        Err(match imported {
            Some(file) => ReplayError::Imported { providers, file: file.to_owned() },
            None => ReplayError::NoInputs { providers },
        })
    }

    /// Calls `take` for every event up to the last wanted one, in order; returns the damage found.
    pub fn each_row(
        &self,
        mut take: impl FnMut(&Row<'_>) -> Result<(), ReplayError>,
    ) -> Result<Vec<taut_traces::Damage>, ReplayError> {
        if let Some(block) = self.trace.unknown_blocks().iter().find(|block| block.is_critical) {
            return Err(ReplayError::UnknownBlock { offset: block.offset, kind: block.kind });
        }
        if let Some(provider) = missing_provider(self.trace.header().world.recorded_providers()) {
            return Err(ReplayError::NotRecorded { provider });
        }
        let mut rows = self.trace.rows();
        while let Some(row) = rows.next_row() {
            if row.stamp > self.options.until {
                break;
            }
            take(&row)?;
        }
        Ok(rows.damage().to_vec())
    }

    /// Returns the providers that a thread records from this row on.
    ///
    /// # Errors
    /// The API provider or the provider of the machine's inputs is not among them; or the row does not decode.
    pub fn providers(&self, stamp: u64, thread: u32, row: &[u8]) -> Result<ProviderSet, ReplayError> {
        let code = EventCode::new(mark::ProvidersChanged::ID, Opcode::Info);
        let mark = mark::ProvidersChanged::decode(&mut Decoder::new(row)).map_err(|source| ReplayError::Row {
            stamp,
            thread,
            event: self.name(code),
            source,
        })?;
        let known = mark.providers.split(',').filter_map(Provider::named);
        let providers = known.fold(ProviderSet::NONE, ProviderSet::with);
        match missing_provider(providers) {
            Some(provider) => Err(ReplayError::Disabled { stamp, thread, provider }),
            None => Ok(providers),
        }
    }

    /// Returns this build's counterpart of a row's event.
    #[inline]
    pub fn known(&self, row: &Row<'_>) -> Result<&KnownEvent, ReplayError> {
        let known = self.events.get(usize::from(row.code.0)).and_then(Option::as_ref);
        known.ok_or_else(|| {
            let event = self.trace.header().schema.event(row.code);
            let found = event.map_or_else(|| format!("code {}", row.code.0), |event| event.name.clone());
            ReplayError::UnknownEvent { stamp: row.stamp, thread: row.thread, found }
        })
    }

    /// True if the build that recorded the trace had no such event.
    pub fn is_new(&self, code: EventCode) -> bool {
        self.has_new && self.of_current.get(usize::from(code.0)).is_none_or(Option::is_none)
    }

    /// Converts a live row to the file's fields; `None` if the file has all fields.
    pub fn to_file_layout(&self, code: EventCode, row: &[u8]) -> Option<Vec<u8>> {
        let of_file = (*self.of_current.get(usize::from(code.0))?)?;
        self.events.get(usize::from(of_file.0))?.as_ref()?.to_file_layout(row)
    }

    pub fn is_ddi_start(&self, code: EventCode) -> bool {
        code.opcode() == Some(Opcode::Start) && self.schema.event(code).is_some_and(|event| event.layer == Layer::Ddi)
    }

    pub fn name(&self, code: EventCode) -> String {
        self.schema.event(code).map_or_else(|| format!("event {}", code.0), |event| event.name.clone())
    }

    pub fn row_error(&self, row: &Row<'_>, code: EventCode, source: CodecError) -> ReplayError {
        row_error(row, self.name(code), source)
    }
}

/// Returns a provider that replay requires and that was not recorded, if any.
fn missing_provider(recorded: ProviderSet) -> Option<&'static str> {
    let needed = [Provider::Api, Provider::Task].into_iter().find(|provider| !recorded.has(*provider));
    needed.map(Provider::name)
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
