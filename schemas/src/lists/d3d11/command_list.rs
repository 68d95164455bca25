//! ID3D11DeviceContext: command lists.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_command_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Creates a command list from a deferred context's recording. d3d11.h:
            /// ID3D11DeviceContext::FinishCommandList.
            1120 FinishCommandList [device, context, objects] creates D3d11CommandListId = finish_command_list(
                /// The context.
                context: D3d11ContextId,
                /// RestoreDeferredContextState.
                restore_deferred_context_state: bool,
                /// True if ppCommandList is not null; if it is null, the recording is dropped.
                want_command_list: bool,
            ) -> HResult<D3d11CommandListId>;

            /// Executes a command list. d3d11.h: ID3D11DeviceContext::ExecuteCommandList, which returns nothing.
            1121 ExecuteCommandList [context, unpinned] = execute_command_list(
                /// The context, immediate or deferred.
                context: D3d11ContextId,
                /// pCommandList.
                command_list: D3d11CommandListId,
                /// RestoreContextState.
                restore_context_state: bool,
            ) -> HResult<()>;
        }
    };
}
