//! Private data of objects: values and interfaces by GUID, and callbacks of the object's destruction.

use crate::unsafe_abi::{DestructionCallback, DestructionCallbacks, Guid, In, Interface, Out, Reference, wide_text};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use taut_schemas::{HResult, HResultCode};

/// WKPDID_D3DDebugObjectNameW: the name of an object, in wide characters with an end.
pub const WIDE_NAME: Guid = Guid::new(0x4cca5fd8_921f_42c8_8566_70caf2a9b741);
/// WKPDID_D3DDebugObjectName: the name of an object, in 8-bit characters.
const NARROW_NAME: Guid = Guid::new(0x429b8c22_9188_4b0c_8742_acb0bf85c200);

/// Private data of an object.
#[derive(Debug, Default)]
pub struct PrivateData {
    /// `None` for most objects, which have no private data.
    state: Mutex<Option<Box<State>>>,
}

#[derive(Debug, Default)]
struct State {
    items: BTreeMap<Guid, Item>,
    callbacks: BTreeMap<u32, DestructionCallback>,
    callbacks_so_far: u32,
}

#[derive(Debug, Clone)]
enum Item {
    Bytes(Arc<[u8]>),
    Interface(Arc<Reference>),
}

/// The name that a value under this GUID gives to an object.
pub fn name(id: Guid, bytes: &[u8]) -> Option<String> {
    match id {
        WIDE_NAME => Some(wide_text(bytes)),
        NARROW_NAME => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            Some(String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned())
        }
        _ => None,
    }
}

impl PrivateData {
    fn state(&self) -> MutexGuard<'_, Option<Box<State>>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// ID3D12Object::GetPrivateData. An interface gets a reference for the client.
    ///
    /// # Errors
    /// E_INVALIDARG: a pointer is NULL. DXGI_ERROR_NOT_FOUND: no value has the GUID; the size is 0.
    /// DXGI_ERROR_MORE_DATA: the output is too small; the size is the value's.
    pub fn get(&self, id: In<Guid>, size: Out<u32>, data: Out<u8>) -> HResult<()> {
        let (Some(id), Some(room)) = (id.get(), size.list(1).filter(|_| !size.is_null())) else {
            return Err(HResultCode::E_INVALIDARG);
        };
        let item = self.state().as_ref().and_then(|state| state.items.get(&id).cloned());
        let Some(item) = item else {
            size.set(0);
            return Err(HResultCode::DXGI_ERROR_NOT_FOUND);
        };
        let bytes: Arc<[u8]> = match &item {
            Item::Bytes(bytes) => Arc::clone(bytes),
            Item::Interface(reference) => Arc::new(reference.interface().address().to_ne_bytes()),
        };
        size.set(bytes.len() as u32);
        if data.is_null() {
            return Ok(());
        }
        if room.first().is_none_or(|room| (*room as usize) < bytes.len()) {
            return Err(HResultCode::DXGI_ERROR_MORE_DATA);
        }
        if let Item::Interface(reference) = &item {
            reference.interface().add_reference();
        }
        data.set_list(&bytes);
        Ok(())
    }

    /// Sets a value, or removes it for `None`. S_FALSE: no value existed that could be removed.
    pub fn set(&self, id: Guid, bytes: Option<Vec<u8>>) -> HResultCode {
        let item = bytes.map(|bytes| Item::Bytes(bytes.into()));
        let is_removal = item.is_none();
        let had_value = self.replace(id, item);
        if is_removal && !had_value { HResultCode::S_FALSE } else { HResultCode::S_OK }
    }

    /// Sets an interface, which may be NULL, and holds a reference to it.
    pub fn set_interface(&self, id: Guid, interface: Interface) {
        self.replace(id, Some(Item::Interface(Arc::new(Reference::new(interface)))));
    }

    /// Replaces a value; true if there was one. The client's code that its release may run has no lock around it.
    fn replace(&self, id: Guid, item: Option<Item>) -> bool {
        let mut state = self.state();
        let items = &mut state.get_or_insert_default().items;
        let before = match item {
            Some(item) => items.insert(id, item),
            None => items.remove(&id),
        };
        drop(state);
        before.is_some()
    }

    /// Calls the callbacks of the destruction, then releases all values.
    pub fn destroy(&self) {
        let Some(state) = self.state().take() else { return };
        state.callbacks.values().for_each(|callback| callback.call());
    }
}

impl DestructionCallbacks for PrivateData {
    fn register(&self, callback: DestructionCallback) -> u32 {
        let mut state = self.state();
        let state = state.get_or_insert_default();
        let id = state.callbacks_so_far;
        state.callbacks_so_far += 1;
        state.callbacks.insert(id, callback);
        id
    }

    fn unregister(&self, id: u32) -> HResult<()> {
        let removed = self.state().as_mut().and_then(|state| state.callbacks.remove(&id));
        removed.map(drop).ok_or(HResultCode::DXGI_ERROR_NOT_FOUND)
    }
}
