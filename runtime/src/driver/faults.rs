//! Faults that a profile can give its driver, so that the conformance kit has something to find.

use serde::{Deserialize, Serialize};

macro_rules! faults {
    ($( $(#[doc = $doc:literal])+ $key:ident: $ty:ty; )*) => {
        /// What a driver does wrong on purpose; by default nothing. Each key says which check finds it.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Faults { $( $(#[doc = $doc])+ #[serde(skip_serializing_if = "is_default")] pub $key: $ty, )* }

        impl Faults {
            /// Names of the keys.
            pub(crate) const KEYS: &'static [&'static str] = &[ $( stringify!($key) ),* ];
        }
    };
}

faults! {
    /// Aligns every cross-adapter resource to this, in bytes, whatever it is asked. Check A-50.
    cross_adapter_alignment_bytes: Option<u64>;
    /// Sizes tight buffers at multiples of this, in bytes, instead of their width. Check A-52.
    tight_buffer_size_multiple_bytes: Option<u64>;
    /// Sizes a tight texture larger by this, in bytes, in every second answer. Check A-53.
    drifting_size_bytes: Option<u64>;
    /// Refuses to create a heap that is marked IMPLICIT, as a flag it has not heard of. Check A-54.
    refuses_implicit_heaps: bool;
    /// Answers its own alignment even if AlignmentRestriction is larger. Check A-55.
    ignores_restriction: bool;
    /// Says of an existing resource that its size is a multiple of this, in bytes. Check A-56.
    existing_size_multiple_bytes: Option<u64>;
    /// Finds the same specialisations again whenever it looks, as if it had never built them. Check B-40.
    finds_for_ever: bool;
    /// Desires no more as long as it has found nothing, were it for want of samples alone. Check B-40.
    answers_too_early: bool;
    /// Gives a cancel callback that does nothing: what was cancelled stays pending for ever. Check B-53.
    forgets_cancelled: bool;
    /// Counts what is submitted instead of what was executed, and decides by it at once. Check B-41.
    decides_by_unfinished_work: bool;
    /// Leaves FurtherMeasurementsDesired unwritten. Check B-07.
    leaves_further_unwritten: bool;
    /// Queues work while that is disabled, and on cancel does it itself, on the calling thread. Check B-63.
    works_when_cancelled: bool;
    /// Goes on counting in the code of every second submission while profiling is disabled. Check B-25.
    keeps_counting: bool;
    /// Asks for the slot that tells branches apart alone, and takes the branch's variant. Check B-73.
    trusts_the_root: bool;
    /// Says of what its estimate refuses that it did not make it, and queues it all the same. Check B-74.
    ignores_its_estimate: bool;
    /// Asks, before a variant that was specialised further, for what the last step took as fixed alone. Check B-73.
    forgets_its_base: bool;
    /// Queues each work item twice, with the same context. Check B-52.
    queues_twice: bool;
    /// Queues work while it holds the lock that its cancel callback takes. Check B-55.
    holds_its_lock: bool;
    /// Tries other groups in every second submission while profiling is disabled. Check B-25.
    keeps_trying: bool;
    /// Copies a pair created for direct access instead of binding it. Check T-04.
    copies_direct_access_pairs: bool;
    /// Wants memory for a direct-access staging texture. Check T-05.
    direct_access_staging_has_memory: bool;
    /// Maps a bound staging texture this far behind the beginning of the texture it is bound to, in bytes. Check T-05.
    direct_access_map_offset_bytes: Option<u64>;
    /// Writes behind the end of the handles that it opens. Check H-11.
    writes_behind_the_end: bool;
    /// Reports an error of the second poll. Check H-28.
    reports_of_polls: bool;
    /// Tells no size of the handles of command lists, and gives one. Check H-29.
    tells_no_size_of_lists: bool;
    /// Counts what each deferred context records, for all of them on one line of the device's memory. Check H-32.
    counts_contexts_on_one_line: bool;
    /// Leaves in a new context's memory what tells it from another one. Check H-41.
    begins_with_leftovers: bool;
    /// Disables the deferred destruction of staging resources in each draw. Check H-43.
    disables_staging_destruction: bool;
    /// Does not clear a context that is recycled. Check H-44.
    recycles_as_it_is: bool;
    /// Does not give back, when a context is recycled, what that took of its budget. Check H-46.
    keeps_what_it_took: bool;
    /// Executes nothing of a list in a deferred context. Check H-59.
    nests_nothing: bool;
    /// Reports an invalid argument of each list that is executed. Check H-60.
    reports_of_lists: bool;
    /// Maps every discard of a recording where the first was. Check H-61.
    discards_in_place: bool;
    /// Leaves in a list's memory what it held before, when it is made again. Check H-65.
    keeps_old_lists: bool;
    /// Reports that memory is out for samplers, with the core-layer handle of no context. Check H-70.
    creations_report_elsewhere: bool;
    /// Reports that memory is out, for ever, of a context of which it was out once. Check H-75.
    never_recovers: bool;
    /// Reports twice in one call that memory is out. Check H-76.
    reports_twice: bool;
    /// Counts objects in the device's memory as they are created. Check H-80.
    counts_creations: bool;
    /// Counts in an object's memory how often its size is asked for. Check H-81.
    counts_questions: bool;
    /// Reports success of each draw. Check H-72.
    reports_success: bool;
    /// Tells one size of handles more in the second poll than in the first. Check H-20.
    polls_one_more: bool;
    /// Gives handles of command lists in deferred contexts one byte more than it told. Check H-24.
    unlisted_handle_sizes: bool;
    /// Gives the handles of a command list another size when it is made again. Check H-27.
    handle_sizes_change: bool;
    /// Counts uses beside what deferred contexts read, without padding between. Check H-31.
    counts_beside_read_only_data: bool;
    /// Writes what deferred contexts read anew at each use. Check H-37.
    writes_read_only_data: bool;
    /// Reads the memory of the context that was created before its own. Check H-38.
    walks_to_other_contexts: bool;
    /// Leaves the pixel shader's views out of a deferred context's table. Check H-42.
    leaves_a_slot_empty: bool;
    /// Reports errors with the core-layer handle of no context. Check H-71.
    wrong_core_layer: bool;
    /// Reports an error of AbandonCommandList, of which none may be. Check H-72.
    errors_where_none_may_be: bool;
    /// Reports by callback that memory is out for RecycleCreateDeferredContext, which answers that. Check H-77.
    calls_back_when_recycling: bool;
    /// Says that it scans cross-adapter resources out only while its adapter is the only one. Check C-06.
    scans_out_alone: bool;
    /// Has no functions for DXGI: nothing is created on it as a primary. Check C-07.
    creates_no_primaries: bool;
    /// Keeps a plane for what a static check asked about, and refuses the next frame's. Check C-21.
    keeps_static_checks: bool;
    /// Judges the desktop's plane in a static check instead of the one with the flag. Check C-21.
    checks_the_desktops_plane: bool;
    /// Refuses a static check after a frame's plane that it refused. Check C-26.
    goes_by_frames: bool;
    /// Takes every panel for one that is not turned in static checks, and not in those of frames. Check C-26.
    forgets_rotation: bool;
    /// Makes no view of a row-major texture in this format, by its name in DXGI. Check C-09.
    misses_a_texture_format: Option<String>;
    /// Promises views of row-major textures in every format, and makes those of scan-out alone. Check C-13.
    views_scan_out_formats_alone: bool;
    /// Copies what it is to scan out, and scans the copy out. Check C-20.
    copies_before_scan_out: bool;
    /// Scans out as if a row began where the one before ends. Check C-20.
    reads_rows_without_padding: bool;
    /// Panics in a function of its tables, by the name of its call in the header. No check: the kit is not made for it.
    panics_in: Option<String>;
    /// Panics at this one of those calls, from 1, instead of at each. No check.
    panics_at_call: Option<u64>;
    /// Panics in the work of its background tasks. No check.
    panics_in_tasks: bool;
    /// Panics in what the graphics processor does for it. No check.
    panics_in_draws: bool;
}

impl Faults {
    /// There is none.
    pub fn is_none(&self) -> bool {
        *self == Faults::default()
    }

    /// The numbers among them that count bytes, by key.
    pub(crate) fn bytes(&self) -> [(&'static str, Option<u64>); 5] {
        [
            ("faults.cross_adapter_alignment_bytes", self.cross_adapter_alignment_bytes),
            ("faults.tight_buffer_size_multiple_bytes", self.tight_buffer_size_multiple_bytes),
            ("faults.drifting_size_bytes", self.drifting_size_bytes),
            ("faults.existing_size_multiple_bytes", self.existing_size_multiple_bytes),
            ("faults.direct_access_map_offset_bytes", self.direct_access_map_offset_bytes),
        ]
    }

    /// The key of a fault that only background processing shows, if there is one.
    pub(crate) fn of_background(&self) -> Option<&'static str> {
        let background = [
            ("faults.panics_in_tasks", self.panics_in_tasks),
            ("faults.finds_for_ever", self.finds_for_ever),
            ("faults.answers_too_early", self.answers_too_early),
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

    /// The key of a fault that only tight resources show, if there is one.
    pub(crate) fn of_tight(&self) -> Option<&'static str> {
        let tight = [
            ("faults.tight_buffer_size_multiple_bytes", self.tight_buffer_size_multiple_bytes.is_some()),
            ("faults.drifting_size_bytes", self.drifting_size_bytes.is_some()),
            ("faults.ignores_restriction", self.ignores_restriction),
        ];
        tight.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// The key of a fault that only a kernel-mode driver shows, if there is one.
    pub(crate) fn of_kernel(&self) -> Option<&'static str> {
        let kernel = [
            ("faults.scans_out_alone", self.scans_out_alone),
            ("faults.creates_no_primaries", self.creates_no_primaries),
            ("faults.keeps_static_checks", self.keeps_static_checks),
            ("faults.checks_the_desktops_plane", self.checks_the_desktops_plane),
            ("faults.goes_by_frames", self.goes_by_frames),
            ("faults.forgets_rotation", self.forgets_rotation),
            ("faults.misses_a_texture_format", self.misses_a_texture_format.is_some()),
            ("faults.views_scan_out_formats_alone", self.views_scan_out_formats_alone),
            ("faults.copies_before_scan_out", self.copies_before_scan_out),
            ("faults.reads_rows_without_padding", self.reads_rows_without_padding),
        ];
        kernel.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// The key of a fault that only handles per context show, if there is one.
    pub(crate) fn of_contexts(&self) -> Option<&'static str> {
        let contexts = [
            ("faults.writes_behind_the_end", self.writes_behind_the_end),
            ("faults.reports_of_polls", self.reports_of_polls),
            ("faults.tells_no_size_of_lists", self.tells_no_size_of_lists),
            ("faults.counts_contexts_on_one_line", self.counts_contexts_on_one_line),
            ("faults.begins_with_leftovers", self.begins_with_leftovers),
            ("faults.disables_staging_destruction", self.disables_staging_destruction),
            ("faults.recycles_as_it_is", self.recycles_as_it_is),
            ("faults.keeps_what_it_took", self.keeps_what_it_took),
            ("faults.nests_nothing", self.nests_nothing),
            ("faults.reports_of_lists", self.reports_of_lists),
            ("faults.discards_in_place", self.discards_in_place),
            ("faults.keeps_old_lists", self.keeps_old_lists),
            ("faults.creations_report_elsewhere", self.creations_report_elsewhere),
            ("faults.never_recovers", self.never_recovers),
            ("faults.reports_twice", self.reports_twice),
            ("faults.counts_creations", self.counts_creations),
            ("faults.counts_questions", self.counts_questions),
            ("faults.reports_success", self.reports_success),
            ("faults.polls_one_more", self.polls_one_more),
            ("faults.unlisted_handle_sizes", self.unlisted_handle_sizes),
            ("faults.handle_sizes_change", self.handle_sizes_change),
            ("faults.counts_beside_read_only_data", self.counts_beside_read_only_data),
            ("faults.writes_read_only_data", self.writes_read_only_data),
            ("faults.walks_to_other_contexts", self.walks_to_other_contexts),
            ("faults.leaves_a_slot_empty", self.leaves_a_slot_empty),
            ("faults.wrong_core_layer", self.wrong_core_layer),
            ("faults.errors_where_none_may_be", self.errors_where_none_may_be),
            ("faults.calls_back_when_recycling", self.calls_back_when_recycling),
        ];
        contexts.into_iter().find(|(_, set)| *set).map(|(key, _)| key)
    }

    /// The key of a fault that only the instant-access extension shows, if there is one.
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
