//! Queries and predicates.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_query_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h: PFND3D10DDI_CALCPRIVATEQUERYSIZE.
            4000 CalcPrivateQuerySize = calc_private_query_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// The description.
                desc: QueryDesc,
            ) -> PrivateSize;

            /// Creates the object, or opens it in a deferred context. d3d10umddi.h: PFND3D10DDI_CREATEQUERY.
            4001 CreateQuery with memory = create_query(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery, and its creation arguments.
                handle: CreateHandle,
                /// The description; absent if the pointer is null.
                desc: Option<QueryDesc>,
            ) -> ();

            /// Destroys the object, or closes it in a deferred context. d3d10umddi.h: PFND3D10DDI_DESTROYQUERY.
            4002 DestroyQuery = destroy_query(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                handle: DriverHandle,
            ) -> ();

            /// Begins a query. d3d10umddi.h: PFND3D10DDI_QUERYBEGIN.
            4003 QueryBegin with memory = query_begin(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
            ) -> ();

            /// Ends a query. d3d10umddi.h: PFND3D10DDI_QUERYEND.
            4004 QueryEnd with memory = query_end(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
            ) -> ();

            /// Queries the data of a query, in the immediate context only. d3d10umddi.h: PFND3D10DDI_QUERYGETDATA.
            4005 QueryGetData with memory = query_get_data(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvQuery.
                query: DriverHandle,
                /// DataSize, in bytes; 0 to check only if the data is available.
                size_bytes: u32 as Size,
            ) -> ();
        }
    };
}
