//! DXGI calls of test cases: name of the call, names of its arguments, and names of its results.

use crate::cases::family::{CallWord, words};

words! {
    CreateDevice [] [];
    CreateWindow [client_width client_height visible order] [];
    SetWindow [covered minimised hidden] [];
    CreateSwapChain [
        device width height format samples usage buffers swap_effect windowed flags window refresh desc out
    ] [];
    GetDesc [out] [width height format buffers refresh usage windowed swap_effect];
    GetDesc1 [out] [stereo scaling alpha_mode];
    GetFullscreenDesc [out] [windowed];
    GetHwnd [] [];
    GetBuffer [index] [width height format usage usage_has bind];
    Release [] [count];
    RefCount [] [count];
    ResizeBuffers [buffers width height format flags] [];
    ResizeBuffers1 [buffers width height format flags node_masks queues] [];
    Present [interval flags] [];
    GetCurrentBackBufferIndex [] [value];
    GetLastPresentCount [] [count];
    GetFullscreenState [out_fullscreen out_target] [fullscreen target];
    SetFullscreenState [fullscreen] [];
    ReleaseOwnership [] [];
    GetMaximumFrameLatency [out] [value data];
    SetMaximumFrameLatency [value] [];
    GetFrameLatencyWaitableObject [] [handle];
    WaitForSingleObject [timeout_ms] [wait];
    CloseHandle [] [ok];
    CheckColorSpaceSupport [space] [present];
    SetColorSpace1 [space] [];
    CheckFeatureSupport [feature size_bytes] [value];
    EnumAdapters [index] [];
    EnumOutputs [index] [];
    CreateRenderTargetView [resource format] [];
    CreateShaderResourceView [resource format] [];
    ClearBuffer [rgba] [];
    ReadPixel [x y] [rgba];
    CreateFence [value] [];
    QueueWait [fence value] [];
    FenceSignal [value] [];
    UntilShown [] [];
    D3DKMTQueryAdapterInfo [type size_bytes adapter] [status value data];
    StartApplication [application] [adapter];
    QueryDListForApplication2 [application] [result decision_factor library_bytes elapsed_ns];
}
