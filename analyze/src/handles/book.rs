//! Keeps what handles live, and what was done to the memory behind them.

use super::cache_lines::{CacheLines, Contended};
use super::context_book::ContextBook;
use super::dealing::Dealing;
use super::device_book::DeviceBook;
use super::findings::{Findings, RuleFindings};
use super::live_handle::{HandleRecord, LiveHandle};
use super::reader::HandleReader;
use super::series::{Key, Series};
use super::size_classes::SizeClass;
use super::sums::{LargeSums, Leaked, Peak, RanOut, TypeSums};
use super::thread_feed::Said;
use super::{FastMap, HandleSettings};
use crate::error::AnalyzeError;
use crate::event_reader::At;
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use taut_schemas::handle_rules::HandleEvent;
use taut_schemas::{CreateHandle, D3d11ContextId, DriverHandle, HResultCode, HandleType, ThreadingCaps};

/// Hot handles that a set of a cache holds at once (rule H-35).
pub(crate) const WAYS: u64 = 8;
/// A handle of a deferred context is large beyond so many lines (rule H-30).
const LARGE_LINES: u64 = 2;
/// The type of what is no object: a context's own handle.
pub(super) const NO_TYPE: HandleType = HandleType(u32::MAX);
/// In place of a context that the trace does not create.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Everything that a trace says of handles.
#[derive(Debug)]
pub(crate) struct HandleBook {
    pub settings: HandleSettings,
    pub contexts: Vec<ContextBook>,
    pub(super) places: FastMap<u64, u32>,
    devices: Vec<DeviceBook>,
    /// Of contexts that the trace does not create.
    strays: DeviceBook,
    /// The recording starts in mid-stream: nothing is known of contexts that were there before, so nothing is said against them.
    starts_in_mid_stream: bool,
    /// By thread, caps that were told before a device was created.
    caps: HashMap<u32, ThreadingCaps>,
    pub(super) live: FastMap<u64, LiveHandle>,
    /// The same handles, by address.
    pub(super) addresses: BTreeSet<u64>,
    pub(super) lines: CacheLines,
    findings: Findings,
    /// When the call of what is heard began.
    began: u64,
    dealing: Dealing,
    pub series: Series,
    pub events: u64,
    pub accesses: u64,
    /// Of those, behind no handle.
    pub nowhere: u64,
    pub all: TypeSums,
    pub by_type: BTreeMap<u32, TypeSums>,
    pub peak: Peak,
    /// Most bytes live just now: what there is has not been looked at yet.
    is_peak: bool,
    pub peak_handles: (u64, u64),
    duplicated_bytes: u64,
    /// Objects that some deferred context has opened, and the bytes of a handle of each.
    pub union: (u64, u64),
    /// Of handles opened in deferred contexts, bytes that were not written since.
    pub unwritten_bytes: u64,
    /// By type and size.
    pub large: BTreeMap<(u32, u64), LargeSums>,
    /// By size in whole lines.
    pub classes: BTreeMap<u64, SizeClass>,
    /// By place of the context and line of the call.
    pub ran_out: BTreeMap<(u32, u16), RanOut>,
    pub devices_destroyed: u64,
    pub leaked: Leaked,
    /// Records of the handles that are gone, where they are asked for.
    records: Option<Vec<HandleRecord>>,
}

impl HandleBook {
    /// That of a trace.
    pub fn read(source: &Source, settings: HandleSettings) -> Result<HandleBook, AnalyzeError> {
        Ok(HandleBook::made(source, settings, None)?.0)
    }

    /// A record of every handle, in the order of creation.
    pub fn records(source: &Source) -> Result<Vec<HandleRecord>, AnalyzeError> {
        let (_, mut records) = HandleBook::made(source, HandleSettings::default(), Some(Vec::new()))?;
        records.sort_by_key(|record| (record.created, record.handle));
        Ok(records)
    }

    fn made(
        source: &Source,
        settings: HandleSettings,
        records: Option<Vec<HandleRecord>>,
    ) -> Result<(HandleBook, Vec<HandleRecord>), AnalyzeError> {
        let summary = source.trace().summary();
        let span = (summary.first_stamp.unwrap_or_default(), summary.last_stamp.unwrap_or_default());
        let mut book = HandleBook::new(settings, span);
        book.records = records;
        book.starts_in_mid_stream = source.trace().header().identity.left_out.is_some();
        if HandleReader::any(source.trace()) {
            HandleReader::new(source)?.each(|at, context, said| -> Result<_, AnalyzeError> {
                book.take(at, context, &said);
                Ok(ControlFlow::Continue(()))
            })?;
        }
        book.finish();
        let records = book.records.take().unwrap_or_default();
        Ok((book, records))
    }

    fn new(settings: HandleSettings, span: (u64, u64)) -> HandleBook {
        HandleBook {
            settings,
            contexts: Vec::new(),
            places: FastMap::default(),
            devices: Vec::new(),
            strays: DeviceBook::default(),
            starts_in_mid_stream: false,
            caps: HashMap::new(),
            live: FastMap::default(),
            addresses: BTreeSet::new(),
            lines: CacheLines::new(settings.cache_line_bytes),
            findings: Findings::default(),
            began: 0,
            dealing: Dealing::default(),
            series: Series::new(span),
            events: 0,
            accesses: 0,
            nowhere: 0,
            all: TypeSums::default(),
            by_type: BTreeMap::new(),
            peak: Peak::default(),
            is_peak: false,
            peak_handles: (0, 0),
            duplicated_bytes: 0,
            union: (0, 0),
            unwritten_bytes: 0,
            large: BTreeMap::new(),
            classes: BTreeMap::new(),
            ran_out: BTreeMap::new(),
            devices_destroyed: 0,
            leaked: Leaked::new(),
            records: None,
        }
    }

    /// What rules are broken, by their numbers.
    pub fn broken(&self) -> &BTreeMap<&'static str, RuleFindings> {
        &self.findings.by_rule
    }

    /// Lines touched, moved and shared, and how often they moved.
    pub fn line_counts(&self) -> [u64; 4] {
        [self.lines.touched, self.lines.contended, self.lines.shared, self.lines.moves]
    }

    /// The lines that moved most.
    pub fn worst_lines(&self) -> Vec<Contended> {
        self.lines.worst()
    }

    /// Handles and bytes of each number of contexts, were the lists dealt to them.
    pub fn dealt(&self) -> impl Iterator<Item = (u32, (u64, u64))> {
        super::DEALT_TO.into_iter().zip(self.dealing.sums)
    }

    /// How far, at most, what a deferred context has open lies behind its own handle.
    pub fn farthest_bytes(&self) -> u64 {
        self.devices.iter().chain([&self.strays]).map(DeviceBook::farthest_bytes).max().unwrap_or_default()
    }

    /// How many devices were created.
    pub fn device_count(&self) -> u64 {
        self.devices.len() as u64
    }

    /// How often rules are broken so far.
    pub(super) fn findings_count(&self) -> u64 {
        self.findings.count
    }

    fn place(&self, context: D3d11ContextId) -> u32 {
        self.places.get(&context.0).copied().unwrap_or(UNKNOWN)
    }

    fn context(&mut self, place: u32) -> Option<&mut ContextBook> {
        self.contexts.get_mut(place as usize)
    }

    fn take(&mut self, at: At, context: D3d11ContextId, said: &Said<'_>) {
        match said {
            Said::Event { event, began } => {
                (self.events, self.began) = (self.events + 1, *began);
                self.event(at, context, event);
            }
            Said::Failed { line, code } => self.out_of_memory(at, self.place(context), (*line, *code)),
            Said::Accessed { line, made, accesses } => {
                let place = self.place(context);
                accesses.iter().for_each(|access| self.access(at, (place, *line, *made), access));
            }
        }
    }

    pub(super) fn hear(&mut self, at: At, place: u32, event: &HandleEvent) {
        let device = self.contexts.get(place as usize).map(|context| context.device);
        let device = device.and_then(|device| self.devices.get_mut(device));
        if device.is_none() && self.starts_in_mid_stream {
            return;
        }
        device.unwrap_or(&mut self.strays).hear((at, self.began), event, &mut self.findings);
    }

    fn event(&mut self, at: At, context: D3d11ContextId, event: &HandleEvent) {
        match event {
            HandleEvent::CapsTold(caps) => {
                self.caps.insert(at.thread, *caps);
                return;
            }
            HandleEvent::DeviceCreated { context, device: handle, .. } => {
                let (device, id, device_handle) = (self.devices.len(), context.0, handle.0);
                self.devices.push(DeviceBook::default());
                let place = self.add(ContextBook::new(id, device, device_handle, true));
                self.enter(handle.0, LiveHandle::new(place, NO_TYPE, u64::MAX, at));
                if let Some(caps) = self.caps.remove(&at.thread) {
                    self.hear(at, place, &HandleEvent::CapsTold(caps));
                }
                self.hear(at, place, event);
                return;
            }
            _ => {}
        }
        let place = self.place(context);
        self.hear(at, place, event);
        self.called(at, place, event);
        match event {
            HandleEvent::ContextCreated { by, context, device: handle, .. } => {
                let by = self.place(*by);
                let Some(device) = self.context(by).map(|by| by.device) else { return };
                let (id, device_handle) = (context.0, handle.0);
                let place = self.add(ContextBook::new(id, device, device_handle, false));
                self.enter(handle.0, LiveHandle::new(place, NO_TYPE, u64::MAX, at));
            }
            HandleEvent::ContextRecycled(context) => self.recorded(self.place(*context), true),
            HandleEvent::ContextDestroyed(context) => self.context_destroyed(at, self.place(*context)),
            HandleEvent::Created { context, handle_type, handle, .. } => {
                self.created(at, self.place(*context), *handle_type, handle);
            }
            HandleEvent::Destroyed { handle, .. } => self.destroyed(*handle, Some(at.stamp)),
            HandleEvent::ErrorReported { context, line, code, .. } => {
                self.out_of_memory(at, self.place(*context), (*line, *code));
            }
            _ => {}
        }
    }

    /// Which thread records on which context.
    fn called(&mut self, at: At, place: u32, event: &HandleEvent) {
        let heard_in = self.context(place).filter(|context| context.is_immediate).map(|context| context.id);
        if let Some(serial) = event.serial(heard_in.map(D3d11ContextId)) {
            let place = self.place(serial);
            if let Some(context) = self.context(place) {
                context.called_by(at.thread);
            }
        }
    }

    fn enter(&mut self, address: u64, live: LiveHandle) {
        self.addresses.insert(address);
        self.live.insert(address, live);
    }

    fn leave(&mut self, address: u64) -> Option<LiveHandle> {
        self.addresses.remove(&address);
        self.live.remove(&address)
    }

    fn add(&mut self, context: ContextBook) -> u32 {
        let place = self.contexts.len() as u32;
        self.places.insert(context.id, place);
        self.contexts.push(context);
        place
    }

    fn out_of_memory(&mut self, at: At, place: u32, (line, code): (u16, HResultCode)) {
        if code == HResultCode::E_OUTOFMEMORY && place != UNKNOWN {
            let none = RanOut { times: 0, first_stamp: at.stamp };
            self.ran_out.entry((place, line)).or_insert(none).times += 1;
        }
    }

    fn created(&mut self, at: At, place: u32, handle_type: HandleType, made: &CreateHandle) {
        let Some(context) = self.contexts.get_mut(place as usize) else { return };
        let (address, size_bytes, ic) = (made.driver_handle.0, made.size_bytes, made.ic_handle.0);
        let (is_immediate, mut is_new) = (context.is_immediate, false);
        let mut live = LiveHandle::new(place, handle_type, size_bytes, at);
        (live.ic, live.dependency) = (ic, made.dependency_handle.0);
        if is_immediate {
            live.object = Some(Box::default());
            context.opened = (context.opened.0 + 1, context.opened.1.saturating_add(size_bytes));
        } else {
            (is_new, live.recycled) = context.open(ic, handle_type.0, size_bytes, address);
        }
        if self.live.contains_key(&address) {
            // Two handles at one address: the rules have said so.
            self.destroyed(made.driver_handle, Some(at.stamp));
        }
        if size_bytes == 0 {
            self.look_at_peak();
        }
        if !is_immediate {
            self.opened((is_new.then_some(place), ic), handle_type, (size_bytes, live.recycled));
        }
        self.enter(address, live);
        self.change(at.stamp, place, handle_type.0, (true, size_bytes));
        if self.all.bytes() > self.peak.all.bytes() {
            (self.peak.all, self.peak.stamp, self.is_peak) = (self.all, at.stamp, true);
        }
        if self.all.handles() > self.peak_handles.0 {
            self.peak_handles = (self.all.handles(), at.stamp);
        }
    }

    /// A handle is opened in a deferred context, whose place is told if it has not had the object open before.
    fn opened(
        &mut self,
        (new_in, ic): (Option<u32>, u64),
        handle_type: HandleType,
        (size_bytes, recycled): (u64, bool),
    ) {
        let line_bytes = self.settings.cache_line_bytes;
        let class = self.classes.entry(size_bytes.max(1).next_multiple_of(line_bytes)).or_default();
        class.opened += 1;
        class.recycled += u64::from(recycled);
        class.asked_bytes = class.asked_bytes.saturating_add(size_bytes);
        class.types.insert(handle_type.0);
        if size_bytes > line_bytes.saturating_mul(LARGE_LINES) {
            self.large.entry((handle_type.0, size_bytes)).or_default().opened += 1;
        }
        let Some(object) = self.live.get_mut(&ic).and_then(|live| live.object.as_deref_mut()) else { return };
        if object.open > 0 {
            self.duplicated_bytes = self.duplicated_bytes.saturating_add(size_bytes);
        }
        (object.open, object.deferred_bytes) = (object.open + 1, size_bytes);
        let was_open = !object.known_in.is_empty();
        object.known_in.extend(new_in);
        if !was_open {
            self.union = (self.union.0 + 1, self.union.1.saturating_add(size_bytes));
        }
    }

    /// What lives changes by one handle.
    fn change(&mut self, stamp: u64, place: u32, handle_type: u32, (is_more, size_bytes): (bool, u64)) {
        let Some(context) = self.contexts.get_mut(place as usize) else { return };
        let of_type = self.by_type.entry(handle_type).or_default();
        if is_more {
            context.live = (context.live.0 + 1, context.live.1.saturating_add(size_bytes));
            context.peak = (context.live.0.max(context.peak.0), context.live.1.max(context.peak.1));
            self.all.add(context.is_immediate, size_bytes);
            of_type.add(context.is_immediate, size_bytes);
        } else {
            context.live = (context.live.0.saturating_sub(1), context.live.1.saturating_sub(size_bytes));
            self.all.remove(context.is_immediate, size_bytes);
            of_type.remove(context.is_immediate, size_bytes);
        }
        self.series.change(stamp, Key::Handles, is_more, 1);
        for key in [Key::Bytes, Key::Type(handle_type), Series::context(place)] {
            self.series.change(stamp, key, is_more, size_bytes);
        }
    }

    /// Keeps what there is when most bytes live, before it is less.
    fn look_at_peak(&mut self) {
        if std::mem::take(&mut self.is_peak) {
            let contexts = (0..).zip(&self.contexts).filter(|(_, context)| context.live.0 > 0);
            self.peak.by_context = contexts.map(|(place, context)| (place, context.live.0, context.live.1)).collect();
            self.peak.by_type.clone_from(&self.by_type);
            self.peak.duplicated_bytes = self.duplicated_bytes;
        }
    }

    /// A handle is gone; without a stamp the trace ends.
    fn destroyed(&mut self, handle: DriverHandle, stamp: Option<u64>) {
        self.look_at_peak();
        let Some(live) = self.leave(handle.0) else { return };
        if live.handle_type == NO_TYPE {
            return;
        }
        self.lines.forget(handle.0, live.size_bytes);
        let line_bytes = self.settings.cache_line_bytes;
        let Some(context) = self.contexts.get_mut(live.owner as usize) else { return };
        let of = (context.id, context.is_immediate);
        if let Some(records) = &mut self.records {
            records.push(live.record(handle, of, stamp));
        }
        context.close(handle.0, live.accesses.0 + live.accesses.1);
        if context.is_immediate {
            if context.is_full() {
                context.count_sets(line_bytes, WAYS);
            }
            for place in live.object.iter().flat_map(|object| &object.known_in) {
                if let Some(context) = self.contexts.get_mut(*place as usize) {
                    context.forget(handle.0);
                }
            }
        } else {
            self.unwritten_bytes = self.unwritten_bytes.saturating_add(live.unwritten_bytes());
            if let Some(large) = self.large.get_mut(&(live.handle_type.0, live.size_bytes)) {
                large.cold_bytes = large.cold_bytes.saturating_add(live.cold_bytes(line_bytes));
            }
            self.closed(live.ic, live.size_bytes);
        }
        if let Some(stamp) = stamp {
            self.change(stamp, live.owner, live.handle_type.0, (false, live.size_bytes));
        }
    }

    /// A deferred context has an object open no more.
    fn closed(&mut self, ic: u64, size_bytes: u64) {
        let Some(object) = self.live.get_mut(&ic).and_then(|live| live.object.as_deref_mut()) else { return };
        object.open = object.open.saturating_sub(1);
        if object.open > 0 {
            self.duplicated_bytes = self.duplicated_bytes.saturating_sub(size_bytes);
        }
    }

    /// A recording of a context is over: by FinishCommandList, or with the context.
    fn recorded(&mut self, place: u32, is_finished: bool) {
        let line_bytes = self.settings.cache_line_bytes;
        let Some(context) = self.context(place) else { return };
        context.recordings += u64::from(is_finished);
        let opened = context.end_recording(line_bytes, WAYS);
        if opened.is_empty() {
            return;
        }
        self.dealing.next();
        for ic in opened {
            if let Some(object) = self.live.get_mut(&ic).and_then(|live| live.object.as_deref_mut()) {
                self.dealing.opens(&mut object.dealt, object.deferred_bytes);
            }
        }
    }

    fn context_destroyed(&mut self, at: At, place: u32) {
        let of_device = self.context(place).filter(|context| context.is_immediate).map(|context| context.device);
        let is_over = |context: &ContextBook| Some(context.device) == of_device;
        let over: Vec<u32> = (0..).zip(&self.contexts).filter(|(_, one)| is_over(one)).map(|(at, _)| at).collect();
        over.into_iter().chain([place]).for_each(|place| self.recorded(place, false));
        let Some(context) = self.context(place) else { return };
        let (device, is_immediate, handle, id) =
            (context.device, context.is_immediate, context.device_handle, context.id);
        context.end();
        if let Some(live) = self.leave(handle) {
            self.lines.forget(handle, live.reach_bytes);
        }
        self.devices_destroyed += u64::from(is_immediate);
        let contexts = &self.contexts;
        let is_left = |live: &LiveHandle| match is_immediate {
            true => contexts.get(live.owner as usize).is_some_and(|owner| owner.device == device),
            false => live.owner == place,
        };
        let left: Vec<u64> = self.live.iter().filter(|(_, live)| is_left(live)).map(|(handle, _)| *handle).collect();
        for handle in left {
            if let Some(live) = self.live.get(&handle).filter(|live| live.handle_type != NO_TYPE) {
                let sum = self.leaked.entry(live.handle_type.0).or_default();
                *sum = (sum.0 + 1, sum.1.saturating_add(live.size_bytes));
            }
            self.destroyed(DriverHandle(handle), Some(at.stamp));
        }
        self.places.remove(&id);
    }

    fn finish(&mut self) {
        for place in 0..self.contexts.len() as u32 {
            self.recorded(place, false);
        }
        std::mem::take(&mut self.addresses).into_iter().for_each(|handle| self.destroyed(DriverHandle(handle), None));
        let line_bytes = self.settings.cache_line_bytes;
        // Of an immediate context all handles, of a deferred one those of a recording that the trace cuts off.
        self.contexts.iter_mut().for_each(|context| context.count_sets(line_bytes, WAYS));
    }
}
