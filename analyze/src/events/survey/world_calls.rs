//! The API and DDI calls that change the world, and the columns of their values in a trace.

use super::super::{Column, ElementColumn, Found, Selecting};
use crate::error::AnalyzeError;
use crate::view;
use taut_schemas::{
    Call, EventCode, Field, FieldRef, HResult, HResultCode, HeapDesc, HeapId, HeapType, MipRegion, ObjectId,
    ResourceDesc, ResourceId, d3d12, d3d12_ddi, start, stop,
};

/// Kind of an API call that changes the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorldCall {
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

/// Columns of a kind of call, as located in a trace.
#[derive(Debug)]
pub(super) struct CallColumns {
    pub part: WorldCall,
    /// Code of the call's start.
    pub start: EventCode,
    /// Result of the call.
    pub hr: Option<Column<HResultCode>>,
    /// The created, released or named object.
    pub object: Option<Column<ObjectId>>,
    pub name: Option<Column<String>>,
    pub heap: Option<Column<HeapId>>,
    pub heap_offset_bytes: Option<Column<u64>>,
    pub heap_type: Option<Column<HeapType>>,
    pub heap_desc: Option<Column<HeapDesc>>,
    pub resource_desc: Option<Column<ResourceDesc>>,
    pub mip_region: Option<Column<MipRegion>>,
}

view! {
    /// The driver's answer to the query for a resource's size and alignment.
    #[derive(Debug)]
    pub(super) struct DriverAnswer of stop d3d12_ddi::CheckResourceAllocationInfo {
        size_bytes: u64,
        alignment_bytes: u64,
    }
}

/// The calls that change the world, as located in a trace.
#[derive(Debug, Default)]
pub(super) struct WorldCalls {
    pub calls: Vec<CallColumns>,
    /// The driver's answers.
    pub answer: Option<Found<DriverAnswer>>,
    /// Start code of CreateHeapAndResource, and the size of the heap.
    pub create_at_driver: Option<(EventCode, Option<ElementColumn<u64>>)>,
}

impl WorldCalls {
    /// Finds the calls and selects their fields.
    ///
    /// # Errors
    /// A call lacks a required field.
    pub fn select(selecting: &mut Selecting<'_>) -> Result<WorldCalls, AnalyzeError> {
        let mut parts = WorldCalls::default();
        macro_rules! heaps {
            ($($Name:ident),*) => { $(
                if let Some(call) = parts.created::<d3d12::$Name, HeapId>(selecting, WorldCall::CreateHeap)? {
                    let desc = start::<d3d12::$Name>().desc();
                    selecting.needed(desc.size_bytes())?;
                    call.heap_desc = selecting.wanted(desc);
                }
            )* };
        }
        heaps!(CreateHeap, CreateHeap1);
        macro_rules! resources {
            ($part:ident: $($Name:ident $(with $field:ident)*),*) => { $(
                if let Some(call) = parts.created::<d3d12::$Name, ResourceId>(selecting, WorldCall::$part)? {
                    let record = start::<d3d12::$Name>();
                    call.resource_desc = resource_desc(selecting, record.desc())?;
                    $( call.$field = resources!(@$field selecting, record); )*
                }
            )* };
            (@heap_type $selecting:ident, $record:ident) => { $selecting.wanted($record.heap_properties().heap_type()) };
            (@mip_region $selecting:ident, $record:ident) => { $selecting.wanted($record.mip_region()) };
            (@heap $selecting:ident, $record:ident) => { $selecting.needed($record.heap())? };
            (@heap_offset_bytes $selecting:ident, $record:ident) => { $selecting.needed($record.heap_offset_bytes())? };
        }
        resources!(CreatePlaced:
            CreatePlacedResource with heap with heap_offset_bytes,
            CreatePlacedResource1 with heap with heap_offset_bytes with mip_region,
            CreatePlacedResource2 with heap with heap_offset_bytes with mip_region
        );
        resources!(CreateCommitted:
            CreateCommittedResource with heap_type,
            CreateCommittedResource1 with heap_type,
            CreateCommittedResource2 with heap_type with mip_region,
            CreateCommittedResource3 with heap_type with mip_region
        );
        resources!(CreateReserved: CreateReservedResource);
        let (heap, resource) = (start::<d3d12::ReleaseHeap>().heap(), start::<d3d12::ReleaseResource>().resource());
        parts.taken::<d3d12::ReleaseHeap, _>(selecting, WorldCall::ReleaseHeap, heap)?;
        parts.taken::<d3d12::ReleaseResource, _>(selecting, WorldCall::ReleaseResource, resource)?;
        if let Some(call) =
            parts.taken::<d3d12::SetName, _>(selecting, WorldCall::SetName, start::<d3d12::SetName>().object())?
        {
            call.name = selecting.needed(start::<d3d12::SetName>().name())?;
        }
        parts.driver(selecting)?;
        Ok(parts)
    }

    /// Selects the driver's answers, and the size of the heap that it creates.
    fn driver(&mut self, selecting: &mut Selecting<'_>) -> Result<(), AnalyzeError> {
        self.answer = Found::select(selecting)?;
        let created = start::<d3d12_ddi::CreateHeapAndResource>();
        if let Some(event) = selecting.schema().find(created.event_ref()) {
            let size = selecting.wanted_member(created.heap_desc(), |heap| heap.size_bytes());
            self.create_at_driver = Some((event.code, size));
        }
        Ok(())
    }

    /// Adds a call whose result is the object, if the trace has it.
    fn created<C: Call<Output = HResult<T>>, T: Field + Default>(
        &mut self,
        selecting: &mut Selecting<'_>,
        part: WorldCall,
    ) -> Result<Option<&mut CallColumns>, AnalyzeError>
    where
        ObjectId: From<T>,
    {
        let object = selecting.needed(stop::<C>().output())?;
        self.add::<C, T>(selecting, part, object.map(Column::of_object))
    }

    /// Adds a call with the object as an argument, if the trace has it.
    fn taken<C: Call<Output = HResult<()>>, T: Field>(
        &mut self,
        selecting: &mut Selecting<'_>,
        part: WorldCall,
        object: FieldRef<T>,
    ) -> Result<Option<&mut CallColumns>, AnalyzeError>
    where
        ObjectId: From<T>,
    {
        let object = selecting.needed(object)?;
        self.add::<C, ()>(selecting, part, object.map(Column::of_object))
    }

    fn add<C: Call<Output = HResult<T>>, T: Field + Default>(
        &mut self,
        selecting: &mut Selecting<'_>,
        part: WorldCall,
        object: Option<Column<ObjectId>>,
    ) -> Result<Option<&mut CallColumns>, AnalyzeError> {
        let Some(event) = selecting.schema().find(start::<C>().event_ref()) else { return Ok(None) };
        let hr = selecting.needed(stop::<C>().hr())?;
        self.calls.push(CallColumns {
            part,
            start: event.code,
            hr,
            object,
            name: None,
            heap: None,
            heap_offset_bytes: None,
            heap_type: None,
            heap_desc: None,
            resource_desc: None,
            mip_region: None,
        });
        Ok(self.calls.last_mut())
    }
}

/// Selects a description; members with a default may be missing from a trace.
fn resource_desc(
    selecting: &mut Selecting<'_>,
    desc: FieldRef<ResourceDesc>,
) -> Result<Option<Column<ResourceDesc>>, AnalyzeError> {
    selecting.needed(desc.dimension())?;
    selecting.needed(desc.width())?;
    selecting.needed(desc.height())?;
    selecting.needed(desc.depth_or_array_size())?;
    selecting.needed(desc.mip_levels())?;
    selecting.needed(desc.format())?;
    selecting.needed(desc.sample_count())?;
    selecting.needed(desc.flags())?;
    Ok(selecting.wanted(desc))
}
