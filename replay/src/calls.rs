//! Dispatch from a recorded event to the live call: a table of functions, indexed by the call's number in the lists.

use crate::handles::{Handles, NextObjects, ResultHandles};
use crate::live_events::LiveEvents;
use crate::world::ReplayWorld;
use std::sync::LazyLock;
use taut_runtime::{ExecuteWith, InputVisitor, Tap, catch, panicked, visit_inputs};
use taut_schemas::{
    Call, CodecError, Decoder, Encoder, EventCode, EventVisitor, Field, GpuVirtualAddress, HResult, Mark, ObjectId,
    Opcode, d3d12, mark, visit_events,
};

type CallResult = Result<(), CodecError>;
type Mapped = Result<Vec<u8>, CodecError>;
type Execution = fn(&[u8], &NextObjects, &mut ReplayWorld, &mut Handles, &mut LiveEvents) -> CallResult;
type Creations = fn(&[u8], &mut dyn FnMut(ObjectId)) -> CallResult;
type Mapping = fn(&[u8], &mut Handles) -> Mapped;

/// Functions for the rows of one call.
#[derive(Default, Clone, Copy)]
struct Line {
    execute: Option<Execution>,
    created: Option<Creations>,
    arguments: Option<Mapping>,
    output: Option<Mapping>,
}

/// Functions of every call, by its number.
static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let mut lines = Lines::default();
    visit_events(&mut lines);
    visit_inputs(&mut lines);
    lines.0
});

#[derive(Default)]
struct Lines(Vec<Line>);

impl Lines {
    fn of<C: Call>(&mut self) -> &mut Line {
        let at = usize::from(C::ID);
        if self.0.len() <= at {
            self.0.resize(at + 1, Line::default());
        }
        &mut self.0[at]
    }
}

impl EventVisitor for Lines {
    fn call<C: Call>(&mut self) {
        let line = self.of::<C>();
        line.arguments = Some(map_arguments::<C>);
        line.output = Some(map_output::<C::Output>);
    }

    /// Marks have no handles that replay maps.
    fn mark<M: Mark>(&mut self) {}
}

impl InputVisitor for Lines {
    fn input<C: ExecuteWith>(&mut self) {
        let line = self.of::<C>();
        line.execute = Some(execute_as::<C>);
        line.created = (!C::CREATES.is_nothing()).then_some(created_by::<C>);
    }
}

fn line(id: u16) -> Line {
    LINES.get(usize::from(id)).copied().unwrap_or_default()
}

/// Executes the call with the start row `row`. Nested events and the stop, in the current build's rows, go to `live`.
/// `next_recorded` has the handles that the recording's next creations took.
///
/// Returns `None` if no list has such a call.
pub fn execute(
    id: u16,
    row: &[u8],
    next_recorded: &NextObjects,
    world: &mut ReplayWorld,
    handles: &mut Handles,
    live: &mut LiveEvents,
) -> Option<CallResult> {
    Some(line(id).execute?(row, next_recorded, world, handles, live))
}

fn execute_as<C: ExecuteWith>(
    row: &[u8],
    next_recorded: &NextObjects,
    world: &mut ReplayWorld,
    handles: &mut Handles,
    live: &mut LiveEvents,
) -> CallResult {
    let mut decoder = Decoder::new(row);
    let _wait_ns = u64::decode(&mut decoder)?;
    let mut call = C::decode(&mut decoder)?;
    // Mapping visits all arguments, so it is skipped while no handle and no address differs.
    if !handles.is_identity() || handles.addresses_moved() {
        call.map_handles(handles);
    }
    let adapter = call.adapter();
    let next_live = |world: &ReplayWorld| world.machine.state.adapter(adapter).device.next_object().0;
    // Read before the call, which advances the live number.
    let (live_next, next_recorded) = (next_live(world), next_recorded.of(adapter));
    // A recorded call may have panicked; the replay then continues from the state that the panic leaves.
    let output = catch(|| world.machine.call(&call, live));
    // Calls that create objects hold the device's lock, so each has ended before the next starts: only at this point do
    // the numberings of both sides correspond. A handle is mapped even if its creation failed, because the driver has
    // already seen it.
    if !C::CREATES.is_nothing() && live_next != next_recorded {
        let announced = next_live(world).saturating_sub(live_next).max(1);
        (0..announced).for_each(|at| handles.created(next_recorded.saturating_add(at), Some(live_next + at)));
    }
    match output {
        Ok(output) => live.event(EventCode::new(C::ID, Opcode::Stop), &|encoder| output.encode(encoder)),
        Err(panic) => {
            let mark = panicked(&*panic);
            live.event(EventCode::new(mark::CallPanicked::ID, Opcode::Info), &|encoder| mark.encode(encoder));
        }
    }
    Ok(())
}

/// Returns a recorded row with its handles replaced by the replay's handles, for comparison; `None` if no list has such
/// a call.
pub fn mapped(code: EventCode, row: &[u8], handles: &mut Handles) -> Option<Mapped> {
    let line = line(code.id());
    let map = if code.opcode() == Some(Opcode::Stop) { line.output } else { line.arguments };
    Some(map?(row, handles))
}

fn map_output<T: Field>(row: &[u8], handles: &mut Handles) -> Mapped {
    let mut value = T::decode(&mut Decoder::new(row))?;
    value.map_handles(&mut ResultHandles(handles));
    let mut mapped = Vec::with_capacity(row.len());
    value.encode(&mut Encoder::new(&mut mapped));
    Ok(mapped)
}

fn map_arguments<C: Call>(row: &[u8], handles: &mut Handles) -> Mapped {
    let mut call = C::decode(&mut Decoder::new(row))?;
    call.map_handles(handles);
    let mut mapped = Vec::with_capacity(row.len());
    call.encode(&mut Encoder::new(&mut mapped));
    Ok(mapped)
}

/// Visits the objects that a call created, from its stop row. Visits no object if the call failed or creates no object.
pub fn created(id: u16, row: &[u8], visit: &mut dyn FnMut(ObjectId)) -> CallResult {
    line(id).created.map_or(Ok(()), |created| created(row, visit))
}

fn created_by<C: ExecuteWith>(row: &[u8], visit: &mut dyn FnMut(ObjectId)) -> CallResult {
    C::visit_created(&C::Output::decode(&mut Decoder::new(row))?, visit);
    Ok(())
}

/// Returns the address in the stop row of a GetGPUVirtualAddress; `None` for other calls and for failures.
pub fn returned_address(id: u16, row: &[u8]) -> Result<Option<u64>, CodecError> {
    if id != d3d12::GetGPUVirtualAddress::ID {
        return Ok(None);
    }
    let answer = HResult::<GpuVirtualAddress>::decode(&mut Decoder::new(row))?;
    Ok(answer.ok().map(|address| address.0))
}
