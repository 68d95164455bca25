//! State: objects of Direct3D 11.

/// Hands these lines to a macro, after what it is given besides.
#[macro_export]
macro_rules! d3d11_object_state {
    ($handler:ident $($with:tt)*) => {
        $handler! { [$($with)*]
            /// A device of Direct3D 11, and the extension on it.
            5728 D3d11Device {
                /// Which.
                device: D3d11DeviceId,
                /// What every object has.
                object: D3d11ObjectState,
                /// With which it was created.
                flags: CreateDeviceFlags,
                /// What Init found; none before it.
                extensions: Option<AvailableExtensions>,
                /// SetDirectAccessResourceExtension waits for its creation.
                marked: bool,
                /// Deferred contexts with references of the application's.
                contexts: u32 as Count,
                /// The same of the immediate context.
                immediate_counts: bool,
            }

            /// A context, as an object.
            5729 D3d11Context {
                /// Which.
                context: D3d11ContextId,
                /// What every object has.
                object: D3d11ObjectState,
            }

            /// A buffer or texture.
            5730 D3d11Resource {
                /// Which.
                resource: D3d11ResourceId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created.
                desc: D3d11DdiResourceDesc,
                /// It was created for direct access.
                direct_access: bool,
                /// Where its own memory lies; at 0 if it has none.
                memory: D3d11ResourceMemory,
                /// The resource whose memory it uses; null for a direct-access staging texture that is bound to none yet.
                memory_of: D3d11ResourceId,
                /// Subresources that are mapped, as far as an extension has to know.
                maps: u32 as Count,
            }

            /// A view, which holds its resource.
            5731 D3d11View {
                /// Which.
                view: D3d11ViewId,
                /// What every object has.
                object: D3d11ObjectState,
                /// Which of the four kinds it is.
                handle_type: HandleType,
                /// The mip level that it is of, or its first.
                mip: u32,
                /// Its resource.
                resource: D3d11ResourceId,
            }

            /// A blend state.
            5732 D3d11BlendState {
                /// Which.
                state: D3d11StateId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created; what is not used is set to its default.
                desc: BlendDesc,
            }

            /// A depth-stencil state.
            5733 D3d11DepthStencilState {
                /// Which.
                state: D3d11StateId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created; what is not used is set to its default.
                desc: D3d11DepthStencilDesc,
            }

            /// A rasterizer state.
            5734 D3d11RasterizerState {
                /// Which.
                state: D3d11StateId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created.
                desc: D3d11RasterizerDesc,
            }

            /// A sampler.
            5735 D3d11SamplerState {
                /// Which.
                state: D3d11StateId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created; what is not used is set to its default.
                desc: D3d11SamplerDesc,
            }

            /// A shader.
            5736 D3d11Shader {
                /// Which.
                shader: D3d11ShaderId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created.
                desc: ShaderDesc,
            }

            /// An input layout.
            5737 D3d11InputLayout {
                /// Which.
                input_layout: D3d11InputLayoutId,
                /// What every object has.
                object: D3d11ObjectState,
            }

            /// A query or predicate.
            5738 D3d11Query {
                /// Which.
                query: D3d11QueryId,
                /// What every object has.
                object: D3d11ObjectState,
                /// As created.
                desc: QueryDesc,
            }

            /// A command list. RecordedCall and RecordedEffect before it say what was recorded.
            5739 D3d11CommandList {
                /// Which.
                command_list: D3d11CommandListId,
                /// What every object has.
                object: D3d11ObjectState,
                /// What the driver says it is made of.
                commands: RecordedCommands,
                /// The dynamic resources that it maps.
                maps: Vec<D3d11ResourceId>,
                /// The queries that it begins or ends.
                queries: Vec<D3d11QueryId>,
                /// The runtime keeps what was recorded: the driver builds no command lists.
                is_kept: bool,
                /// The objects that a kept recording names.
                names: Vec<ObjectId>,
            }

            /// A state of an immediate context, as an object.
            5740 D3d11ContextState {
                /// Which.
                context_state: D3d11ContextStateId,
                /// What every object has.
                object: D3d11ObjectState,
            }
        }
    };
}
