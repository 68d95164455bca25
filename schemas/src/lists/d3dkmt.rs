//! d3dkmthk.h: from user mode to the graphics kernel.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3dkmt_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the graphics kernel about an adapter. d3dkmthk.h: D3DKMTQueryAdapterInfo.
            2816 D3DKMTQueryAdapterInfo [display] = query_adapter_info(
                /// D3DKMT_QUERYADAPTERINFO::hAdapter.
                adapter: AdapterId,
                /// D3DKMT_QUERYADAPTERINFO::Type.
                info_type: KmtQueryAdapterInfoType,
                /// D3DKMT_QUERYADAPTERINFO::PrivateDriverDataSize.
                private_driver_data_size_bytes: u32 as Size,
            ) -> QueriedAdapterInfo;
        }
    };
}
