//! The alignment that a buffer needs for what it is bound as (rule A-17).
//!
//! Only rule set 1.619.4 has floors, and only a tight buffer can lie below one. A buffer's uses are not kept: each
//! call that binds it is judged by itself, so that views are made without writing to what they are made of.

use super::query::resource;
use crate::context::Context;
use crate::placement::{BufferUse, floor_bytes};
use crate::settings::RuleSet;
use crate::state::{DeviceState, Objects};
use std::collections::BTreeMap;
use taut_schemas::{
    BindsBuffers, BoundBuffer, Dimension, GpuVirtualAddress, HResult, HResultCode, MessageId, MessageSeverity,
    ObjectId, ResourceId,
};

/// What one call binds.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    /// By buffer: its alignment in bytes, and what it is bound as.
    buffers: BTreeMap<ResourceId, (u64, Vec<BufferUse>)>,
}

impl Bindings {
    /// A buffer bound by its handle.
    fn add(&mut self, resource: ResourceId, alignment_bytes: u64, usage: BufferUse) {
        let (_, uses) = self.buffers.entry(resource).or_insert((alignment_bytes, Vec::new()));
        if !uses.contains(&usage) {
            uses.push(usage);
        }
    }

    /// A buffer bound by an address; 0 binds none. What an address outside every buffer would read is not this
    /// rule's matter.
    fn add_address(&mut self, device: &DeviceState, address: GpuVirtualAddress, usage: BufferUse) {
        let found = (address.0 != 0).then(|| device.buffers.find(address.0, usage.floor_bytes())).flatten();
        if let Some(buffer) = found {
            self.add(buffer.resource, buffer.alignment_bytes, usage);
        }
    }

    /// Adds what `call` binds by address.
    pub fn add_addresses(&mut self, device: &DeviceState, call: &impl BindsBuffers) {
        for (buffer, usage) in call.bound_buffers() {
            if let BoundBuffer::Address(address) = buffer {
                self.add_address(device, address, usage);
            }
        }
    }

    /// Adds the buffers that `call` binds by their handles.
    ///
    /// # Errors
    /// E_HANDLE: one of them is no resource.
    pub fn add_resources(
        &mut self,
        context: &mut Context<'_>,
        objects: &mut dyn Objects,
        call: &impl BindsBuffers,
    ) -> HResult<()> {
        for (buffer, usage) in call.bound_buffers() {
            if let BoundBuffer::Resource(id) = buffer
                && id != ResourceId::NULL
            {
                let desc = resource(context, objects, id)?.desc;
                if desc.dimension == Dimension::BUFFER {
                    self.add(id, desc.alignment_bytes, usage);
                }
            }
        }
        Ok(())
    }

    /// Says of each buffer that is aligned to less than its uses need.
    ///
    /// # Errors
    /// E_INVALIDARG if there is one. In Direct3D these calls return nothing; here the code says whether the debug
    /// layer had to complain.
    pub fn check(&self, context: &mut Context<'_>, message_id: MessageId) -> HResult<()> {
        if context.settings.rules != RuleSet::R1_619_4 {
            return Ok(());
        }
        let mut outcome = Ok(());
        for (resource, (alignment, uses)) in &self.buffers {
            let floor = floor_bytes(uses.iter().copied());
            if *alignment < floor {
                let names: Vec<&str> = uses.iter().map(|usage| usage.name()).collect();
                let text = format_args!(
                    "Buffer {} is aligned to {alignment} bytes; bound as {} it needs an alignment of at least {floor}.",
                    resource.0,
                    names.join(" and ")
                );
                context.message(MessageSeverity::ERROR, message_id, ObjectId::from(*resource), text);
                outcome = Err(HResultCode::E_INVALIDARG);
            }
        }
        outcome
    }
}
