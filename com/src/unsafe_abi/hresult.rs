//! Results of methods.

use super::plain::{
    AllocationInfo, CommandQueueDesc, CpuDescriptor, DescriptorHeapDesc, GpuDescriptor, HeapDesc, HeapProperties, Luid,
    ResourceDesc,
};
use super::pointer::Opaque;
use taut_schemas::{HResult, HResultCode};

/// HRESULT of a method.
#[repr(transparent)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hresult(u32);

impl From<HResultCode> for Hresult {
    fn from(code: HResultCode) -> Hresult {
        Hresult(code.0)
    }
}

impl From<Hresult> for HResultCode {
    fn from(result: Hresult) -> HResultCode {
        HResultCode(result.0)
    }
}

impl From<HResult<()>> for Hresult {
    fn from(result: HResult<()>) -> Hresult {
        result.map_or_else(Hresult::from, |()| Hresult::from(HResultCode::S_OK))
    }
}

/// Result of a method that does nothing.
pub trait Refusal {
    /// The code, or zeros for a result without one.
    fn refusal(code: HResultCode) -> Self;
}

impl Refusal for Hresult {
    fn refusal(code: HResultCode) -> Hresult {
        code.into()
    }
}

impl Refusal for Opaque {
    fn refusal(_: HResultCode) -> Opaque {
        Opaque::NULL
    }
}

macro_rules! zeros {
    ($($Type:ty),*) => { $(
        impl Refusal for $Type {
            fn refusal(_: HResultCode) -> $Type {
                Default::default()
            }
        }
    )* };
}

zeros!((), bool, u32, u64, usize);
zeros!(AllocationInfo, CommandQueueDesc, CpuDescriptor, DescriptorHeapDesc, GpuDescriptor, HeapDesc, HeapProperties);
zeros!(Luid, ResourceDesc);
