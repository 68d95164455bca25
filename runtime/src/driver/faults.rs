//! Faults that a profile injects into its driver, each detected by a check of the conformance kit.

use super::former_keys::FormerKeys;
use serde::{Deserialize, Serialize};

macro_rules! faults {
    ($( $(#[doc = $doc:literal])+ $key:ident $(was $was:literal)*: $ty:ty; )*) => {
        /// Injected faults of a driver; by default none. Each key names the check that detects it.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Faults { $(
            $(#[doc = $doc])+
            #[serde(skip_serializing_if = "is_default")]
            $(#[serde(alias = $was)])*
            pub $key: $ty,
        )* }

        impl Faults {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
            /// Former and current names of renamed keys.
            pub(crate) const FORMER_KEYS: FormerKeys = &[ $($( ($was, stringify!($key)), )*)* ];
        }
    };
}

faults! {
    /// Aligns every cross-adapter resource to this, in bytes, whatever alignment is requested. Check A-50.
    cross_adapter_alignment_bytes: Option<u64>;
    /// Sizes tight buffers at multiples of this, in bytes, instead of their width. Check A-52.
    tight_buffer_size_multiple_bytes: Option<u64>;
    /// Sizes a tight texture larger by this, in bytes, in every second answer. Check A-53.
    drifting_size_bytes: Option<u64>;
    /// Refuses to create a heap with the flag IMPLICIT, as if it were unknown. Check A-54.
    refuses_implicit_heaps: bool;
    /// Returns its own alignment even if AlignmentRestriction is larger. Check A-55.
    ignores_restriction: bool;
    /// Reports sizes of existing resources as multiples of this, in bytes. Check A-56.
    existing_size_multiple_bytes: Option<u64>;
    /// Finds the same specialisations at every search, as if it had never built them. Check B-40.
    finds_forever was "finds_for_ever": bool;
    /// Desires no further measurements while it has found nothing, even if samples are too few. Check B-40.
    converges_early was "answers_too_early": bool;
    /// Has a cancel callback that does nothing: cancelled tasks stay pending forever. Check B-53.
    forgets_cancelled: bool;
    /// Counts submitted instead of executed draws, and decides on these counts at once. Check B-41.
    decides_by_unfinished_work: bool;
    /// Leaves FurtherMeasurementsDesired unwritten. Check B-07.
    leaves_further_unwritten: bool;
    /// Queues work while that is disabled, and does cancelled work itself on the calling thread. Check B-63.
    works_when_cancelled: bool;
    /// Counts in the code of every second submission while profiling is disabled. Check B-25.
    keeps_counting: bool;
    /// Tests only the slot that selects a branch, and uses the branch's variant. Check B-73.
    trusts_the_root: bool;
    /// Reports that its estimate refused a specialisation, and queues it nevertheless. Check B-74.
    ignores_its_estimate: bool;
    /// Tests, for a variant of a variant, only the constants of the last specialisation. Check B-73.
    forgets_its_base: bool;
    /// Queues each work item twice, with the same context. Check B-52.
    queues_twice: bool;
    /// Queues work while it holds the lock that its cancel callback takes. Check B-55.
    holds_its_lock: bool;
    /// Tries other groups in every second submission while profiling is disabled. Check B-25.
    keeps_trying: bool;
    /// Copies a pair created for direct access instead of binding it. Check T-04.
    copies_direct_access_pairs: bool;
    /// Reports a non-zero size for a direct-access staging texture. Check T-05.
    direct_access_staging_has_memory: bool;
    /// Maps a bound staging texture at this offset into the texture it is bound to, in bytes. Check T-05.
    direct_access_map_offset_bytes: Option<u64>;
    /// Writes past the end of the handles that it opens. Check H-11.
    writes_past_the_end was "writes_behind_the_end": bool;
    /// Reports an error in the second poll of handle sizes. Check H-28.
    reports_in_polls was "reports_of_polls": bool;
    /// Reports no handle size for command lists, but returns one when queried for it. Check H-29.
    omits_list_size was "tells_no_size_of_lists": bool;
    /// Counts the commands of all deferred contexts on one cache line of the device's memory. Check H-32.
    counts_contexts_on_one_line: bool;
    /// Leaves data in a new context's memory that differs between contexts. Check H-41.
    begins_with_leftovers: bool;
    /// Disables the deferred destruction of staging resources in each draw. Check H-43.
    disables_staging_destruction: bool;
    /// Does not clear a context that is recycled. Check H-44.
    recycles_nothing was "recycles_as_it_is": bool;
    /// Does not release a context's used budget when the context is recycled. Check H-46.
    leaks_used_budget was "keeps_what_it_took": bool;
    /// Executes nothing of a list in a deferred context. Check H-59.
    nests_nothing: bool;
    /// Reports an invalid argument for each list that is executed. Check H-60.
    reports_in_lists was "reports_of_lists": bool;
    /// Maps every discard of a recording at the address of the first one. Check H-61.
    discards_in_place: bool;
    /// Leaves the old contents in a list's memory when the list is recycled. Check H-65.
    keeps_old_lists: bool;
    /// Reports E_OUTOFMEMORY for samplers with the core-layer handle of no context. Check H-70.
    creations_report_elsewhere: bool;
    /// Reports E_OUTOFMEMORY forever once a context has run out of memory. Check H-75.
    never_recovers: bool;
    /// Reports E_OUTOFMEMORY twice in one call. Check H-76.
    reports_twice: bool;
    /// Counts objects in the device's memory as they are created. Check H-80.
    counts_creations: bool;
    /// Counts size queries in an object's memory. Check H-81.
    counts_size_queries was "counts_questions": bool;
    /// Reports success of each draw as an error. Check H-72.
    reports_success: bool;
    /// Reports one more handle size in the second poll than in the first. Check H-20.
    polls_one_more: bool;
    /// Returns handle sizes of command lists in deferred contexts one byte larger than those it reported. Check H-24.
    unlisted_handle_sizes: bool;
    /// Returns another handle size for a command list that is recycled. Check H-27.
    handle_sizes_change: bool;
    /// Counts uses next to data that deferred contexts read, without padding between them. Check H-31.
    counts_next_to_read_only_data was "counts_beside_read_only_data": bool;
    /// Rewrites data that deferred contexts read at each use. Check H-37.
    writes_read_only_data: bool;
    /// Reads the memory of the context that was created before its own. Check H-38.
    walks_to_other_contexts: bool;
    /// Leaves the slot for the pixel shader's views empty in a deferred context's table. Check H-42.
    leaves_a_slot_empty: bool;
    /// Reports errors with the core-layer handle of no context. Check H-71.
    wrong_core_layer: bool;
    /// Reports an error in AbandonCommandList, which must not fail. Check H-72.
    reports_in_abandon was "errors_where_none_may_be": bool;
    /// Reports E_OUTOFMEMORY by callback in RecycleCreateDeferredContext, which returns it as well. Check H-77.
    calls_back_when_recycling: bool;
    /// Reports CrossAdapterResourceScanout only while its adapter is the only one. Check C-06.
    scans_out_alone: bool;
    /// Has no functions for DXGI: nothing is created on it as a primary. Check C-07.
    creates_no_primaries: bool;
    /// Reserves a plane for the subject of a static check, and refuses the next frame's. Check C-21.
    keeps_static_checks: bool;
    /// Checks the desktop's plane in a static check instead of the plane with the flag. Check C-21.
    checks_the_desktops_plane: bool;
    /// Raises the memory bandwidth of the display in a check of overlays, in anticipation of the plane. Check C-22.
    raises_bandwidth: bool;
    /// Holds a spin lock in a check of overlays, and so runs at DISPATCH_LEVEL. Check C-22.
    checks_under_a_spin_lock: bool;
    /// Refuses a static check after it has refused a frame's plane. Check C-26.
    depends_on_frames was "goes_by_frames": bool;
    /// Ignores rotation in static checks, but not in checks of frames. Check C-26.
    forgets_rotation: bool;
    /// Creates no view of a row-major texture in this format, by its DXGI name. Check C-09.
    misses_a_texture_format: Option<String>;
    /// Promises views of row-major textures in every format, but creates only those of scan-out formats. Check C-13.
    views_scan_out_formats_alone: bool;
    /// Copies the resource that it is to scan out, and scans out the copy. Check C-20.
    copies_before_scan_out: bool;
    /// Scans out as if each row began where the previous row ends. Check C-20.
    reads_rows_without_padding: bool;
    /// Reports CrossAdapterResourceScanout only in the first query of its caps after a start. Check C-03.
    reports_fewer_tiers_later: bool;
    /// Checks only the first plane in pfnCheckMultiplaneOverlaySupport. Check C-07.
    checks_the_first_plane_alone: bool;
    /// Ignores the post composition in pfnCheckMultiplaneOverlaySupport. Check C-07.
    ignores_post_composition: bool;
    /// Samples a row-major texture as if each row began where the previous row ends. Check C-09.
    samples_rows_without_padding: bool;
    /// Panics in a function of its tables, by its name in the header. No check: the kit does not expect panics.
    panics_in: Option<String>;
    /// Panics at this call of that function, counted from 1, instead of at each. No check.
    panics_at_call: Option<u64>;
    /// Panics in the work of its background tasks. No check.
    panics_in_tasks: bool;
    /// Panics in the GPU work of its draws. No check.
    panics_in_draws: bool;
}

impl Faults {
    /// True if no fault is injected.
    pub fn is_none(&self) -> bool {
        *self == Faults::default()
    }

    /// Returns the faults that are byte counts, by key.
    pub(crate) fn bytes(&self) -> [(&'static str, Option<u64>); 5] {
        [
            ("faults.cross_adapter_alignment_bytes", self.cross_adapter_alignment_bytes),
            ("faults.tight_buffer_size_multiple_bytes", self.tight_buffer_size_multiple_bytes),
            ("faults.drifting_size_bytes", self.drifting_size_bytes),
            ("faults.existing_size_multiple_bytes", self.existing_size_multiple_bytes),
            ("faults.direct_access_map_offset_bytes", self.direct_access_map_offset_bytes),
        ]
    }

    /// Returns the key of a fault that only background processing shows.
    pub(crate) fn of_background(&self) -> Option<&'static str> {
        let background = [
            ("faults.panics_in_tasks", self.panics_in_tasks),
            ("faults.finds_forever", self.finds_forever),
            ("faults.converges_early", self.converges_early),
            ("faults.forgets_cancelled", self.forgets_cancelled),
            ("faults.decides_by_unfinished_work", self.decides_by_unfinished_work),
            ("faults.leaves_further_unwritten", self.leaves_further_unwritten),
            ("faults.works_when_cancelled", self.works_when_cancelled),
            ("faults.keeps_counting", self.keeps_counting),
            ("faults.trusts_the_root", self.trusts_the_root),
            ("faults.ignores_its_estimate", self.ignores_its_estimate),
            ("faults.forgets_its_base", self.forgets_its_base),
            ("faults.queues_twice", self.queues_twice),
            ("faults.holds_its_lock", self.holds_its_lock),
            ("faults.keeps_trying", self.keeps_trying),
        ];
        background.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// Returns the key of a fault that only tight resources show.
    pub(crate) fn of_tight(&self) -> Option<&'static str> {
        let tight = [
            ("faults.tight_buffer_size_multiple_bytes", self.tight_buffer_size_multiple_bytes.is_some()),
            ("faults.drifting_size_bytes", self.drifting_size_bytes.is_some()),
            ("faults.ignores_restriction", self.ignores_restriction),
        ];
        tight.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// Returns the key of a fault that only a kernel-mode driver shows.
    pub(crate) fn of_kernel(&self) -> Option<&'static str> {
        let kernel = [
            ("faults.scans_out_alone", self.scans_out_alone),
            ("faults.creates_no_primaries", self.creates_no_primaries),
            ("faults.keeps_static_checks", self.keeps_static_checks),
            ("faults.checks_the_desktops_plane", self.checks_the_desktops_plane),
            ("faults.raises_bandwidth", self.raises_bandwidth),
            ("faults.checks_under_a_spin_lock", self.checks_under_a_spin_lock),
            ("faults.depends_on_frames", self.depends_on_frames),
            ("faults.forgets_rotation", self.forgets_rotation),
            ("faults.misses_a_texture_format", self.misses_a_texture_format.is_some()),
            ("faults.views_scan_out_formats_alone", self.views_scan_out_formats_alone),
            ("faults.copies_before_scan_out", self.copies_before_scan_out),
            ("faults.reads_rows_without_padding", self.reads_rows_without_padding),
            ("faults.reports_fewer_tiers_later", self.reports_fewer_tiers_later),
            ("faults.checks_the_first_plane_alone", self.checks_the_first_plane_alone),
            ("faults.ignores_post_composition", self.ignores_post_composition),
            ("faults.samples_rows_without_padding", self.samples_rows_without_padding),
        ];
        kernel.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// Returns the key of a fault that only handles per context show.
    pub(crate) fn of_contexts(&self) -> Option<&'static str> {
        let contexts = [
            ("faults.writes_past_the_end", self.writes_past_the_end),
            ("faults.reports_in_polls", self.reports_in_polls),
            ("faults.omits_list_size", self.omits_list_size),
            ("faults.counts_contexts_on_one_line", self.counts_contexts_on_one_line),
            ("faults.begins_with_leftovers", self.begins_with_leftovers),
            ("faults.disables_staging_destruction", self.disables_staging_destruction),
            ("faults.recycles_nothing", self.recycles_nothing),
            ("faults.leaks_used_budget", self.leaks_used_budget),
            ("faults.nests_nothing", self.nests_nothing),
            ("faults.reports_in_lists", self.reports_in_lists),
            ("faults.discards_in_place", self.discards_in_place),
            ("faults.keeps_old_lists", self.keeps_old_lists),
            ("faults.creations_report_elsewhere", self.creations_report_elsewhere),
            ("faults.never_recovers", self.never_recovers),
            ("faults.reports_twice", self.reports_twice),
            ("faults.counts_creations", self.counts_creations),
            ("faults.counts_size_queries", self.counts_size_queries),
            ("faults.reports_success", self.reports_success),
            ("faults.polls_one_more", self.polls_one_more),
            ("faults.unlisted_handle_sizes", self.unlisted_handle_sizes),
            ("faults.handle_sizes_change", self.handle_sizes_change),
            ("faults.counts_next_to_read_only_data", self.counts_next_to_read_only_data),
            ("faults.writes_read_only_data", self.writes_read_only_data),
            ("faults.walks_to_other_contexts", self.walks_to_other_contexts),
            ("faults.leaves_a_slot_empty", self.leaves_a_slot_empty),
            ("faults.wrong_core_layer", self.wrong_core_layer),
            ("faults.reports_in_abandon", self.reports_in_abandon),
            ("faults.calls_back_when_recycling", self.calls_back_when_recycling),
        ];
        contexts.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// Returns the key of a fault that only the instant-access extension shows.
    pub(crate) fn of_direct_access(&self) -> Option<&'static str> {
        let extension = [
            ("faults.copies_direct_access_pairs", self.copies_direct_access_pairs),
            ("faults.direct_access_staging_has_memory", self.direct_access_staging_has_memory),
            ("faults.direct_access_map_offset_bytes", self.direct_access_map_offset_bytes.is_some()),
        ];
        extension.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
