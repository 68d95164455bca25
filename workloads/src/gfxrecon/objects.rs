//! Objects of a capture by their handles. A handle is one interface pointer; QueryInterface joins handles of one object,
//! which dies when the last of them was released.

use std::collections::{BTreeMap, HashMap};
use taut_schemas::CommandListType;

/// Kind of an object that calls name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Heap,
    Buffer {
        width_bytes: u64,
    },
    Texture,
    Queue,
    Allocator,
    List,
    /// List of CreateCommandList1, which has no allocator before its first Reset.
    UnusedList {
        node_mask: u32,
        list_type: CommandListType,
    },
    Fence,
    SwapChain {
        queue: u64,
    },
    BackBuffer,
}

/// Object of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub kind: Kind,
    /// Id of the played object; 0 for one that is not played.
    pub id: u64,
    handles: u32,
    address: Option<u64>,
}

/// Buffer at an address.
#[derive(Debug, Clone, Copy)]
struct AddressedBuffer {
    id: u64,
    width_bytes: u64,
}

/// All live objects.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// Slot of each handle.
    slots: HashMap<u64, u64>,
    objects: HashMap<u64, Object>,
    next_slot: u64,
    last_id: u64,
    /// Buffers by the addresses that they had in the program.
    addresses: BTreeMap<u64, AddressedBuffer>,
}

impl Kind {
    /// True for an object that is created in the recording.
    fn is_played(&self) -> bool {
        !matches!(self, Kind::SwapChain { .. } | Kind::BackBuffer | Kind::UnusedList { .. })
    }
}

impl Objects {
    /// Adds an object; returns its id, or `None` if the handle is in use.
    pub(super) fn add(&mut self, handle: u64, kind: Kind) -> Option<u64> {
        if handle == 0 || self.slots.contains_key(&handle) {
            return None;
        }
        let id = if kind.is_played() { self.next_id() } else { 0 };
        self.next_slot += 1;
        self.slots.insert(handle, self.next_slot);
        self.objects.insert(self.next_slot, Object { kind, id, handles: 1, address: None });
        Some(id)
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    pub(super) fn get(&self, handle: u64) -> Option<&Object> {
        self.objects.get(self.slots.get(&handle)?)
    }

    fn get_mut(&mut self, handle: u64) -> Option<&mut Object> {
        self.objects.get_mut(self.slots.get(&handle)?)
    }

    /// Makes a list of CreateCommandList1 one that is played; returns its id.
    pub(super) fn begin_list(&mut self, handle: u64) -> u64 {
        let id = self.next_id();
        if let Some(object) = self.get_mut(handle) {
            (object.kind, object.id) = (Kind::List, id);
        }
        id
    }

    /// Adds a handle of an object that QueryInterface returned.
    pub(super) fn join(&mut self, handle: u64, other: u64) {
        if other == 0 || self.slots.contains_key(&other) {
            return;
        }
        if let Some(slot) = self.slots.get(&handle).copied()
            && let Some(object) = self.objects.get_mut(&slot)
        {
            object.handles += 1;
            self.slots.insert(other, slot);
        }
    }

    /// Ends a handle; returns the object if that was its last one.
    pub(super) fn release(&mut self, handle: u64) -> Option<Object> {
        // Swap chains hold their buffers, whose handles return.
        if self.get(handle)?.kind == Kind::BackBuffer {
            return None;
        }
        let slot = self.slots.remove(&handle)?;
        let object = self.objects.get_mut(&slot)?;
        object.handles -= 1;
        if object.handles > 0 {
            return None;
        }
        let object = self.objects.remove(&slot)?;
        if let Some(address) = object.address
            && self.addresses.get(&address).is_some_and(|buffer| buffer.id == object.id)
        {
            self.addresses.remove(&address);
        }
        Some(object)
    }

    /// Notes the address that a buffer had.
    pub(super) fn set_address(&mut self, handle: u64, address: u64) {
        if let Some(object) = self.get_mut(handle)
            && let Kind::Buffer { width_bytes } = object.kind
        {
            object.address = Some(address);
            let id = object.id;
            self.addresses.insert(address, AddressedBuffer { id, width_bytes });
        }
    }

    /// Returns the id of the buffer at an address and the offset in it.
    pub(super) fn at_address(&self, address: u64) -> Option<(u64, u64)> {
        let (start, buffer) = self.addresses.range(..=address).next_back()?;
        let offset_bytes = address - start;
        (offset_bytes < buffer.width_bytes).then_some((buffer.id, offset_bytes))
    }

    /// Returns the id of a played object that fits.
    pub(super) fn id(&self, handle: u64, fits: impl Fn(&Kind) -> bool) -> Option<u64> {
        self.get(handle).filter(|object| object.id != 0 && fits(&object.kind)).map(|object| object.id)
    }

    pub(super) fn resource(&self, handle: u64) -> Option<u64> {
        self.id(handle, |kind| matches!(kind, Kind::Buffer { .. } | Kind::Texture))
    }
}
