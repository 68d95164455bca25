//! Queries and predicates.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_query_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h: PFND3D10DDI_CALCPRIVATEQUERYSIZE.
            4000 CalcPrivateQuerySize = calc_private_query_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: QueryDesc,
            ) -> PrivateSize;

            /// Creates it, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEQUERY.
            4001 CreateQuery with memory = create_query(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery, and what it is made of.
                handle: CreateHandle,
                /// The description; absent where it is null.
                desc: Option<QueryDesc>,
            ) -> ();

            /// Destroys it, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYQUERY.
            4002 DestroyQuery = destroy_query(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                handle: DriverHandle,
            ) -> ();

            /// A query begins. d3d10umddi.h: PFND3D10DDI_QUERYBEGIN.
            4003 QueryBegin with memory = query_begin(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
            ) -> ();

            /// A query ends. d3d10umddi.h: PFND3D10DDI_QUERYEND.
            4004 QueryEnd with memory = query_end(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
            ) -> ();

            /// Asks what a query has found, in the immediate context alone. d3d10umddi.h: PFND3D10DDI_QUERYGETDATA.
            4005 QueryGetData with memory = query_get_data(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
                /// DataSize, in bytes; 0 where it is only asked whether it is there.
                size_bytes: u32 as Size,
            ) -> ();
        }
    };
}
