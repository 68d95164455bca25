//! Keeps what handles there are, and says where a rule is broken.

use super::accesses::{LINE_BYTES, SharedData, SharedLines};
use super::event::{HandleEvent, HeardIn};
use super::lines;
use super::open_counts::OpenCounts;
use super::recording::Recordings;
use super::slots::required;
use crate::call::Call;
use crate::d3d11_context_desc::{
    CreateHandle, HandleAccess, HandleSize, HandleSizes, HandleType, RecordedCommands, ThreadingCaps,
};
use crate::desc::DriverHandle;
use crate::error_class::{ErrorClass, ErrorVerdict};
use crate::families::d3d11_context_ddi as ddi;
use crate::hresult::HResultCode;
use crate::id::D3d11ContextId;
use crate::rules::{Rule, rule};
use std::collections::{BTreeMap, BTreeSet};

/// A rule that an event breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    /// The rule.
    pub rule: &'static Rule,
    /// What was found, in words.
    pub what: String,
}

/// A handle of an object in some context.
#[derive(Debug, Clone)]
struct Live {
    context: D3d11ContextId,
    handle_type: HandleType,
    size_bytes: u64,
    ic_handle: DriverHandle,
    dependency: DriverHandle,
}

/// What a command list's handle of the immediate context is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListLife {
    Valid,
    OutOfUse,
    Cached,
}

/// The automata of one device: its contexts, their handles, its command lists.
#[derive(Debug, Default)]
pub struct HandleAudit {
    immediate: Option<D3d11ContextId>,
    /// Each with its handle.
    contexts: BTreeMap<D3d11ContextId, DriverHandle>,
    /// They, by their handles.
    by_device: BTreeMap<DriverHandle, D3d11ContextId>,
    core_layers: BTreeSet<DriverHandle>,
    caps: ThreadingCaps,
    sizes: Vec<HandleSize>,
    count: u32,
    live: BTreeMap<DriverHandle, Live>,
    counts: OpenCounts,
    lists: BTreeMap<DriverHandle, ListLife>,
    /// What they hold.
    holds: BTreeMap<DriverHandle, RecordedCommands>,
    recordings: Recordings,
    /// By context, the thread whose call on it ended last, and when.
    last: BTreeMap<D3d11ContextId, (u32, u64)>,
    /// Sizes of handles in deferred contexts, by handle of the immediate one.
    asked: BTreeMap<DriverHandle, u64>,
    /// By thread, the object that it has just created, whose size it asks for next.
    unasked: BTreeMap<u32, (HandleType, DriverHandle)>,
    /// The thread whose event is heard.
    thread: u32,
    /// What is open in deferred contexts: its handle of the immediate context, and which context.
    open: BTreeSet<(DriverHandle, D3d11ContextId)>,
    /// What depends on a handle: that one, and the handle that depends on it.
    dependents: BTreeSet<(DriverHandle, DriverHandle)>,
    shared: SharedData,
    lines: SharedLines,
    /// How far, at most, what a context has open lies behind its own handle, in bytes (rule H-36).
    pub farthest_bytes: u64,
    /// Polls of the sizes, by whether there was room for them.
    pub polls: Vec<bool>,
    /// How often a size was asked for.
    pub questions: u64,
    /// Events heard.
    pub events: u64,
    /// The rules broken so far, in order.
    pub broken: Vec<BrokenRule>,
}

impl HandleAudit {
    fn must(&mut self, holds: bool, rule: &'static Rule, what: impl FnOnce() -> String) {
        if !holds {
            self.broken.push(BrokenRule { rule, what: what() });
        }
    }

    /// Takes the next event of the device, whose calls are all made on one thread.
    pub fn hear(&mut self, event: &HandleEvent) {
        self.hear_in(HeardIn::default(), event);
    }

    /// Takes the next event of the device, of a call.
    pub fn hear_in(&mut self, within: HeardIn, event: &HandleEvent) {
        let thread = within.thread;
        (self.events, self.thread) = (self.events + 1, thread);
        self.in_turn(within, event);
        if let Some((rule, what)) = self.recordings.hear(event) {
            self.must(false, rule, || format!("a context {what}: {event:?}"));
        }
        let asks = matches!(event, HandleEvent::SizeAsked { .. });
        let goes_on = matches!(
            event,
            HandleEvent::Accessed { .. }
                | HandleEvent::ErrorReported { .. }
                | HandleEvent::StagingDestructionDisabled { .. }
                | HandleEvent::ListHolds { .. }
        );
        if !asks
            && !goes_on
            && let Some(unasked) = self.unasked.remove(&thread)
        {
            self.must(false, rule::H_23, || format!("the size of {unasked:?} is not asked for next"));
        }
        match event {
            HandleEvent::CapsTold(caps) => self.caps(*caps),
            HandleEvent::DeviceCreated { context, device, core_layer } => {
                self.immediate = Some(*context);
                self.contexts.insert(*context, *device);
                self.by_device.insert(*device, *context);
                self.core_layers.insert(*core_layer);
            }
            HandleEvent::SizesPolled { room, told } => self.polled(*room, told),
            HandleEvent::SizeAsked { context, handle_type, ic_handle, size_bytes } => {
                self.asked(*context, (*handle_type, *ic_handle), *size_bytes);
            }
            HandleEvent::ContextCreated { .. } | HandleEvent::ContextRecycled(_) | HandleEvent::ContextDestroyed(_) => {
                self.deferred_context(event);
            }
            HandleEvent::Created { context, handle_type, handle, has_desc } => {
                self.created(*context, *handle_type, handle, *has_desc);
            }
            HandleEvent::Destroyed { context, handle_type, handle } => self.destroyed(*context, *handle_type, *handle),
            HandleEvent::Used { context, handles } => self.used(*context, handles),
            HandleEvent::ListRecreated(_)
            | HandleEvent::ListHolds { .. }
            | HandleEvent::ListOutOfUse(_)
            | HandleEvent::ListReturned(_)
            | HandleEvent::ListExecuted { .. } => self.list(event),
            HandleEvent::ErrorReported { context, line, core_layer, code } => {
                self.reported(*context, *line, *core_layer, *code);
            }
            HandleEvent::StagingDestructionDisabled { context } => {
                let is_deferred = Some(*context) != self.immediate;
                self.must(!is_deferred, rule::H_43, || format!("it is disabled in a call on context {}", context.0));
            }
            HandleEvent::Abandoned(_) | HandleEvent::RecordedOn(_) => {}
            HandleEvent::Accessed { context, line, made, accesses } => {
                accesses.iter().for_each(|access| self.accessed(*context, (*line, *made), access));
            }
        }
    }

    /// What was said of a context.
    fn deferred_context(&mut self, event: &HandleEvent) {
        match event {
            HandleEvent::ContextCreated { by, context, device, core_layer, slots } => {
                let is_new = self.contexts.insert(*context, *device).is_none() && self.core_layers.insert(*core_layer);
                self.by_device.insert(*device, *context);
                self.must(is_new, rule::H_40, || format!("context {} has another one's handle", context.0));
                let through = self.immediate;
                self.must(through == Some(*by), rule::H_25, || format!("through the table of context {}", by.0));
                let missing: Vec<u32> = required().into_iter().filter(|slot| !slots.contains(slot)).collect();
                self.must(missing.is_empty(), rule::H_42, || {
                    format!("slots {missing:?} of context {} are empty", context.0)
                });
            }
            HandleEvent::ContextRecycled(context) => self.nothing_is_open(*context),
            HandleEvent::ContextDestroyed(context) => {
                self.nothing_is_open(*context);
                if let Some(device) = self.contexts.remove(context) {
                    self.by_device.remove(&device);
                }
                self.last.remove(context);
                if Some(*context) == self.immediate {
                    self.lines = SharedLines::default();
                }
            }
            _ => {}
        }
    }

    /// What was said of a command list.
    fn list(&mut self, event: &HandleEvent) {
        match event {
            HandleEvent::ListRecreated(list) => {
                self.moves(*list, (ListLife::Cached, ListLife::Valid), rule::H_50);
                self.shared.forget(*list);
                self.unasked.insert(self.thread, (HandleType::COMMANDLIST, *list));
            }
            HandleEvent::ListHolds { list, commands } => {
                self.holds.insert(*list, *commands);
            }
            HandleEvent::ListOutOfUse(list) => {
                self.moves(*list, (ListLife::Valid, ListLife::OutOfUse), rule::H_54);
                let open = self.opened_of(*list).is_some();
                self.must(!open, rule::H_03, || format!("list {list:?} is open, and out of use"));
            }
            HandleEvent::ListReturned(list) => self.moves(*list, (ListLife::OutOfUse, ListLife::Cached), rule::H_54),
            HandleEvent::ListExecuted { context, list, commands } => {
                self.used(*context, &[*list]);
                let of = self.live.get(list).map(|live| live.ic_handle).filter(|ic| ic.0 != 0).unwrap_or(*list);
                let valid = self.lists.get(&of) == Some(&ListLife::Valid);
                self.must(valid, rule::H_54, || format!("list {list:?} is executed, and out of use"));
                let holds = self.holds.get(&of).copied();
                let rule = if Some(*context) == self.immediate { rule::H_65 } else { rule::H_59 };
                self.must(holds.is_none_or(|holds| holds == *commands), rule, || {
                    format!("list {list:?} holds {holds:?}, and {commands:?} was executed")
                });
                if Some(*context) == self.immediate {
                    // What is wrong with the list itself is told once, and is no matter of who else executes it.
                    self.holds.insert(of, *commands);
                }
            }
            _ => {}
        }
    }

    /// Calls on a context do not overlap (rule H-80).
    fn in_turn(&mut self, HeardIn { thread, began, at }: HeardIn, event: &HandleEvent) {
        let Some(context) = event.serial(self.immediate) else { return };
        if let Some((other, ended)) = self.last.insert(context, (thread, at)) {
            self.must(other == thread || ended <= began, rule::H_80, || {
                format!("threads {other} and {thread} are in calls on context {} at once", context.0)
            });
        }
    }

    fn caps(&mut self, caps: ThreadingCaps) {
        self.caps = caps;
        let lists = caps.contains(ThreadingCaps::COMMANDLISTS_BUILD_2);
        let free = caps.contains(ThreadingCaps::FREETHREADED);
        self.must(!lists || free, rule::H_21, || format!("the caps are {caps:?}"));
    }

    fn polled(&mut self, room: bool, told: &HandleSizes) {
        let first = self.polls.is_empty() && self.live.is_empty();
        let order = if room { self.polls == [false] } else { first };
        self.must(order, rule::H_20, || format!("the sizes are polled out of order, with room {room}"));
        self.polls.push(room);
        if !room {
            self.count = told.count;
            return;
        }
        let (before, count) = (self.count, told.count);
        self.must(count <= before, rule::H_20, || format!("{before} sizes were told of, then {count}"));
        for size in &told.sizes {
            let known = size.size_bytes > 0 && size.handle_type.0 <= HandleType::CACHESESSION.0;
            self.must(known, rule::H_22, || format!("a size told is {size:?}"));
        }
        self.sizes = told.sizes.iter().copied().take(before as usize).collect();
    }

    fn asked(&mut self, context: D3d11ContextId, (handle_type, ic): (HandleType, DriverHandle), size_bytes: u64) {
        let through = self.immediate;
        self.must(through == Some(context), rule::H_25, || format!("through the table of context {}", context.0));
        let next = self.unasked.remove(&self.thread);
        self.must(next == Some((handle_type, ic)), rule::H_23, || format!("{ic:?} was not created just now"));
        let polled = self.polls == [false, true];
        self.must(polled, rule::H_20, || "a size is asked for before the two polls".to_owned());
        self.questions += 1;
        let listed = self.sizes.contains(&HandleSize { handle_type, size_bytes });
        let known = self.sizes.iter().any(|size| size.handle_type == handle_type);
        let rule = if !known && handle_type == HandleType::COMMANDLIST { rule::H_29 } else { rule::H_24 };
        self.must(listed, rule, || format!("{size_bytes} bytes of {handle_type:?} were not told"));
        let before = self.asked.insert(ic, size_bytes);
        self.must(before.is_none_or(|before| before == size_bytes), rule::H_27, || {
            format!("the handles of {ic:?} have {size_bytes} bytes, and had {before:?}")
        });
    }

    fn nothing_is_open(&mut self, context: D3d11ContextId) {
        let open = self.open_in(context);
        self.must(open == 0, rule::H_50, || format!("{open} handles are open in context {}", context.0));
    }

    fn created(&mut self, context: D3d11ContextId, handle_type: HandleType, made: &CreateHandle, has_desc: bool) {
        let is_immediate = Some(context) == self.immediate;
        let there = self.contexts.contains_key(&context);
        self.must(there, rule::H_06, || format!("there is no context {}", context.0));
        let (handle, dependency) = (made.driver_handle, made.dependency_handle);
        let last = |handle: DriverHandle, size_bytes: u64| handle.0 + size_bytes.max(1) - 1;
        let end = last(handle, made.size_bytes);
        // Live handles are apart, so only the last one that begins before the end can touch.
        let near = self
            .live
            .range(..=DriverHandle(end))
            .next_back()
            .map(|(other, live)| (*other, last(*other, live.size_bytes)));
        let apart = near.is_none_or(|(_, before)| before < handle.0);
        self.must(apart, rule::H_11, || format!("{made:?} lies on {near:?}"));
        self.lies_with_its_own(context, handle, end);
        let needs = lines::depends(handle_type);
        let of = self.live.get(&dependency).map(|of| (of.context, of.handle_type));
        let depends = if needs { of == Some((context, HandleType::RESOURCE)) } else { dependency.0 == 0 };
        self.must(depends, rule::H_08, || format!("{made:?} depends on {of:?}"));
        if is_immediate {
            let told = (made.ic_handle.0, made.args_null, made.args_zero) == (0, false, false) && has_desc;
            self.must(told, rule::H_03, || format!("{made:?} in the immediate context"));
            // A driver that builds no command lists is not asked.
            if !self.polls.is_empty() {
                self.unasked.insert(self.thread, (handle_type, handle));
            }
            if handle_type == HandleType::COMMANDLIST {
                self.lists.insert(handle, ListLife::Valid);
            }
        } else {
            self.opened(context, handle_type, made, has_desc, needs);
        }
        let (size_bytes, ic_handle) = (made.size_bytes, made.ic_handle);
        if ic_handle.0 != 0 {
            self.open.insert((ic_handle, context));
        }
        if dependency.0 != 0 {
            self.dependents.insert((dependency, handle));
        }
        self.counts.add(context);
        let live = Live { context, handle_type, size_bytes, ic_handle, dependency };
        let same = self.live.insert(handle, live);
        same.into_iter().for_each(|same| self.counts.remove(same.context));
    }

    fn opened(&mut self, context: D3d11ContextId, of: HandleType, made: &CreateHandle, has_desc: bool, needs: bool) {
        let ic = self.live.get(&made.ic_handle).map(|ic| (Some(ic.context), ic.handle_type));
        let is_ic = ic == Some((self.immediate, of));
        self.must(is_ic, rule::H_05, || format!("{:?} is no handle of the immediate context", made.ic_handle));
        let args = (made.args_null, made.args_zero, has_desc) == (!needs, needs, false);
        self.must(args, if needs { rule::H_08 } else { rule::H_07 }, || format!("{made:?}"));
        let size = self.asked.get(&made.ic_handle).copied();
        self.must(size == Some(made.size_bytes), rule::H_27, || format!("{made:?}, and {size:?} bytes were asked for"));
        let twice = self.open.contains(&(made.ic_handle, context));
        self.must(!twice, rule::H_01, || format!("{:?} is open already in context {}", made.ic_handle, context.0));
    }

    /// A new handle shares no line with another context's (rule H-33), and lies behind its own context's (rule H-36).
    fn lies_with_its_own(&mut self, context: D3d11ContextId, handle: DriverHandle, end: u64) {
        let line = |address: u64| address / LINE_BYTES;
        let before = self.live.range(..handle).next_back();
        let before = before.filter(|(first, live)| line(first.0 + live.size_bytes.max(1) - 1) == line(handle.0));
        let behind = self.live.range(DriverHandle(handle.0 + 1)..).next();
        let behind = behind.filter(|(first, _)| line(first.0) == line(end));
        let other = [before, behind].into_iter().flatten().find(|(_, live)| live.context != context);
        let other = other.map(|(first, live)| (*first, live.context));
        self.must(other.is_none(), rule::H_33, || format!("{handle:?} of {context:?} shares a line with {other:?}"));
        if Some(context) == self.immediate {
            return;
        }
        let nearest = self.by_device.range(..=handle).next_back().map(|(device, of)| (*device, *of));
        let own = self.contexts.get(&context).copied();
        self.must(nearest.map(|(device, _)| device) == own, rule::H_36, || {
            format!("{handle:?} of {context:?} lies behind {nearest:?}")
        });
        let distance = nearest.map_or(0, |(device, _)| handle.0 - device.0);
        self.farthest_bytes = self.farthest_bytes.max(distance);
    }

    fn destroyed(&mut self, context: D3d11ContextId, handle_type: HandleType, handle: DriverHandle) {
        let live = self.live.remove(&handle);
        let is = live.as_ref().map(|live| (live.context, live.handle_type)) == Some((context, handle_type));
        self.must(is, rule::H_06, || format!("{handle:?} is destroyed, and was {live:?}"));
        if let Some(live) = &live {
            self.counts.remove(live.context);
            self.open.remove(&(live.ic_handle, live.context));
            self.dependents.remove(&(live.dependency, handle));
        }
        let of = (handle, DriverHandle::default())..=(handle, DriverHandle(u64::MAX));
        let dependent = self.dependents.range(of).next().map(|(_, dependent)| *dependent);
        self.must(dependent.is_none(), rule::H_09, || format!("{dependent:?} depends on {handle:?}, and outlives it"));
        let opened = self.opened_of(handle);
        self.must(opened.is_none(), rule::H_03, || format!("{handle:?} is still open in {opened:?}"));
        self.asked.remove(&handle);
        self.lists.remove(&handle);
        self.holds.remove(&handle);
        self.shared.forget(handle);
    }

    fn used(&mut self, context: D3d11ContextId, handles: &[DriverHandle]) {
        for handle in handles.iter().filter(|handle| handle.0 != 0) {
            let of = self.live.get(handle).map(|live| live.context);
            self.must(of == Some(context), rule::H_06, || format!("{handle:?} of {of:?} is used in {context:?}"));
        }
    }

    /// A deferred context in which an object is open, by its handle of the immediate one.
    fn opened_of(&self, ic: DriverHandle) -> Option<D3d11ContextId> {
        let contexts = (ic, D3d11ContextId(0))..=(ic, D3d11ContextId(u64::MAX));
        self.open.range(contexts).next().map(|(_, context)| *context)
    }

    fn moves(&mut self, list: DriverHandle, (from, to): (ListLife, ListLife), rule: &'static Rule) {
        let was = self.lists.insert(list, to);
        self.must(was == Some(from), rule, || format!("list {list:?} was {was:?}, and is to be {to:?}"));
    }

    fn reported(&mut self, context: D3d11ContextId, line: u16, core_layer: DriverHandle, code: HResultCode) {
        let own = DriverHandle(context.0);
        let is_deferred = Some(context) != self.immediate;
        let of_handle = if is_deferred { rule::H_71 } else { rule::H_70 };
        self.must(core_layer == own, of_handle, || {
            format!("{code:?} is reported with {core_layer:?}; expected {own:?}")
        });
        let class = ErrorClass::of(line);
        let verdict = class.verdict(is_deferred, code);
        let again = if is_deferred { self.recordings.reported(context, verdict) } else { None };
        let broken = if verdict == ErrorVerdict::Critical { Some(ErrorClass::broken_rule(line)) } else { again };
        if let Some(broken) = broken {
            self.must(false, broken, || format!("{code:?} is reported of a call of the class {class:?}"));
        }
    }

    /// The handle whose memory an address lies in, and its context.
    fn region(&self, address: u64) -> Option<(DriverHandle, D3d11ContextId)> {
        let (first, live) = self.live.range(..=DriverHandle(address)).next_back()?;
        let inside = address - first.0 < live.size_bytes;
        inside.then_some((*first, live.context))
    }

    /// The context whose memory an address lies in, and the handle; of a context's own, the address is told by its handle.
    fn owner(&self, access: &HandleAccess, address: u64) -> Option<(DriverHandle, D3d11ContextId)> {
        let device = || [access.handle, DriverHandle(address)].into_iter().find(|at| self.by_device.contains_key(at));
        self.region(address).or_else(|| device().and_then(|at| Some((at, *self.by_device.get(&at)?))))
    }

    /// An address that no handle's memory has lies just behind one's.
    fn is_behind_the_end(&self, address: u64) -> bool {
        let before = self.live.range(..=DriverHandle(address)).next_back();
        before.is_some_and(|(first, live)| address - first.0 < live.size_bytes + LINE_BYTES)
    }

    fn accessed(&mut self, context: D3d11ContextId, (line, made): (u16, DriverHandle), access: &HandleAccess) {
        let address = access.handle.0.wrapping_add(access.offset_bytes);
        let is_deferred = Some(context) != self.immediate;
        let Some((handle, owner)) = self.owner(access, address) else {
            let null = access.handle.0 == 0;
            let rule = if self.is_behind_the_end(address) { rule::H_11 } else { rule::H_38 };
            return self.must(!null, rule, || format!("0x{address:x} is behind no handle"));
        };
        if !is_deferred && Some(owner) != self.immediate {
            // The immediate context's table sums up what a deferred one has recorded.
            return;
        }
        let is_object = self.live.contains_key(&handle);
        if access.is_write && handle != made && !is_deferred && self.is_anybodys(line) {
            let rule = if line == ddi::CalcDeferredContextHandleSize::ID { rule::H_81 } else { rule::H_80 };
            return self.must(false, rule, || format!("a function that any thread may call writes: {access:?}"));
        }
        if Some(owner) == self.immediate && !is_object {
            // The device's own memory is every context's to use, each on lines of its own.
            let offset_bytes = address - handle.0;
            let alone = self.lines.access(context, &HandleAccess { handle, offset_bytes, ..*access });
            return self.must(alone, rule::H_32, || {
                format!("in a call on {context:?} a line is touched that another context has: {access:?}")
            });
        }
        let is_own = owner == context || Some(owner) == self.immediate && !access.is_write;
        self.must(is_own, rule::H_38, || {
            format!("in a call on {context:?} memory of {owner:?} is touched: {access:?}")
        });
        if Some(owner) == self.immediate && handle != made {
            let offset_bytes = address - handle.0;
            let broken = self.shared.access(is_deferred, &HandleAccess { handle, offset_bytes, ..*access });
            if let Some(rule) = broken {
                self.must(false, rule, || format!("in a call on {context:?}: {access:?}"));
            }
        }
    }

    /// Any thread may make a call of this line at any time, so that it may write nothing but what it makes.
    fn is_anybodys(&self, line: u16) -> bool {
        line == ddi::CalcDeferredContextHandleSize::ID
            || self.caps.contains(ThreadingCaps::FREETHREADED) && lines::is_free_threaded(line)
    }

    /// How many live handles the object has whose handle of the immediate context this is.
    pub fn handles_of(&self, ic: DriverHandle) -> usize {
        usize::from(self.live.contains_key(&ic)) + self.live.values().filter(|live| live.ic_handle == ic).count()
    }

    /// How many handles live in a context.
    pub fn open_in(&self, context: D3d11ContextId) -> usize {
        self.counts.of(context)
    }

    /// Nothing is left.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.contexts.is_empty()
    }
}
