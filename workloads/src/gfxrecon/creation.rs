//! Translation of the calls that create heaps and resources.

use super::args::{CreateHeapArgs, CreateResourceArgs};
use super::objects::{Kind, Objects};
use super::row::Call;
use super::translation::{Translated, Translation, created, defined};
use crate::call_log::{CallName, HeapCreation, LogCall, Place, ResourceCreation};
use taut_schemas::{Dimension, HeapId, MipRegion, ResourceId};

/// Translates CreateHeap and 1.
pub(super) fn heap(call: &Call<'_>, objects: &mut Objects) -> Translation {
    let args: CreateHeapArgs = call.args()?;
    let (Some(desc), Some(name)) = (args.pDesc, CallName::parse(&call.name)) else { return Ok(Translated::NotPlayed) };
    let protected_session = args.pProtectedSession.unwrap_or_default() != 0;
    let (hr, heap) = created(call, objects, args.ppvHeap, Kind::Heap)?;
    let (desc, heap) = (desc.desc(), heap.map(HeapId));
    Ok(Translated::Line(LogCall::CreateHeap(Box::new(HeapCreation { name, desc, protected_session, hr, heap }))))
}

/// Translates the creation of a resource.
pub(super) fn resource(call: &Call<'_>, objects: &mut Objects) -> Translation {
    let args: CreateResourceArgs = call.args()?;
    // The later variants of reserved resources have no line of their own; they differ in sessions and formats.
    let name = match &*call.name {
        "CreateReservedResource1" | "CreateReservedResource2" => Some(CallName::CreateReservedResource),
        name => CallName::parse(name),
    };
    let (Some(raw), Some(name)) = (&args.pDesc, name) else { return Ok(Translated::NotPlayed) };
    let place = match (&args.pHeapProperties, args.pHeap) {
        (Some(properties), _) => Place::Committed {
            properties: properties.properties(),
            flags: args.HeapFlags.unwrap_or_default().0,
            protected_session: args.pProtectedSession.unwrap_or_default() != 0,
        },
        (None, Some(heap)) => Place::Placed {
            heap: HeapId(defined!(objects.id(heap, |kind| *kind == Kind::Heap))),
            offset_bytes: args.HeapOffset.unwrap_or_default(),
        },
        (None, None) if name == CallName::CreateReservedResource => Place::Reserved,
        (None, None) => return Ok(Translated::NotPlayed),
    };
    let initial_state = match name.takes_layout() {
        true => args.InitialLayout.unwrap_or_default().0.0,
        false => args.InitialResourceState.unwrap_or_default().0.0,
    };
    let castable_formats = if name.takes_castable_formats() { args.pCastableFormats } else { Vec::new() };
    let desc = raw.desc();
    let is_buffer = desc.dimension == Dimension::BUFFER;
    let kind = if is_buffer { Kind::Buffer { width_bytes: desc.width } } else { Kind::Texture };
    let (hr, resource) = created(call, objects, args.ppvResource, kind)?;
    Ok(Translated::Line(LogCall::CreateResource(Box::new(ResourceCreation {
        name,
        place,
        desc,
        mip_region: if name.takes_desc1() { raw.mip_region() } else { MipRegion::default() },
        initial_state,
        clear_value: args.pOptimizedClearValue.map(|value| value.value()),
        castable_formats: castable_formats.into_iter().map(|format| format.0).collect(),
        hr,
        resource: resource.map(ResourceId),
        // A capture has no answer beside a creation: the model computes the size.
        info: None,
    }))))
}
