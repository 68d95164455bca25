//! The replayer: walks the recorded events in stamp order, makes the calls again, and compares.

use crate::divergence::Divergence;
use crate::execute::{created, execute, mapped};
use crate::handles::Handles;
use crate::live::LiveEvents;
use crate::world::{ReplayWorld, WorldError};
use std::collections::BTreeMap;
use taut_schemas::{CodecError, Encoder, EventCode, Layer, Opcode, SchemaTable};
use taut_traces::{Damage, ReadError, Row, RowPlan, ThreadWriter, Trace, TraceWriter, fields};
use thiserror::Error;

/// Why a replay cannot go on. Differences are not errors.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The recorded world cannot be rebuilt.
    #[error(transparent)]
    World(#[from] WorldError),
    /// An event whose fields this build does not have.
    #[error("stamp {stamp}, thread {thread}: expected an event this build knows, found {found}")]
    UnknownEvent {
        /// Stamp of the event.
        stamp: u64,
        /// Thread of the event.
        thread: u32,
        /// Its name, or its code where the trace has no name for it.
        found: String,
    },
    /// A recorded row does not decode.
    #[error("stamp {stamp}, thread {thread}, {event}: {source}")]
    Row {
        /// Stamp of the event.
        stamp: u64,
        /// Thread of the event.
        thread: u32,
        /// Name of the event.
        event: String,
        /// What is wrong with the row.
        source: CodecError,
    },
}

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

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// API calls made again.
    pub calls: u64,
    /// DDI calls met.
    pub ddi_calls: u64,
    /// API calls that had started but not returned when the recording ended; made again, but with nothing to compare.
    pub unfinished_calls: u64,
    /// All differences.
    pub divergence_count: u64,
    /// The first differences.
    pub divergences: Vec<Divergence>,
    /// Damage of the file: what it lost was not replayed, and later calls may differ for it.
    pub damage: Vec<Damage>,
}

impl Outcome {
    /// Every call, DDI call, argument and result was the same.
    pub fn is_identical(&self) -> bool {
        self.divergence_count == 0
    }
}

/// What the replayer knows about an event code of the file.
struct KnownEvent {
    layer: Layer,
    code: EventCode,
    plan: RowPlan,
}

/// One application thread's current call.
#[derive(Default)]
struct ThreadState {
    live: LiveEvents,
    /// The call being replayed and its position among all calls.
    call: Option<(EventCode, u64)>,
    /// The rest of the current call is not compared: both sides have gone different ways.
    skip: bool,
    last_written_stamp: u64,
}

/// Replays one trace.
pub struct Replayer<'t> {
    trace: &'t Trace,
    schema: SchemaTable,
    events: Vec<Option<KnownEvent>>,
    options: Options,
}

impl<'t> Replayer<'t> {
    /// A replayer for `trace`.
    pub fn new(trace: &'t Trace, options: Options) -> Replayer<'t> {
        let schema = SchemaTable::current();
        let mut events = Vec::new();
        for recorded in &trace.header().schema.events {
            let Some(current) = schema.named(&recorded.name, recorded.opcode) else { continue };
            // A layout that cannot be rewritten is no obstacle until such an event comes up.
            let Ok(plan) = RowPlan::new(recorded, current) else { continue };
            let at = usize::from(recorded.code.0);
            if events.len() <= at {
                events.resize_with(at + 1, || None);
            }
            events[at] = Some(KnownEvent { layer: current.layer, code: current.code, plan });
        }
        Replayer { trace, schema, events, options }
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
        let mut run = Run {
            replayer: self,
            world,
            handles: Handles::default(),
            threads: BTreeMap::new(),
            writers: BTreeMap::new(),
            output,
            outcome: Outcome::default(),
            next_recorded_object: 1,
            row: Vec::new(),
        };
        let mut rows = self.trace.rows();
        while let Some(row) = rows.next()? {
            if row.stamp > self.options.until {
                break;
            }
            run.row(&row)?;
        }
        run.outcome.damage = rows.damage().to_vec();
        run.outcome.unfinished_calls = run.threads.values().filter(|thread| thread.call.is_some()).count() as u64;
        Ok(run.outcome)
    }
}

/// One pass over the trace.
struct Run<'r, 't> {
    replayer: &'r Replayer<'t>,
    world: ReplayWorld,
    handles: Handles,
    threads: BTreeMap<u32, ThreadState>,
    writers: BTreeMap<u32, ThreadWriter>,
    output: Option<&'r TraceWriter>,
    outcome: Outcome,
    /// The handle the recording's next creation takes.
    next_recorded_object: u64,
    /// The current row in this build's layout, where the file's differs.
    row: Vec<u8>,
}

impl Run<'_, '_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), ReplayError> {
        let replayer = self.replayer;
        let known = replayer.events.get(usize::from(row.code.0)).and_then(Option::as_ref);
        let Some(known) = known else { return Err(replayer.unknown(row)) };
        let mut translated = std::mem::take(&mut self.row);
        let payload = if known.plan.is_identity() {
            row.payload
        } else {
            known.plan.apply(row.payload, &mut translated)?;
            &translated
        };
        let at = At { stamp: row.stamp, thread: row.thread };
        let result = match (known.layer, known.code.opcode()) {
            (Layer::Api, Some(Opcode::Start)) => self.start(at, known.code, payload),
            (Layer::Api, Some(Opcode::Stop)) => self.stop(at, known.code, payload),
            _ => self.nested(at, known.layer, known.code, payload),
        };
        let result = result.map_err(|source| row_error(row, replayer.name(known.code), source));
        self.row = translated;
        result
    }

    /// An API call starts: it is made again at once, and what it said is kept for the recorded events to come.
    fn start(&mut self, at: At, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        self.write_start(at, code, row)?;
        let thread = self.threads.entry(at.thread).or_default();
        thread.live.clear();
        thread.skip = false;
        thread.call = Some((code, self.outcome.calls));
        self.outcome.calls += 1;
        let next = self.next_recorded_object;
        let made = execute(code.id(), row, next, &mut self.world, &mut self.handles, &mut thread.live);
        made.unwrap_or(Ok(()))
    }

    /// A DDI call or a mark: inside a call it is compared; outside, it is input and passes through.
    fn nested(&mut self, at: At, layer: Layer, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let thread = self.threads.entry(at.thread).or_default();
        let Some((call, call_index)) = thread.call else {
            self.write(at, code, row);
            return Ok(());
        };
        if thread.skip {
            return Ok(());
        }
        if layer == Layer::Ddi && code.opcode() == Some(Opcode::Start) {
            self.outcome.ddi_calls += 1;
        }
        // The newest live event is the call's own stop: it is not for a nested event to meet.
        let mut live = std::mem::take(&mut thread.live);
        let place = Place { at, call, call_index, event: code };
        let met = if live.len() > 1 { live.pop() } else { None };
        let compared = match met {
            Some((live_code, live_row)) if live_code == code => {
                self.write(at, code, live_row);
                self.compare(place, row, live_row)
            }
            other => {
                let name = other.map(|(live_code, live_row)| {
                    self.write(at, live_code, live_row);
                    self.replayer.name(live_code)
                });
                self.thread(at).skip = true;
                let recorded = Some(self.replayer.name(code));
                self.event_divergence(place, recorded, name);
                Ok(())
            }
        };
        self.thread(at).live = live;
        compared
    }

    /// An API call returns: what is left of the live events is surplus; the results are compared.
    fn stop(&mut self, at: At, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let thread = self.threads.entry(at.thread).or_default();
        let Some((call, call_index)) = thread.call.take() else { return Ok(()) };
        let mut surplus_counts = !thread.skip;
        let mut live = std::mem::take(&mut thread.live);
        let place = Place { at, call, call_index, event: code };
        while live.len() > 1 {
            let Some((live_code, live_row)) = live.pop() else { break };
            self.write(At { stamp: 0, ..at }, live_code, live_row);
            if std::mem::take(&mut surplus_counts) {
                let name = self.replayer.name(live_code);
                self.event_divergence(place, None, Some(name));
            }
        }
        let compared = match live.pop() {
            Some((_, live_row)) => self.result(place, row, live_row),
            None => Ok(()),
        };
        self.thread(at).live = live;
        compared
    }

    /// Compares a call's results and remembers which objects they name.
    fn result(&mut self, place: Place, row: &[u8], live_row: &[u8]) -> Result<(), CodecError> {
        self.write(place.at, place.event, live_row);
        if let Some(recorded) = created(place.event.id(), row)? {
            self.next_recorded_object = self.next_recorded_object.max(recorded.saturating_add(1));
            if row != live_row || !self.handles.is_identity() {
                self.handles.created(recorded, created(place.event.id(), live_row)?);
            }
        }
        self.compare(place, row, live_row)
    }

    fn thread(&mut self, at: At) -> &mut ThreadState {
        self.threads.entry(at.thread).or_default()
    }

    /// Compares a recorded row with a live one, handles mapped, and names each field that differs.
    fn compare(&mut self, place: Place, recorded: &[u8], live: &[u8]) -> Result<(), CodecError> {
        if recorded == live && self.handles.is_identity() {
            return Ok(());
        }
        let mapped = match mapped(place.event, recorded, &mut self.handles) {
            Some(mapped) => mapped?,
            None => recorded.to_vec(),
        };
        if mapped == live {
            return Ok(());
        }
        let schema = &self.replayer.schema;
        let of = |row: &[u8]| fields(schema, place.event, row).unwrap_or_default();
        let (recorded, live) = (of(&mapped), of(live));
        for (recorded, live) in recorded.iter().zip(&live) {
            if recorded != live {
                let json = |value| serde_json::to_value(value).unwrap_or_default();
                self.diverge(place, recorded.0.clone(), json(&recorded.1), json(&live.1));
            }
        }
        Ok(())
    }

    fn event_divergence(&mut self, place: Place, recorded: Option<String>, live: Option<String>) {
        self.diverge(place, "event".to_owned(), recorded.into(), live.into());
    }

    fn diverge(&mut self, place: Place, field: String, recorded: serde_json::Value, live: serde_json::Value) {
        self.outcome.divergence_count += 1;
        if self.outcome.divergences.len() >= self.replayer.options.keep_divergences {
            return;
        }
        self.outcome.divergences.push(Divergence {
            stamp: place.at.stamp,
            thread: place.at.thread,
            call_index: place.call_index,
            call: self.replayer.name(place.call),
            event: self.replayer.name(place.event),
            field,
            recorded,
            live,
        });
    }

    fn write_start(&mut self, at: At, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        if self.output.is_none() {
            return Ok(());
        }
        if self.handles.is_identity() {
            self.write(at, code, row);
            return Ok(());
        }
        let (wait_ns, arguments) = row.split_at(row.len().min(size_of::<u64>()));
        let mut live_row = wait_ns.to_vec();
        match mapped(code, arguments, &mut self.handles) {
            Some(mapped) => live_row.extend(mapped?),
            None => live_row.extend(arguments),
        }
        self.write(at, code, &live_row);
        Ok(())
    }

    /// Writes a live event under the recorded stamp, or the next free one after the thread's last.
    fn write(&mut self, at: At, code: EventCode, row: &[u8]) {
        let Some(output) = self.output else { return };
        let thread = self.threads.entry(at.thread).or_default();
        let stamp = at.stamp.max(thread.last_written_stamp + 1);
        thread.last_written_stamp = stamp;
        let writer = self.writers.entry(at.thread).or_insert_with(|| output.thread(at.thread));
        writer.event(code, stamp, |encoder: &mut Encoder<'_>| encoder.raw(row));
    }
}

impl Replayer<'_> {
    fn name(&self, code: EventCode) -> String {
        self.schema.event(code).map_or_else(|| format!("event {}", code.0), |event| event.name.clone())
    }

    fn unknown(&self, row: &Row<'_>) -> ReplayError {
        let event = self.trace.header().schema.event(row.code);
        let found = event.map_or_else(|| format!("code {}", row.code.0), |event| event.name.clone());
        ReplayError::UnknownEvent { stamp: row.stamp, thread: row.thread, found }
    }
}

/// Where in the trace.
#[derive(Clone, Copy)]
struct At {
    stamp: u64,
    thread: u32,
}

/// Where in which call.
#[derive(Clone, Copy)]
struct Place {
    at: At,
    call: EventCode,
    call_index: u64,
    event: EventCode,
}

fn row_error(row: &Row<'_>, event: String, source: CodecError) -> ReplayError {
    ReplayError::Row { stamp: row.stamp, thread: row.thread, event, source }
}
