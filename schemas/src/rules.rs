//! The rules that documents, headers and this project's own choices impose on runtime, driver and application.
//!
//! Code refers to a rule by its constant in [`rule`], never by its id as a string: violations, checks of the
//! conformance kit, audits of reports, tests. `docs/rules.md` is generated from this list.

/// One rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Id of the rule: `A-` alignment, `B-` background processing, `C-` cross-adapter resources, `D-` swap chains, `H-`
    /// contexts and their handles, `T-` tiled surfaces, `X-` choices.
    pub id: &'static str,
    /// The rule in a sentence that begins with a lower-case letter and ends without a full stop.
    pub sentence: &'static str,
    /// Origin: document and section, or "a choice" where the document leaves the matter open.
    pub source: &'static str,
}

/// A chapter of rules of one kind.
#[derive(Debug)]
pub struct Chapter {
    pub title: &'static str,
    /// The chapter's rules, in order of their ids.
    pub rules: &'static [&'static Rule],
}

macro_rules! rules {
    (mod $module:ident, const $LIST:ident; $( $title:literal: $( $RULE:ident $id:literal $sentence:literal source $source:literal; )+ )+) => {
        /// The rules as constants.
        pub mod $module {
            use $crate::rules::Rule;
            $( $(
                #[doc = concat!($id, ": ", $sentence, ".")]
                pub const $RULE: &Rule = &Rule { id: $id, sentence: $sentence, source: $source };
            )+ )+
        }

        /// Every rule, by chapter.
        pub const $LIST: &[Chapter] = &[ $( Chapter { title: $title, rules: &[ $( $module::$RULE ),+ ] } ),+ ];

        #[test]
        fn a_rule_is_named_by_its_number() {
            $( $( assert_eq!(stringify!($RULE).replace('_', "-"), $id); )+ )+
        }
    };
}

pub(crate) use rules;

rules! {
    mod rule, const RULES;

    "Alignment without the tight flag":
    A_01 "A-01" "buffers lie on 64 KiB and textures on 64 KiB, or on 4 KiB where small and asked for; multisampled ones on \
        4 MiB, or on 64 KiB where small and asked for; any other alignment is refused"
        source "Direct3D 12 Tight Placed Resource Alignment, Background; d3d12.h: D3D12_RESOURCE_DESC::Alignment";
    A_02 "A-02" "small is a texture of unknown layout whose most detailed mip is estimated at no more than the larger \
        alignment, and which, unless multisampled, is neither render target nor depth-stencil"
        source "D3D12_RESOURCE_DESC, small resources; mips and array slices beside the first do not count (inferred)";
    A_03 "A-03" "the estimate counts tiles of the smaller alignment, at most 16 of 4 KiB, or 64 of 64 KiB for a \
        multisampled texture"
        source "D3D12_RESOURCE_DESC, small resources";
    A_04 "A-04" "a buffer's size is rounded up to 64 KiB, and any resource's to its alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, Background";
    A_05 "A-05" "a heap lies on 64 KiB or 4 MiB and holds only what its flags allow, at offsets that suit the resource, \
        and as far as it reaches; what breaks this is refused"
        source "D3D12_HEAP_DESC; ID3D12Device::CreateHeap and CreatePlacedResource";

    "Tight alignment":
    A_10 "A-10" "the tight flag is legal only where the driver reports tier 1, which CheckFeatureSupport passes on"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_11 "A-11" "a tight alignment is a power of two in the range of its kind of resource, from the least that the runtime \
        asked for"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges; the power of two is a choice";
    A_12 "A-12" "a driver that reports large pages may align a committed allocation of whole large pages to them"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources: note";
    A_13 "A-13" "the driver sizes a tight buffer at its width, and the runtime rounds that up to the alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_14 "A-14" "beside the cross-adapter flag the tight flag is ignored, with a message"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_15 "A-15" "the tight flag is refused with a 64 KiB swizzle layout, so for reserved resources as well"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_16 "A-16" "an alignment given beside the tight flag is refused under the rules 1.618, and a floor under 1.619.4"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation; its later public revision";
    A_17 "A-17" "what a buffer is bound as asks for an alignment of its address: 16 to 256 bytes by use, the largest of \
        several"
        source "the later public revision of the tight-alignment document, floors by use";
    A_18 "A-18" "tight alignment is never worse than without the flag, but for large pages"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_19 "A-19" "nothing changes for a resource without the flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: default behaviour";
    A_20 "A-20" "the alignment of heaps stays what it was; offsets are multiples of the resource's own"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: heap alignment and offsets";
    A_21 "A-21" "allocation infos are asked with the least alignment of placed resources; CreateCommittedResource asks \
        again with its own, and the implicit heap has that answer"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution (inferred)";
    A_22 "A-22" "GetDesc of a tight resource gives the alignment answered, and a placed resource's address is its heap's \
        and its offset"
        source "ID3D12Resource::GetDesc and GetGPUVirtualAddress (inferred)";
    A_23 "A-23" "a tight allocation takes at least 8 bytes"
        source "Direct3D 12 Tight Placed Resource Alignment, Placed Resources";
    A_24 "A-24" "the driver sees the tight flag exactly where the API accepted it, and never if it reports no support"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution";
    A_25 "A-25" "a driver should not align more tightly than it was asked to for a resource without the flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: why a flag";

    "Several resources in one question":
    A_30 "A-30" "resources follow each other as the members of a C++ struct do"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation: several descriptors";
    A_31 "A-31" "no resource at all takes 0 bytes at alignment 1, and one invalid description makes the whole invalid"
        source "ID3D12Device::GetResourceAllocationInfo (inferred from other implementations)";
    A_32 "A-32" "the later forms tell each resource's place as well, where they are given room for it"
        source "ID3D12Device4::GetResourceAllocationInfo1";

    "Committed resources":
    A_40 "A-40" "a committed resource is one allocation of whole 4 KiB pages"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources";
    A_41 "A-41" "from DDI 0115 on the heap of a committed resource is marked IMPLICIT, and no other is"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";

    "Conformance of drivers":
    A_50 "A-50" "with the cross-adapter flag, tight alignment changes nothing: 64 KiB, and 4 MiB for MSAA"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 1st";
    A_51 "A-51" "tight alignment is never worse than without the flag, small resources included"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_52 "A-52" "tight buffers of any size get at most 256 bytes of alignment, and the driver's size is the width"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_53 "A-53" "CheckResourceAllocationInfo answers the same question the same way"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd: idempotency";
    A_54 "A-54" "the heaps of committed resources, and no others, are marked IMPLICIT from DDI 0115, and are created"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";
    A_55 "A-55" "tight alignments lie in the documents' ranges for placed and committed resources"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges";
    A_56 "A-56" "CheckExistingResourceAllocationInfo says of what was created what was announced"
        source "Direct3D 12 Tight Placed Resource Alignment, DDI: IMPORTANT";

    "SetBackgroundProcessingMode":
    B_01 "B-01" "a mode or action that does not exist is refused, and the driver does not hear of it"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_02 "B-02" "an event is refused with an action that commits nothing"
        source "D3D12 Background Processing: COMMIT_RESULTS; the code is inferred";
    B_03 "B-03" "a commit needs no event, but whoever measures after it does"
        source "D3D12 Background Processing: SetBackgroundProcessingMode; the second half is advice";
    B_04 "B-04" "the two modes that disable, and the commit of high priority, need developer mode; all else is legal for \
        anybody"
        source "D3D12 Background Processing: restrictions; the code is a choice";
    B_05 "B-05" "developer mode is looked at in the call, and a mode that is set outlives it"
        source "D3D12 Background Processing: restrictions (a choice)";
    B_06 "B-06" "ranges are looked at first, then the event, then developer mode, and only then what the driver supports"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (a choice)";
    B_07 "B-07" "FurtherMeasurementsDesired is written in every mode"
        source "D3D12 Background Processing: SetBackgroundProcessingMode, FurtherMeasurementsDesired";
    B_08 "B-08" "nobody has to ask first whether background processing is supported"
        source "D3D12 Background Processing: BackgroundProcessingSupported";
    B_09 "B-09" "without support the call succeeds, desires nothing, signals the event at once and makes no DDI call"
        source "D3D12 Background Processing: BackgroundProcessingSupported, benign no-op";
    B_10 "B-10" "calls at the same time reach the driver one after another, in the order in which they return"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_11 "B-11" "each accepted call makes one DDI call, even if it changes nothing"
        source "D3D12 Background Processing: benchmark example (inferred)";

    "Modes of background processing":
    B_20 "B-20" "a device begins in the mode ALLOWED, and keeps all measurements"
        source "D3D12 Background Processing: ALLOWED";
    B_21 "B-21" "at most two tasks run at once, at idle priority, unless a commit of high priority goes on"
        source "D3D12 Background Processing: scheduling";
    B_22 "B-22" "permission to measure intrusively changes nothing about scheduling"
        source "D3D12 Background Processing: ALLOW_INTRUSIVE_MEASUREMENTS";
    B_23 "B-23" "what was submitted before background work is disabled runs to its end; what comes after is cancelled \
        within the call that submits it"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_24 "B-24" "a task without a cancel callback is cancelled without a call"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_25 "B-25" "with profiling by the system disabled and the queue drained, the same frame costs the same"
        source "D3D12 Background Processing: DISABLE_PROFILING_BY_SYSTEM";
    B_26 "B-26" "a mode that allows work takes effect at once, and brings nothing back that was cancelled"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK (inferred)";
    B_27 "B-27" "each submission comes before or after a change of mode, never during it"
        source "D3D12 Background Processing: QueueProcessingWorkCB, thread safety (inferred)";
    B_28 "B-28" "the mode can change at any time, and waits for no GPU"
        source "D3D12 Background Processing: synchronisation with command queues";
    B_29 "B-29" "who wants the same outcome every time drains the command queues before the mode changes"
        source "D3D12 Background Processing: synchronisation with command queues";

    "Commits and measurements":
    B_30 "B-30" "KEEP_ALL changes nothing"
        source "D3D12 Background Processing: KEEP_ALL";
    B_31 "B-31" "a commit waits for all tasks that are unfinished when the driver returns, and its event is signalled when \
        the last has ended; at once if there is none"
        source "D3D12 Background Processing: COMMIT_RESULTS";
    B_32 "B-32" "what is queued after the driver has returned belongs to no earlier commit"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_33 "B-33" "a call that commits and disables accepts what the driver queues within it"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK with COMMIT_RESULTS";
    B_34 "B-34" "commits may overlap: each event waits for its own tasks and is signalled at most once"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_35 "B-35" "an application may close the handle of an event that a commit will signal"
        source "D3D12 Background Processing: COMMIT_RESULTS (a choice)";
    B_36 "B-36" "while a commit of high priority has tasks, more than two run, above idle priority"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY";
    B_37 "B-37" "a commit of high priority raises tasks that run already"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY (inferred)";
    B_38 "B-38" "a commit of results after one frame finds the specialisations of a long run"
        source "D3D12 Background Processing: COMMIT_RESULTS, scaling of histograms";
    B_39 "B-39" "DISCARD_PREVIOUS empties the counters; variants and pending tasks may stay"
        source "D3D12 Background Processing: DISCARD_PREVIOUS";
    B_40 "B-40" "measuring the same frame again and again, no further measurements are desired in the end"
        source "D3D12 Background Processing: FurtherMeasurementsDesired, steady state";
    B_41 "B-41" "no decision rests on work that the GPU has not done"
        source "D3D12 Background Processing: measurements (inferred)";

    "Background tasks":
    B_50 "B-50" "tasks run on the runtime's threads, which no driver chooses"
        source "D3D12 Background Processing: QueueProcessingWorkCB, threads";
    B_51 "B-51" "tasks start in the order in which they were accepted"
        source "D3D12 Background Processing: QueueProcessingWorkCB, order";
    B_52 "B-52" "work may be queued from several threads at once, and each item has a number of its own"
        source "D3D12 Background Processing: QueueProcessingWorkCB";
    B_53 "B-53" "a queued item is either run or cancelled, once; one that was refused is neither"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_54 "B-54" "a driver may queue work from within a task, and from within a change of mode"
        source "D3D12 Background Processing: QueueProcessingWorkCB (inferred)";
    B_55 "B-55" "a cancel callback may come on the thread that queues, so a driver holds no lock there that it needs"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_56 "B-56" "a device is destroyed after all its tasks: those that run end, those that wait run or are cancelled, and \
        none is accepted any more"
        source "D3D12 Background Processing: device destruction";
    B_57 "B-57" "what destruction cancels is cancelled on the destroying thread, before the driver's device is gone"
        source "D3D12 Background Processing: device destruction (inferred)";
    B_58 "B-58" "events of commits are signalled even if a device is destroyed first"
        source "D3D12 Background Processing: device destruction (a choice)";
    B_59 "B-59" "tasks have no functional effect: outputs are the same without variants and with them"
        source "D3D12 Background Processing: work items compile specialised variants";
    B_60 "B-60" "a trace shows when each task starts, stops or is cancelled"
        source "D3D12 Background Processing: ETW events; the cancel event is this project's";
    B_61 "B-61" "what tasks cost the foreground is measured"
        source "D3D12 Background Processing: classes of problems, 2nd";
    B_62 "B-62" "no thread outlives the device that it works for"
        source "D3D12 Background Processing: device destruction";
    B_63 "B-63" "what is cancelled while background work is disabled is not done in another way"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";

    "Pipeline states and their variants":
    B_70 "B-70" "what is compiled for a pipeline state that is gone is abandoned"
        source "D3D12 Background Processing: lifespan of pipeline states";
    B_71 "B-71" "a task keeps no more of a pipeline state alive than it compiles"
        source "D3D12 Background Processing: lifespan of pipeline states (inferred)";
    B_72 "B-72" "a draw sees a variant whole or not at all"
        source "D3D12 Background Processing: work items compile specialised variants (inferred)";
    B_73 "B-73" "constants that a variant was not built for get the generic shader"
        source "D3D12 Background Processing: variants selected by constant values";
    B_74 "B-74" "a driver that says of a specialisation that it promises too little queues no task for it"
        source "D3D12 Background Processing: classes of problems, 2nd (inferred: a compile costs processor time)";

    "Cross-adapter resources and their scan-out":
    C_01 "C-01" "each tier of cross-adapter resources has what the one below it has: textures need copies, scan-out needs \
        both; an adapter that says otherwise is not started"
        source "Supporting cross-adapter resource scan-out: indicating tier support; the code is rule X-14";
    C_02 "C-02" "the bits of the tiers above copies are reserved below WDDM 2.9"
        source "Supporting cross-adapter resource scan-out: indicating tier support; DXGK_VIDMMCAPS; that they are ignored then, with a warning, is a choice";
    C_03 "C-03" "the tier that is asked for is that of the greatest bit, and the WDDM 1.3 cap is the bit of copies"
        source "Supporting cross-adapter resource scan-out: graphics kernel changes; D3DKMT_CROSSADAPTERRESOURCE_SUPPORT, D3DKMT_WDDM_1_3_CAPS";
    C_04 "C-04" "a hybrid-integrated driver of WDDM 3.0 or later scans cross-adapter resources out"
        source "Supporting cross-adapter resource scan-out: HybridIntegrated special case";
    C_05 "C-05" "a driver that is not hybrid-integrated may have any tier"
        source "Supporting cross-adapter resource scan-out: HybridIntegrated special case";
    C_06 "C-06" "the tier is the adapter's own, whatever other adapters there are"
        source "Supporting cross-adapter resource scan-out: using CASO to optimize the flip presentation model";
    C_07 "C-07" "a driver that scans cross-adapter resources out has the functions that check overlays and present"
        source "Supporting cross-adapter resource scan-out: tier 3 support requirements, note";
    C_08 "C-08" "no Direct3D 12 device is created where the user-mode driver promises cross-adapter textures and the \
        kernel-mode driver does not have them; the reverse is legal"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; the code is rule X-14";
    C_09 "C-09" "a driver of tier 2 views row-major cross-adapter textures as shader resources, for unordered access and as render \
        targets: in the six formats of scan-out, and in any other that it scans out"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; that sRGB has no unordered access is Direct3D's (rule X-12)";
    C_10 "C-10" "within 1920 by 1080, in six formats and all flip modes, a driver of tier 3 does not opt out of scan-out; beyond that it may"
        source "Supporting cross-adapter resource scan-out: tier 3 support requirements";
    C_11 "C-11" "frames are shared between any two adapters that have copies, hybrid by name or not"
        source "Supporting cross-adapter resource scan-out: hybrid present, WDDM 2.4";
    C_12 "C-12" "of the adapters of a hybrid system one is integrated and has the panel, and one is discrete, has copies and no \
        display; an adapter that fits neither is no hybrid one"
        source "Validating a hybrid system configuration; WDDM 1.3";
    C_13 "C-13" "a user-mode driver that says CrossAdapterRowMajorTextureSupported views row-major cross-adapter textures in every \
        format of textures, not in those of scan-out alone"
        source "Supporting cross-adapter resource scan-out: tier 2 support requirements; D3D12_FEATURE_DATA_D3D12_OPTIONS";
    C_20 "C-20" "the way of a swap chain's frames follows from the tiers of both adapters, the creation as primary and the static check, in that order, and is told once"
        source "Supporting cross-adapter resource scan-out: using CASO to optimize the flip presentation model";
    C_21 "C-21" "a static check has one plane with its flag and changes no later answer of the driver"
        source "Supporting cross-adapter resource scan-out: static check flag";
    C_22 "C-22" "a check of overlays moves no bandwidth"
        source "Supporting cross-adapter resource scan-out: check of multiplane overlay support (inferred)";
    C_23 "C-23" "a static check is best effort: a swap chain in one copy may be composed later, and stays in one copy"
        source "Supporting cross-adapter resource scan-out: static check flag";
    C_24 "C-24" "what fails halfway on the way to one copy leaves nothing alive on the display adapter"
        source "Supporting cross-adapter resource scan-out: falling back to two copies (inferred)";
    C_25 "C-25" "the reason of each fallback is told, beside what it was decided by"
        source "DXGI's public event provider: CASOFallbackReason; its values are not public, so the reasons are this project's";
    C_26 "C-26" "a static check goes by the configuration (modes, rotation, other displays), and is asked never per frame"
        source "Supporting cross-adapter resource scan-out: static check flag; rule X-16";
    C_27 "C-27" "static checks come from the application's process, the other checks from the compositor's"
        source "Supporting cross-adapter resource scan-out: static check flag (inferred)";
    C_28 "C-28" "what Direct3D 9 presents takes two copies, whatever its swap effect and the adapters' tiers"
        source "Supporting cross-adapter resource scan-out: hybrid present, which the flip model of DXGI alone shortens";
    C_29 "C-29" "energy is told where its parameters are stated, and nowhere else"
        source "Supporting cross-adapter resource scan-out: introduction, which names power without a figure (rule X-19)";

    "Swap chains":
    D_01 "D-01" "a swap chain of the flip model has 2 to 16 buffers"
        source "DXGI_SWAP_CHAIN_DESC1; answers that public test suites expect";
    D_02 "D-02" "four of the six formats that are scanned out are the flip model's"
        source "IDXGIFactory2::CreateSwapChainForHwnd; rule X-18";
    D_03 "D-03" "a swap chain of the flip model is not multisampled"
        source "DXGI_SWAP_EFFECT";
    D_04 "D-04" "the sync interval is 0 to 4, and a test presents nothing"
        source "IDXGISwapChain::Present";
    D_05 "D-05" "ResizeBuffers with a buffer still referenced changes and decides nothing"
        source "IDXGISwapChain::ResizeBuffers";
    D_06 "D-06" "a size of 0 is the window's"
        source "DXGI_SWAP_CHAIN_DESC1; answers that public test suites expect";
    D_07 "D-07" "presents are counted at the call, without tests and refusals"
        source "IDXGISwapChain::GetLastPresentCount; answers that public test suites expect";
    D_08 "D-08" "a sequential chain's contents move down by one at each present; what was discarded is undefined"
        source "DXGI_SWAP_EFFECT; answers that public test suites expect";
    D_09 "D-09" "by default three frames are on their way before a present waits"
        source "IDXGIDevice1::SetMaximumFrameLatency";

    "Contexts and their handles":
    H_01 "H-01" "an object used by the immediate and by deferred contexts has one driver handle in each"
        source "Context-local DDI handles: paragraphs on handles per context";
    H_02 "H-02" "a handle of a deferred context is opened when the object is first used there"
        source "Context-local DDI handles: the second handle";
    H_03 "H-03" "the handle of the immediate context is the first created and the last destroyed"
        source "Context-local DDI handles: order of creation and destruction";
    H_05 "H-05" "where a handle of a deferred context is created, the handle of the immediate one stands in the place of the runtime handle"
        source "Context-local DDI handles: sample code";
    H_06 "H-06" "a handle of a deferred context is created and destroyed by that context and through its table"
        source "Context-local DDI handles: sample code";
    H_07 "H-07" "where a handle of a deferred context is created of an object that depends on none, the arguments are null"
        source "Context-local DDI handles: sample code";
    H_08 "H-08" "of an object that depends on another, all arguments are zero but for the handle of that one, which is of the same context"
        source "Context-local DDI handles: views";
    H_09 "H-09" "in every context a resource has its handle before its views have theirs, and keeps it longer"
        source "Context-local DDI handles: order of creation and destruction";
    H_10 "H-10" "to open a view in a deferred context is to open its resource, if that is not open"
        source "Context-local DDI handles: views (inferred)";
    H_11 "H-11" "handles that live at the same time share no byte, whichever contexts they are of"
        source "Context-local DDI handles: memory of handles";
    H_12 "H-12" "state objects of equal description are one object with one handle"
        source "d3d11.h: ID3D11Device::CreateBlendState; that what is not used does not count is inferred";
    H_13 "H-13" "what a context has bound or open, or a command list recorded, lives though its public count is 0"
        source "d3d11.h: reference counts of ID3D11DeviceContext";
    H_20 "H-20" "the sizes of handles of deferred contexts are polled twice before any is asked for: for their number, then for them"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_21 "H-21" "a driver that builds command lists is free-threaded"
        source "d3d10umddi.h: D3D11DDI_THREADING_CAPS";
    H_22 "H-22" "a size told is that of a known type of handle, and not 0"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_23 "H-23" "how large its handles of deferred contexts are is asked right after an object was created"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_24 "H-24" "the size answered is one that was told for the type"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_25 "H-25" "functions that ask for sizes are called through the table of the immediate context alone"
        source "WDK: functions that deferred contexts exclude";
    H_26 "H-26" "the memory of handles is given out by size classes, and used again"
        source "Context-local DDI handles: memory of handles";
    H_27 "H-27" "the size of an object's handles stays the same"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_28 "H-28" "of the polls of the sizes a driver reports no error"
        source "WDK: handling errors of Direct3D 10 and 11; the poll of handle sizes";
    H_29 "H-29" "a command list has a size of handle, too, and a handle in each deferred context that executes it"
        source "Context-local DDI handles: command lists";
    H_31 "H-31" "what deferred contexts read behind the immediate context's handles shares no cache line with what is written"
        source "Context-local DDI handles: read-only data behind padding";
    H_32 "H-32" "a cache line that one context writes is neither written nor read by another"
        source "Context-local DDI handles: false sharing";
    H_33 "H-33" "the handles of two contexts share no cache line"
        source "Context-local DDI handles: data that several contexts touch";
    H_36 "H-36" "what a context has open lies behind its own handle, with no other context's between"
        source "Context-local DDI handles: data that is used together lies together (inferred)";
    H_37 "H-37" "what deferred contexts read behind the immediate context's handles is not written once it is created"
        source "Context-local DDI handles: read-only data";
    H_38 "H-38" "in a call on a deferred context no other one's handles are touched, and the immediate one's are not written"
        source "Context-local DDI handles: data that several contexts touch";
    H_40 "H-40" "a deferred context has a handle and a core-layer handle of its own"
        source "d3d10umddi.h: D3D11DDIARG_CREATEDEFERREDCONTEXT";
    H_41 "H-41" "a context begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ClearState";
    H_42 "H-42" "a driver fills those functions of a deferred context's table that are called"
        source "WDK: functions that deferred contexts exclude";
    H_43 "H-43" "a driver does not disable the deferred destruction of staging resources in a call on a deferred context"
        source "WDK: D3D11DDI_CORELAYER_DEVICECALLBACKS, deferred contexts";
    H_44 "H-44" "a context that was recycled begins as one that was just created"
        source "WDK: RecycleCreateDeferredContext";
    H_46 "H-46" "what a deferred context takes from its driver only grows until FinishCommandList, and is then reclaimed"
        source "Context-local DDI handles: memory of deferred contexts";
    H_50 "H-50" "FinishCommandList ends what is open, recycles lists, makes the new one, closes handles, and recycles the context"
        source "WDK: supporting command lists";
    H_52 "H-52" "where a recording is thrown away the driver is told first; then every handle is closed"
        source "WDK: supporting command lists";
    H_53 "H-53" "a list whose creation failed is not destroyed"
        source "WDK: supporting command lists";
    H_54 "H-54" "a list that is released is taken out of use while its maker lives, and destroyed afterwards"
        source "WDK: supporting command lists";
    H_57 "H-57" "a list that is executed leaves nothing bound at the driver"
        source "d3d10umddi.h: PFND3D11DDI_COMMANDLISTEXECUTE";
    H_58 "H-58" "a list that maps a resource is not executed where that resource is mapped, nor one that touches a query where that has begun"
        source "WDK: supporting command lists";
    H_59 "H-59" "a deferred context may execute a list"
        source "Direct3D 11.3 Functional Specification, 6.3.7";
    H_60 "H-60" "of a list that is executed only that memory is out, or the device gone, is reported"
        source "WDK: CommandListExecute";
    H_61 "H-61" "a deferred context maps dynamic resources, and discards first"
        source "d3d11.h: ID3D11DeviceContext::Map";
    H_62 "H-62" "a deferred context ignores Flush, and the immediate one makes no command list"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_63 "H-63" "FinishCommandList restores what was bound, or leaves the default; without a place for the list what was recorded is dropped"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_64 "H-64" "ExecuteCommandList restores what was bound, or leaves the default"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_65 "H-65" "a list may be executed again and again, on any context, also when its maker is gone"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_66 "H-66" "a list begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_67 "H-67" "a query that ends in a list is issued when the list is executed"
        source "d3d11.h: ID3D11DeviceContext::GetData";
    H_70 "H-70" "an error of a call on the immediate context, or of a creation, is reported with the device's core-layer handle"
        source "WDK: handling errors";
    H_71 "H-71" "an error is reported with the core-layer handle of the context whose call the driver is in"
        source "WDK: introduction to deferred contexts";
    H_72 "H-72" "an error is reported only where the class of the call allows it; success is none"
        source "WDK: handling errors; of deferred contexts rule X-07";
    H_73 "H-73" "a deferred context that is out of memory loses what it has recorded, and nobody else anything"
        source "WDK: introduction to deferred contexts";
    H_74 "H-74" "until FinishCommandList a context that is out of memory takes every call, and its driver hears of none"
        source "WDK: introduction to deferred contexts (inferred)";
    H_75 "H-75" "FinishCommandList of a context that was out of memory says so, and the context can record again"
        source "WDK: introduction to deferred contexts";
    H_76 "H-76" "an error after another one, or one that is not allowed, removes the device for every context"
        source "WDK: handling errors (twice is inferred)";
    H_77 "H-77" "functions that recycle answer that memory is out, and do not call back"
        source "WDK: supporting command lists";
    H_78 "H-78" "an object whose creation failed is neither destroyed nor asked the size of"
        source "WDK: handling errors";
    H_79 "H-79" "a handle that could not be opened is not closed"
        source "WDK: handling errors (inferred)";
    H_80 "H-80" "calls on one context do not overlap, but for those that create and ask; what these touch besides what they make is not written"
        source "WDK: supporting threading and command lists";
    H_81 "H-81" "functions that ask for sizes write nothing, so that any thread may call them"
        source "WDK: retroactively requiring free-threaded CalcPrivate functions";
    H_82 "H-82" "on a driver that builds no command lists the runtime keeps recordings and plays them on the immediate context; on one that is not free-threaded the device's lock is held across its calls"
        source "WDK: supporting threading, command lists, and 3-D pipeline";
    H_83 "H-83" "in each context what is bound to be written is unbound where it was read, before that, and what is written is not bound to be read"
        source "D3D11.3 functional specification: resource hazards";

    "Tiled surfaces and direct access":
    T_01 "T-01" "TILE_Y without the extra swizzle arranges a 4 KiB tile in eight columns of 16 bytes and 32 rows"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation";
    T_02 "T-02" "TILE_Y exchanges four rows with the next four in every other column"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: figure 1";
    T_03 "T-03" "every layout gives each byte of whole tiles one place, and back"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation (inferred)";
    T_04 "T-04" "CopyResource binds a pair of textures created for direct access, and copies any other"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_05 "T-05" "a direct-access staging texture has no memory of its own: Map points into the texture it is bound to"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_06 "T-06" "Map of a direct-access staging texture tells the pointer and how the bytes are arranged"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 3rd paragraph";
    T_07 "T-07" "writing in the order of the tiles is never worse for write-combined memory than any other order"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory";
    T_08 "T-08" "reads from write-combined memory are reported"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory (inferred)";
}
