//! Command lists.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_context_ddi_command_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Asks how large the memory behind the handle is to be. d3d10umddi.h: PFND3D11DDI_CALCPRIVATECOMMANDLISTSIZE.
            3940 CalcPrivateCommandListSize = calc_private_command_list_size(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// D3D11DDIARG_CREATECOMMANDLIST::hDeferredContext.
                deferred_device: DriverHandle,
            ) -> PrivateSize;

            /// Makes a command list of what a deferred context has recorded, or opens one in a deferred context. What it holds is not
            /// in the header: it tells one list from another. d3d10umddi.h: PFND3D11DDI_CREATECOMMANDLIST.
            3941 CreateCommandList with memory = create_command_list(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// D3D11DDIARG_CREATECOMMANDLIST::hDeferredContext; null where a list is opened.
                deferred_device: DriverHandle,
                /// hDrvCommandList, and what it is made of.
                handle: CreateHandle,
            ) -> RecordedCommands;

            /// The same in the memory of a list that is out of use. d3d10umddi.h: PFND3D11DDI_RECYCLECREATECOMMANDLIST.
            3942 RecycleCreateCommandList with memory = recycle_create_command_list(
                /// The context, whose table it is.
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
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Takes a list out of use; its memory stays. d3d10umddi.h: PFND3D11DDI_RECYCLEDESTROYCOMMANDLIST.
            3944 RecycleDestroyCommandList = recycle_destroy_command_list(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Gives a list that is out of use back to the deferred context that made it. d3d10umddi.h:
            /// PFND3D11DDI_RECYCLECOMMANDLIST.
            3945 RecycleCommandList = recycle_command_list(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> ();

            /// Executes a list; what it held is not in the header. d3d10umddi.h: PFND3D11DDI_COMMANDLISTEXECUTE.
            3946 CommandListExecute with memory = command_list_execute(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
                /// hDrvCommandList.
                command_list: DriverHandle,
            ) -> RecordedCommands;

            /// Throws away what a deferred context has recorded. d3d10umddi.h: PFND3D11DDI_ABANDONCOMMANDLIST.
            3947 AbandonCommandList with memory = abandon_command_list(
                /// The context, whose table it is.
                context: D3d11ContextId,
                /// hDevice.
                device: DriverHandle,
            ) -> ();
        }
    };
}
