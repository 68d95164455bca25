//! Sums over the handles of a trace: live ones, their peaks, size classes, copies and leaks.

use super::context_scaling::ContextScaling;
use super::context_state::ContextState;
use super::live_handle::{LiveHandle, LiveObject};
use super::series::{Key, Series};
use super::size_classes::SizeClass;
use super::sums::{ContextSums, HandleChange, LargeSums, LeakStats, OutOfMemoryStats, Peak, TypeSums};
use std::collections::BTreeMap;

/// Number of cache lines above which a handle of a deferred context is large (rule H-30).
const LARGE_LINES: u64 = 2;

/// Memory that is allocated for a handle: whole cache lines.
pub(super) fn allocated(size_bytes: u64, line_bytes: u64) -> u64 {
    size_bytes.max(1).checked_next_multiple_of(line_bytes).unwrap_or(size_bytes)
}

/// A handle opened in a deferred context.
#[derive(Debug)]
pub(super) struct OpenedHandle {
    pub handle_type: u32,
    pub size_bytes: u64,
    /// True if its memory was another handle's before.
    pub recycled: bool,
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
    /// By size in bytes, rounded up to whole cache lines.
    pub classes: BTreeMap<u64, SizeClass>,
    /// By index of the context and line of the call.
    pub out_of_memory: BTreeMap<(u32, u16), OutOfMemoryStats>,
    pub devices_destroyed: u64,
    pub leaked: LeakStats,
    pub(super) context_scaling: ContextScaling,
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
            context_scaling: ContextScaling::default(),
        }
    }

    /// Counts a handle opened in a deferred context; `object` is its object, if it lives.
    pub(super) fn opened(&mut self, handle: &OpenedHandle, object: Option<&mut LiveObject>) {
        let OpenedHandle { handle_type, size_bytes, recycled, new_in } = *handle;
        let class = self.classes.entry(allocated(size_bytes, self.line_bytes)).or_default();
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
        (object.open, object.deferred_bytes) = (object.open + 1, size_bytes);
        let was_open = !object.known_in.is_empty();
        object.known_in.extend(new_in);
        if !was_open {
            self.shared_objects = (self.shared_objects.0 + 1, self.shared_objects.1.saturating_add(size_bytes));
            let allocated_bytes = allocated(size_bytes, self.line_bytes);
            self.shared_allocated_bytes = self.shared_allocated_bytes.saturating_add(allocated_bytes);
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

    /// Handles and bytes for each number of contexts, with command lists distributed round-robin.
    pub fn distributed(&self) -> impl Iterator<Item = (u32, (u64, u64))> {
        super::CONTEXT_COUNTS.into_iter().zip(self.context_scaling.sums)
    }
}
