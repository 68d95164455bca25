//! From a recorded start record to the live call, by the lists of API calls.

use crate::handles::{Handles, ResultHandles};
use crate::live::LiveEvents;
use crate::world::ReplayWorld;
use taut_runtime::{Context, Execute, Tap};
use taut_schemas::{
    Call, CodecError, Decoder, EventCode, Field, GpuVirtualAddress, HResult, ObjectId, Opcode, api, callback, d3d11,
    ddi, for_each_api_call, for_each_d3d11_call, for_each_ddi_call, for_each_ddi_callback, for_each_task_call, task,
};

/// Makes the call whose start row `row` is. Its nested events and its stop, in the current build's rows, go to `live`.
/// `next_recorded` is the handle that the recording's next creation took.
///
/// Gives `None` if no list has such a call.
pub fn execute(
    id: u16,
    row: &[u8],
    next_recorded: u64,
    world: &mut ReplayWorld,
    handles: &mut Handles,
    live: &mut LiveEvents,
) -> Option<Result<(), CodecError>> {
    macro_rules! dispatch {
        ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident($($args:tt)*) -> $Output:ty; )*) => {
            match id {
                $( $id => return Some(run::<calls::$Name>(row, next_recorded, world, handles, live)), )*
                _ => {}
            }
        };
    }
    {
        use api as calls;
        for_each_api_call!(dispatch);
    }
    {
        use d3d11 as calls;
        for_each_d3d11_call!(dispatch);
    }
    {
        use task as calls;
        for_each_task_call!(dispatch);
    }
    None
}

fn run<C: Execute>(
    row: &[u8],
    next_recorded: u64,
    world: &mut ReplayWorld,
    handles: &mut Handles,
    live: &mut LiveEvents,
) -> Result<(), CodecError> {
    let mut decoder = Decoder::new(row);
    let _wait_ns = u64::decode(&mut decoder)?;
    let mut call = C::decode(&mut decoder)?;
    if !handles.is_identity() || handles.addresses_moved() {
        call.map_handles(handles);
    }
    let ReplayWorld { settings, driver, state, workshop } = world;
    let live_next = state.device.next_object().0;
    let mut context = Context { settings, driver: &**driver, tap: live, labour: Some(workshop) };
    // Only what the call's line says it locks: a call that reached for more would not replay under the live locks.
    let output = call.execute(&mut context, state.locked(C::LOCKS));
    // Calls that create hold the device's lock, so one of them has ended before the next starts: only here do both sides'
    // numbering stand at the same place. The driver heard of an object even if its creation failed.
    if !C::CREATES.is_nothing() && live_next != next_recorded {
        let announced = state.device.next_object().0.saturating_sub(live_next).max(1);
        (0..announced).for_each(|at| handles.created(next_recorded.saturating_add(at), Some(live_next + at)));
    }
    live.event(EventCode::new(C::ID, Opcode::Stop), &|encoder| output.encode(encoder));
    Ok(())
}

/// A recorded row with its handles replaced by the live ones, for comparison; `None` if no list has such an event
/// (marks have no handles that replay maps).
pub fn mapped(code: EventCode, row: &[u8], handles: &mut Handles) -> Option<Result<Vec<u8>, CodecError>> {
    macro_rules! dispatch {
        ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident($($args:tt)*) -> $Output:ty; )*) => {
            match code.id() {
                $( $id => return Some(match code.opcode() {
                    Some(Opcode::Stop) => map_output::<<calls::$Name as Call>::Output>(row, handles),
                    _ => map_arguments::<calls::$Name>(row, handles),
                }), )*
                _ => {}
            }
        };
    }
    {
        use api as calls;
        for_each_api_call!(dispatch);
    }
    {
        use d3d11 as calls;
        for_each_d3d11_call!(dispatch);
    }
    {
        use task as calls;
        for_each_task_call!(dispatch);
    }
    {
        use ddi as calls;
        for_each_ddi_call!(dispatch);
    }
    {
        use callback as calls;
        for_each_ddi_callback!(dispatch);
    }
    None
}

fn map_output<T: Field>(row: &[u8], handles: &mut Handles) -> Result<Vec<u8>, CodecError> {
    let mut value = T::decode(&mut Decoder::new(row))?;
    value.map_handles(&mut ResultHandles(handles));
    let mut mapped = Vec::with_capacity(row.len());
    value.encode(&mut taut_schemas::Encoder::new(&mut mapped));
    Ok(mapped)
}

fn map_arguments<C: Call>(row: &[u8], handles: &mut Handles) -> Result<Vec<u8>, CodecError> {
    let mut call = C::decode(&mut Decoder::new(row))?;
    call.map_handles(handles);
    let mut mapped = Vec::with_capacity(row.len());
    call.encode(&mut taut_schemas::Encoder::new(&mut mapped));
    Ok(mapped)
}

/// Shows the objects that a call created, from its stop row: none if it failed, or creates nothing.
pub fn created(id: u16, row: &[u8], visit: &mut dyn FnMut(ObjectId)) -> Result<(), CodecError> {
    macro_rules! dispatch {
        ($( $(#[$doc:meta])+ $id:literal $Name:ident [$($lock:ident),*] $(creates $Made:ty)? =
            $method:ident($($args:tt)*) -> $Output:ty; )*) => {
            match id {
                $( $id => return created_by::<calls::$Name>(row, visit), )*
                _ => {}
            }
        };
    }
    {
        use api as calls;
        for_each_api_call!(dispatch);
    }
    {
        use d3d11 as calls;
        for_each_d3d11_call!(dispatch);
    }
    {
        use task as calls;
        for_each_task_call!(dispatch);
    }
    Ok(())
}

fn created_by<C: Call>(row: &[u8], visit: &mut dyn FnMut(ObjectId)) -> Result<(), CodecError> {
    if !C::CREATES.is_nothing() {
        C::visit_created(&C::Output::decode(&mut Decoder::new(row))?, visit);
    }
    Ok(())
}

/// What a GetGPUVirtualAddress answered, from its stop row; `None` for other calls, and for failures.
pub fn answered_address(id: u16, row: &[u8]) -> Result<Option<u64>, CodecError> {
    if id != api::GetGPUVirtualAddress::ID {
        return Ok(None);
    }
    let answer = HResult::<GpuVirtualAddress>::decode(&mut Decoder::new(row))?;
    Ok(answer.ok().map(|address| address.0))
}
