//! Listens to the driver interface of contexts, and says where it breaks a rule. It knows nothing of the runtime.

use std::collections::{BTreeMap, BTreeSet};
use taut_schemas::{
    Call, CreateHandle, D3d11ContextId, Decoder, DriverHandle, EventCode, Field, HandleType, Opcode, PrivateSize,
    d3d11_context_ddi as ddi,
};

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

/// What has been heard so far.
#[derive(Debug, Default)]
pub struct Audit {
    immediate: Option<D3d11ContextId>,
    contexts: BTreeSet<D3d11ContextId>,
    core_layers: BTreeSet<DriverHandle>,
    live: BTreeMap<DriverHandle, Live>,
    lists: BTreeMap<DriverHandle, ListLife>,
    /// Sizes of handles in deferred contexts, by handle of the immediate one.
    sizes: BTreeMap<DriverHandle, u64>,
    /// The object that was just created, whose size is asked for next.
    unasked: Option<(HandleType, DriverHandle)>,
    asking: Option<DriverHandle>,
    /// Polls of the sizes, by whether there was room for them.
    pub polls: Vec<bool>,
    pub asked: u64,
}

fn decoded<C: Call>(code: EventCode, row: &[u8]) -> Option<C> {
    let is = code == EventCode::new(C::ID, Opcode::Start);
    is.then(|| C::decode(&mut Decoder::new(row)).unwrap())
}

impl Audit {
    /// An event of the interface.
    pub fn hear(&mut self, code: EventCode, row: &[u8]) {
        if code == EventCode::new(ddi::CalcDeferredContextHandleSize::ID, Opcode::Stop) {
            let size = PrivateSize::decode(&mut Decoder::new(row)).unwrap().size_bytes;
            let before = self.sizes.insert(self.asking.take().unwrap(), size);
            assert!(before.is_none_or(|before| before == size), "H-27: {before:?}, then {size}");
            return;
        }
        if code.opcode() != Some(Opcode::Start) {
            return;
        }
        if let Some(call) = decoded::<ddi::CalcDeferredContextHandleSize>(code, row) {
            assert_eq!(Some(call.context), self.immediate, "H-25");
            assert_eq!(self.unasked.take(), Some((call.handle_type, call.ic_handle)), "H-23");
            assert_eq!(self.polls, [false, true], "H-20");
            self.asked += 1;
            self.asking = Some(call.ic_handle);
            return;
        }
        assert_eq!(self.unasked, None, "H-23: the size is asked for next");
        self.device(code, row);
        self.handles(code, row);
        self.uses(code, row);
        self.lists(code, row);
    }

    fn device(&mut self, code: EventCode, row: &[u8]) {
        if let Some(call) = decoded::<ddi::CreateDevice>(code, row) {
            self.immediate = Some(call.context);
            self.contexts.insert(call.context);
            self.core_layers.insert(call.core_layer);
        } else if let Some(call) = decoded::<ddi::CheckDeferredContextHandleSizes>(code, row) {
            assert!(self.live.is_empty(), "H-20: before anything else");
            self.polls.push(call.capacity.is_some());
        } else if let Some(call) = decoded::<ddi::CreateDeferredContext>(code, row) {
            assert!(self.contexts.insert(call.deferred_context), "H-40");
            assert!(self.core_layers.insert(call.core_layer), "H-40: a core-layer handle of its own");
            assert_eq!(Some(call.context), self.immediate);
        } else if let Some(call) = decoded::<ddi::RecycleCreateDeferredContext>(code, row) {
            self.nothing_is_open(call.deferred_context);
        } else if let Some(call) = decoded::<ddi::DestroyDevice>(code, row) {
            self.nothing_is_open(call.context);
            assert!(self.contexts.remove(&call.context));
        }
    }

    fn nothing_is_open(&self, context: D3d11ContextId) {
        let open: Vec<_> = self.live.values().filter(|live| live.context == context).collect();
        assert!(open.is_empty(), "H-50: {open:?}");
    }

    fn handles(&mut self, code: EventCode, row: &[u8]) {
        if let Some(call) = decoded::<ddi::CreateResource>(code, row) {
            self.create(call.context, HandleType::RESOURCE, &call.handle, call.desc.is_some());
        } else if let Some(call) = decoded::<ddi::CreateShaderResourceView>(code, row) {
            self.create(call.context, HandleType::SHADERRESOURCEVIEW, &call.handle, call.desc.is_some());
        } else if let Some(call) = decoded::<ddi::CreateBlendState>(code, row) {
            let has_desc = !call.desc.render_targets.is_empty();
            self.create(call.context, HandleType::BLENDSTATE, &call.handle, has_desc);
        } else if let Some(call) = decoded::<ddi::DestroyResource>(code, row) {
            self.destroy(call.context, HandleType::RESOURCE, call.handle);
        } else if let Some(call) = decoded::<ddi::DestroyShaderResourceView>(code, row) {
            self.destroy(call.context, HandleType::SHADERRESOURCEVIEW, call.handle);
        } else if let Some(call) = decoded::<ddi::DestroyBlendState>(code, row) {
            self.destroy(call.context, HandleType::BLENDSTATE, call.handle);
        }
    }

    fn create(&mut self, context: D3d11ContextId, handle_type: HandleType, made: &CreateHandle, has_desc: bool) {
        let is_immediate = Some(context) == self.immediate;
        assert!(self.contexts.contains(&context), "H-06");
        let (handle, dependency) = (made.driver_handle, made.dependency_handle);
        let last = |handle: DriverHandle, size_bytes: u64| handle.0 + size_bytes.max(1) - 1;
        for (other, live) in &self.live {
            let apart = last(*other, live.size_bytes) < handle.0 || last(handle, made.size_bytes) < other.0;
            assert!(apart, "H-11: {made:?} and {other:?} {live:?}");
        }
        let needs = handle_type == HandleType::SHADERRESOURCEVIEW;
        assert_eq!(dependency.0 != 0, needs, "H-08");
        if needs {
            let of = self.live.get(&dependency).expect("H-09: its resource has a handle");
            assert_eq!((of.context, of.handle_type), (context, HandleType::RESOURCE), "H-08");
        }
        if is_immediate {
            assert_eq!((made.ic_handle.0, made.args_null, made.args_zero), (0, false, false), "H-04");
            assert!(has_desc || handle_type == HandleType::COMMANDLIST);
            // A driver that builds no command lists is not asked.
            self.unasked = Some((handle_type, handle)).filter(|_| !self.polls.is_empty());
        } else {
            let ic = self.live.get(&made.ic_handle).expect("H-05: the handle of the immediate context");
            assert_eq!((Some(ic.context), ic.handle_type), (self.immediate, handle_type), "H-05");
            assert_eq!((made.args_null, made.args_zero, has_desc), (!needs, needs, false), "H-07, H-08");
            assert_eq!(Some(&made.size_bytes), self.sizes.get(&made.ic_handle), "H-27");
            let twice = self.live.values().any(|live| (live.context, live.ic_handle) == (context, made.ic_handle));
            assert!(!twice, "H-01");
        }
        let (size_bytes, ic_handle) = (made.size_bytes, made.ic_handle);
        self.live.insert(handle, Live { context, handle_type, size_bytes, ic_handle, dependency });
    }

    fn destroy(&mut self, context: D3d11ContextId, handle_type: HandleType, handle: DriverHandle) {
        let live = self.live.remove(&handle).expect("a live handle");
        assert_eq!((live.context, live.handle_type), (context, handle_type), "H-06");
        let left = self.live.values().find(|other| other.ic_handle == handle || other.dependency == handle);
        assert!(left.is_none(), "H-03, H-09: {left:?} outlives {live:?}");
        self.sizes.remove(&handle);
    }

    fn uses(&self, code: EventCode, row: &[u8]) {
        if let Some(call) = decoded::<ddi::ResourceCopy>(code, row) {
            self.known(call.context, &[call.destination, call.source]);
        } else if let Some(call) = decoded::<ddi::SetBlendState>(code, row) {
            self.known(call.context, &[call.blend_state]);
        } else if let Some(call) = decoded::<ddi::SetShaderResources>(code, row) {
            self.known(call.context, &call.views);
        } else if let Some(call) = decoded::<ddi::SetConstantBuffers>(code, row) {
            self.known(call.context, &call.buffers);
        } else if let Some(call) = decoded::<ddi::DynamicResourceMap>(code, row) {
            self.known(call.context, &[call.resource]);
        } else if let Some(call) = decoded::<ddi::DynamicResourceUnmap>(code, row) {
            self.known(call.context, &[call.resource]);
        }
    }

    fn known(&self, context: D3d11ContextId, handles: &[DriverHandle]) {
        for handle in handles.iter().filter(|handle| handle.0 != 0) {
            let live = self.live.get(handle).expect("a live handle");
            assert_eq!(live.context, context, "H-38: {live:?}");
        }
    }

    fn lists(&mut self, code: EventCode, row: &[u8]) {
        let kind = HandleType::COMMANDLIST;
        if let Some(call) = decoded::<ddi::CreateCommandList>(code, row) {
            self.create(call.context, kind, &call.handle, false);
            if Some(call.context) == self.immediate {
                self.lists.insert(call.handle.driver_handle, ListLife::Valid);
            }
        } else if let Some(call) = decoded::<ddi::RecycleCreateCommandList>(code, row) {
            assert_eq!(self.lists.insert(call.command_list, ListLife::Valid), Some(ListLife::Cached), "H-50");
            self.unasked = Some((kind, call.command_list));
        } else if let Some(call) = decoded::<ddi::RecycleDestroyCommandList>(code, row) {
            assert_eq!(self.lists.insert(call.command_list, ListLife::OutOfUse), Some(ListLife::Valid), "H-54");
            let open = self.live.values().any(|live| live.ic_handle == call.command_list);
            assert!(!open, "H-03: a list that is open is out of use");
        } else if let Some(call) = decoded::<ddi::RecycleCommandList>(code, row) {
            assert_eq!(self.lists.insert(call.command_list, ListLife::Cached), Some(ListLife::OutOfUse), "H-55");
        } else if let Some(call) = decoded::<ddi::DestroyCommandList>(code, row) {
            if Some(call.context) == self.immediate {
                assert!(self.lists.remove(&call.command_list).is_some());
            }
            self.destroy(call.context, kind, call.command_list);
        } else if let Some(call) = decoded::<ddi::CommandListExecute>(code, row) {
            self.known(call.context, &[call.command_list]);
            let ic = match self.live[&call.command_list].ic_handle {
                DriverHandle(0) => call.command_list,
                ic => ic,
            };
            assert_eq!(self.lists.get(&ic), Some(&ListLife::Valid), "H-54");
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
