//! Names of the calls in a log.

macro_rules! call_names {
    ($( $(#[doc = $doc:literal])+ $Name:ident, )*) => {
        /// Name of a call, as spelled in the log.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum CallName {
            $( $(#[doc = $doc])+ $Name, )*
        }

        impl CallName {
            /// All names, in the order of the format's table.
            pub const ALL: &'static [CallName] = &[ $( CallName::$Name, )* ];

            /// Spelling of the name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $( CallName::$Name => stringify!($Name), )*
                }
            }

            /// Returns the name spelled `text`.
            pub fn parse(text: &str) -> Option<CallName> {
                match text {
                    $( stringify!($Name) => Some(CallName::$Name), )*
                    _ => None,
                }
            }
        }
    };
}

call_names! {
    /// Not a call: one of the application's tests begins.
    BeginTest,
    /// Not a call: a test ends.
    EndTest,
    /// `ID3D12Device::CheckFeatureSupport`.
    CheckFeatureSupport,
    /// `ID3D12Device::GetResourceAllocationInfo`.
    GetResourceAllocationInfo,
    /// `ID3D12Device4::GetResourceAllocationInfo1`.
    GetResourceAllocationInfo1,
    /// `ID3D12Device8::GetResourceAllocationInfo2`.
    GetResourceAllocationInfo2,
    /// `ID3D12Device12::GetResourceAllocationInfo3`.
    GetResourceAllocationInfo3,
    /// `ID3D12Device::CreateHeap`.
    CreateHeap,
    /// `ID3D12Device4::CreateHeap1`.
    CreateHeap1,
    /// `ID3D12Device::CreatePlacedResource`.
    CreatePlacedResource,
    /// `ID3D12Device8::CreatePlacedResource1`.
    CreatePlacedResource1,
    /// `ID3D12Device10::CreatePlacedResource2`.
    CreatePlacedResource2,
    /// `ID3D12Device::CreateCommittedResource`.
    CreateCommittedResource,
    /// `ID3D12Device4::CreateCommittedResource1`.
    CreateCommittedResource1,
    /// `ID3D12Device8::CreateCommittedResource2`.
    CreateCommittedResource2,
    /// `ID3D12Device10::CreateCommittedResource3`.
    CreateCommittedResource3,
    /// `ID3D12Device::CreateReservedResource`.
    CreateReservedResource,
    /// `ID3D12Resource::Map`.
    Map,
    /// `ID3D12Resource::Unmap`.
    Unmap,
    /// The Release that ends a resource.
    ReleaseResource,
    /// The Release that ends a heap.
    ReleaseHeap,
    /// Not a call: the log ends.
    EndCapture,
    /// `ID3D12Object::SetName`.
    SetName,
    /// Not a call: a frame begins.
    Frame,
    /// `ID3D12Device::GetCopyableFootprints`.
    GetCopyableFootprints,
    /// `ID3D12Device::CreateConstantBufferView`.
    CreateConstantBufferView,
    /// `ID3D12Device::CreateShaderResourceView`.
    CreateShaderResourceView,
    /// `ID3D12Device::CreateUnorderedAccessView`.
    CreateUnorderedAccessView,
    /// `ID3D12GraphicsCommandList4::DispatchRays`.
    DispatchRays,
    /// `ID3D12GraphicsCommandList4::BuildRaytracingAccelerationStructure`.
    BuildRaytracingAccelerationStructure,
    /// `ID3D12VideoDecodeCommandList1::DecodeFrame1`.
    DecodeFrame1,
}

impl CallName {
    /// First version of the format that has the call.
    pub fn version(self) -> u64 {
        if self > CallName::EndCapture { 2 } else { 1 }
    }

    /// True if the call takes `D3D12_RESOURCE_DESC1`, which has a mip region.
    pub fn takes_desc1(self) -> bool {
        matches!(
            self,
            CallName::GetResourceAllocationInfo2
                | CallName::GetResourceAllocationInfo3
                | CallName::CreatePlacedResource1
                | CallName::CreatePlacedResource2
                | CallName::CreateCommittedResource2
                | CallName::CreateCommittedResource3
        )
    }

    /// True if the call has a barrier layout as an argument in place of the resource states of older calls.
    pub fn takes_layout(self) -> bool {
        matches!(self, CallName::CreatePlacedResource2 | CallName::CreateCommittedResource3)
    }

    /// True if the call takes castable formats.
    pub fn takes_castable_formats(self) -> bool {
        self.takes_layout() || self == CallName::GetResourceAllocationInfo3
    }
}
