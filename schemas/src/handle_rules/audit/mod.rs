//! Tracks live handles, and reports broken rules.

mod memory;

use crate::d3d11_context_desc::{CreateHandle, HandleSize, HandleSizes, HandleType, RecordedCommands, ThreadingCaps};
use crate::desc::DriverHandle;
use crate::error_class::{ErrorClass, ErrorVerdict};
use crate::handle_rules::accesses::{LINE_BYTES, SharedData, SharedLines};
use crate::handle_rules::describe::{Words, bytes_or_none, or_none};
use crate::handle_rules::event::{CallSpan, HandleEvent};
use crate::handle_rules::lines;
use crate::handle_rules::open_counts::OpenCounts;
use crate::handle_rules::recording::Recordings;
use crate::handle_rules::slots::required;
use crate::hresult::HResultCode;
use crate::id::D3d11ContextId;
use crate::rules::{Rule, rule};
use std::collections::{BTreeMap, BTreeSet};

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenRule {
    pub rule: &'static Rule,
    pub what: String,
}

/// A live handle of an object in some context.
#[derive(Debug, Clone)]
struct Live {
    context: D3d11ContextId,
    handle_type: HandleType,
    size_bytes: u64,
    ic_handle: DriverHandle,
    dependency: DriverHandle,
}

/// State of a command list's handle of the immediate context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListLife {
    Valid,
    OutOfUse,
    Cached,
}

impl ListLife {
    fn name(self) -> &'static str {
        match self {
            ListLife::Valid => "valid",
            ListLife::OutOfUse => "out of use",
            ListLife::Cached => "cached",
        }
    }
}

/// State of one device for the checks: its contexts, their handles, its command lists.
#[derive(Debug, Default)]
pub struct HandleAudit {
    immediate: Option<D3d11ContextId>,
    /// Handle of each context.
    contexts: BTreeMap<D3d11ContextId, DriverHandle>,
    /// Context of each handle in `contexts`.
    by_device: BTreeMap<DriverHandle, D3d11ContextId>,
    core_layers: BTreeSet<DriverHandle>,
    caps: ThreadingCaps,
    sizes: Vec<HandleSize>,
    count: u32,
    live: BTreeMap<DriverHandle, Live>,
    counts: OpenCounts,
    lists: BTreeMap<DriverHandle, ListLife>,
    /// Contents of command lists, by handle of the immediate context.
    holds: BTreeMap<DriverHandle, RecordedCommands>,
    recordings: Recordings,
    /// Per context, the thread of the call that ended last, and its stamp.
    last: BTreeMap<D3d11ContextId, (u32, u64)>,
    /// Sizes of handles in deferred contexts, by handle of the immediate context.
    queried: BTreeMap<DriverHandle, u64>,
    /// Per thread, the object that it has just created, whose size it has to query next.
    unqueried: BTreeMap<u32, (HandleType, DriverHandle)>,
    /// The thread of the current event.
    thread: u32,
    /// Objects open in deferred contexts: handle of the immediate context, and deferred context.
    open: BTreeSet<(DriverHandle, D3d11ContextId)>,
    /// Dependencies: a handle, and a handle that depends on it.
    dependents: BTreeSet<(DriverHandle, DriverHandle)>,
    shared: SharedData,
    lines: SharedLines,
    /// Max distance of an open handle from its context's own handle, in bytes (rule H-36).
    pub max_distance_bytes: u64,
    /// Polls of the sizes: false for a query of their number, true for one with space for them.
    pub polls: Vec<bool>,
    /// Number of queries for a size.
    pub questions: u64,
    /// Number of events processed.
    pub events: u64,
    /// The violations so far, in order.
    pub broken: Vec<BrokenRule>,
}

impl HandleAudit {
    fn must(&mut self, holds: bool, rule: &'static Rule, what: impl FnOnce() -> String) {
        if !holds {
            self.broken.push(BrokenRule { rule, what: what() });
        }
    }

    /// Processes the next event of the device, all of whose calls are made on one thread.
    pub fn on_event(&mut self, event: &HandleEvent) {
        self.on_event_in(CallSpan::default(), event);
    }

    /// Processes the next event of the device, from a call.
    pub fn on_event_in(&mut self, within: CallSpan, event: &HandleEvent) {
        let thread = within.thread;
        (self.events, self.thread) = (self.events + 1, thread);
        self.in_turn(within, event);
        if let Some((rule, context, what)) = self.recordings.on_event(event) {
            self.must(false, rule, || format!("{} {what}", Words(context)));
        }
        let is_query = matches!(event, HandleEvent::SizeQueried { .. });
        let goes_on = matches!(
            event,
            HandleEvent::Accessed { .. }
                | HandleEvent::ErrorReported { .. }
                | HandleEvent::StagingDestructionDisabled { .. }
                | HandleEvent::ListHolds { .. }
        );
        // The size of a new object has to be queried before the thread's next call (rule H-23).
        if !is_query
            && !goes_on
            && let Some(unqueried) = self.unqueried.remove(&thread)
        {
            self.must(false, rule::H_23, || {
                format!("the size of {} of type {:?} is not queried next", Words(unqueried.1), unqueried.0)
            });
        }
        match event {
            HandleEvent::CapsReturned(caps) => self.caps(*caps),
            HandleEvent::DeviceCreated { context, device, core_layer } => {
                self.immediate = Some(*context);
                self.contexts.insert(*context, *device);
                self.by_device.insert(*device, *context);
                self.core_layers.insert(*core_layer);
            }
            HandleEvent::SizesPolled { room, sizes } => self.polled(*room, sizes),
            HandleEvent::SizeQueried { context, handle_type, ic_handle, size_bytes } => {
                self.queried(*context, *handle_type, *ic_handle, *size_bytes);
            }
            HandleEvent::ContextCreated { .. } | HandleEvent::ContextRecycled(_) | HandleEvent::ContextDestroyed(_) => {
                self.deferred_context(event);
            }
            HandleEvent::Created { context, handle_type, handle, has_desc } => {
                self.created(*context, *handle_type, handle, *has_desc);
            }
            HandleEvent::Destroyed { context, handle_type, handle } => self.destroyed(*context, *handle_type, *handle),
            HandleEvent::Used { context, handles, .. } => self.used(*context, handles),
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
            HandleEvent::Accessed { context, line, created_handle, accesses } => {
                accesses.iter().for_each(|access| self.accessed(*context, *line, *created_handle, access));
            }
            _ => {}
        }
    }

    /// Checks an event of a context.
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
                    let slots: Vec<String> = missing.iter().map(u32::to_string).collect();
                    format!("slots {} of context {} are empty", slots.join(", "), context.0)
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
                    // The immediate context's destruction ends the device, and with it the device's memory.
                    self.lines = SharedLines::default();
                }
            }
            _ => {}
        }
    }

    /// Checks an event of a command list.
    fn list(&mut self, event: &HandleEvent) {
        match event {
            HandleEvent::ListRecreated(list) => {
                self.moves(*list, ListLife::Cached, ListLife::Valid, rule::H_50);
                self.shared.forget(*list);
                self.unqueried.insert(self.thread, (HandleType::COMMANDLIST, *list));
            }
            HandleEvent::ListHolds { list, commands, .. } => {
                self.holds.insert(*list, *commands);
            }
            HandleEvent::ListOutOfUse(list) => {
                self.moves(*list, ListLife::Valid, ListLife::OutOfUse, rule::H_54);
                let open = self.opened_of(*list).is_some();
                self.must(!open, rule::H_03, || format!("command list {} is open and out of use", Words(*list)));
            }
            HandleEvent::ListReturned(list) => self.moves(*list, ListLife::OutOfUse, ListLife::Cached, rule::H_54),
            HandleEvent::ListExecuted { context, list, commands } => {
                self.used(*context, &[*list]);
                let of = self.live.get(list).map(|live| live.ic_handle).filter(|ic| ic.0 != 0).unwrap_or(*list);
                let valid = self.lists.get(&of) == Some(&ListLife::Valid);
                self.must(valid, rule::H_54, || format!("command list {} is executed and out of use", Words(*list)));
                let holds = self.holds.get(&of).copied();
                let rule = if Some(*context) == self.immediate { rule::H_65 } else { rule::H_59 };
                self.must(holds.is_none_or(|holds| holds == *commands), rule, || {
                    let held =
                        holds.map_or_else(|| "nothing".to_owned(), |held| held.commands.to_string() + " commands");
                    format!(
                        "command list {} holds {held} (digest {:#x}); {} commands (digest {:#x}) were executed",
                        Words(*list),
                        holds.map_or(0, |held| held.digest),
                        commands.commands,
                        commands.digest
                    )
                });
                if Some(*context) == self.immediate {
                    // A wrong content is reported once, not for every other context that executes the list.
                    self.holds.insert(of, *commands);
                }
            }
            _ => {}
        }
    }

    /// Checks that calls on a context do not overlap (rule H-80).
    fn in_turn(&mut self, CallSpan { thread, began, at }: CallSpan, event: &HandleEvent) {
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
        self.must(!lists || free, rule::H_21, || format!("the capabilities are {caps:?}"));
    }

    fn polled(&mut self, room: bool, sizes: &HandleSizes) {
        let first = self.polls.is_empty() && self.live.is_empty();
        let order = if room { self.polls == [false] } else { first };
        self.must(order, rule::H_20, || format!("the sizes are polled out of order, with room {room}"));
        self.polls.push(room);
        if !room {
            self.count = sizes.count;
            return;
        }
        let (before, count) = (self.count, sizes.count);
        self.must(count <= before, rule::H_20, || {
            format!("the first poll returned {before} sizes, the second {count}")
        });
        for size in &sizes.sizes {
            let known = size.size_bytes > 0 && size.handle_type.0 <= HandleType::CACHESESSION.0;
            self.must(known, rule::H_22, || {
                format!("type {:?} has a size of {} bytes", size.handle_type, size.size_bytes)
            });
        }
        self.sizes = sizes.sizes.iter().copied().take(before as usize).collect();
    }

    fn queried(&mut self, context: D3d11ContextId, handle_type: HandleType, ic: DriverHandle, size_bytes: u64) {
        let through = self.immediate;
        self.must(through == Some(context), rule::H_25, || format!("through the table of context {}", context.0));
        let next = self.unqueried.remove(&self.thread);
        self.must(next == Some((handle_type, ic)), rule::H_23, || format!("{} was not created just before", Words(ic)));
        let polled = self.polls == [false, true];
        self.must(polled, rule::H_20, || "a size is asked for before the two polls".to_owned());
        self.questions += 1;
        let listed = self.sizes.contains(&HandleSize { handle_type, size_bytes });
        let known = self.sizes.iter().any(|size| size.handle_type == handle_type);
        let rule = if !known && handle_type == HandleType::COMMANDLIST { rule::H_29 } else { rule::H_24 };
        self.must(listed, rule, || {
            format!("{size_bytes} bytes for type {handle_type:?} were not among the polled sizes")
        });
        let before = self.queried.insert(ic, size_bytes);
        self.must(before.is_none_or(|before| before == size_bytes), rule::H_27, || {
            format!("the size of {} is {size_bytes} bytes; it was {}", Words(ic), bytes_or_none(before))
        });
    }

    fn nothing_is_open(&mut self, context: D3d11ContextId) {
        let open = self.open_in(context);
        self.must(open == 0, rule::H_50, || format!("{open} handles are open in context {}", context.0));
    }

    fn created(
        &mut self,
        context: D3d11ContextId,
        handle_type: HandleType,
        created_handle: &CreateHandle,
        has_desc: bool,
    ) {
        let is_immediate = Some(context) == self.immediate;
        let is_known = self.contexts.contains_key(&context);
        self.must(is_known, rule::H_06, || format!("there is no context {}", context.0));
        let (handle, dependency) = (created_handle.driver_handle, created_handle.dependency_handle);
        let last = |handle: DriverHandle, size_bytes: u64| handle.0 + size_bytes.max(1) - 1;
        let end = last(handle, created_handle.size_bytes);
        // Live handles do not overlap, so only the last one that begins before the end can overlap the new one.
        let near = self
            .live
            .range(..=DriverHandle(end))
            .next_back()
            .map(|(other, live)| (*other, last(*other, live.size_bytes)));
        let apart = near.is_none_or(|(_, before)| before < handle.0);
        self.must(apart, rule::H_11, || {
            let other = or_none(near.map(|(other, _)| other));
            format!("{} overlaps {other}", Words(created_handle))
        });
        self.lies_with_its_own(context, handle, end);
        let needs = lines::depends(handle_type);
        let of = self.live.get(&dependency).map(|of| (of.context, of.handle_type));
        let depends = if needs { of == Some((context, HandleType::RESOURCE)) } else { dependency.0 == 0 };
        self.must(depends, rule::H_08, || format!("{} depends on {}", Words(created_handle), or_none(of)));
        if is_immediate {
            let has_arguments = (created_handle.ic_handle.0, created_handle.args_null, created_handle.args_zero)
                == (0, false, false)
                && has_desc;
            self.must(has_arguments, rule::H_03, || format!("{} in the immediate context", Words(created_handle)));
            // The size is not queried for a driver that builds no command lists.
            if !self.polls.is_empty() {
                self.unqueried.insert(self.thread, (handle_type, handle));
            }
            if handle_type == HandleType::COMMANDLIST {
                self.lists.insert(handle, ListLife::Valid);
            }
        } else {
            self.opened(context, handle_type, created_handle, has_desc, needs);
        }
        let (size_bytes, ic_handle) = (created_handle.size_bytes, created_handle.ic_handle);
        if ic_handle.0 != 0 {
            self.open.insert((ic_handle, context));
        }
        if dependency.0 != 0 {
            self.dependents.insert((dependency, handle));
        }
        self.counts.add(context);
        let live = Live { context, handle_type, size_bytes, ic_handle, dependency };
        let same = self.live.insert(handle, live);
        // A handle that was replaced at the same address must not stay counted.
        same.into_iter().for_each(|same| self.counts.remove(same.context));
    }

    fn opened(
        &mut self,
        context: D3d11ContextId,
        of: HandleType,
        created_handle: &CreateHandle,
        has_desc: bool,
        needs: bool,
    ) {
        let ic = self.live.get(&created_handle.ic_handle).map(|ic| (Some(ic.context), ic.handle_type));
        let is_ic = ic == Some((self.immediate, of));
        self.must(is_ic, rule::H_05, || {
            format!("{} is not a handle of the immediate context", Words(created_handle.ic_handle))
        });
        let args = (created_handle.args_null, created_handle.args_zero, has_desc) == (!needs, needs, false);
        self.must(args, if needs { rule::H_08 } else { rule::H_07 }, || Words(created_handle).to_string());
        let size = self.queried.get(&created_handle.ic_handle).copied();
        self.must(size == Some(created_handle.size_bytes), rule::H_27, || {
            format!("{}; the queried size is {}", Words(created_handle), bytes_or_none(size))
        });
        let twice = self.open.contains(&(created_handle.ic_handle, context));
        self.must(!twice, rule::H_01, || {
            format!("{} is already open in context {}", Words(created_handle.ic_handle), context.0)
        });
    }

    /// Checks that a new handle shares no cache line with another context's (rule H-33), and follows its own context's
    /// handle (rule H-36).
    fn lies_with_its_own(&mut self, context: D3d11ContextId, handle: DriverHandle, end: u64) {
        let line = |address: u64| address / LINE_BYTES;
        let before = self.live.range(..handle).next_back();
        let before = before.filter(|(first, live)| line(first.0 + live.size_bytes.max(1) - 1) == line(handle.0));
        let after = self.live.range(DriverHandle(handle.0 + 1)..).next();
        let after = after.filter(|(first, _)| line(first.0) == line(end));
        let other = [before, after].into_iter().flatten().find(|(_, live)| live.context != context);
        let other = other.map(|(first, live)| (*first, live.context));
        self.must(other.is_none(), rule::H_33, || {
            format!("{} shares a cache line with {}", Words((handle, context)), or_none(other))
        });
        if Some(context) == self.immediate {
            return;
        }
        let nearest = self.by_device.range(..=handle).next_back().map(|(device, of)| (*device, *of));
        let own = self.contexts.get(&context).copied();
        self.must(nearest.map(|(device, _)| device) == own, rule::H_36, || {
            format!("{} is placed after {}", Words((handle, context)), or_none(nearest))
        });
        let distance = nearest.map_or(0, |(device, _)| handle.0 - device.0);
        self.max_distance_bytes = self.max_distance_bytes.max(distance);
    }

    fn destroyed(&mut self, context: D3d11ContextId, handle_type: HandleType, handle: DriverHandle) {
        let live = self.live.remove(&handle);
        let is = live.as_ref().map(|live| (live.context, live.handle_type)) == Some((context, handle_type));
        self.must(is, rule::H_06, || {
            let was = or_none(live.as_ref().map(|live| (live.context, live.handle_type)));
            format!("{} is destroyed as type {handle_type:?} in {}; it was {was}", Words(handle), Words(context))
        });
        if let Some(live) = &live {
            self.counts.remove(live.context);
            self.open.remove(&(live.ic_handle, live.context));
            self.dependents.remove(&(live.dependency, handle));
        }
        let of = (handle, DriverHandle::default())..=(handle, DriverHandle(u64::MAX));
        let dependent = self.dependents.range(of).next().map(|(_, dependent)| *dependent);
        self.must(dependent.is_none(), rule::H_09, || {
            format!("{} depends on {} and outlives it", or_none(dependent), Words(handle))
        });
        let opened = self.opened_of(handle);
        self.must(opened.is_none(), rule::H_03, || format!("{} is still open in {}", Words(handle), or_none(opened)));
        self.queried.remove(&handle);
        self.lists.remove(&handle);
        self.holds.remove(&handle);
        self.shared.forget(handle);
    }

    fn used(&mut self, context: D3d11ContextId, handles: &[DriverHandle]) {
        for handle in handles.iter().filter(|handle| handle.0 != 0) {
            let of = self.live.get(handle).map(|live| live.context);
            self.must(of == Some(context), rule::H_06, || {
                format!("{} of {} is used in {}", Words(*handle), or_none(of), Words(context))
            });
        }
    }

    /// A deferred context in which an object is open, by the object's handle of the immediate context.
    fn opened_of(&self, ic: DriverHandle) -> Option<D3d11ContextId> {
        let contexts = (ic, D3d11ContextId(0))..=(ic, D3d11ContextId(u64::MAX));
        self.open.range(contexts).next().map(|(_, context)| *context)
    }

    fn moves(&mut self, list: DriverHandle, from: ListLife, to: ListLife, rule: &'static Rule) {
        let was = self.lists.insert(list, to);
        self.must(was == Some(from), rule, || {
            let before = was.map_or("unknown", ListLife::name);
            format!("command list {} was {before} and is to become {}", Words(list), to.name())
        });
    }

    fn reported(&mut self, context: D3d11ContextId, line: u16, core_layer: DriverHandle, code: HResultCode) {
        let own = DriverHandle(context.0);
        let is_deferred = Some(context) != self.immediate;
        let of_handle = if is_deferred { rule::H_71 } else { rule::H_70 };
        self.must(core_layer == own, of_handle, || {
            format!("{code:?} is reported with {}; expected {}", Words(core_layer), Words(own))
        });
        let class = ErrorClass::from_line(line);
        let verdict = class.verdict(is_deferred, code);
        let repeated = if is_deferred { self.recordings.reported(context, verdict) } else { None };
        let broken = if verdict == ErrorVerdict::Critical { Some(ErrorClass::broken_rule(line)) } else { repeated };
        if let Some(broken) = broken {
            self.must(false, broken, || format!("{code:?} is reported of a call of the class {class:?}"));
        }
    }

    /// Number of live handles of the object with this handle of the immediate context.
    pub fn handles_of(&self, ic: DriverHandle) -> usize {
        usize::from(self.live.contains_key(&ic)) + self.live.values().filter(|live| live.ic_handle == ic).count()
    }

    /// Number of live handles of a context.
    pub fn open_in(&self, context: D3d11ContextId) -> usize {
        self.counts.of(context)
    }

    /// True if no handle and no context is left.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.contexts.is_empty()
    }
}
