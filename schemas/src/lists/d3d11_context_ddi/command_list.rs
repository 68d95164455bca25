//! Command lists.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_context_ddi_command_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Queries the size of the handle's memory. d3d10umddi.h: PFND3D11DDI_CALCPRIVATECOMMANDLISTSIZE.
            3940 CalcPrivateCommandListSize = calc_private_command_list_size(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// D3D11DDIARG_CREATECOMMANDLIST::hDeferredContext.
                deferred_device: DriverHandle,
            ) -> PrivateSize;

            /// Creates a command list from a deferred context's recording, or opens one in a deferred context. The
            /// result, its contents, is not in the header: it distinguishes lists. d3d10umddi.h:
            /// PFND3D11DDI_CREATECOMMANDLIST.
            3941 CreateCommandList with memory = create_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// D3D11DDIARG_CREATECOMMANDLIST::hDeferredContext; null if a list is opened.
                deferred_device: DriverHandle,
                /// hDrvCommandList, and its creation arguments.
                handle: CreateHandle,
            ) -> RecordedCommands;

            /// As CreateCommandList, in the memory of an unused list. d3d10umddi.h:
            /// PFND3D11DDI_RECYCLECREATECOMMANDLIST.
            3942 RecycleCreateCommandList with memory = recycle_create_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// D3D11DDIARG_CREATECOMMANDLIST::hDeferredContext.
                deferred_device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> HResult<RecordedCommands>;

            /// Destroys a list, or closes one in a deferred context. d3d10umddi.h: PFND3D11DDI_DESTROYCOMMANDLIST.
            3943 DestroyCommandList = destroy_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Marks a list as unused; its memory stays allocated. d3d10umddi.h: PFND3D11DDI_RECYCLEDESTROYCOMMANDLIST.
            3944 RecycleDestroyCommandList = recycle_destroy_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Returns an unused list to the deferred context that created it. d3d10umddi.h:
            /// PFND3D11DDI_RECYCLECOMMANDLIST.
            3945 RecycleCommandList = recycle_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Executes a list; the result, its contents, is not in the header. d3d10umddi.h:
            /// PFND3D11DDI_COMMANDLISTEXECUTE.
            3946 CommandListExecute with memory = command_list_execute(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> RecordedCommands;

            /// Discards a deferred context's recording. d3d10umddi.h: PFND3D11DDI_ABANDONCOMMANDLIST.
            3947 AbandonCommandList with memory = abandon_command_list(
                /// The context whose function table is called.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> ();
        }
    };
}
