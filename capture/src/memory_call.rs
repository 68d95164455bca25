//! Calls after which there are bytes behind a resource's addresses, or are no more.

use crate::memory::Memory;
use taut_runtime::{CpuRange, Execute};
use taut_schemas::{Call, CpuAddress, HResult, ObjectId, SharedMapData, d3d11, d3d12};

/// A call that maps a resource, or ends that. Which memory is told is the session's matter.
pub trait MemoryCall: Execute + Call<Output = HResult<Self::Returned>> {
    /// What the call returns.
    type Returned;
    /// What its caller wants of it.
    type Answer;

    /// The resource.
    fn resource(&self) -> ObjectId;

    /// Tells the memory that the call was made; `range` is that of the whole resource.
    fn tell(memory: &dyn Memory, range: CpuRange);

    /// The answer; the range is empty for a texture whose bytes do not lie in rows.
    fn answer(returned: Self::Returned, range: CpuRange) -> Self::Answer;
}

macro_rules! memory_calls {
    ($( $call:ty: $Returned:ty => $Answer:ty = $tell:ident |$returned:ident, $range:ident| $answer:expr; )*) => { $(
        impl MemoryCall for $call {
            type Returned = $Returned;
            type Answer = $Answer;

            fn resource(&self) -> ObjectId {
                self.resource.into()
            }

            fn tell(memory: &dyn Memory, range: CpuRange) {
                memory.$tell(range);
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
