//! Vocabulary of Direct3D 11 calls.

use crate::cases::family::{CallWord, words};

words! {
    CreateDevice [flags] [];
    GetImmediateContext [] [];
    CreateDeferredContext [flags] [];
    CreateDeferredContext1 [flags] [];
    GetDeviceRemovedReason [] [];
    CheckFeatureSupport [feature size_bytes data] [data concurrent_creates command_lists];
    RefCount [] [count];
    Release [] [count];
    QueryInterface [interface] [];
    GetMultithreadProtected [] [value];
    CreateBuffer [size_bytes usage bind cpu initial_data data_f32] [];
    CreateTexture2D [width height format usage bind cpu initial_data data_f32] [];
    CreateTexture3D [width height depth format usage bind cpu initial_data data_f32] [];
    CreateRenderTargetView [resource] [];
    CreateShaderResourceView [resource] [];
    CreateBlendState [write_mask desc] [];
    CreateDepthStencilState [
        depth_enable stencil_enable depth_func depth_write_mask stencil_read_mask stencil_write_mask face_ops face_func desc
    ] [];
    CreateRasterizerState [fill cull depth_clip desc] [];
    CreateSamplerState [filter address min_lod max_lod max_anisotropy comparison border border_color desc] [];
    GetDesc [] [
        depth_enable stencil_enable depth_func depth_write_mask stencil_read_mask stencil_write_mask face_ops face_func
    ];
    CreateQuery [query desc out] [];
    CreatePredicate [query desc out] [];
    Begin [query] [];
    End [query] [];
    GetData [query size_bytes data] [data];
    GetDataWaiting [query] [value];
    SetPredication [predicate value] [];
    GetPredication [] [object value];
    SetConstantBuffers [stage slot buffers] [];
    SetShaderResources [stage slot views] [];
    SetSamplers [stage slot samplers] [];
    GetConstantBuffers [stage slot count] [objects];
    GetShaderResources [stage slot count] [objects];
    GetSamplers [stage slot count] [objects];
    GetShader [stage] [object instances];
    SetRenderTargets [views] [];
    GetRenderTargets [count] [objects depth];
    SetBlendState [state sample_mask factor] [];
    GetBlendState [] [object factor sample_mask];
    GetDepthStencilState [] [object stencil_ref];
    SetRasterizerState [state] [];
    GetRasterizerState [] [object];
    SetViewports [viewports] [];
    GetViewports [] [count];
    GetScissorRects [] [count];
    GetIndexBuffer [] [object format offset];
    GetPrimitiveTopology [] [value];
    GetContextFlags [] [value];
    ClearState [] [];
    Flush [] [];
    ClearRenderTargetView [view rgba] [];
    CopyResource [destination source] [];
    UpdateSubresource [resource f32] [];
    Map [resource subresource type out] [data pitches row_pitch depth_pitch f32 u32];
    WriteMapped [resource f32 u32] [];
    Unmap [resource subresource] [];
    DrawFullScreen [rgba] [];
    ReadPixel [resource x y] [rgba];
    ReadBuffer [resource] [f32];
    FinishCommandList [restore out] [];
    ExecuteCommandList [list restore] [];
    Signal [fence value] [];
    Wait [fence value] [];
    CreateDeviceContextState [flags feature_levels] [state selected_level];
    SwapDeviceContextState [state] [previous];
}
