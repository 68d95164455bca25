//! Arguments of the calls that a what-if changes.

use taut_schemas::{
    AdapterId, Call, CodecError, Decoder, Encoder, Field, HeapDesc, HeapId, ResourceDesc, d3d12, format::Format,
};

/// Arguments that a what-if can change.
pub(super) enum CallArguments<'c> {
    /// The call creates a heap.
    Heap(&'c mut HeapDesc),
    /// The call creates a resource.
    Resource(&'c mut ResourceDesc, &'c [Format], ResourceLocation<'c>),
    /// The call queries allocation info: the descriptions, the number of castable formats of each, and these formats,
    /// concatenated.
    Query(&'c mut [ResourceDesc], &'c [u32], &'c [Format]),
}

/// Way in which a resource is created, with its heap and offset if it is placed.
pub(super) enum ResourceLocation<'c> {
    Placed(HeapId, &'c mut u64),
    Committed,
    Reserved,
}

/// Calls `change` with the arguments of the call with start row `row`, and returns the changed row; `None` if a what-if
/// does not change such calls.
pub(super) fn edit(
    id: u16,
    row: &[u8],
    change: &mut dyn FnMut(AdapterId, CallArguments<'_>),
) -> Result<Option<Vec<u8>>, CodecError> {
    macro_rules! edit {
        ($($Name:ident($call:ident) => $call_arguments:expr;)*) => {
            match id {
                $( d3d12::$Name::ID => edit_as::<d3d12::$Name>(row, &mut |$call| change($call.adapter(), $call_arguments)).map(Some), )*
                _ => Ok(None),
            }
        };
    }
    edit! {
        CreateHeap(call) => CallArguments::Heap(&mut call.desc);
        CreateHeap1(call) => CallArguments::Heap(&mut call.desc);
        CreatePlacedResource(call) =>
            CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Placed(call.heap, &mut call.heap_offset_bytes));
        CreatePlacedResource1(call) =>
            CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Placed(call.heap, &mut call.heap_offset_bytes));
        CreatePlacedResource2(call) => CallArguments::Resource(
            &mut call.desc, &call.castable_formats, ResourceLocation::Placed(call.heap, &mut call.heap_offset_bytes),
        );
        CreateCommittedResource(call) => CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Committed);
        CreateCommittedResource1(call) => CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Committed);
        CreateCommittedResource2(call) => CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Committed);
        CreateCommittedResource3(call) =>
            CallArguments::Resource(&mut call.desc, &call.castable_formats, ResourceLocation::Committed);
        CreateReservedResource(call) => CallArguments::Resource(&mut call.desc, &[], ResourceLocation::Reserved);
        GetResourceAllocationInfo(call) => CallArguments::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo1(call) => CallArguments::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo2(call) => CallArguments::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo3(call) =>
            CallArguments::Query(&mut call.descs, &call.num_castable_formats, &call.castable_formats);
    }
}

/// Decodes the start row of a call, changes the call, and returns the encoded row.
pub(super) fn edit_as<C: Call>(row: &[u8], change: &mut dyn FnMut(&mut C)) -> Result<Vec<u8>, CodecError> {
    let mut decoder = Decoder::new(row);
    let wait_ns = u64::decode(&mut decoder)?;
    let mut call = C::decode(&mut decoder)?;
    change(&mut call);
    let mut edited = Vec::with_capacity(row.len());
    let mut encoder = Encoder::new(&mut edited);
    wait_ns.encode(&mut encoder);
    call.encode(&mut encoder);
    Ok(edited)
}
