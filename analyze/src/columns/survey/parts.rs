//! The API and DDI calls that make up the world, found by name in a trace's schema table.

use super::super::{Events, Selecting};
use crate::error::AnalyzeError;
use taut_schemas::{EventCode, EventSchema, Opcode};

/// What an API call does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// `CreateHeap*`.
    CreateHeap,
    /// `CreatePlacedResource*`.
    CreatePlaced,
    /// `CreateCommittedResource*`.
    CreateCommitted,
    /// `CreateReservedResource*`.
    CreateReserved,
    /// `ReleaseHeap`.
    ReleaseHeap,
    /// `ReleaseResource`.
    ReleaseResource,
    /// `SetName`.
    SetName,
}

const RESOURCE_FIELDS: [&str; 8] = [
    "desc.dimension",
    "desc.width",
    "desc.height",
    "desc.depth_or_array_size",
    "desc.mip_levels",
    "desc.format",
    "desc.sample_count",
    "desc.flags",
];
const RESOURCE_FIELDS_IF_ANY: [&str; 5] =
    ["desc.alignment_bytes", "desc.sample_quality", "desc.layout", "mip_region.width", "mip_region.height"];
const HEAP_FIELDS_IF_ANY: [&str; 3] = ["desc.alignment_bytes", "desc.flags", "desc.properties.heap_type"];

impl Part {
    const ALL: [(&'static str, Part); 7] = [
        ("CreateHeap", Part::CreateHeap),
        ("CreatePlacedResource", Part::CreatePlaced),
        ("CreateCommittedResource", Part::CreateCommitted),
        ("CreateReservedResource", Part::CreateReserved),
        ("ReleaseHeap", Part::ReleaseHeap),
        ("ReleaseResource", Part::ReleaseResource),
        ("SetName", Part::SetName),
    ];

    fn creates_resource(self) -> bool {
        matches!(self, Part::CreatePlaced | Part::CreateCommitted | Part::CreateReserved)
    }

    /// The object is an argument of the call, and not its result.
    pub fn takes_object(self) -> bool {
        matches!(self, Part::ReleaseHeap | Part::ReleaseResource | Part::SetName)
    }

    /// The field that names the object.
    pub fn object_field(self) -> &'static str {
        match self {
            Part::CreateHeap | Part::ReleaseHeap => "heap",
            Part::SetName => "object",
            _ => "resource",
        }
    }

    fn select(self, events: Events<'_>, start: &EventSchema, selecting: &mut Selecting) -> Result<(), AnalyzeError> {
        let Some(stop) = events.stop_of(start) else { return Ok(()) };
        selecting.required(stop, &["hr"])?;
        selecting.required(if self.takes_object() { start } else { stop }, &[self.object_field()])?;
        if self == Part::SetName {
            selecting.required(start, &["name"])?;
        }
        if self == Part::CreateHeap {
            selecting.required(start, &["desc.size_bytes"])?;
            selecting.present(start, &HEAP_FIELDS_IF_ANY);
        }
        if self.creates_resource() {
            selecting.required(start, &RESOURCE_FIELDS)?;
            selecting.present(start, &RESOURCE_FIELDS_IF_ANY);
        }
        if self == Part::CreatePlaced {
            selecting.required(start, &["heap", "heap_offset_bytes"])?;
        }
        Ok(())
    }
}

/// The calls that make up the world, by their codes in a trace.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Start codes of API calls and what the calls do.
    pub calls: Vec<(EventCode, Part)>,
    /// Start and stop of CheckResourceAllocationInfo.
    pub check: Option<(EventCode, EventCode)>,
    /// Start of CreateHeapAndResource.
    pub create_at_driver: Option<EventCode>,
}

impl Parts {
    /// Finds the calls and selects the fields they need.
    ///
    /// # Errors
    /// A call lacks a field without which it cannot be understood.
    pub fn select(events: Events<'_>, selecting: &mut Selecting) -> Result<Parts, AnalyzeError> {
        let mut parts = Parts::default();
        for (name, part) in Part::ALL {
            for start in events.api_starts(name) {
                part.select(events, start, selecting)?;
                parts.calls.push((start.code, part));
            }
        }
        if let (Some(start), Some(stop)) = (
            events.ddi("CheckResourceAllocationInfo", Opcode::Start),
            events.ddi("CheckResourceAllocationInfo", Opcode::Stop),
        ) {
            selecting.required(stop, &["size_bytes", "alignment_bytes"])?;
            parts.check = Some((start.code, stop.code));
        }
        if let Some(start) = events.ddi("CreateHeapAndResource", Opcode::Start) {
            selecting.present(start, &["heap_desc"]);
            parts.create_at_driver = Some(start.code);
        }
        Ok(parts)
    }
}
