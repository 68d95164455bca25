//! State: Direct3D 11 objects.

/// Calls `$handler!` with its arguments in brackets, then these entries. [`for_each_family!`] describes an entry.
///
/// [`for_each_family!`]: crate::for_each_family
#[macro_export]
macro_rules! d3d11_object_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A Direct3D 11 device, and its extension.
            5728 D3d11Device {
                /// The device.
                device: D3d11DeviceId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Flags at creation.
                flags: CreateDeviceFlags,
                /// Result of Init; absent before it.
                extensions: Option<AvailableExtensions>,
                /// True if SetDirectAccessResourceExtension was called and no texture has been created since.
                marked: bool,
                /// Deferred contexts to which the application holds references.
                contexts: u32 as Count,
                /// True if the application holds references to the immediate context.
                immediate_counts: bool,
            }

            /// A context, as an object.
            5729 D3d11Context {
                /// The context.
                context: D3d11ContextId,
                /// Common state of all objects.
                object: D3d11ObjectState,
            }

            /// A buffer or texture.
            5730 D3d11Resource {
                /// The resource.
                resource: D3d11ResourceId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation.
                desc: D3d11DdiResourceDesc,
                /// True if it was created for direct access.
                direct_access: bool,
                /// Memory of the resource itself; address 0 if it has none.
                memory: D3d11ResourceMemory,
                /// The resource whose memory it uses; null for a direct-access staging texture that is not bound.
                memory_of: D3d11ResourceId,
                /// Mapped subresources, as far as an extension needs the count.
                maps: u32 as Count,
            }

            /// A view, which holds its resource.
            5731 D3d11View {
                /// The view.
                view: D3d11ViewId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Kind of the view.
                handle_type: HandleType,
                /// Mip level of the view, or its first one.
                mip: u32,
                /// The viewed resource.
                resource: D3d11ResourceId,
            }

            /// A blend state.
            5732 D3d11BlendState {
                /// The state object.
                state: D3d11StateId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation; unused members have their defaults.
                desc: BlendDesc,
            }

            /// A depth-stencil state.
            5733 D3d11DepthStencilState {
                /// The state object.
                state: D3d11StateId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation; unused members have their defaults.
                desc: D3d11DepthStencilDesc,
            }

            /// A rasterizer state.
            5734 D3d11RasterizerState {
                /// The state object.
                state: D3d11StateId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation.
                desc: D3d11RasterizerDesc,
            }

            /// A sampler.
            5735 D3d11SamplerState {
                /// The state object.
                state: D3d11StateId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation; unused members have their defaults.
                desc: D3d11SamplerDesc,
            }

            /// A shader.
            5736 D3d11Shader {
                /// The shader.
                shader: D3d11ShaderId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation.
                desc: ShaderDesc,
            }

            /// An input layout.
            5737 D3d11InputLayout {
                /// The input layout.
                input_layout: D3d11InputLayoutId,
                /// Common state of all objects.
                object: D3d11ObjectState,
            }

            /// A query or predicate.
            5738 D3d11Query {
                /// The query.
                query: D3d11QueryId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// Description at creation.
                desc: QueryDesc,
            }

            /// A command list. RecordedCall and RecordedEffect records before this one hold its recording.
            5739 D3d11CommandList {
                /// The command list.
                command_list: D3d11CommandListId,
                /// Common state of all objects.
                object: D3d11ObjectState,
                /// The driver's summary of its contents.
                commands: RecordedCommands,
                /// Dynamic resources that it maps.
                maps: Vec<D3d11ResourceId>,
                /// Queries that it begins or ends.
                queries: Vec<D3d11QueryId>,
                /// True if the runtime stores the recording: the driver builds no command lists.
                is_stored was is_kept: bool,
                /// Objects that the stored recording names.
                names: Vec<ObjectId>,
            }

            /// A context-state object of an immediate context.
            5740 D3d11ContextState {
                /// The context state.
                context_state: D3d11ContextStateId,
                /// Common state of all objects.
                object: D3d11ObjectState,
            }
        }
    };
}
