//! Tracks live handles and the accesses to their memory, event by event.

use super::access::AccessingCall;
use super::allocators::AllocatorModels;
use super::cache_lines::{CacheLineModel, ContendedLine};
use super::command_lists::CommandLists;
use super::context_scaling::RecordingPlace;
use super::context_state::{ContextState, Opening};
use super::fields::FieldCosts;
use super::findings::RuleFindings;
use super::live_handle::{HandleRecord, LiveHandle};
use super::live_handles::LiveHandles;
use super::occupancy::Occupancy;
use super::reader::HandleReader;
use super::recreation::Recreation;
use super::rule_checks::RuleChecks;
use super::sums::HandleChange;
use super::thread_feed::FeedItem;
use super::totals::{HandleTotals, OpenedHandle};
use super::{FastMap, HandleSettings};
use crate::error::AnalyzeError;
use crate::events::{At, Source, Tracker};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use taut_schemas::handle_rules::HandleEvent;
use taut_schemas::{CreateHandle, D3d11ContextId, DriverHandle, HResultCode, HandleAllocator, HandleType};

/// Handle type of a context's own handle, which belongs to no object.
pub(super) const NO_TYPE: HandleType = HandleType(u32::MAX);
/// Index of a context that the trace does not create.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Handles of a trace: passes each event to the live handles, the cache lines, the totals and the rules.
#[derive(Debug)]
pub(crate) struct HandleTracker {
    pub settings: HandleSettings,
    pub contexts: Vec<ContextState>,
    places: FastMap<u64, u32>,
    pub(super) live: LiveHandles,
    pub(super) lines: CacheLineModel,
    pub totals: HandleTotals,
    pub fields: FieldCosts,
    /// Allocator of the recording, and the memory by each policy.
    pub allocator: HandleAllocator,
    pub allocators: AllocatorModels,
    pub lists: CommandLists,
    pub recreation: Recreation,
    last_stamp: u64,
    occupancy: Occupancy,
    /// Sizes of contexts' own memory by thread, until the context is created.
    context_sizes: FastMap<u32, u64>,
    pub(super) rules: RuleChecks,
    pub accesses: u64,
    /// Accesses to memory of no handle.
    pub unattributed_accesses: u64,
    /// Records of destroyed handles, if they are collected.
    records: Option<Vec<HandleRecord>>,
}

/// An event with its context.
pub(crate) struct ContextItem<'e> {
    pub context: D3d11ContextId,
    pub item: FeedItem<'e>,
}

impl HandleTracker {
    /// Reads the handles of a trace.
    pub fn read(source: &Source, settings: HandleSettings) -> Result<HandleTracker, AnalyzeError> {
        Ok(HandleTracker::read_with(source, settings, None)?.0)
    }

    /// Returns a record of every handle, in order of creation.
    pub fn records(source: &Source) -> Result<Vec<HandleRecord>, AnalyzeError> {
        let (_, mut records) = HandleTracker::read_with(source, HandleSettings::default(), Some(Vec::new()))?;
        records.sort_by_key(|record| (record.created, record.handle));
        Ok(records)
    }

    fn read_with(
        source: &Source,
        settings: HandleSettings,
        records: Option<Vec<HandleRecord>>,
    ) -> Result<(HandleTracker, Vec<HandleRecord>), AnalyzeError> {
        let summary = source.trace().summary();
        let span = (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default());
        let mut tracker = HandleTracker::new(
            settings,
            span,
            FieldCosts::new(&source.trace().header().world, settings.cache_line_bytes),
        );
        let allocator = source.trace().header().world.settings.get("handle_allocator").and_then(|name| name.as_str());
        tracker.allocator = allocator.and_then(HandleAllocator::named).unwrap_or_default();
        let recorded = HandleSettings::from_trace(source.trace());
        tracker.allocators.allocator_line_bytes = recorded.cache_line_bytes;
        tracker.records = records;
        tracker.rules.starts_in_mid_stream = source.trace().header().identity.discarded.is_some();
        if HandleReader::any(source.trace()) {
            HandleReader::new(source)?.each(|at, context, item| -> Result<_, AnalyzeError> {
                tracker.on_event(at, ContextItem { context, item });
                Ok(ControlFlow::Continue(()))
            })?;
        }
        let mut tracker = tracker.finish();
        let records = tracker.records.take().unwrap_or_default();
        Ok((tracker, records))
    }

    fn new(settings: HandleSettings, span: (u64, u64), fields: FieldCosts) -> HandleTracker {
        HandleTracker {
            settings,
            contexts: Vec::new(),
            places: FastMap::default(),
            live: LiveHandles::default(),
            lines: CacheLineModel::new(settings.cache_line_bytes),
            totals: HandleTotals::new(span, settings.cache_line_bytes),
            fields,
            allocator: HandleAllocator::default(),
            allocators: AllocatorModels::new(settings.cache_line_bytes, settings.cache_line_bytes),
            lists: CommandLists::default(),
            recreation: Recreation::default(),
            last_stamp: span.1,
            occupancy: Occupancy::new(settings.cache_line_bytes),
            context_sizes: FastMap::default(),
            rules: RuleChecks::default(),
            accesses: 0,
            unattributed_accesses: 0,
            records: None,
        }
    }

    /// Violations by rule id.
    pub fn broken(&self) -> &BTreeMap<&'static str, RuleFindings> {
        self.rules.by_rule()
    }

    /// Numbers of lines touched, moved and shared, and of transfers.
    pub fn line_counts(&self) -> [u64; 4] {
        [self.lines.touched, self.lines.contended, self.lines.shared, self.lines.transfers]
    }

    /// The lines with the most transfers.
    pub fn worst_lines(&self) -> Vec<ContendedLine> {
        self.lines.worst()
    }

    /// Max distance of an open handle from its deferred context's own handle, in bytes.
    pub fn max_distance_bytes(&self) -> u64 {
        self.rules.max_distance_bytes()
    }

    /// Number of devices created.
    pub fn device_count(&self) -> u64 {
        self.rules.device_count()
    }

    fn place(&self, context: D3d11ContextId) -> u32 {
        self.places.get(&context.0).copied().unwrap_or(UNKNOWN)
    }

    fn context(&mut self, place: u32) -> Option<&mut ContextState> {
        self.contexts.get_mut(place as usize)
    }

    /// Checks the rules at an event.
    pub(super) fn check_event(&mut self, at: At, place: u32, event: &HandleEvent) {
        let device = self.contexts.get(place as usize).map(|context| context.device);
        self.rules.on_event(at, device, event);
    }

    fn event(&mut self, at: At, context: D3d11ContextId, event: &HandleEvent) {
        match event {
            HandleEvent::CapsReturned(caps) => {
                self.rules.store_caps(at.thread, *caps);
                return;
            }
            HandleEvent::ContextSizeQueried { size_bytes } => {
                self.context_sizes.insert(at.thread, *size_bytes);
                return;
            }
            HandleEvent::DeviceCreated { context, device: handle, .. } => {
                let device = self.rules.add_device();
                let place = self.add(ContextState::new(context.0, device, handle.0, true));
                self.live.insert(handle.0, LiveHandle::new(place, NO_TYPE, u64::MAX, at));
                if let Some(caps) = self.rules.take_caps(at.thread) {
                    self.check_event(at, place, &HandleEvent::CapsReturned(caps));
                }
                self.check_event(at, place, event);
                return;
            }
            _ => {}
        }
        let place = self.place(context);
        self.check_event(at, place, event);
        self.called(at, place, event);
        match event {
            HandleEvent::ContextCreated { by, context, device: handle, .. } => {
                let by = self.place(*by);
                let Some(device) = self.context(by).map(|by| by.device) else { return };
                let place = self.add(ContextState::new(context.0, device, handle.0, false));
                let size_bytes = self.context_sizes.remove(&at.thread).unwrap_or_default();
                self.allocators.add_context(place, handle.0, size_bytes);
                self.live.insert(handle.0, LiveHandle::new(place, NO_TYPE, u64::MAX, at));
            }
            HandleEvent::NotCreated { context, handle } => {
                self.allocators.not_created(self.place(*context), handle.size_bytes);
            }
            HandleEvent::ListHolds { list, recorder, .. } => self.list_created(at.stamp, *list, *recorder),
            HandleEvent::ListOutOfUse(list) => self.lists.end(at.stamp, list.0, true),
            HandleEvent::ListExecuted { list, .. } => {
                let ic = self.live.get(list.0).map_or(0, |live| live.ic);
                self.lists.execute(if ic == 0 { list.0 } else { ic });
            }
            HandleEvent::ContextRecycled(context) => self.recorded(self.place(*context), true),
            HandleEvent::ContextDestroyed(context) => self.context_destroyed(at, self.place(*context)),
            HandleEvent::Created { context, handle_type, handle, .. } => {
                self.created(at, self.place(*context), *handle_type, handle);
            }
            HandleEvent::Destroyed { handle, .. } => self.destroyed(*handle, Some(at.stamp)),
            HandleEvent::ErrorReported { context, line, code, .. } => {
                self.out_of_memory(at, self.place(*context), *line, *code);
            }
            _ => {}
        }
    }

    /// Adds a finished command list, recorded on the context with this handle.
    fn list_created(&mut self, stamp: u64, list: DriverHandle, recorder: DriverHandle) {
        let Some(place) = self.live.get(recorder.0).map(|live| live.owner) else { return };
        let Some(context) = self.contexts.get(place as usize) else { return };
        let size_bytes = |handle: u64| self.live.get(handle).map_or(0, |live| live.size_bytes);
        let objects = context.current.iter().map(|ic| (*ic, size_bytes(*ic))).collect();
        self.lists.create(stamp, list.0, place, size_bytes(list.0), objects);
    }

    /// Records the thread that calls a context.
    fn called(&mut self, at: At, place: u32, event: &HandleEvent) {
        let immediate_id = self.context(place).filter(|context| context.is_immediate).map(|context| context.id);
        if let Some(serial) = event.serial(immediate_id.map(D3d11ContextId)) {
            let place = self.place(serial);
            if let Some(context) = self.context(place) {
                context.called_by(at.thread);
            }
        }
    }

    fn add(&mut self, context: ContextState) -> u32 {
        let place = self.contexts.len() as u32;
        self.places.insert(context.id, place);
        self.contexts.push(context);
        place
    }

    fn out_of_memory(&mut self, at: At, place: u32, line: u16, code: HResultCode) {
        if code == HResultCode::E_OUTOFMEMORY && place != UNKNOWN {
            self.totals.out_of_memory(at.stamp, place, line);
        }
    }

    fn created(&mut self, at: At, place: u32, handle_type: HandleType, created_handle: &CreateHandle) {
        let Some(context) = self.contexts.get_mut(place as usize) else { return };
        let (address, size_bytes, ic) =
            (created_handle.driver_handle.0, created_handle.size_bytes, created_handle.ic_handle.0);
        let (is_immediate, mut opening) = (context.is_immediate, Opening::default());
        let class_bytes = self.allocator.class_bytes(size_bytes, self.settings.cache_line_bytes);
        let mut live = LiveHandle::new(place, handle_type, size_bytes, at);
        (live.ic, live.dependency) = (ic, created_handle.dependency_handle.0);
        if is_immediate {
            live.object = Some(Box::default());
            context.opened = (context.opened.0 + 1, context.opened.1.saturating_add(size_bytes));
        } else {
            opening = context.open(ic, handle_type.0, size_bytes, address);
            live.recycled = opening.is_recycled;
            if opening.is_new {
                context.objects_allocated_bytes = context.objects_allocated_bytes.saturating_add(class_bytes);
            }
        }
        if self.live.contains(address) {
            // Two handles at one address: the rules report it.
            self.destroyed(created_handle.driver_handle, Some(at.stamp));
        }
        // Does not change the bytes of the peak, but would change its breakdown.
        if size_bytes == 0 {
            self.totals.store_peak(&self.contexts);
        }
        if !is_immediate {
            let new_in = opening.is_new.then_some(place);
            let (handle_type, recycled, reopened) = (handle_type.0, live.recycled, opening.is_reopened);
            let opened = OpenedHandle { handle_type, size_bytes, class_bytes, recycled, reopened, new_in };
            self.totals.opened(&opened, self.live.object_mut(ic));
            self.project(place, ic, size_bytes);
        }
        self.change(at.stamp, address, &live, true);
        self.live.insert(address, live);
    }

    /// Adds an opened handle to the projection to other numbers of contexts.
    fn project(&mut self, place: u32, ic: u64, size_bytes: u64) {
        let Some(context) = self.contexts.get_mut(place as usize) else { return };
        let Some(object) = self.live.object_mut(ic) else { return };
        let scaling = self.totals.context_scaling.entry(context.device).or_default();
        let index = *context.scaling_index.get_or_insert_with(|| scaling.add_context());
        let recording = RecordingPlace { context: index, recording: context.recordings };
        scaling.on_open(recording, &mut object.projected, size_bytes);
    }

    /// Updates the totals and the owner of a handle that is created or destroyed.
    fn change(&mut self, stamp: u64, address: u64, live: &LiveHandle, is_creation: bool) {
        let (place, handle_type, size_bytes) = (live.owner, live.handle_type.0, live.size_bytes);
        let Some(is_immediate) = self.context(place).map(|context| context.is_immediate) else { return };
        let allocated_bytes = match is_creation {
            true => self.occupancy.add(address, size_bytes),
            false => self.occupancy.remove(address, size_bytes),
        };
        let change = HandleChange { stamp, place, is_immediate, handle_type, size_bytes, allocated_bytes, is_creation };
        if let Some(context) = self.context(place) {
            context.change(&change);
        }
        self.totals.change(&change);
        self.allocators.change(&change, address);
        self.fields.change(&change, self.totals.all.bytes());
    }

    /// Removes a handle; without a stamp the trace ends.
    fn destroyed(&mut self, handle: DriverHandle, stamp: Option<u64>) {
        self.totals.store_peak(&self.contexts);
        let Some(live) = self.live.remove(handle.0) else { return };
        if live.handle_type == NO_TYPE {
            return;
        }
        self.lines.forget(handle.0, live.size_bytes);
        let settings = self.settings;
        let Some(context) = self.contexts.get_mut(live.owner as usize) else { return };
        if let Some(records) = &mut self.records {
            records.push(live.record(handle, context, stamp));
        }
        context.hot_lines.close(handle.0, live.size_bytes, live.accesses.0 + live.accesses.1);
        if context.is_immediate {
            if context.hot_lines.is_full() {
                context.hot_lines.count_sets(&settings);
            }
            if let Some(object) = &live.object {
                self.recreation.add(live.handle_type.0, handle.0, object);
            }
            if let Some(stamp) = stamp.filter(|_| live.handle_type == HandleType::COMMANDLIST) {
                self.lists.end(stamp, handle.0, true);
            }
            for place in live.object.iter().flat_map(|object| &object.known_in) {
                if let Some(context) = self.contexts.get_mut(*place as usize) {
                    context.forget(handle.0);
                }
            }
        } else {
            self.totals.closed(&live, self.live.object_mut(live.ic));
        }
        if let Some(stamp) = stamp {
            self.change(stamp, handle.0, &live, false);
        }
    }

    /// Ends a context's recording, by FinishCommandList or with the context.
    fn recorded(&mut self, place: u32, is_finished: bool) {
        let settings = self.settings;
        let Some(context) = self.context(place) else { return };
        context.recordings += u64::from(is_finished);
        context.end_recording(&settings);
    }

    fn context_destroyed(&mut self, at: At, place: u32) {
        let of_device = self.context(place).filter(|context| context.is_immediate).map(|context| context.device);
        let is_over = |context: &ContextState| Some(context.device) == of_device;
        let over: Vec<u32> = (0..).zip(&self.contexts).filter(|(_, one)| is_over(one)).map(|(at, _)| at).collect();
        over.into_iter().chain([place]).for_each(|place| self.recorded(place, false));
        let Some(context) = self.context(place) else { return };
        let (device, is_immediate, handle, id) =
            (context.device, context.is_immediate, context.device_handle, context.id);
        context.end();
        if let Some(live) = self.live.remove(handle) {
            self.lines.forget(handle, live.reach_bytes);
        }
        self.totals.devices_destroyed += u64::from(is_immediate);
        let contexts = &self.contexts;
        let is_left = |live: &LiveHandle| match is_immediate {
            true => contexts.get(live.owner as usize).is_some_and(|owner| owner.device == device),
            false => live.owner == place,
        };
        for handle in self.live.select(is_left) {
            if let Some(live) = self.live.get(handle).filter(|live| live.handle_type != NO_TYPE) {
                self.totals.leak(live);
            }
            self.destroyed(DriverHandle(handle), Some(at.stamp));
        }
        self.places.remove(&id);
        self.allocators.remove_context(place);
    }
}

impl Tracker for HandleTracker {
    type Event<'e> = ContextItem<'e>;
    type Output = HandleTracker;

    fn on_event(&mut self, at: At, ContextItem { context, item }: ContextItem<'_>) {
        match item {
            FeedItem::Event { event, began } => {
                self.rules.began = began;
                self.event(at, context, event);
            }
            FeedItem::Failed { line, code } => self.out_of_memory(at, self.place(context), line, code),
            FeedItem::Accessed { line, created_handle, accesses } => {
                let call = AccessingCall { place: self.place(context), line, created_handle };
                if let Some(context) = self.contexts.get(call.place as usize).filter(|context| !context.is_immediate) {
                    self.fields.call(context, created_handle.0, accesses, &self.live);
                    self.allocators.call(accesses, &self.live);
                }
                accesses.iter().for_each(|access| self.access(at, call, access));
            }
        }
    }

    fn finish(mut self) -> HandleTracker {
        for place in 0..self.contexts.len() as u32 {
            self.recorded(place, false);
        }
        self.live.addresses().into_iter().for_each(|handle| self.destroyed(DriverHandle(handle), None));
        let settings = self.settings;
        // Counts the remaining handles: all of an immediate context, those of an unfinished recording of a deferred
        // one.
        self.contexts.iter_mut().for_each(|context| context.hot_lines.count_sets(&settings));
        self.recreation.sort();
        self.lists.finish(self.last_stamp);
        self
    }
}
