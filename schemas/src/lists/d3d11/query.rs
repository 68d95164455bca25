//! ID3D11Device and ID3D11DeviceContext: queries and predicates.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_query_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a query, or a predicate. d3d11.h: ID3D11Device::CreateQuery, and CreatePredicate.
            1140 CreateQuery [device, objects] creates D3d11QueryId = create_query(
                /// The device that creates it.
                device: D3d11DeviceId,
                /// pQueryDesc.
                desc: QueryDesc,
                /// CreatePredicate is called, which takes predicates alone.
                is_predicate: bool,
            ) -> HResult<D3d11QueryId>;

            /// A query begins. d3d11.h: ID3D11DeviceContext::Begin, which returns nothing.
            1141 Begin [context, opens] = begin(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
            ) -> HResult<()>;

            /// A query ends, and is issued: in a list when that is executed (rule H-67). d3d11.h:
            /// ID3D11DeviceContext::End, which returns nothing.
            1142 End [context, opens] = end(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
            ) -> HResult<()>;

            /// What a query has found. While it is issued and not submitted the answer is S_FALSE, and without DONOTFLUSH
            /// it is submitted (rule H-67). d3d11.h: ID3D11DeviceContext::GetData.
            1143 GetData [context, opens] = get_data(
                /// The context.
                context: D3d11ContextId,
                /// pAsync.
                query: D3d11QueryId,
                /// DataSize, in bytes; 0 where it is only asked whether it is there.
                size_bytes: u32 as Size,
                /// pData is not null.
                want_data: bool,
                /// GetDataFlags: D3D11_ASYNC_GETDATA_FLAG.
                flags: GetDataFlags,
            ) -> HResult<Bytes>;
        }
    };
}
