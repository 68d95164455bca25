//! Keeps what handles there are, and says where a rule is broken.

use super::accesses::SharedData;
use super::event::HandleEvent;
use super::lines;
use crate::call::Call;
use crate::d3d11_context_desc::{
    CreateHandle, FunctionTable, HandleAccess, HandleSize, HandleSizes, HandleType, ShaderStage, ThreadingCaps,
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
    core_layers: BTreeSet<DriverHandle>,
    sizes: Vec<HandleSize>,
    count: u32,
    live: BTreeMap<DriverHandle, Live>,
    lists: BTreeMap<DriverHandle, ListLife>,
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
    /// Polls of the sizes, by whether there was room for them.
    pub polls: Vec<bool>,
    /// How often a size was asked for.
    pub questions: u64,
    /// Events heard.
    pub events: u64,
    /// The rules broken so far, in order.
    pub broken: Vec<BrokenRule>,
}

/// The slots that a deferred context's table has filled (rule H-42).
fn required() -> Vec<u32> {
    let once = [
        ddi::CreateResource::ID,
        ddi::DestroyResource::ID,
        ddi::CreateCommandList::ID,
        ddi::DestroyCommandList::ID,
        ddi::ResourceCopy::ID,
        ddi::DynamicResourceMap::ID,
        ddi::DynamicResourceUnmap::ID,
        ddi::SetBlendState::ID,
        ddi::IaSetInputLayout::ID,
        ddi::IaSetVertexBuffers::ID,
        ddi::IaSetIndexBuffer::ID,
        ddi::IaSetTopology::ID,
        ddi::SetRasterizerState::ID,
        ddi::SetViewports::ID,
        ddi::SetScissorRects::ID,
        ddi::SetRenderTargets::ID,
        ddi::SetDepthStencilState::ID,
        ddi::CsSetUnorderedAccessViews::ID,
        ddi::SetPredication::ID,
        ddi::Draw::ID,
        ddi::DrawIndexed::ID,
        ddi::DrawInstanced::ID,
        ddi::DrawIndexedInstanced::ID,
        ddi::Dispatch::ID,
        ddi::ClearRenderTargetView::ID,
        ddi::ClearDepthStencilView::ID,
        ddi::ClearUnorderedAccessViewUint::ID,
        ddi::ResourceUpdateSubresource::ID,
        ddi::QueryBegin::ID,
        ddi::QueryEnd::ID,
        ddi::CommandListExecute::ID,
        ddi::AbandonCommandList::ID,
        ddi::RecycleCommandList::ID,
        ddi::DestroyDevice::ID,
    ];
    let staged = [ddi::SetShaderResources::ID, ddi::SetConstantBuffers::ID, ddi::SetSamplers::ID, ddi::SetShader::ID];
    let stages =
        staged.iter().flat_map(|line| (0..6).map(|stage| FunctionTable::stage_slot(*line, ShaderStage(stage))));
    once.iter().copied().chain(lines::object_lines()).map(FunctionTable::slot).chain(stages).collect()
}

impl HandleAudit {
    fn must(&mut self, holds: bool, rule: &'static Rule, what: impl FnOnce() -> String) {
        if !holds {
            self.broken.push(BrokenRule { rule, what: what() });
        }
    }

    /// Takes the next event of the device, whose calls are all made on one thread.
    pub fn hear(&mut self, event: &HandleEvent) {
        self.hear_on(0, event);
    }

    /// Takes the next event of the device, of a call on this thread.
    pub fn hear_on(&mut self, thread: u32, event: &HandleEvent) {
        (self.events, self.thread) = (self.events + 1, thread);
        let asks = matches!(event, HandleEvent::SizeAsked { .. });
        let goes_on = matches!(event, HandleEvent::Accessed { .. } | HandleEvent::ErrorReported { .. });
        if !asks
            && !goes_on
            && let Some(unasked) = self.unasked.remove(&thread)
        {
            self.must(false, rule::H_23, || format!("the size of {unasked:?} is not asked for next"));
        }
        match event {
            HandleEvent::CapsTold(caps) => self.caps(*caps),
            HandleEvent::DeviceCreated { context, core_layer, .. } => {
                self.immediate = Some(*context);
                self.contexts.insert(*context, DriverHandle::default());
                self.core_layers.insert(*core_layer);
            }
            HandleEvent::SizesPolled { room, told } => self.polled(*room, told),
            HandleEvent::SizeAsked { context, handle_type, ic_handle, size_bytes } => {
                self.asked(*context, (*handle_type, *ic_handle), *size_bytes);
            }
            HandleEvent::ContextCreated { by, context, device, core_layer, slots } => {
                let is_new = self.contexts.insert(*context, *device).is_none() && self.core_layers.insert(*core_layer);
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
                self.contexts.remove(context);
            }
            HandleEvent::Created { context, handle_type, handle, has_desc } => {
                self.created(*context, *handle_type, handle, *has_desc);
            }
            HandleEvent::Destroyed { context, handle_type, handle } => self.destroyed(*context, *handle_type, *handle),
            HandleEvent::Used { context, handles } => self.used(*context, handles),
            HandleEvent::ListRecreated(list) => {
                self.moves(*list, (ListLife::Cached, ListLife::Valid), rule::H_50);
                self.shared.forget(*list);
                self.unasked.insert(thread, (HandleType::COMMANDLIST, *list));
            }
            HandleEvent::ListOutOfUse(list) => {
                self.moves(*list, (ListLife::Valid, ListLife::OutOfUse), rule::H_54);
                let open = self.opened_of(*list).is_some();
                self.must(!open, rule::H_03, || format!("list {list:?} is open, and out of use"));
            }
            HandleEvent::ListReturned(list) => self.moves(*list, (ListLife::OutOfUse, ListLife::Cached), rule::H_54),
            HandleEvent::ListExecuted { context, list } => {
                self.used(*context, &[*list]);
                let of = self.live.get(list).map(|live| live.ic_handle).filter(|ic| ic.0 != 0).unwrap_or(*list);
                let valid = self.lists.get(&of) == Some(&ListLife::Valid);
                self.must(valid, rule::H_54, || format!("list {list:?} is executed, and out of use"));
            }
            HandleEvent::ErrorReported { context, line, core_layer, code } => {
                self.reported(*context, *line, *core_layer, *code);
            }
            HandleEvent::Accessed { context, made, accesses } => {
                accesses.iter().for_each(|access| self.accessed(*context, *made, access));
            }
        }
    }

    fn caps(&mut self, caps: ThreadingCaps) {
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
        self.must(listed, rule::H_24, || format!("{size_bytes} bytes of {handle_type:?} were not told"));
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
        self.live.insert(handle, Live { context, handle_type, size_bytes, ic_handle, dependency });
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

    fn destroyed(&mut self, context: D3d11ContextId, handle_type: HandleType, handle: DriverHandle) {
        let live = self.live.remove(&handle);
        let is = live.as_ref().map(|live| (live.context, live.handle_type)) == Some((context, handle_type));
        self.must(is, rule::H_06, || format!("{handle:?} is destroyed, and was {live:?}"));
        if let Some(live) = &live {
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
        self.must(core_layer == own, rule::H_71, || {
            format!("{code:?} is reported with {core_layer:?}; expected {own:?}")
        });
        let class = ErrorClass::of(line);
        let is_deferred = Some(context) != self.immediate;
        let critical = class.verdict(is_deferred, code) == ErrorVerdict::Critical;
        let broken = if class == ErrorClass::ByResult { rule::H_77 } else { rule::H_72 };
        self.must(!critical, broken, || format!("{code:?} is reported of a call of the class {class:?}"));
    }

    /// The handle whose memory an address lies in, and its context.
    fn region(&self, address: u64) -> Option<(DriverHandle, D3d11ContextId)> {
        let (first, live) = self.live.range(..=DriverHandle(address)).next_back()?;
        let inside = address - first.0 < live.size_bytes;
        inside.then_some((*first, live.context))
    }

    fn accessed(&mut self, context: D3d11ContextId, made: DriverHandle, access: &HandleAccess) {
        let address = access.handle.0.wrapping_add(access.offset_bytes);
        let is_deferred = Some(context) != self.immediate;
        let device = self
            .contexts
            .iter()
            .find(|(_, device)| device.0 != 0 && (**device == access.handle || device.0 == address));
        let owner = self.region(address).or(device.map(|(context, device)| (*device, *context)));
        let Some((handle, owner)) = owner else {
            let null = access.handle.0 == 0;
            return self.must(!null, rule::H_38, || format!("0x{address:x} is behind no handle"));
        };
        if !is_deferred && Some(owner) != self.immediate {
            // The immediate context's table sums up what a deferred one has recorded.
            return;
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

    /// How many live handles the object has whose handle of the immediate context this is.
    pub fn handles_of(&self, ic: DriverHandle) -> usize {
        usize::from(self.live.contains_key(&ic)) + self.live.values().filter(|live| live.ic_handle == ic).count()
    }

    /// How many handles live in a context.
    pub fn open_in(&self, context: D3d11ContextId) -> usize {
        self.live.values().filter(|live| live.context == context).count()
    }

    /// Nothing is left.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.contexts.is_empty()
    }
}
