//! Rules of cross-adapter resources, their scan-out, and swap chains.

use super::definition::{Chapter, rules};

rules! {
    mod rule, const CHAPTERS;

    "Cross-adapter resources and their scan-out":
    C_01 "C-01" "each tier of cross-adapter resources includes the tiers below it: the texture tier requires the copy \
        tier, the scan-out tier requires both; an adapter with any other combination fails to start"
        source "Supporting cross-adapter resource scan-out: indicating tier support; the code is rule X-14";
    C_02 "C-02" "the caps of the tiers above the copy tier are reserved below WDDM 2.9"
        source "Supporting cross-adapter resource scan-out: indicating tier support; DXGK_VIDMMCAPS; a choice: below \
            WDDM 2.9 the caps are ignored with a warning";
    C_03 "C-03" "the reported support tier is that of the highest cap that is set; the WDDM 1.3 cap is equal to the \
        copy cap"
        source "Supporting cross-adapter resource scan-out: graphics kernel changes; D3DKMT_CROSSADAPTERRESOURCE_SUPPORT, D3DKMT_WDDM_1_3_CAPS";
    C_04 "C-04" "a hybrid-integrated driver of WDDM 3.0 or later supports scan-out of cross-adapter resources"
        source "Supporting cross-adapter resource scan-out: HybridIntegrated special case";
    C_05 "C-05" "a driver that is not hybrid-integrated may report any tier"
        source "Supporting cross-adapter resource scan-out: HybridIntegrated special case";
    C_06 "C-06" "the tier is a property of the adapter alone; other adapters do not change it"
        source "Supporting cross-adapter resource scan-out: using CASO to optimize the flip presentation model";
    C_07 "C-07" "a driver that supports scan-out of cross-adapter resources implements the functions that check \
        multiplane overlay support and present; the check's answer covers every plane and the post composition"
        source "Supporting cross-adapter resource scan-out: tier 3 support requirements, note";
    C_08 "C-08" "creation of a Direct3D 12 device fails if the user-mode driver reports cross-adapter textures and the \
        kernel-mode driver does not; the reverse is legal"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; the code is rule X-14";
    C_09 "C-09" "a driver of tier 2 supports shader resource, unordered access and render target views of row-major \
        cross-adapter textures in the six scan-out formats, and in any other format that the driver scans out"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; Direct3D has no unordered \
            access to sRGB formats (rule X-12)";
    C_10 "C-10" "up to 1920 by 1080, in six formats and all flip modes, a driver of tier 3 does not opt out of \
        scan-out; beyond that minimum a driver may opt out"
        source "Supporting cross-adapter resource scan-out: tier 3 support requirements";
    C_11 "C-11" "from WDDM 2.4 on, any two adapters that support the copy tier share frames; before, the two adapters of \
        a hybrid system alone"
        source "Supporting cross-adapter resource scan-out: hybrid present, WDDM 2.4";
    C_12 "C-12" "a hybrid system has one integrated adapter with the panel, and one discrete adapter that supports the \
        copy tier and has no display; an adapter that fits neither description is not a hybrid adapter. From WDDM 2.9 \
        on, the discrete adapter's driver has pfnQueryDListForApplication2, in a DLL of less than 200 KB, and returns \
        from it within 4 ms"
        source "Validating a hybrid system configuration; WDDM 1.3; Hybrid system DDI: setting up the dList DLL";
    C_13 "C-13" "a user-mode driver that reports CrossAdapterRowMajorTextureSupported supports views of row-major \
        cross-adapter textures in every texture format, not only in the scan-out formats"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; D3D12_FEATURE_DATA_D3D12_OPTIONS";
    C_20 "C-20" "the path of a swap chain's frames follows from the tiers of both adapters, the creation of the \
        primary and the static check, in that order; the trace records one decision for each selection of the path"
        source "Supporting cross-adapter resource scan-out: using CASO to optimize the flip presentation model";
    C_21 "C-21" "exactly one plane of a static check has the static-check flag; the check does not change a later \
        answer of the driver"
        source "Supporting cross-adapter resource scan-out: static check flag";
    C_22 "C-22" "a check of multiplane overlay support does not change the memory bandwidth"
        source "Supporting cross-adapter resource scan-out: check of multiplane overlay support (inferred)";
    C_23 "C-23" "a static check is best effort: the compositor may later compose a swap chain with one copy, which \
        keeps its one copy"
        source "Supporting cross-adapter resource scan-out: static check flag";
    C_24 "C-24" "a failure during the setup of one copy leaves no object of the attempt alive on the display adapter"
        source "Supporting cross-adapter resource scan-out: falling back to two copies (inferred)";
    C_25 "C-25" "the trace records the reason of each fallback with the inputs of the decision"
        source "DXGI's public event provider: CASOFallbackReason; its values are not public, so the reasons are \
            defined by this project";
    C_26 "C-26" "a static check depends on the configuration (modes, rotation, other displays); no per-frame check has \
        the static-check flag"
        source "Supporting cross-adapter resource scan-out: static check flag; rule X-16";
    C_27 "C-27" "static checks come from the application's process, other checks from the compositor's process"
        source "Supporting cross-adapter resource scan-out: static check flag (inferred)";
    C_28 "C-28" "presents of Direct3D 9 take two copies, whatever the swap effect and the adapters' tiers"
        source "Supporting cross-adapter resource scan-out: hybrid present, which is optimised for the flip model of \
            DXGI alone";
    C_29 "C-29" "a report states energy only if its parameters are stated"
        source "Supporting cross-adapter resource scan-out: introduction, which mentions power without a figure (rule \
            X-19)";

    "Swap chains":
    D_01 "D-01" "a swap chain of the flip model has 2 to 16 buffers"
        source "DXGI_SWAP_CHAIN_DESC1; results that public test suites expect";
    D_02 "D-02" "the flip model supports four of the six scan-out formats"
        source "IDXGIFactory2::CreateSwapChainForHwnd; rule X-18";
    D_03 "D-03" "a swap chain of the flip model is not multisampled"
        source "DXGI_SWAP_EFFECT";
    D_04 "D-04" "the sync interval is 0 to 4; DXGI_PRESENT_TEST presents nothing"
        source "IDXGISwapChain::Present";
    D_05 "D-05" "ResizeBuffers while a buffer is referenced changes nothing and makes no new decision"
        source "IDXGISwapChain::ResizeBuffers";
    D_06 "D-06" "a size of 0 selects the size of the window"
        source "DXGI_SWAP_CHAIN_DESC1; results that public test suites expect";
    D_07 "D-07" "the present count includes each present at its call, except tests and refused presents"
        source "IDXGISwapChain::GetLastPresentCount; results that public test suites expect";
    D_08 "D-08" "each present of a sequential swap chain moves the buffers' contents down by one; the contents of a \
        discarded buffer are undefined"
        source "DXGI_SWAP_EFFECT; results that public test suites expect";
    D_09 "D-09" "the default maximum frame latency is three frames; a further present waits"
        source "IDXGIDevice1::SetMaximumFrameLatency";
}
