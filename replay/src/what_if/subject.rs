//! What a call is about, of the calls that a what-if changes.

use taut_schemas::{
    AdapterId, Call, CodecError, Decoder, Encoder, Field, HeapDesc, HeapId, ResourceDesc, d3d12, format::Format,
};

/// What a call is about.
pub(super) enum Subject<'c> {
    /// It creates a heap.
    Heap(&'c mut HeapDesc),
    /// It creates a resource.
    Resource(&'c mut ResourceDesc, &'c [Format], Home<'c>),
    /// It asks about resources: their descriptions, how many castable formats each has, and these, one after another.
    Query(&'c mut [ResourceDesc], &'c [u32], &'c [Format]),
}

/// Where a resource is created.
pub(super) enum Home<'c> {
    Placed(HeapId, &'c mut u64),
    Committed,
    Reserved,
}

/// Shows what the call whose start row `row` is is about, and gives the row as it is then; `None` if the call is about
/// nothing that a what-if changes.
pub(super) fn edit(
    id: u16,
    row: &[u8],
    change: &mut dyn FnMut(AdapterId, Subject<'_>),
) -> Result<Option<Vec<u8>>, CodecError> {
    macro_rules! edit {
        ($($Name:ident($call:ident) => $subject:expr;)*) => {
            match id {
                $( d3d12::$Name::ID => edit_as::<d3d12::$Name>(row, &mut |$call| change($call.adapter(), $subject)).map(Some), )*
                _ => Ok(None),
            }
        };
    }
    edit! {
        CreateHeap(call) => Subject::Heap(&mut call.desc);
        CreateHeap1(call) => Subject::Heap(&mut call.desc);
        CreatePlacedResource(call) =>
            Subject::Resource(&mut call.desc, &[], Home::Placed(call.heap, &mut call.heap_offset_bytes));
        CreatePlacedResource1(call) =>
            Subject::Resource(&mut call.desc, &[], Home::Placed(call.heap, &mut call.heap_offset_bytes));
        CreatePlacedResource2(call) => Subject::Resource(
            &mut call.desc, &call.castable_formats, Home::Placed(call.heap, &mut call.heap_offset_bytes),
        );
        CreateCommittedResource(call) => Subject::Resource(&mut call.desc, &[], Home::Committed);
        CreateCommittedResource1(call) => Subject::Resource(&mut call.desc, &[], Home::Committed);
        CreateCommittedResource2(call) => Subject::Resource(&mut call.desc, &[], Home::Committed);
        CreateCommittedResource3(call) =>
            Subject::Resource(&mut call.desc, &call.castable_formats, Home::Committed);
        CreateReservedResource(call) => Subject::Resource(&mut call.desc, &[], Home::Reserved);
        GetResourceAllocationInfo(call) => Subject::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo1(call) => Subject::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo2(call) => Subject::Query(&mut call.descs, &[], &[]);
        GetResourceAllocationInfo3(call) =>
            Subject::Query(&mut call.descs, &call.num_castable_formats, &call.castable_formats);
    }
}

fn edit_as<C: Call>(row: &[u8], change: &mut dyn FnMut(&mut C)) -> Result<Vec<u8>, CodecError> {
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
