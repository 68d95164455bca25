//! ID3D11Device and ID3D11DeviceContext: queries and predicates.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_query_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a query, or a predicate. d3d11.h: ID3D11Device::CreateQuery, and CreatePredicate.
            1140 CreateQuery [device, objects] creates D3d11QueryId = create_query(
                /// The creating device.
                device: D3d11DeviceId,
                /// pQueryDesc.
                desc: QueryDesc,
                /// True for CreatePredicate, which accepts predicates only.
                is_predicate: bool,
            ) -> HResult<D3d11QueryId>;

            /// Begins a query. d3d11.h: ID3D11DeviceContext::Begin, which returns nothing.
            1141 Begin [context, unpinned] = begin(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
            ) -> HResult<()>;

            /// Ends a query, which issues it; in a command list at execution (rule H-67). d3d11.h:
            /// ID3D11DeviceContext::End, which returns nothing.
            1142 End [context, unpinned] = end(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
            ) -> HResult<()>;

            /// Returns a query's data. For an issued query that is not submitted the result is S_FALSE, and without
            /// DONOTFLUSH it is submitted (rule H-67). d3d11.h: ID3D11DeviceContext::GetData.
            1143 GetData [context, unpinned] = get_data(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
                /// DataSize, in bytes; 0 to check only if the data is available.
                size_bytes: u32 as Size,
                /// True if pData is not null.
                want_data: bool,
                /// GetDataFlags: D3D11_ASYNC_GETDATA_FLAG.
                flags: GetDataFlags,
            ) -> HResult<Bytes>;
        }
    };
}
