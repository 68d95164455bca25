//! Choices of this project where the documents are ambiguous, contradict each other or are silent: rules like the others, with the
//! reason as their source.

use crate::rules::{Chapter, rules};

rules! {
    mod choice, const CHOICES;

    "Choices":
    X_01 "X-01" "SizeInBytes of a tight resource is the driver's size rounded up to its alignment, and the size of several resources is computed from these"
        source "choice: the document's figures of 6 and 4 MiB hold only then; setting round_sizes_up";
    X_02 "X-02" "a committed tight allocation may be aligned to a large page where the driver reports large pages and the size is a multiple of one"
        source "choice: a limit of 4 KiB and a note that allows large pages contradict each other; setting allow_large_pages";
    X_03 "X-03" "AlignmentRestriction is the minimum of a driver's answer with the tight flag"
        source "choice: the document asks for it and has an open question about it; setting restriction_is_minimum";
    X_04 "X-04" "flags of the API and of the DDI are two spaces of numbers, translated name by name"
        source "choice: 0x400 is USE_TIGHT_ALIGNMENT in one and 4MB_ALIGNED in the other";
    X_05 "X-05" "a multisampled texture can be small although it is a render target or depth-stencil"
        source "choice: with the condition as written, the row for multisampled textures is empty; setting small_msaa";
    X_06 "X-06" "the message about the tight flag on a cross-adapter resource is a warning"
        source "choice: the document says warning, native logs show an error; setting cross_adapter_severity";
    X_07 "X-07" "a driver may report that memory is out in any call on a deferred context whose class allows that the device is removed"
        source "choice: the document widens the allowed errors for calls like Draw, the DDI pages do not list them";
    X_08 "X-08" "after a FinishCommandList that fails, bindings persist if RestoreDeferredContextState requests it, and are the default otherwise"
        source "choice: the state after a FinishCommandList that failed is not stated";
    X_09 "X-09" "the flag STATIC_CHECK of an overlay check is 4, and no driver below WDDM 3.0 receives it"
        source "choice: the DDI page lists another flag with this value";
    X_10 "X-10" "a driver of WDDM 2.9 can support tier 3 and has no static check; the present path then is decided without one"
        source "choice: the tiers come with WDDM 2.9, the static check with 3.0";
    X_11 "X-11" "a driver of tier 3 scans six formats out, and may scan out any other color format with 4 bytes per pixel, such as R10G10B10_XR_BIAS_A2_UNORM, which it then views too"
        source "choice: the document lists six formats, the page of DXGK_VIDMMCAPS seven";
    X_12 "X-12" "unordered access views of sRGB formats are not required of tier 2"
        source "choice: the document requires them of all six formats, Direct3D has none of sRGB formats";
    X_13 "X-13" "a driver of tier 3 must scan out what is at most 1920 wide and at most 1080 high, so 1080 by 1920 is not required"
        source "choice: whether a portrait of the same area is required is not stated";
    X_14 "X-14" "an adapter with a gap in its tiers fails to start with STATUS_INVALID_PARAMETER, and a device whose user-mode driver promises more than the kernel fails with DXGI_ERROR_DRIVER_INTERNAL_ERROR"
        source "choice: the codes are not stated; setting kernel_tier_refusal";
    X_15 "X-15" "the operating system answers the query CROSSADAPTERRESOURCE_SUPPORT from WDDM 2.9 on"
        source "choice: the sources name Windows versions, which stand for WDDM 2.9 and 3.0; setting os_wddm_version";
    X_16 "X-16" "the answer of a static check follows from its plane and from the modes and rotation of the adapter's displays; earlier checks do not change it, and it changes no later answer"
        source "choice: standalone and given the existing configuration can be read as a contradiction";
    X_17 "X-17" "a static check has the desktop's primary as a second plane, and a flip has one plane"
        source "choice: the planes of a static check are not stated";
    X_18 "X-18" "the two sRGB formats are formats of cross-adapter resources and of views, and of no swap chain of the flip model"
        source "choice: the flip model refuses sRGB buffers";
    X_19 "X-19" "energy is computed from bytes moved only where its parameters are stated"
        source "choice: the document names power without a figure";
    X_20 "X-20" "at most two background tasks run at a time, or four while a commit of high priority is pending"
        source "choice: the document states two, and more than one with high priority, the DDI's pages one; settings max_background_tasks and max_boosted_tasks";
    X_21 "X-21" "disabling background work lets queued tasks run"
        source "choice: the DDI's pages cancel them; setting disable_cancels_queued";
    X_22 "X-22" "pfnCancel may be NULL"
        source "choice: the prototype requires it, the text and the DDI's page do not";
    X_23 "X-23" "background processing uses the DDI 0063 unless the driver lists 0062 without 0063"
        source "choice: the document names 0061";
    X_24 "X-24" "BackgroundProcessingSupported is the last of five members of OPTIONS6"
        source "choice: the document shows one member";
    X_25 "X-25" "a mode or action that needs developer mode fails with E_INVALIDARG without it"
        source "choice: the code is not stated; setting developer_mode_refusal";
    X_26 "X-26" "a driver that desires no further measurements has no compile pending"
        source "choice: the sample that waits for this answer never commits";
    X_27 "X-27" "a boost covers the tasks of its commit and none that are queued later"
        source "choice: all tasks generated by the commit can also be read as later ones; setting boost_covers_later_tasks";
    X_28 "X-28" "a commit does not wait for tasks that its tasks queue"
        source "choice: currently queued says so, generated by the commit may say otherwise; setting commit_covers_followups";
    X_29 "X-29" "tasks that a commit queues while background work is disabled are accepted during the driver's call"
        source "choice: whether a call that commits and disables accepts them is not stated";
    X_30 "X-30" "a row-major cross-adapter resource has room for rows of a multiple of 128 bytes and for a multiple of four rows, also where the adapter's own layout needs less"
        source "choice: sizes of shared resources are not stated";
}
