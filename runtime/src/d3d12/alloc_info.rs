//! Allocation queries without an application: sizes and alignments, the code that creation would return, and debug
//! messages.

use super::allocation_info::{Query, lay_out};
use super::device::create_device;
use super::validation::Intent;
use crate::context::{Context, NullTap, Tap};
use crate::kernel::DisplayState;
use crate::placement::{ResourceClass, Shape};
use crate::settings::Settings;
use crate::state::DeviceState;
use taut_schemas::{
    AdapterId, AllocationInfo1, Decoder, Driver, Encoder, EventCode, HResultCode, Mark, Opcode, ResourceDesc, d3d12,
    mark,
};

/// Kind of the resources in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AllocationKind {
    /// Placed in a heap: the driver gets the min placed alignment as restriction.
    #[default]
    Placed,
    /// Each with a heap of its own: the driver gets the min committed alignment as restriction.
    Committed,
}

/// Result of an allocation query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocInfo {
    /// The code that creating the first invalid resource would return; S_OK if there is none.
    pub hr: HResultCode,
    /// Size of the resources in sequence, in bytes; UINT64_MAX if a resource is invalid.
    pub size_bytes: u64,
    /// Alignment of the whole, in bytes.
    pub alignment_bytes: u64,
    /// Offset, size and alignment of each resource.
    pub infos: Vec<AllocationInfo1>,
    /// Messages of the debug layer.
    pub messages: Vec<mark::DebugMessage>,
    /// Driver violations and lints.
    pub violations: Vec<mark::DriverViolation>,
}

/// Queries the runtime, on a device created for the query, for resources in sequence.
///
/// Unlike GetResourceAllocationInfo, which does not know the kind of resource (rule A-21), this query passes the driver
/// the restriction of `kind`.
pub fn alloc_info(settings: &Settings, driver: &dyn Driver, descs: &[ResourceDesc], kind: AllocationKind) -> AllocInfo {
    let mut device = DeviceState::new(AdapterId::FIRST);
    let create = d3d12::CreateDevice::default();
    let created = create_device(
        &mut Context::new(settings, driver, &mut NullTap),
        &mut device,
        &mut DisplayState::new(1),
        &create,
    );
    let mut tap = Marks::default();
    let mut infos = Vec::with_capacity(descs.len());
    let intent = match kind {
        AllocationKind::Placed => Intent::Placed,
        AllocationKind::Committed => Intent::Committed,
    };
    let outcome = created.and_then(|id| {
        let query = Query {
            device: id,
            visible_mask: 0,
            descs,
            mip_regions: &[],
            num_castable_formats: &[],
            castable_formats: &[],
            intent,
        };
        lay_out(&mut Context::new(settings, driver, &mut tap), &mut device, &query, &mut |info| infos.push(info))
    });
    let (hr, size_bytes, alignment_bytes) = match outcome {
        Ok((size_bytes, alignment_bytes)) => (HResultCode::S_OK, size_bytes, alignment_bytes),
        Err(code) => {
            let defaults = descs.iter().map(|desc| ResourceClass::new(&Shape::from(desc)).default_alignment());
            (code, u64::MAX, defaults.max().unwrap_or(ResourceClass::Buffer.default_alignment()))
        }
    };
    AllocInfo { hr, size_bytes, alignment_bytes, infos, messages: tap.messages, violations: tap.violations }
}

/// A tap that collects debug messages and driver violations.
#[derive(Default)]
struct Marks {
    messages: Vec<mark::DebugMessage>,
    violations: Vec<mark::DriverViolation>,
}

impl Tap for Marks {
    fn event(&mut self, code: EventCode, payload: &dyn Fn(&mut Encoder<'_>)) {
        let is = |id| code == EventCode::new(id, Opcode::Info);
        let (message, violation) = (is(mark::DebugMessage::ID), is(mark::DriverViolation::ID));
        if message || violation {
            let mut row = Vec::new();
            payload(&mut Encoder::new(&mut row));
            if message {
                self.messages.extend(mark::DebugMessage::decode(&mut Decoder::new(&row)));
            } else {
                self.violations.extend(mark::DriverViolation::decode(&mut Decoder::new(&row)));
            }
        }
    }
}
