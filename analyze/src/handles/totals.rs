//! Sums over the handles of a trace: live ones, their peaks, size classes, copies and leaks.

use super::context_scaling::{ContextScaling, ProjectedHandles};
use super::context_state::ContextState;
use super::live_handle::{LiveHandle, LiveObject};
use super::series::{Key, Series};
use super::size_classes::SizeClass;
use super::sums::{ContextSums, HandleChange, LargeSums, LeakStats, OutOfMemoryStats, Peak, TypeSums};
use std::collections::BTreeMap;

/// Number of cache lines above which a handle of a deferred context is large (rule H-30).
const LARGE_LINES: u64 = 2;

/// A handle opened in a deferred context.
#[derive(Debug)]
pub(super) struct OpenedHandle {
    pub handle_type: u32,
    pub size_bytes: u64,
    /// Size class of the handle.
    pub class_bytes: u64,
    /// True if its memory was another handle's before.
    pub recycled: bool,
    /// True if the context's previous recording had the object open.
    pub reopened: bool,
    /// Index of the context, if it has not had the object open before.
    pub new_in: Option<u32>,
}

/// Sums over the handles of a trace.
#[derive(Debug)]
pub(crate) struct HandleTotals {
    line_bytes: u64,
    pub series: Series,
    pub all: TypeSums,
    pub by_type: BTreeMap<u32, TypeSums>,
    pub peak: Peak,
    /// True while the bytes are at their peak and the breakdown has not been stored.
    is_peak: bool,
    pub peak_handles: u64,
    /// Memory allocated for the live handles, and its max.
    allocated_bytes: u64,
    pub peak_allocated_bytes: u64,
    duplicated_bytes: u64,
    /// Objects that some deferred context has opened, and the bytes of one deferred handle of each.
    pub shared_objects: (u64, u64),
    /// Memory allocated for these handles.
    pub shared_allocated_bytes: u64,
    /// Bytes of deferred handles that were not written after their creation.
    pub unwritten_bytes: u64,
    /// By type and size in bytes.
    pub large: BTreeMap<(u32, u64), LargeSums>,
    /// By size class of the allocator.
    pub classes: BTreeMap<u64, SizeClass>,
    /// By index of the context and line of the call.
    pub out_of_memory: BTreeMap<(u32, u16), OutOfMemoryStats>,
    pub devices_destroyed: u64,
    pub leaked: LeakStats,
    /// By index of the device.
    pub(super) context_scaling: BTreeMap<usize, ContextScaling>,
}

impl HandleTotals {
    /// Creates empty sums over a span of stamps, for cache lines of this size.
    pub(super) fn new(span: (u64, u64), line_bytes: u64) -> HandleTotals {
        HandleTotals {
            line_bytes,
            series: Series::new(span),
            all: TypeSums::default(),
            by_type: BTreeMap::new(),
            peak: Peak::default(),
            is_peak: false,
            peak_handles: 0,
            allocated_bytes: 0,
            peak_allocated_bytes: 0,
            duplicated_bytes: 0,
            shared_objects: (0, 0),
            shared_allocated_bytes: 0,
            unwritten_bytes: 0,
            large: BTreeMap::new(),
            classes: BTreeMap::new(),
            out_of_memory: BTreeMap::new(),
            devices_destroyed: 0,
            leaked: LeakStats::new(),
            context_scaling: BTreeMap::new(),
        }
    }

    /// Counts a handle opened in a deferred context; `object` is its object, if it lives.
    pub(super) fn opened(&mut self, handle: &OpenedHandle, object: Option<&mut LiveObject>) {
        let OpenedHandle { handle_type, size_bytes, class_bytes, recycled, reopened, new_in } = *handle;
        let class = self.classes.entry(class_bytes).or_default();
        class.opened += 1;
        class.recycled += u64::from(recycled);
        class.requested_bytes = class.requested_bytes.saturating_add(size_bytes);
        class.types.insert(handle_type);
        if size_bytes > self.line_bytes.saturating_mul(LARGE_LINES) {
            self.large.entry((handle_type, size_bytes)).or_default().opened += 1;
        }
        let Some(object) = object else { return };
        if object.open > 0 {
            self.duplicated_bytes = self.duplicated_bytes.saturating_add(size_bytes);
        }
        (object.open, object.opened) = (object.open + 1, object.opened + 1);
        if reopened {
            object.reopened += 1;
            object.reopened_bytes = object.reopened_bytes.saturating_add(size_bytes);
        }
        let was_open = !object.known_in.is_empty();
        object.known_in.extend(new_in);
        if !was_open {
            self.shared_objects = (self.shared_objects.0 + 1, self.shared_objects.1.saturating_add(size_bytes));
            self.shared_allocated_bytes = self.shared_allocated_bytes.saturating_add(class_bytes);
        }
    }

    /// Counts a handle closed in a deferred context; `object` is its object, if it lives.
    pub(super) fn closed(&mut self, live: &LiveHandle, object: Option<&mut LiveObject>) {
        self.unwritten_bytes = self.unwritten_bytes.saturating_add(live.unwritten_bytes());
        if let Some(large) = self.large.get_mut(&(live.handle_type.0, live.size_bytes)) {
            large.cold_bytes = large.cold_bytes.saturating_add(live.cold_bytes(self.line_bytes));
        }
        let Some(object) = object else { return };
        object.open = object.open.saturating_sub(1);
        if object.open > 0 {
            self.duplicated_bytes = self.duplicated_bytes.saturating_sub(live.size_bytes);
        }
    }

    /// Updates sums, peaks and series by one handle.
    pub(super) fn change(&mut self, change: &HandleChange) {
        let HandleChange { stamp, place, handle_type, size_bytes, is_creation, .. } = *change;
        self.all.change(change);
        self.by_type.entry(handle_type).or_default().change(change);
        self.series.change(stamp, Key::Handles, is_creation, 1);
        for key in [Key::Bytes, Key::Type(handle_type), Series::context(place)] {
            self.series.change(stamp, key, is_creation, size_bytes);
        }
        if self.all.bytes() > self.peak.all.bytes() {
            (self.peak.all, self.peak.stamp, self.is_peak) = (self.all, stamp, true);
        }
        self.allocated_bytes = match is_creation {
            true => self.allocated_bytes.saturating_add(change.allocated_bytes),
            false => self.allocated_bytes.saturating_sub(change.allocated_bytes),
        };
        self.peak_allocated_bytes = self.peak_allocated_bytes.max(self.allocated_bytes);
        self.peak_handles = self.peak_handles.max(self.all.handles());
    }

    /// Stores the breakdown of the peak before the live bytes decrease.
    pub(super) fn store_peak(&mut self, contexts: &[ContextState]) {
        if std::mem::take(&mut self.is_peak) {
            let contexts = (0..).zip(contexts).filter(|(_, context)| context.live.0 > 0);
            let sums = |(place, context): (u32, &ContextState)| {
                let (handles, bytes) = context.live;
                ContextSums { place, handles, bytes, allocated_bytes: context.allocated_bytes }
            };
            self.peak.by_context = contexts.map(sums).collect();
            self.peak.by_type.clone_from(&self.by_type);
            self.peak.duplicated_bytes = self.duplicated_bytes;
        }
    }

    /// Counts a handle that outlives its context.
    pub(super) fn leak(&mut self, live: &LiveHandle) {
        let sum = self.leaked.entry(live.handle_type.0).or_default();
        *sum = (sum.0 + 1, sum.1.saturating_add(live.size_bytes));
    }

    /// Counts an out-of-memory error of a call on a context.
    pub(super) fn out_of_memory(&mut self, stamp: u64, place: u32, line: u16) {
        let none = OutOfMemoryStats { times: 0, first_stamp: stamp };
        self.out_of_memory.entry((place, line)).or_insert(none).times += 1;
    }

    /// Handles and bytes for each number of contexts per device.
    pub fn projected(&self) -> impl Iterator<Item = (u32, ProjectedHandles)> {
        let mut sums = [ProjectedHandles::default(); super::CONTEXT_COUNTS.len()];
        for (sum, one) in self.context_scaling.values().flat_map(|scaling| (0..).zip(scaling.projected())) {
            let sum: &mut ProjectedHandles = &mut sums[sum];
            (sum.handles, sum.max_handles) = (sum.handles + one.handles, sum.max_handles + one.max_handles);
            sum.bytes = sum.bytes.saturating_add(one.bytes);
            sum.max_bytes = sum.max_bytes.saturating_add(one.max_bytes);
        }
        super::CONTEXT_COUNTS.into_iter().zip(sums)
    }
}
