//! Pass over a trace: executes the recorded calls and compares the results.

mod panic_event;
mod panicked;
mod schedule;
mod scheduled;
mod state;

use crate::calls::{created, execute, mapped, returned_address};
use crate::divergence::Divergence;
use crate::error::ReplayError;
use crate::handles::{Handles, NextObjects};
use crate::live_events::LiveEvents;
use crate::mid_stream::{MidStream, is_state};
use crate::narrowed::Narrowed;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::policy::Policy;
use crate::recording::Recording;
use crate::tasks::TaskModel;
use crate::thread::{Thread, Threads};
use crate::world::ReplayWorld;
use panic_event::PANICKED;
use schedule::Schedule;
use taut_schemas::{
    Call, CodecError, Encoder, EventCode, Layer, Mark, ObjectId, Opcode, ProviderSet, d3d12_ddi, machine, mark,
};
use taut_traces::{Row, TraceWriter, fields};

/// Marks that compare the recorded world with a capture.
const COMPARISONS: [EventCode; 2] = [
    EventCode::new(mark::CaptureCompared::ID, Opcode::Info),
    EventCode::new(mark::LoggedCallsDiffer::ID, Opcode::Info),
];

/// State of one pass over a trace.
pub(crate) struct Run<'r, 't, P> {
    recording: &'r Recording<'t>,
    world: ReplayWorld,
    policy: &'r mut P,
    handles: Handles,
    threads: Threads,
    output: Output<'r>,
    pub outcome: Outcome,
    /// Handles that the recording's next creations take.
    next_recorded: NextObjects,
    /// Objects that a call created: recorded handles, and live handles.
    created: [Vec<u64>; 2],
    /// Buffer for the current row in this build's layout, where the file's layout differs.
    row: Vec<u8>,
    /// Index of the current row's thread.
    current: usize,
    /// Mark that the recording lacks because a setting was off and that this replay emits: it is written and not
    /// compared.
    added_mark: Option<EventCode>,
    /// Mark that starts or changes the set of recorded providers of a thread.
    changed: EventCode,
    /// Schedule of a world with its own background tasks. `None`: tasks start and end at the recorded starts and ends.
    schedule: Option<Schedule>,
    mid_stream: MidStream,
    /// Stamp of the first input that was skipped because the state is unknown.
    first_unknown: Option<u64>,
    /// Number of calls at which the next rundown is due, if rundowns were requested.
    next_rundown: u64,
}

/// Position of an event: its stamp, its call and the call's index.
#[derive(Clone, Copy)]
struct EventPlace {
    stamp: u64,
    call: EventCode,
    call_index: u64,
    event: EventCode,
}

/// Call that has ended.
struct Ended {
    place: EventPlace,
    /// Remaining live events of the call: its own stop, if it was executed.
    live: LiveEvents,
}

impl<'r, 't, P: Policy> Run<'r, 't, P> {
    pub fn new(
        recording: &'r Recording<'t>,
        world: ReplayWorld,
        output: Option<&'r TraceWriter>,
        policy: &'r mut P,
    ) -> Run<'r, 't, P> {
        let settings = &recording.trace.header().world.settings;
        let recorded = settings["handle_accesses"].as_bool().unwrap_or(false);
        // Handle accesses do not affect results, so a replay may add them to a recording without them.
        let adds_mark = world.machine.settings.handle_accesses && !recorded;
        Run {
            added_mark: adds_mark.then(|| EventCode::new(mark::HandleAccesses::ID, Opcode::Info)),
            changed: EventCode::new(mark::ProvidersChanged::ID, Opcode::Info),
            recording,
            world,
            policy,
            handles: Handles::default(),
            threads: Threads::new(recording.trace.header().world.recorded_providers()),
            output: Output::new(output),
            outcome: Outcome::default(),
            next_recorded: NextObjects::default(),
            created: Default::default(),
            row: Vec::new(),
            current: 0,
            schedule: None,
            mid_stream: MidStream::of(recording.trace),
            first_unknown: None,
            next_rundown: recording.options.next_rundown(0),
        }
    }

    /// Sets the model of background tasks; the world then has its own tasks.
    pub fn with_tasks(self, model: Option<TaskModel>) -> Self {
        let ticks_per_second = self.recording.trace.header().world.clock.ticks_per_second;
        Run { schedule: model.map(|model| Schedule::new(model, ticks_per_second)), ..self }
    }

    /// Replays one event.
    pub fn row(&mut self, row: &Row<'_>) -> Result<(), ReplayError> {
        let recording = self.recording;
        let known = recording.known(row)?;
        let mut translated = std::mem::take(&mut self.row);
        let payload = known.translate(row.payload, &mut translated)?;
        self.current = self.threads.index(row.thread, self.current);
        if is_state(known.code) {
            let result = self.state_record(row, known.code, payload);
            self.row = translated;
            return result;
        }
        if known.code == self.changed {
            self.threads[self.current].recorded = recording.providers(row.stamp, row.thread, payload)?;
        }
        if self.mid_stream.is_unknown(row.stamp) {
            self.row = translated;
            return self.unknown(row, known.layer, known.code);
        }
        if self.outcome.calls >= self.next_rundown && self.is_between_calls() {
            self.restore_from_rundown(row)?;
        }
        // The schedule is taken out because its methods need the run mutably.
        let result = match self.schedule.take() {
            None => self.replay(row.stamp, known.layer, known.code, payload),
            Some(mut schedule) => {
                let result = self.replay_scheduled(&mut schedule, row.stamp, known.layer, known.code, payload);
                self.schedule = Some(schedule);
                result
            }
        };
        let result = result.map_err(|source| recording.row_error(row, known.code, source));
        self.row = translated;
        result
    }

    #[inline]
    fn replay(&mut self, stamp: u64, layer: Layer, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        match (layer, code.opcode()) {
            (layer, Some(Opcode::Start)) if layer.is_input() => self.start(stamp, code, row),
            (layer, Some(Opcode::Stop)) if layer.is_input() => self.stop(stamp, code, row),
            _ if code == PANICKED => self.panicked(stamp, row),
            _ => self.nested(stamp, layer, code, row),
        }
    }

    /// Skips a call: its recorded events are not compared.
    fn skip_call(&mut self, code: EventCode) {
        let call_index = self.outcome.calls;
        self.outcome.calls += 1;
        let thread = &mut self.threads[self.current];
        thread.live.clear();
        thread.skip = true;
        thread.call = Some((code, call_index));
    }

    /// Ends the pass.
    ///
    /// # Errors
    /// The recording starts in mid-stream, and has inputs but no rundown before them.
    pub fn finish(mut self) -> Result<Outcome, ReplayError> {
        if let Some(stamp) = self.first_unknown {
            return Err(ReplayError::Unknown { stamp });
        }
        if let Some(mut schedule) = self.schedule.take() {
            self.end_tasks(&mut schedule);
        }
        self.outcome.unfinished_calls = self.threads.iter().filter(|thread| thread.call.is_some()).count() as u64;
        Ok(self.outcome)
    }

    #[inline]
    fn thread(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    /// Starts an API call: the live call is executed at once, and its events are buffered until the recorded ones
    /// follow.
    fn start(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let call_index = self.outcome.calls;
        self.outcome.calls += 1;
        let thread = &mut self.threads[self.current];
        thread.live.clear();
        thread.skip = false;
        thread.call = Some((code, call_index));
        let changed = self.policy.rewrite(code, call_index, row)?;
        let row = changed.as_deref().unwrap_or(row);
        if !self.write_start(stamp, code, row)? {
            return Ok(());
        }
        self.compare_failure(stamp, code, row)?;
        let thread = &mut self.threads[self.current];
        let next = &self.next_recorded;
        let executed = execute(code.id(), row, next, &mut self.world, &mut self.handles, &mut thread.live);
        // The task may not exist in another world; the driver then processes no task.
        let processed = EventCode::new(d3d12_ddi::ProcessBackgroundWork::ID, Opcode::Start);
        let ends_task = code.id() == machine::FinishBackgroundWork::ID;
        self.outcome.recorded_tasks += u64::from(ends_task);
        self.outcome.tasks += u64::from(ends_task && thread.live.codes().any(|code| code == processed));
        if !P::IS_RECORDED_WORLD {
            let ddi_calls = thread.live.codes().filter(|code| self.recording.is_ddi_start(*code));
            self.outcome.ddi_calls += ddi_calls.count() as u64;
        }
        executed.unwrap_or(Ok(()))
    }

    /// Writes a call's start with its handles mapped. Returns false if the call must be skipped because an object in
    /// its arguments does not exist in the other world.
    fn write_start(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<bool, CodecError> {
        let moved = self.handles.addresses_moved() && self.recording.address_calls.contains(&code);
        if self.handles.is_identity() && !moved {
            self.output.write(&mut self.threads[self.current], stamp, code, row);
            return Ok(true);
        }
        // In the recorded world every call is executed, so without an output the mapped row is not needed.
        if P::IS_RECORDED_WORLD && !self.output.is_wanted() {
            return Ok(true);
        }
        let (wait_ns, arguments) = row.split_at(row.len().min(size_of::<u64>()));
        let mut live_row = wait_ns.to_vec();
        // Only objects missing from the arguments of this call matter.
        self.handles.clear_missing();
        match mapped(code, arguments, &mut self.handles) {
            Some(mapped) => live_row.extend(mapped?),
            None => live_row.extend(arguments),
        }
        if let Some(missing) = self.handles.missing()
            && self.policy.skip_call()
        {
            let skipped = mark::SkippedCall { name: self.recording.name(code), object: ObjectId(missing) };
            let mut row = Vec::new();
            skipped.encode(&mut Encoder::new(&mut row));
            let code = EventCode::new(mark::SkippedCall::ID, Opcode::Info);
            self.thread().skip = true;
            self.output.write(&mut self.threads[self.current], stamp, code, &row);
            return Ok(false);
        }
        self.output.write(&mut self.threads[self.current], stamp, code, &live_row);
        Ok(true)
    }

    /// Handles a DDI call or a mark: inside a call it is compared; outside, it is an input and is copied.
    fn nested(&mut self, stamp: u64, layer: Layer, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let thread = &mut self.threads[self.current];
        let Some((call, call_index)) = thread.call else {
            // The replay's own trace has the events of every provider, so this mark would be wrong in it.
            // A comparison of the recorded world with a capture does not hold in another world.
            if code == self.changed || (!P::IS_RECORDED_WORLD && COMPARISONS.contains(&code)) {
                return Ok(());
            }
            self.output.write(thread, stamp, code, row);
            return Ok(());
        };
        if thread.skip {
            return Ok(());
        }
        if P::IS_RECORDED_WORLD && layer == Layer::Ddi && code.opcode() == Some(Opcode::Start) {
            self.outcome.ddi_calls += 1;
        }
        // The newest live event is the call's own stop, which no nested event may be matched with.
        let (mut live, recorded) = (std::mem::take(&mut thread.live), thread.recorded);
        while live.len() > 1 && live.next_code().is_some_and(|code| self.cannot_be_recorded(code, recorded)) {
            if let Some((added_mark, row)) = live.pop() {
                self.count_unrecorded(added_mark, recorded);
                self.output.write(&mut self.threads[self.current], stamp, added_mark, row);
            }
        }
        let place = EventPlace { stamp, call, call_index, event: code };
        let met = if live.len() > 1 { live.pop() } else { None };
        let compared = match met {
            Some((live_code, live_row)) if live_code == code => {
                self.output.write(&mut self.threads[self.current], stamp, code, live_row);
                if P::IS_RECORDED_WORLD { self.compare(place, row, live_row) } else { Ok(()) }
            }
            other => {
                let name = other.map(|(live_code, live_row)| {
                    self.output.write(&mut self.threads[self.current], stamp, live_code, live_row);
                    self.recording.name(live_code)
                });
                self.thread().skip = true;
                self.event_divergence(place, Some(self.recording.name(code)), name);
                Ok(())
            }
        };
        self.thread().live = live;
        compared
    }

    /// True if a thread that recorded these providers cannot have recorded a live event.
    #[inline]
    fn cannot_be_recorded(&self, code: EventCode, recorded: ProviderSet) -> bool {
        Some(code) == self.added_mark || self.recording.is_new(code) || !recorded.takes(code)
    }

    fn count_unrecorded(&mut self, code: EventCode, recorded: ProviderSet) {
        if Some(code) == self.added_mark {
            // Requested by the settings of this replay, so it is not counted.
        } else if self.recording.is_new(code) {
            self.outcome.not_compared += 1;
        } else if !recorded.takes(code) {
            self.outcome.not_recorded += 1;
        }
    }

    /// Ends an API call: remaining live events are surplus, and the results are compared.
    fn stop(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let Some(Ended { place, mut live }) = self.end_call(stamp, code) else { return Ok(()) };
        let compared = match live.pop() {
            Some((PANICKED, live_row)) => {
                self.output.write(&mut self.threads[self.current], stamp, PANICKED, live_row);
                self.panicked_only_live(place, row)
            }
            Some((_, live_row)) => {
                self.output.write(&mut self.threads[self.current], stamp, code, live_row);
                self.result(place, row, Some(live_row))
            }
            None => self.result(place, row, None),
        };
        self.thread().live = live;
        compared
    }

    /// Takes the thread's call, if one is open: all live events but the last are surplus.
    fn end_call(&mut self, stamp: u64, code: EventCode) -> Option<Ended> {
        let thread = &mut self.threads[self.current];
        let (call, call_index) = thread.call.take()?;
        let mut surplus_counts = !thread.skip;
        let recorded = thread.recorded;
        let mut live = std::mem::take(&mut thread.live);
        let place = EventPlace { stamp, call, call_index, event: code };
        while live.len() > 1 {
            let Some((live_code, live_row)) = live.pop() else { break };
            self.output.write(&mut self.threads[self.current], 0, live_code, live_row);
            let cannot_be_recorded = self.cannot_be_recorded(live_code, recorded);
            if cannot_be_recorded {
                self.count_unrecorded(live_code, recorded);
            } else if std::mem::take(&mut surplus_counts) {
                self.event_divergence(place, None, Some(self.recording.name(live_code)));
            }
        }
        Some(Ended { place, live })
    }

    /// Compares a call's results and maps the objects it created. A skipped call has no results.
    fn result(&mut self, place: EventPlace, row: &[u8], live_row: Option<&[u8]>) -> Result<(), CodecError> {
        let same = live_row == Some(row);
        self.creations(place.event, row, live_row, same)?;
        let Some(live_row) = live_row else { return Ok(()) };
        if !P::IS_RECORDED_WORLD
            && let Some(recorded) = returned_address(place.event.id(), row)?
            && let Some(live) = returned_address(place.event.id(), live_row)?
        {
            self.handles.add_address(recorded, live);
        }
        if P::IS_RECORDED_WORLD {
            return self.compare(place, row, live_row);
        }
        if !same && self.differs(place.event, row, live_row)?.is_some() {
            self.policy.changed_result(|| self.recording.name(place.event));
        }
        Ok(())
    }

    /// Maps the objects that a call created when recorded to the objects that the replayed call created, in order.
    fn creations(
        &mut self,
        event: EventCode,
        row: &[u8],
        live_row: Option<&[u8]>,
        same: bool,
    ) -> Result<(), CodecError> {
        let [recorded, live] = &mut self.created;
        recorded.clear();
        created(event.id(), row, &mut |object| recorded.push(object.0))?;
        for recorded in &*recorded {
            self.next_recorded.created(*recorded);
        }
        if same && self.handles.is_identity() {
            recorded.iter().for_each(|recorded| self.policy.creation(*recorded, true));
            return Ok(());
        }
        live.clear();
        if let Some(live_row) = live_row {
            created(event.id(), live_row, &mut |object| live.push(object.0))?;
        }
        for (at, recorded) in recorded.iter().enumerate() {
            self.handles.created(*recorded, live.get(at).copied());
            self.policy.creation(*recorded, at < live.len());
        }
        if live_row.is_some() {
            self.policy.creations(recorded.len(), live.len());
        }
        Ok(())
    }

    /// Returns the recorded row with its handles mapped if it differs from the live row, compared by the file's fields.
    fn differs(&mut self, code: EventCode, recorded: &[u8], live: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        // Equal bytes are by far the most common case and need no decoding.
        if recorded == live && self.handles.is_identity() {
            return Ok(None);
        }
        let mapped = match mapped(code, recorded, &mut self.handles) {
            Some(mapped) => mapped?,
            None => recorded.to_vec(),
        };
        if mapped == live || self.recording.to_file_layout(code, live).is_some_and(|live| mapped == live) {
            return Ok(None);
        }
        Ok(Some(mapped))
    }

    /// Compares a recorded row with a live one and reports each field that differs.
    fn compare(&mut self, place: EventPlace, recorded: &[u8], live: &[u8]) -> Result<(), CodecError> {
        let Some(mapped) = self.differs(place.event, recorded, live)? else { return Ok(()) };
        let to_file_layout = self.recording.to_file_layout(place.event, live);
        let live = to_file_layout.as_deref().unwrap_or(live);
        let of = |row: &[u8]| fields(&self.recording.schema, place.event, row).unwrap_or_default();
        let (recorded, live) = (of(&mapped), of(live));
        for (recorded, live) in recorded.iter().zip(&live) {
            if recorded != live {
                let json = |value| serde_json::to_value(value).unwrap_or_default();
                let Narrowed { field, recorded, live } =
                    Narrowed::of(recorded.0.clone(), json(&recorded.1), json(&live.1));
                self.diverge(place, field, recorded, live);
            }
        }
        Ok(())
    }

    fn event_divergence(&mut self, place: EventPlace, recorded: Option<String>, live: Option<String>) {
        self.diverge(place, "event".to_owned(), recorded.into(), live.into());
    }

    fn diverge(&mut self, place: EventPlace, field: String, recorded: serde_json::Value, live: serde_json::Value) {
        if !P::IS_RECORDED_WORLD {
            return;
        }
        self.outcome.divergence_count += 1;
        // All divergences are counted, but storing them all would take unlimited memory if every call differs.
        if self.outcome.divergences.len() >= self.recording.options.keep_divergences {
            return;
        }
        self.outcome.divergences.push(Divergence {
            stamp: place.stamp,
            thread: self.threads[self.current].number,
            call_index: place.call_index,
            call: self.recording.name(place.call),
            event: self.recording.name(place.event),
            field,
            recorded,
            live,
        });
    }
}
