//! Converts records of the driver's interface into handle events.

use super::event::HandleEvent;
use super::lines;
use crate::call::{Call, Mark};
use crate::d3d11_context_desc::{FunctionTable, HandleSizes, HandleType, PrivateSize, RecordedCommands, ThreadingCaps};
use crate::desc::DriverHandle;
use crate::event::{EventCode, Opcode};
use crate::families::{d3d11_callbacks, d3d11_context_ddi as ddi, mark};
use crate::field::Field;
use crate::hresult::{HResult, HResultCode};
use crate::id::D3d11ContextId;
use crate::row::{CodecError, Decoder};

/// Converts one thread's records, in order. A call's events are emitted at its stop: a call that reported an error
/// created nothing.
#[derive(Debug, Default)]
pub struct HandleFeed {
    /// The line of the DDI call in progress.
    inside: Option<u16>,
    /// The arguments of the last call that began.
    arguments: Vec<u8>,
    context: D3d11ContextId,
    /// True if the call reported or returned an error.
    failed: bool,
    /// True if the call reported the first out-of-memory error since its context was reset.
    ran_out_of_memory: bool,
    /// The line of the last call.
    line: u16,
    /// The handle that the last call created.
    created_handle: DriverHandle,
    /// Deferred contexts that reported out of memory and have not been reset since. Every command without a handle on
    /// one of these is emitted; on other contexts only the first of a sequence.
    out: Vec<D3d11ContextId>,
    /// The context of the current sequence of such commands.
    row_of: D3d11ContextId,
}

fn arguments<C: Call>(row: &[u8]) -> Result<C, CodecError> {
    C::decode(&mut Decoder::new(row))
}

fn answer<T: Field>(row: &[u8]) -> Result<T, CodecError> {
    T::decode(&mut Decoder::new(row))
}

impl HandleFeed {
    /// Processes a record, without its stamp and wait.
    ///
    /// # Errors
    /// The row does not match the schema.
    pub fn on_event(
        &mut self,
        code: EventCode,
        row: &[u8],
        emit: &mut dyn FnMut(HandleEvent),
    ) -> Result<(), CodecError> {
        let is_ddi = (ddi::FAMILY.first..=ddi::FAMILY.last).contains(&code.id());
        match code.opcode() {
            Some(Opcode::Start) if is_ddi => {
                // All calls but the two queries about the device begin with the context.
                let first = row.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                (self.context, self.failed, self.line) = (D3d11ContextId(first), false, code.id());
                self.ran_out_of_memory = false;
                if !lines::names_nothing(code.id()) {
                    self.row_of = Some(self.row_of).filter(|of| *of == self.context).unwrap_or_default();
                } else if std::mem::replace(&mut self.row_of, self.context) != self.context
                    || self.out.contains(&self.context)
                {
                    emit(HandleEvent::RecordedOn(self.context));
                }
                self.inside = Some(code.id());
                self.arguments.clear();
                self.arguments.extend_from_slice(row);
            }
            Some(Opcode::Start) if code.id() == d3d11_callbacks::SetError::ID => {
                let error: d3d11_callbacks::SetError = arguments(row)?;
                self.failed = true;
                if error.code == HResultCode::E_OUTOFMEMORY && !self.out.contains(&self.context) {
                    self.out.push(self.context);
                    self.ran_out_of_memory = true;
                }
                if let Some(line) = self.inside {
                    let (context, core_layer) = (self.context, error.core_layer);
                    emit(HandleEvent::ErrorReported { context, line, core_layer, code: error.code });
                }
            }
            Some(Opcode::Start) if code.id() == d3d11_callbacks::DisableDeferredStagingResourceDestruction::ID => {
                emit(HandleEvent::StagingDestructionDisabled { context: self.context });
            }
            Some(Opcode::Stop) if is_ddi => {
                self.created_handle = DriverHandle::default();
                if let Some(line) = self.inside.take() {
                    // Moved out while `call` borrows `self`, and back afterwards to reuse the allocation.
                    let start = std::mem::take(&mut self.arguments);
                    let result = self.call(line, &start, row, emit);
                    self.arguments = start;
                    return result;
                }
            }
            Some(Opcode::Info) if code.id() == mark::HandleAccesses::ID => {
                let accesses = mark::HandleAccesses::decode(&mut Decoder::new(row))?;
                let (context, line, created_handle) = (accesses.context, self.line, self.created_handle);
                emit(HandleEvent::Accessed { context, line, created_handle, accesses: accesses.accesses });
            }
            _ => {}
        }
        Ok(())
    }

    /// Emits the events of a completed call; last, the handles that it names and neither creates nor destroys.
    fn call(
        &mut self,
        line: u16,
        start: &[u8],
        stop: &[u8],
        emit: &mut dyn FnMut(HandleEvent),
    ) -> Result<(), CodecError> {
        self.device(line, start, stop, emit)?;
        self.object(line, start, stop, emit)?;
        self.list(line, start, stop, emit)?;
        if let Some((context, handles)) = lines::used(line, start)? {
            emit(HandleEvent::Used { context, handles, ran_out_of_memory: self.ran_out_of_memory });
        }
        Ok(())
    }

    fn device(
        &mut self,
        line: u16,
        start: &[u8],
        stop: &[u8],
        emit: &mut dyn FnMut(HandleEvent),
    ) -> Result<(), CodecError> {
        match line {
            ddi::GetThreadingCaps::ID => emit(HandleEvent::CapsReturned(answer::<ThreadingCaps>(stop)?)),
            ddi::CreateDevice::ID => {
                let call: ddi::CreateDevice = arguments(start)?;
                if !self.failed && answer::<HResult<FunctionTable>>(stop)?.is_ok() {
                    let (context, device, core_layer) = (call.context, call.device, call.core_layer);
                    emit(HandleEvent::DeviceCreated { context, device, core_layer });
                }
            }
            ddi::CalcPrivateDeviceSize::ID | ddi::CalcPrivateDeferredContextSize::ID => {
                let PrivateSize { size_bytes } = answer(stop)?;
                emit(HandleEvent::ContextSizeQueried { size_bytes });
            }
            ddi::CheckDeferredContextHandleSizes::ID => {
                let call: ddi::CheckDeferredContextHandleSizes = arguments(start)?;
                let (room, sizes) = (call.capacity.is_some(), answer::<HandleSizes>(stop)?);
                emit(HandleEvent::SizesPolled { room, sizes });
            }
            ddi::CalcDeferredContextHandleSize::ID if !self.failed => {
                let call: ddi::CalcDeferredContextHandleSize = arguments(start)?;
                let (context, handle_type, ic_handle) = (call.context, call.handle_type, call.ic_handle);
                let PrivateSize { size_bytes } = answer(stop)?;
                emit(HandleEvent::SizeQueried { context, handle_type, ic_handle, size_bytes });
            }
            ddi::CreateDeferredContext::ID if !self.failed => {
                let call: ddi::CreateDeferredContext = arguments(start)?;
                let FunctionTable { slots } = answer(stop)?;
                let (by, context) = (call.context, call.deferred_context);
                let (device, core_layer) = (call.deferred_device, call.core_layer);
                emit(HandleEvent::ContextCreated { by, context, device, core_layer, slots });
            }
            ddi::RecycleCreateDeferredContext::ID => {
                let call: ddi::RecycleCreateDeferredContext = arguments(start)?;
                self.out.retain(|out| *out != call.deferred_context);
                emit(HandleEvent::ContextRecycled(call.deferred_context));
            }
            ddi::AbandonCommandList::ID => {
                let call: ddi::AbandonCommandList = arguments(start)?;
                emit(HandleEvent::Abandoned(call.context));
            }
            ddi::DestroyDevice::ID => {
                let call: ddi::DestroyDevice = arguments(start)?;
                self.out.retain(|out| *out != call.context);
                emit(HandleEvent::ContextDestroyed(call.context));
            }
            _ => {}
        }
        Ok(())
    }

    fn object(
        &mut self,
        line: u16,
        start: &[u8],
        stop: &[u8],
        emit: &mut dyn FnMut(HandleEvent),
    ) -> Result<(), CodecError> {
        let (created, has_desc) = match line {
            ddi::CreateResource::ID => {
                let call: ddi::CreateResource = arguments(start)?;
                self.failed |= answer::<HResult<crate::d3d11_desc::D3d11ResourceLayout>>(stop)?.is_err();
                ((call.context, HandleType::RESOURCE, call.handle), call.desc.is_some())
            }
            ddi::CreateBlendState::ID => {
                let call: ddi::CreateBlendState = arguments(start)?;
                let has_desc = !call.desc.render_targets.is_empty();
                ((call.context, HandleType::BLENDSTATE, call.handle), has_desc)
            }
            ddi::CreateCommandList::ID => {
                let call: ddi::CreateCommandList = arguments(start)?;
                ((call.context, HandleType::COMMANDLIST, call.handle), call.deferred_device != DriverHandle::default())
            }
            _ => match lines::created(line, start)? {
                Some((context, handle_type, handle, has_desc)) => ((context, handle_type, handle), has_desc),
                None => return destroyed(line, start, emit),
            },
        };
        let (context, handle_type, handle) = created;
        if self.failed {
            emit(HandleEvent::NotCreated { context, handle });
        } else {
            self.created_handle = handle.driver_handle;
            emit(HandleEvent::Created { context, handle_type, handle, has_desc });
        }
        Ok(())
    }

    fn list(
        &mut self,
        line: u16,
        start: &[u8],
        stop: &[u8],
        emit: &mut dyn FnMut(HandleEvent),
    ) -> Result<(), CodecError> {
        match line {
            ddi::CreateCommandList::ID if !self.failed => {
                let call: ddi::CreateCommandList = arguments(start)?;
                if call.handle.ic_handle.0 == 0 {
                    let (list, recorder, commands) = (call.handle.driver_handle, call.deferred_device, answer(stop)?);
                    emit(HandleEvent::ListHolds { list, recorder, commands });
                }
            }
            ddi::RecycleCreateCommandList::ID => {
                let call: ddi::RecycleCreateCommandList = arguments(start)?;
                let answered: HResult<RecordedCommands> = answer(stop)?;
                if let (Ok(commands), false) = (answered, self.failed) {
                    self.created_handle = call.command_list;
                    emit(HandleEvent::ListRecreated(call.command_list));
                    let (list, recorder) = (call.command_list, call.deferred_device);
                    emit(HandleEvent::ListHolds { list, recorder, commands });
                }
            }
            ddi::RecycleDestroyCommandList::ID => {
                let call: ddi::RecycleDestroyCommandList = arguments(start)?;
                emit(HandleEvent::ListOutOfUse(call.command_list));
            }
            ddi::RecycleCommandList::ID => {
                let call: ddi::RecycleCommandList = arguments(start)?;
                emit(HandleEvent::ListReturned(call.command_list));
            }
            ddi::CommandListExecute::ID if self.failed => {
                let call: ddi::CommandListExecute = arguments(start)?;
                let (context, handles) = (call.context, vec![call.command_list]);
                emit(HandleEvent::Used { context, handles, ran_out_of_memory: self.ran_out_of_memory });
            }
            ddi::CommandListExecute::ID => {
                let call: ddi::CommandListExecute = arguments(start)?;
                let (context, list, commands) = (call.context, call.command_list, answer(stop)?);
                emit(HandleEvent::ListExecuted { context, list, commands });
            }
            _ => {}
        }
        Ok(())
    }
}

fn destroyed(line: u16, start: &[u8], emit: &mut dyn FnMut(HandleEvent)) -> Result<(), CodecError> {
    let (context, handle_type, handle) = match line {
        ddi::DestroyResource::ID => {
            let call: ddi::DestroyResource = arguments(start)?;
            (call.context, HandleType::RESOURCE, call.handle)
        }
        ddi::DestroyCommandList::ID => {
            let call: ddi::DestroyCommandList = arguments(start)?;
            (call.context, HandleType::COMMANDLIST, call.command_list)
        }
        _ => match lines::destroyed(line, start)? {
            Some(destroyed) => destroyed,
            None => return Ok(()),
        },
    };
    emit(HandleEvent::Destroyed { context, handle_type, handle });
    Ok(())
}
