//! Calls that map or unmap a resource's memory.

use crate::memory::Memory;
use taut_runtime::{CpuRange, Execute};
use taut_schemas::{Call, CopyBox, CpuAddress, HResult, ObjectId, SharedMapData, d3d11, d3d12};

/// Call that maps or unmaps a resource. The session passes the effect to its [`Memory`].
pub trait MemoryCall: Execute + Call<Output = HResult<Self::Returned>> {
    /// Result type of the call.
    type Returned;
    /// Result type for the caller, with the mapped range.
    type Answer;

    /// Resource that is mapped or unmapped.
    fn resource(&self) -> ObjectId;

    /// Notifies the memory after the call; `range` is the memory of the whole resource.
    fn notify(memory: &dyn Memory, range: CpuRange);

    /// Converts the result; the range is empty for a texture whose bytes are not stored in rows.
    fn answer(returned: Self::Returned, range: CpuRange) -> Self::Answer;
}

macro_rules! memory_calls {
    ($( $call:ty: $Returned:ty => $Answer:ty = $notify:ident |$returned:ident, $range:ident| $answer:expr; )*) => { $(
        impl MemoryCall for $call {
            type Returned = $Returned;
            type Answer = $Answer;

            fn resource(&self) -> ObjectId {
                self.resource.into()
            }

            fn notify(memory: &dyn Memory, range: CpuRange) {
                memory.$notify(range);
            }

            fn answer($returned: $Returned, $range: CpuRange) -> $Answer {
                $answer
            }
        }
    )* };
}

memory_calls! {
    d3d12::Map: CpuAddress => CpuRange = map |_address, range| range;
    d3d12::Unmap: () => () = unmap |_nothing, _range| ();
    d3d11::Map: SharedMapData => SharedMapData = map |data, _range| data;
    d3d11::Unmap: () => () = unmap |_nothing, _range| ();
}

/// Call by which the processor reads or writes a box of a subresource. The caller copies the bytes.
pub trait BoxCall: Execute + Call<Output = HResult<()>> {
    /// Resource, subresource, and the box; `None` for the whole subresource.
    fn target(&self) -> (ObjectId, u32, Option<&CopyBox>);
}

impl BoxCall for d3d12::WriteToSubresource {
    fn target(&self) -> (ObjectId, u32, Option<&CopyBox>) {
        (self.resource.into(), self.subresource, self.dst_box.as_ref())
    }
}

impl BoxCall for d3d12::ReadFromSubresource {
    fn target(&self) -> (ObjectId, u32, Option<&CopyBox>) {
        (self.resource.into(), self.subresource, self.src_box.as_ref())
    }
}
