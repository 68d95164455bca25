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
    A_01 "A-01" "the alignment of a buffer is 64 KiB; that of a texture is 64 KiB, or 4 KiB if the texture is small \
        and 4 KiB is requested; that of a multisampled texture is 4 MiB, or 64 KiB if the texture is small and 64 KiB \
        is requested; the runtime refuses any other alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, Background; d3d12.h: D3D12_RESOURCE_DESC::Alignment";
    A_02 "A-02" "a texture is small if its layout is UNKNOWN, the estimated size of its most detailed mip is at most \
        the larger alignment, and it is multisampled or neither a render target nor a depth-stencil"
        source "D3D12_RESOURCE_DESC, small resources; mips and array slices other than the first do not count \
            (inferred)";
    A_03 "A-03" "the size estimate is a number of tiles of the smaller alignment: a small texture has at most 16 tiles \
        of 4 KiB, a small multisampled texture at most 64 tiles of 64 KiB"
        source "D3D12_RESOURCE_DESC, small resources";
    A_04 "A-04" "the runtime rounds the size of a buffer up to 64 KiB, and the size of any resource up to its \
        alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, Background";
    A_05 "A-05" "the alignment of a heap is 64 KiB or 4 MiB; a placed resource is of a kind that the heap's flags \
        allow, at a multiple of its alignment and within the heap's size; the runtime refuses any other heap or \
        placement"
        source "D3D12_HEAP_DESC; ID3D12Device::CreateHeap and CreatePlacedResource";

    "Tight alignment":
    A_10 "A-10" "the tight flag is legal only if the driver reports tier 1; CheckFeatureSupport reports the driver's \
        tier"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_11 "A-11" "a tight alignment is a power of two in the range of its kind of resource, and at least the minimum \
        that the runtime requests"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges; the power of two is a choice";
    A_12 "A-12" "a driver that reports large pages may align a committed allocation to the large page size if the \
        allocation's size is a multiple of that size"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources: note";
    A_13 "A-13" "the driver's size of a tight buffer is its width; the runtime rounds that size up to the alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_14 "A-14" "the runtime ignores the tight flag of a resource with the cross-adapter flag, and issues a message"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_15 "A-15" "the runtime refuses the tight flag with a 64 KiB swizzle layout, and so for reserved resources"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation";
    A_16 "A-16" "a nonzero alignment with the tight flag is refused under the rules 1.618, and is a minimum under the \
        rules 1.619.4"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation; its later public revision";
    A_17 "A-17" "each use of a buffer requires an alignment of its address from 16 to 256 bytes; several uses require \
        the largest of their alignments"
        source "the later public revision of the tight-alignment document, floors by use";
    A_18 "A-18" "an alignment with the tight flag is never larger than without it; large pages are the exception"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_19 "A-19" "the tight flag of one resource changes nothing for a resource without the flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: default behaviour";
    A_20 "A-20" "the tight flag does not change the alignment of heaps; the offset of a placed resource is a multiple \
        of the resource's own alignment"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: heap alignment and offsets";
    A_21 "A-21" "GetResourceAllocationInfo requests the minimum alignment of placed resources from the driver; \
        CreateCommittedResource requests that of committed resources in a second query, and the implicit heap has the \
        alignment and size of the second answer"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution (inferred)";
    A_22 "A-22" "GetDesc of a tight resource returns the alignment that the driver answered; the address of a placed \
        resource is the address of its heap plus its offset"
        source "ID3D12Resource::GetDesc and GetGPUVirtualAddress (inferred)";
    A_23 "A-23" "a tight allocation has at least 8 bytes"
        source "Direct3D 12 Tight Placed Resource Alignment, Placed Resources";
    A_24 "A-24" "the runtime passes the tight flag to the driver exactly where the API accepts the flag, and never to \
        a driver that reports no support"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution";
    A_25 "A-25" "a driver should not answer an alignment below the classic one for a resource without the tight flag"
        source "Direct3D 12 Tight Placed Resource Alignment, FAQ: why a flag";

    "Several resources in one query":
    A_30 "A-30" "GetResourceAllocationInfo lays several resources out as the members of a C++ struct"
        source "Direct3D 12 Tight Placed Resource Alignment, Validation: several descriptors";
    A_31 "A-31" "no resources have size 0 and alignment 1; one invalid description makes the whole answer invalid"
        source "ID3D12Device::GetResourceAllocationInfo (inferred from other implementations)";
    A_32 "A-32" "GetResourceAllocationInfo1 and its later forms also report offset, alignment and size of each \
        resource if the caller passes an array for them"
        source "ID3D12Device4::GetResourceAllocationInfo1";

    "Committed resources":
    A_40 "A-40" "a committed resource is one allocation of whole 4 KiB pages"
        source "Direct3D 12 Tight Placed Resource Alignment, Committed Resources";
    A_41 "A-41" "from DDI 0115 on, the runtime sets IMPLICIT in the heap flags of each committed resource, and of no \
        other heap"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";

    "Conformance of drivers":
    A_50 "A-50" "with the cross-adapter flag, the tight flag does not change the alignment: 64 KiB, and 4 MiB for MSAA"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 1st";
    A_51 "A-51" "an alignment with the tight flag is never larger than without it, small resources included"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 2nd";
    A_52 "A-52" "the alignment of a tight buffer of any size is at most 256 bytes, and the driver's size is the width"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd";
    A_53 "A-53" "CheckResourceAllocationInfo gives equal answers to equal queries"
        source "Direct3D 12 Tight Placed Resource Alignment, HLK tests, 3rd: idempotency";
    A_54 "A-54" "from DDI 0115 on, the heaps of committed resources, and no other heaps, have the flag IMPLICIT, and \
        the driver creates them"
        source "Direct3D 12 Tight Placed Resource Alignment, Addendum: heap flag for implicit heaps";
    A_55 "A-55" "tight alignments are in the documents' ranges for placed and committed resources"
        source "Direct3D 12 Tight Placed Resource Alignment, Proposed Solution: tables of ranges";
    A_56 "A-56" "CheckExistingResourceAllocationInfo reports of a created resource what CheckResourceAllocationInfo \
        reported before"
        source "Direct3D 12 Tight Placed Resource Alignment, DDI: IMPORTANT";

    "SetBackgroundProcessingMode":
    B_01 "B-01" "the runtime refuses a mode or an action that does not exist, and makes no DDI call for it"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_02 "B-02" "the runtime refuses an event with an action that commits nothing"
        source "D3D12 Background Processing: COMMIT_RESULTS; the code is inferred";
    B_03 "B-03" "a commit needs no event; an application that measures after a commit needs its event"
        source "D3D12 Background Processing: SetBackgroundProcessingMode; the second half is advice";
    B_04 "B-04" "the two disabling modes and COMMIT_RESULTS_HIGH_PRIORITY need developer mode; every other mode and \
        action is legal without it"
        source "D3D12 Background Processing: restrictions; the code is a choice";
    B_05 "B-05" "the runtime checks developer mode at the call; a mode that is set stays in force when developer mode \
        is turned off"
        source "D3D12 Background Processing: restrictions (a choice)";
    B_06 "B-06" "the runtime checks first the ranges of mode and action, then the event, then developer mode, then the \
        driver's support"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (a choice)";
    B_07 "B-07" "the runtime writes FurtherMeasurementsDesired in every mode"
        source "D3D12 Background Processing: SetBackgroundProcessingMode, FurtherMeasurementsDesired";
    B_08 "B-08" "an application need not query support of background processing before the call"
        source "D3D12 Background Processing: BackgroundProcessingSupported";
    B_09 "B-09" "without the driver's support the call succeeds, writes FALSE to FurtherMeasurementsDesired, signals \
        the event at once and makes no DDI call"
        source "D3D12 Background Processing: BackgroundProcessingSupported, benign no-op";
    B_10 "B-10" "the runtime serialises concurrent calls: their DDI calls have the order in which the calls return"
        source "D3D12 Background Processing: SetBackgroundProcessingMode (inferred)";
    B_11 "B-11" "each accepted call makes one DDI call, even if it changes nothing"
        source "D3D12 Background Processing: benchmark example (inferred)";

    "Modes of background processing":
    B_20 "B-20" "the initial mode of a device is ALLOWED, and its initial action is KEEP_ALL"
        source "D3D12 Background Processing: ALLOWED";
    B_21 "B-21" "at most two tasks run at once, at idle priority, except during a commit of high priority"
        source "D3D12 Background Processing: scheduling";
    B_22 "B-22" "ALLOW_INTRUSIVE_MEASUREMENTS does not change scheduling"
        source "D3D12 Background Processing: ALLOW_INTRUSIVE_MEASUREMENTS";
    B_23 "B-23" "tasks submitted before background work is disabled run to their end; the runtime cancels later tasks \
        within the call that submits them"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_24 "B-24" "the runtime cancels a task without a cancel callback without a call"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_25 "B-25" "with DISABLE_PROFILING_BY_SYSTEM and a drained queue, equal frames have equal costs"
        source "D3D12 Background Processing: DISABLE_PROFILING_BY_SYSTEM";
    B_26 "B-26" "a mode that allows work takes effect at once, and does not restore cancelled tasks"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK (inferred)";
    B_27 "B-27" "each submission comes before or after a change of mode, never during it"
        source "D3D12 Background Processing: QueueProcessingWorkCB, thread safety (inferred)";
    B_28 "B-28" "the mode can change at any time; the change waits for no GPU work"
        source "D3D12 Background Processing: synchronisation with command queues";
    B_29 "B-29" "an application that needs the same outcome every time drains the command queues before it changes the \
        mode"
        source "D3D12 Background Processing: synchronisation with command queues";

    "Commits and measurements":
    B_30 "B-30" "KEEP_ALL changes nothing"
        source "D3D12 Background Processing: KEEP_ALL";
    B_31 "B-31" "a commit waits for all tasks that are unfinished when the driver returns; the runtime signals the \
        event at the end of the last of these tasks, or at once if there are none"
        source "D3D12 Background Processing: COMMIT_RESULTS";
    B_32 "B-32" "a task queued after the driver returns belongs to no earlier commit"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_33 "B-33" "a call that commits and disables accepts the tasks that the driver queues within it"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK with COMMIT_RESULTS";
    B_34 "B-34" "commits may overlap: each event waits for the tasks of its own commit and is signalled at most once"
        source "D3D12 Background Processing: COMMIT_RESULTS (inferred)";
    B_35 "B-35" "an application may close the handle of an event that a commit will signal"
        source "D3D12 Background Processing: COMMIT_RESULTS (a choice)";
    B_36 "B-36" "while tasks of a commit of high priority are unfinished, more than two tasks run, above idle priority"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY";
    B_37 "B-37" "a commit of high priority raises the priority of its running tasks"
        source "D3D12 Background Processing: COMMIT_RESULTS_HIGH_PRIORITY (inferred)";
    B_38 "B-38" "a commit of results after one frame finds the same specialisations as a long run"
        source "D3D12 Background Processing: COMMIT_RESULTS, scaling of histograms";
    B_39 "B-39" "DISCARD_PREVIOUS resets the counters to zero; installed variants and pending tasks may stay"
        source "D3D12 Background Processing: DISCARD_PREVIOUS";
    B_40 "B-40" "if an application measures the same frame repeatedly, FurtherMeasurementsDesired finally becomes \
        FALSE"
        source "D3D12 Background Processing: FurtherMeasurementsDesired, steady state";
    B_41 "B-41" "no decision of the driver depends on GPU work that is unfinished"
        source "D3D12 Background Processing: measurements (inferred)";

    "Background tasks":
    B_50 "B-50" "tasks run on threads of the runtime; the driver does not choose the thread"
        source "D3D12 Background Processing: QueueProcessingWorkCB, threads";
    B_51 "B-51" "tasks start in the order of their acceptance"
        source "D3D12 Background Processing: QueueProcessingWorkCB, order";
    B_52 "B-52" "several threads may queue work at once; each work item has a unique number"
        source "D3D12 Background Processing: QueueProcessingWorkCB";
    B_53 "B-53" "the runtime runs or cancels each accepted work item exactly once; it does neither to a refused work \
        item"
        source "D3D12 Background Processing: QueueProcessingWorkCB, pfnCancel";
    B_54 "B-54" "a driver may queue work within a task and within a change of mode"
        source "D3D12 Background Processing: QueueProcessingWorkCB (inferred)";
    B_55 "B-55" "a cancel callback may run on the thread that queues the work item; a driver therefore queues work \
        without a lock that the callback acquires"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";
    B_56 "B-56" "destruction of a device waits for all its tasks: running tasks end, pending tasks run or are \
        cancelled, and the runtime accepts no new task"
        source "D3D12 Background Processing: device destruction";
    B_57 "B-57" "the runtime cancels tasks at destruction on the destroying thread, before it destroys the driver's \
        device"
        source "D3D12 Background Processing: device destruction (inferred)";
    B_58 "B-58" "the runtime signals the events of commits even if the device is destroyed first"
        source "D3D12 Background Processing: device destruction (a choice)";
    B_59 "B-59" "tasks have no functional effect: outputs are equal with and without variants"
        source "D3D12 Background Processing: work items compile specialised variants";
    B_60 "B-60" "a trace records when each task starts, stops or is cancelled"
        source "D3D12 Background Processing: ETW events; the cancel event is this project's";
    B_61 "B-61" "the analysis measures the cost of background tasks to the foreground"
        source "D3D12 Background Processing: classes of problems, 2nd";
    B_62 "B-62" "no thread of a device's pool outlives the device"
        source "D3D12 Background Processing: device destruction";
    B_63 "B-63" "the driver does not do the work of a cancelled task outside background tasks"
        source "D3D12 Background Processing: DISABLE_BACKGROUND_WORK";

    "Pipeline states and their variants":
    B_70 "B-70" "the driver abandons the results of a compilation whose pipeline state is destroyed"
        source "D3D12 Background Processing: lifespan of pipeline states";
    B_71 "B-71" "a task keeps alive only that data of a pipeline state which the task compiles"
        source "D3D12 Background Processing: lifespan of pipeline states (inferred)";
    B_72 "B-72" "a draw uses either the old or the new variant, never a partly installed one"
        source "D3D12 Background Processing: work items compile specialised variants (inferred)";
    B_73 "B-73" "a draw with constants other than those of the variant uses the generic shader"
        source "D3D12 Background Processing: variants selected by constant values";
    B_74 "B-74" "a driver queues no task for a specialisation whose benefit it rates as too small"
        source "D3D12 Background Processing: classes of problems, 2nd (inferred: a compile costs processor time)";

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
        multiplane overlay support and present"
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
    C_11 "C-11" "any two adapters that support the copy tier share frames, in hybrid systems and in others"
        source "Supporting cross-adapter resource scan-out: hybrid present, WDDM 2.4";
    C_12 "C-12" "a hybrid system has one integrated adapter with the panel, and one discrete adapter that supports the \
        copy tier and has no display; an adapter that fits neither description is not a hybrid adapter"
        source "Validating a hybrid system configuration; WDDM 1.3";
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

    "Contexts and their handles":
    H_01 "H-01" "an object that the immediate context and deferred contexts use has one driver handle in each of these \
        contexts"
        source "Context-local DDI handles: paragraphs on handles per context";
    H_02 "H-02" "the runtime opens a handle of a deferred context at the first use of the object there"
        source "Context-local DDI handles: the second handle";
    H_03 "H-03" "the handle of the immediate context is created first and destroyed last"
        source "Context-local DDI handles: order of creation and destruction";
    H_05 "H-05" "creation of a handle of a deferred context passes the handle of the immediate context in place of the \
        runtime handle"
        source "Context-local DDI handles: sample code";
    H_06 "H-06" "a deferred context creates and destroys its handles with its own device handle and through its own \
        function table"
        source "Context-local DDI handles: sample code";
    H_07 "H-07" "creation of a handle of a deferred context for an object without dependency passes null arguments"
        source "Context-local DDI handles: sample code";
    H_08 "H-08" "creation of a handle of a deferred context for an object that depends on another passes zero \
        arguments except the handle of that other object in the same context"
        source "Context-local DDI handles: views";
    H_09 "H-09" "in every context the handle of a resource is created before the handles of its views and destroyed \
        after them"
        source "Context-local DDI handles: order of creation and destruction";
    H_10 "H-10" "opening a view in a deferred context first opens the resource of the view if it is not open"
        source "Context-local DDI handles: views (inferred)";
    H_11 "H-11" "handles that live at the same time share no byte, in one context or in several"
        source "Context-local DDI handles: memory of handles";
    H_12 "H-12" "state objects of equal description are one object with one handle"
        source "d3d11.h: ID3D11Device::CreateBlendState; that unused members do not count is inferred";
    H_13 "H-13" "an object that a context has bound or open, or that a command list recorded, lives on when its public \
        reference count is 0"
        source "d3d11.h: reference counts of ID3D11DeviceContext";
    H_20 "H-20" "before the first CalcDeferredContextHandleSize the runtime calls CheckDeferredContextHandleSizes \
        twice: for the number of sizes, then for the sizes"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_21 "H-21" "a driver that builds command lists is free-threaded"
        source "d3d10umddi.h: D3D11DDI_THREADING_CAPS";
    H_22 "H-22" "each size in the driver's table has a known handle type and is not 0"
        source "Context-local DDI handles: CheckDeferredContextHandleSizes";
    H_23 "H-23" "the runtime calls CalcDeferredContextHandleSize right after the creation of an object"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_24 "H-24" "CalcDeferredContextHandleSize answers a size that the driver's table has for the type"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_25 "H-25" "the runtime calls the functions that return sizes only through the function table of the immediate \
        context"
        source "WDK: functions that deferred contexts exclude";
    H_26 "H-26" "the allocator of handle memory has size classes and reuses freed memory"
        source "Context-local DDI handles: memory of handles";
    H_27 "H-27" "the size of an object's handles does not change"
        source "Context-local DDI handles: CalcDeferredContextHandleSize";
    H_28 "H-28" "a driver reports no error from CheckDeferredContextHandleSizes"
        source "WDK: handling errors of Direct3D 10 and 11; the poll of handle sizes";
    H_29 "H-29" "a command list also has a handle size, and a handle in each deferred context that executes it"
        source "Context-local DDI handles: command lists";
    H_31 "H-31" "the data that deferred contexts read behind the immediate context's handles shares no cache line with \
        written data"
        source "Context-local DDI handles: read-only data behind padding";
    H_32 "H-32" "if one context writes a cache line, no other context writes or reads it"
        source "Context-local DDI handles: false sharing";
    H_33 "H-33" "the handles of two contexts share no cache line"
        source "Context-local DDI handles: data that several contexts touch";
    H_36 "H-36" "the data of an open object in a context is behind the handle of that context, with no handle of \
        another context in between"
        source "Context-local DDI handles: data that is used together lies together (inferred)";
    H_37 "H-37" "the data that deferred contexts read behind the immediate context's handles is not written after its \
        creation"
        source "Context-local DDI handles: read-only data";
    H_38 "H-38" "a call on a deferred context accesses no handle of another deferred context, and writes no handle of \
        the immediate context"
        source "Context-local DDI handles: data that several contexts touch";
    H_40 "H-40" "each deferred context has its own driver handle and its own core-layer handle"
        source "d3d10umddi.h: D3D11DDIARG_CREATEDEFERREDCONTEXT";
    H_41 "H-41" "a context begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ClearState";
    H_42 "H-42" "a driver fills every function that the runtime calls in the function table of a deferred context"
        source "WDK: functions that deferred contexts exclude";
    H_43 "H-43" "a driver does not disable the deferred destruction of staging resources in a call on a deferred context"
        source "WDK: D3D11DDI_CORELAYER_DEVICECALLBACKS, deferred contexts";
    H_44 "H-44" "a recycled context has the initial state of a new context"
        source "WDK: RecycleCreateDeferredContext";
    H_46 "H-46" "the memory that a deferred context takes from its driver only grows until FinishCommandList, and is \
        then reclaimed"
        source "Context-local DDI handles: memory of deferred contexts";
    H_50 "H-50" "FinishCommandList ends open queries and maps, recycles returned lists, creates the new list, closes \
        handles, and recycles the context, in that order"
        source "WDK: supporting command lists";
    H_52 "H-52" "if a recording is abandoned, the runtime calls AbandonCommandList first and then closes every handle"
        source "WDK: supporting command lists";
    H_53 "H-53" "the runtime does not destroy a command list whose creation failed"
        source "WDK: supporting command lists";
    H_54 "H-54" "the runtime recycles a released command list while the context that made it is alive, and destroys \
        the list otherwise"
        source "WDK: supporting command lists";
    H_57 "H-57" "execution of a command list leaves nothing bound in the driver"
        source "d3d10umddi.h: PFND3D11DDI_COMMANDLISTEXECUTE";
    H_58 "H-58" "a command list that maps a resource is not executed on a context where the resource is mapped; a \
        command list that uses a query is not executed on a context where the query is begun"
        source "WDK: supporting command lists";
    H_59 "H-59" "a deferred context may execute a command list"
        source "Direct3D 11.3 Functional Specification, 6.3.7";
    H_60 "H-60" "CommandListExecute reports only that memory is exhausted or that the device is removed"
        source "WDK: CommandListExecute";
    H_61 "H-61" "a deferred context maps only dynamic resources, and its first map of a resource is a discard"
        source "d3d11.h: ID3D11DeviceContext::Map";
    H_62 "H-62" "a deferred context ignores Flush; FinishCommandList of the immediate context makes no command list"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_63 "H-63" "FinishCommandList restores the bound state or leaves the default state; without an address for the \
        list it drops the recording"
        source "d3d11.h: ID3D11DeviceContext::FinishCommandList";
    H_64 "H-64" "ExecuteCommandList restores the bound state or leaves the default state"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_65 "H-65" "any context may execute a command list any number of times, even after the context that made the list \
        is gone"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_66 "H-66" "a command list begins with the default state"
        source "d3d11.h: ID3D11DeviceContext::ExecuteCommandList";
    H_67 "H-67" "a query that ends in a command list is issued when the list is executed"
        source "d3d11.h: ID3D11DeviceContext::GetData";
    H_70 "H-70" "a driver reports an error of a call on the immediate context, or of a creation, with the device's \
        core-layer handle"
        source "WDK: handling errors";
    H_71 "H-71" "a driver reports an error with the core-layer handle of the context whose call it executes"
        source "WDK: introduction to deferred contexts";
    H_72 "H-72" "a driver reports an error only where the class of the call allows it; a success code is not a legal \
        error"
        source "WDK: handling errors; for deferred contexts rule X-07";
    H_73 "H-73" "a deferred context that runs out of memory loses its recording; other contexts and the device lose \
        nothing"
        source "WDK: introduction to deferred contexts";
    H_74 "H-74" "until FinishCommandList a context that is out of memory accepts every call, and the runtime passes \
        none of them to the driver"
        source "WDK: introduction to deferred contexts (inferred)";
    H_75 "H-75" "FinishCommandList of a context that ran out of memory returns E_OUTOFMEMORY, and the context can \
        record again"
        source "WDK: introduction to deferred contexts";
    H_76 "H-76" "a second error, or an error that the class of the call does not allow, removes the device for every \
        context"
        source "WDK: handling errors (removal at the second error is inferred)";
    H_77 "H-77" "functions that recycle return E_OUTOFMEMORY, and do not call the error callback"
        source "WDK: supporting command lists";
    H_78 "H-78" "the runtime neither destroys an object whose creation failed nor queries the size of its handles"
        source "WDK: handling errors";
    H_79 "H-79" "the runtime does not close a handle that could not be opened"
        source "WDK: handling errors (inferred)";
    H_80 "H-80" "calls on one context do not overlap, except creations and queries of sizes; data that these access, \
        other than that of the created object, is not written"
        source "WDK: supporting threading and command lists";
    H_81 "H-81" "functions that return sizes write nothing, and any thread may call them"
        source "WDK: retroactively requiring free-threaded CalcPrivate functions";
    H_82 "H-82" "on a driver that does not build command lists, the runtime keeps recordings and replays them on the \
        immediate context; on a driver that is not free-threaded, the runtime holds the device's lock across its calls"
        source "WDK: supporting threading, command lists, and 3-D pipeline";
    H_83 "H-83" "in each context, the runtime unbinds a resource as input before it binds the resource as output, and \
        does not bind as input a resource that is bound as output"
        source "D3D11.3 functional specification: resource hazards";

    "Tiled surfaces and direct access":
    T_01 "T-01" "TILE_Y without the extra swizzle arranges a 4 KiB tile in eight columns of 16 bytes and 32 rows"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation";
    T_02 "T-02" "TILE_Y exchanges four rows with the next four in every other column"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: figure 1";
    T_03 "T-03" "every layout maps the bytes of whole tiles one to one, and its inverse maps them back"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: sample implementation (inferred)";
    T_04 "T-04" "CopyResource binds a pair of textures created for direct access, and copies between any other \
        textures"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_05 "T-05" "a direct-access staging texture has no memory of its own: Map returns a pointer into the texture to \
        which it is bound"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 2nd paragraph";
    T_06 "T-06" "Map of a direct-access staging texture returns the pointer and the tile format"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: the extension, 3rd paragraph";
    T_07 "T-07" "writes in tile order never cost more than writes in any other order to write-combined memory"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory";
    T_08 "T-08" "the analysis reports reads from write-combined memory"
        source "Tiling Format for Intel Iris Graphics Extension for Instant Access: write-combined memory (inferred)";
}
