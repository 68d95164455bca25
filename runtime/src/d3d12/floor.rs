//! Min alignment that a buffer needs for its bindings (rule A-17).
//!
//! Only rule set 1.619.4 has such floors, and only a tight buffer can be aligned below one. Uses of a buffer are not
//! stored: each call that binds the buffer is validated by itself, so that creating a view does not write to the viewed
//! buffer.

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

/// The buffers that one call binds.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    /// Alignment in bytes and uses, per buffer.
    buffers: BTreeMap<ResourceId, (u64, Vec<BufferUse>)>,
}

impl Bindings {
    /// Adds a buffer that is bound by its handle.
    fn add(&mut self, resource: ResourceId, alignment_bytes: u64, usage: BufferUse) {
        let (_, uses) = self.buffers.entry(resource).or_insert((alignment_bytes, Vec::new()));
        if !uses.contains(&usage) {
            uses.push(usage);
        }
    }

    /// Adds a buffer that is bound by an address; 0 binds none. An address outside every buffer is no violation of this
    /// rule.
    fn add_address(&mut self, device: &DeviceState, address: GpuVirtualAddress, usage: BufferUse) {
        let found = (address.0 != 0).then(|| device.buffers.find(address.0, usage.floor_bytes())).flatten();
        if let Some(buffer) = found {
            self.add(buffer.resource, buffer.alignment_bytes, usage);
        }
    }

    /// Adds the buffers that `call` binds by address.
    pub fn add_addresses(&mut self, device: &DeviceState, call: &impl BindsBuffers) {
        for (buffer, usage) in call.bound_buffers() {
            if let BoundBuffer::Address(address) = buffer {
                self.add_address(device, address, usage);
            }
        }
    }

    /// Adds the buffers that `call` binds by handle.
    ///
    /// # Errors
    /// E_HANDLE if a handle names no resource.
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

    /// Reports each buffer that is aligned to less than its uses need.
    ///
    /// # Errors
    /// E_INVALIDARG if there is one. The API calls return nothing; the code here reports an error of the debug layer to
    /// the caller.
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
