//! One pass over a trace: calls made again, and compared.

mod panicked;
mod scheduled;
mod state;

use crate::calls::{answered_address, created, execute, mapped};
use crate::divergence::Divergence;
use crate::error::ReplayError;
use crate::handles::{Handles, NextObjects};
use crate::live::LiveEvents;
use crate::mid_stream::{MidStream, is_state};
use crate::narrowed::Narrowed;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::policy::Policy;
use crate::recording::Recording;
use crate::tasks::TaskModel;
use crate::thread::{Thread, Threads};
use crate::world::ReplayWorld;
use panicked::PANICKED;
use scheduled::Schedule;
use taut_schemas::{
    Call, CodecError, Encoder, EventCode, Layer, Mark, ObjectId, Opcode, ProviderSet, d3d12_ddi, machine, mark,
};
use taut_traces::{Row, TraceWriter, fields};

/// One pass over a trace.
pub(crate) struct Run<'r, 't, P> {
    recording: &'r Recording<'t>,
    world: ReplayWorld,
    policy: &'r mut P,
    handles: Handles,
    threads: Threads,
    output: Output<'r>,
    pub outcome: Outcome,
    /// The handles that the recording's next creations take.
    next_recorded: NextObjects,
    /// The objects that a call created, by their recorded handles and by their live ones.
    created: [Vec<u64>; 2],
    /// The current row in this build's layout, where the file's differs.
    row: Vec<u8>,
    /// Index of the current row's thread.
    current: usize,
    /// Marks that the recording lacks, and that are asked for: they are written, and differ from nothing.
    gained: Option<EventCode>,
    /// The mark by which a thread says which providers are recorded from there on.
    changed: EventCode,
    /// Of a world whose background tasks are its own. None: they start and end where the recorded ones do.
    schedule: Option<Schedule>,
    mid_stream: MidStream,
    /// The first input that could not be replayed for want of a state.
    first_unknown: Option<u64>,
    /// Calls after which the state is written down and read, if that is asked for.
    next_rundown: u64,
}

/// Where in which call.
#[derive(Clone, Copy)]
struct EventPlace {
    stamp: u64,
    call: EventCode,
    call_index: u64,
    event: EventCode,
}

/// A call that is over.
struct Ended {
    place: EventPlace,
    /// What is left of what the live call said: its own end, if it was made.
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
        let gains = world.machine.settings.handle_accesses && !recorded;
        Run {
            gained: gains.then(|| EventCode::new(mark::HandleAccesses::ID, Opcode::Info)),
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

    /// Background tasks are this world's own, and go by a model.
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
            self.write_down_and_read(row)?;
        }
        let result = match self.schedule.take() {
            None => self.replay(row.stamp, (known.layer, known.code), payload),
            Some(mut schedule) => {
                let result = self.replay_scheduled(&mut schedule, row.stamp, (known.layer, known.code), payload);
                self.schedule = Some(schedule);
                result
            }
        };
        let result = result.map_err(|source| recording.row_error(row, known.code, source));
        self.row = translated;
        result
    }

    #[inline]
    fn replay(&mut self, stamp: u64, (layer, code): (Layer, EventCode), row: &[u8]) -> Result<(), CodecError> {
        match (layer, code.opcode()) {
            (layer, Some(Opcode::Start)) if layer.is_input() => self.start(stamp, code, row),
            (layer, Some(Opcode::Stop)) if layer.is_input() => self.stop(stamp, code, row),
            _ if code == PANICKED => self.panicked(stamp, row),
            _ => self.nested(stamp, layer, code, row),
        }
    }

    /// A call is not made: what the recording says of it is passed over.
    fn leave_out(&mut self, code: EventCode) {
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
    /// The recording starts in mid-stream, and has inputs that no rundown comes before.
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

    /// An API call starts: it is made again at once, and what it said is kept for the recorded events to come.
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
        let made = execute(code.id(), row, next, &mut self.world, &mut self.handles, &mut thread.live);
        // Another world may have no such task: then nothing is handed to the driver.
        let processed = EventCode::new(d3d12_ddi::ProcessBackgroundWork::ID, Opcode::Start);
        let ends_task = code.id() == machine::FinishBackgroundWork::ID;
        self.outcome.recorded_tasks += u64::from(ends_task);
        self.outcome.tasks += u64::from(ends_task && thread.live.codes().any(|code| code == processed));
        if !P::IS_RECORDED_WORLD {
            let ddi_calls = thread.live.codes().filter(|code| self.recording.is_ddi_start(*code));
            self.outcome.ddi_calls += ddi_calls.count() as u64;
        }
        made.unwrap_or(Ok(()))
    }

    /// Writes a call's start with its handles mapped; false if the call is not to be made: another world has no object
    /// that it names.
    fn write_start(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<bool, CodecError> {
        let moved = self.handles.addresses_moved() && self.recording.address_calls.contains(&code);
        if self.handles.is_identity() && !moved {
            self.output.write(&mut self.threads[self.current], stamp, code, row);
            return Ok(true);
        }
        if P::IS_RECORDED_WORLD && !self.output.is_wanted() {
            return Ok(true);
        }
        let (wait_ns, arguments) = row.split_at(row.len().min(size_of::<u64>()));
        let mut live_row = wait_ns.to_vec();
        self.handles.forget_missing();
        match mapped(code, arguments, &mut self.handles) {
            Some(mapped) => live_row.extend(mapped?),
            None => live_row.extend(arguments),
        }
        if let Some(missing) = self.handles.missing()
            && self.policy.leave_out()
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

    /// A DDI call or a mark: inside a call it is compared; outside, it is input and passes through.
    fn nested(&mut self, stamp: u64, layer: Layer, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let thread = &mut self.threads[self.current];
        let Some((call, call_index)) = thread.call else {
            // What the replay writes has the events of every provider.
            if code == self.changed {
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
        // The newest live event is the call's own stop: it is not for a nested event to meet.
        let (mut live, recorded) = (std::mem::take(&mut thread.live), thread.recorded);
        while live.len() > 1 && live.next_code().is_some_and(|code| self.is_unmet(code, recorded)) {
            if let Some((gained, row)) = live.pop() {
                self.count_unmet(gained, recorded);
                self.output.write(&mut self.threads[self.current], stamp, gained, row);
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

    /// Whether the recording cannot have a live event, of a thread that recorded these providers.
    #[inline]
    fn is_unmet(&self, code: EventCode, recorded: ProviderSet) -> bool {
        Some(code) == self.gained || self.recording.is_new(code) || !recorded.takes(code)
    }

    fn count_unmet(&mut self, code: EventCode, recorded: ProviderSet) {
        if Some(code) == self.gained {
            // Asked for, and told of.
        } else if self.recording.is_new(code) {
            self.outcome.not_compared += 1;
        } else if !recorded.takes(code) {
            self.outcome.not_recorded += 1;
        }
    }

    /// An API call returns: what is left of the live events is surplus; the results are compared.
    fn stop(&mut self, stamp: u64, code: EventCode, row: &[u8]) -> Result<(), CodecError> {
        let Some(Ended { place, mut live }) = self.end_call(stamp, code) else { return Ok(()) };
        let compared = match live.pop() {
            Some((PANICKED, live_row)) => {
                self.output.write(&mut self.threads[self.current], stamp, PANICKED, live_row);
                self.panicked_alone(place, row)
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

    /// The thread's call, if it is in one, is at its end: all live events but the last one are surplus.
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
            let is_unmet = self.is_unmet(live_code, recorded);
            if is_unmet {
                self.count_unmet(live_code, recorded);
            } else if std::mem::take(&mut surplus_counts) {
                self.event_divergence(place, None, Some(self.recording.name(live_code)));
            }
        }
        Some(Ended { place, live })
    }

    /// Compares a call's results and remembers which objects it created. A call that was not made has none.
    fn result(&mut self, place: EventPlace, row: &[u8], live_row: Option<&[u8]>) -> Result<(), CodecError> {
        let same = live_row == Some(row);
        self.creations(place.event, row, live_row, same)?;
        let Some(live_row) = live_row else { return Ok(()) };
        if !P::IS_RECORDED_WORLD
            && let Some(recorded) = answered_address(place.event.id(), row)?
            && let Some(live) = answered_address(place.event.id(), live_row)?
        {
            self.handles.answered(recorded, live);
        }
        if P::IS_RECORDED_WORLD {
            return self.compare(place, row, live_row);
        }
        if !same && self.differs(place.event, row, live_row)?.is_some() {
            self.policy.changed_result(|| self.recording.name(place.event));
        }
        Ok(())
    }

    /// Matches the objects that a call created when recorded with those it created now, in their order.
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

    /// The recorded row with its handles mapped, if that is not the live one in the file's terms.
    fn differs(&mut self, code: EventCode, recorded: &[u8], live: &[u8]) -> Result<Option<Vec<u8>>, CodecError> {
        if recorded == live && self.handles.is_identity() {
            return Ok(None);
        }
        let mapped = match mapped(code, recorded, &mut self.handles) {
            Some(mapped) => mapped?,
            None => recorded.to_vec(),
        };
        if mapped == live || self.recording.in_files_terms(code, live).is_some_and(|live| mapped == live) {
            return Ok(None);
        }
        Ok(Some(mapped))
    }

    /// Compares a recorded row with a live one and names each field that differs.
    fn compare(&mut self, place: EventPlace, recorded: &[u8], live: &[u8]) -> Result<(), CodecError> {
        let Some(mapped) = self.differs(place.event, recorded, live)? else { return Ok(()) };
        let in_files_terms = self.recording.in_files_terms(place.event, live);
        let live = in_files_terms.as_deref().unwrap_or(live);
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
