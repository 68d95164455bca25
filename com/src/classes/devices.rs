//! The devices of a process: one per adapter, as long as its client or one of its objects holds it.

use super::device::Device;
use crate::convert;
use crate::hresult::Hresult;
use crate::interfaces::ID3D12ObjectTable;
use crate::unsafe_abi::{Class, Guid, IUNKNOWN, In, Interface, OutPointer, create, query_interface_of, release};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use taut_schemas::{AdapterId, DeviceId, HResult, HResultCode, ObjectId, d3d12};

/// Device of the runtime, shared by the client's device object and by all objects of the device.
pub struct DeviceHold {
    /// The session.
    pub world: &'static World,
    /// The device.
    pub id: DeviceId,
    adapter: AdapterId,
    holders: AtomicU32,
}

/// The device of an adapter.
struct Entry {
    /// The client's object; its references may be gone.
    object: Interface,
    hold: &'static DeviceHold,
}

/// The devices by adapter.
#[derive(Default)]
pub struct Devices {
    entries: Mutex<BTreeMap<u64, Entry>>,
}

impl Devices {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<u64, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the device of an adapter to the client; creates it unless it exists.
    pub fn give(
        &self,
        world: &'static World,
        create_device: d3d12::CreateDevice,
        id: Option<Guid>,
        out: OutPointer,
    ) -> Hresult {
        let is_known = id.is_some_and(|id| id == IUNKNOWN || Device::INTERFACES.contains(&id));
        if !is_known {
            return HResultCode::E_NOINTERFACE.into();
        }
        let adapter = create_device.adapter;
        let mut entries = self.entries();
        if let Some(entry) = entries.get_mut(&adapter.0) {
            if query_interface_of::<Device>(entry.object, id, out) == HResultCode::S_OK.into() {
                return HResultCode::S_OK.into();
            }
            // Objects of the device keep it alive without the client's reference.
            if entry.hold.add() {
                entry.object = create(Device::new(entry.hold));
                return hand_over(entry.object, id, out);
            }
        }
        let device: HResult<DeviceId> = world.call(create_device);
        match device {
            Ok(device) => {
                let hold = DeviceHold { world, id: device, adapter, holders: AtomicU32::new(1) };
                let hold: &'static DeviceHold = Box::leak(Box::new(hold));
                let object = create(Device::new(hold));
                entries.insert(adapter.0, Entry { object, hold });
                hand_over(object, id, out)
            }
            Err(code) => code.into(),
        }
    }
}

/// Gives a new object's reference to the client.
fn hand_over(object: Interface, id: Option<Guid>, out: OutPointer) -> Hresult {
    let given = query_interface_of::<Device>(object, id, out);
    release::<Device>(object);
    given
}

impl DeviceHold {
    /// The device's adapter.
    pub fn adapter(&self) -> AdapterId {
        self.adapter
    }

    /// Adds a holder; false if the device is released.
    pub fn add(&self) -> bool {
        let more = |count: u32| count.checked_add(1).filter(|_| count > 0);
        self.holders.fetch_update(Ordering::AcqRel, Ordering::Acquire, more).is_ok()
    }

    /// Removes a holder; the last one releases the device.
    pub fn remove(&self) {
        let less = |count: u32| (count > 1).then(|| count - 1);
        if self.holders.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_ok() {
            return;
        }
        // Under the lock, so that no thread gets the device from the runtime in between.
        let _entries = self.world.devices.entries();
        if self.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
            // A device that the session has ended is released already.
            let _ = self.world.release_device(self.id);
        }
    }

    /// Forgets the client's object, which is released.
    pub fn forget_object(&self) {
        if let Some(entry) = self.world.devices.entries().get_mut(&self.adapter.0)
            && entry.object.class::<Device>().is_none()
        {
            entry.object = Interface::NULL;
        }
    }

    /// Gives the device to the client.
    pub fn give(&self, id: Option<Guid>, out: OutPointer) -> Hresult {
        if out.is_null() {
            return HResultCode::E_INVALIDARG.into();
        }
        out.clear();
        let create_device = d3d12::CreateDevice { adapter: self.adapter, ..Default::default() };
        self.world.devices.give(self.world, create_device, id, out)
    }

    /// Names an object. The runtime does not know the names of all objects.
    pub fn set_name(&self, object: ObjectId, name: In<u32>) -> Hresult {
        let Some(name) = convert::text(name) else { return HResultCode::E_INVALIDARG.into() };
        if object == ObjectId::NULL {
            ID3D12ObjectTable::set_name().count();
            return HResultCode::S_OK.into();
        }
        self.world.call(d3d12::SetName { object, name }).into()
    }
}
