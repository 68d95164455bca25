//! ID3D11DeviceContext: command lists.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_command_list_calls {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// Makes a command list of what a deferred context has recorded. d3d11.h: ID3D11DeviceContext::FinishCommandList.
            1120 FinishCommandList [device, context, objects] creates D3d11CommandListId = finish_command_list(
                /// The context.
                context: D3d11ContextId,
                /// RestoreDeferredContextState.
                restore_deferred_context_state: bool,
                /// ppCommandList is not null; where it is, what was recorded is dropped.
                want_command_list: bool,
            ) -> HResult<D3d11CommandListId>;

            /// Executes a command list. d3d11.h: ID3D11DeviceContext::ExecuteCommandList, which returns nothing.
            1121 ExecuteCommandList [context, opens] = execute_command_list(
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
