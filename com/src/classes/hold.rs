//! The devices of a process: one per adapter, as long as its client or one of its objects has a reference.

use super::private_data::{self, PrivateData, WIDE_NAME};
use crate::process::generation;
use crate::unsafe_abi::{
    Class, Guid, Hresult, IUNKNOWN, Interface, OutPointer, WideText, create, queried, query_interface_of, release,
    wide_bytes,
};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use taut_schemas::{AdapterId, DescriptorHeapType, DeviceId, HResult, HResultCode, ObjectId, d3d12};

/// Device of the runtime, shared by the client's device object and by all objects of the device.
pub struct DeviceHold {
    /// The session.
    pub world: &'static World,
    /// The device.
    pub id: DeviceId,
    /// The device's adapter.
    pub adapter: AdapterId,
    /// D3D12_FEATURE_DATA_ARCHITECTURE, once a method needs it.
    pub architecture: OnceLock<[u32; 4]>,
    /// Private data of the device.
    pub data: PrivateData,
    /// The client's object, set at its creation, and its QueryInterface.
    object: OnceLock<Interface>,
    query_interface: fn(Interface, Option<Guid>, OutPointer) -> Hresult,
}

/// Objects of devices by number of forks and adapter.
type Entries = BTreeMap<(u32, u64), Interface>;

struct Devices {
    entries: Mutex<Entries>,
    removed: Condvar,
}

impl Devices {
    const fn empty() -> Devices {
        Devices { entries: Mutex::new(BTreeMap::new()), removed: Condvar::new() }
    }

    /// Devices of the first process, and of its copies: a lock that another thread held during the fork stays held.
    fn new(world: &World) -> &'static Devices {
        static DEVICES: [Devices; 2] = [const { Devices::empty() }; 2];
        &DEVICES[usize::from(world.generation > 0)]
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A device that is being released; its adapter has no device afterwards, even if the release panics.
struct Removal<'a> {
    devices: &'a Devices,
    entries: MutexGuard<'a, Entries>,
    key: (u32, u64),
}

impl Drop for Removal<'_> {
    fn drop(&mut self) {
        self.entries.remove(&self.key);
        self.devices.removed.notify_all();
    }
}

/// Gives the device of an adapter to the client as an object of the class that `make` returns; creates it unless it
/// exists.
pub fn give_device<C: Class>(
    world: &'static World,
    create_device: d3d12::CreateDevice,
    id: Option<Guid>,
    out: OutPointer,
    make: fn(&'static DeviceHold) -> C,
) -> Hresult {
    let Some(id) = id else { return HResultCode::E_INVALIDARG.into() };
    if id != IUNKNOWN && !C::INTERFACES.contains(&id) {
        queried(id, HResultCode::E_NOINTERFACE.into());
        return HResultCode::E_NOINTERFACE.into();
    }
    let (devices, adapter) = (Devices::new(world), create_device.adapter);
    let key = (world.generation, adapter.0);
    let mut entries = devices.lock();
    while let Some(object) = entries.get(&key) {
        let result = query_interface_of::<C>(*object, Some(id), out);
        if result != HResultCode::E_HANDLE.into() {
            return result;
        }
        // Another thread releases the device's last reference.
        entries = devices.removed.wait(entries).unwrap_or_else(PoisonError::into_inner);
    }
    match world.call(create_device) {
        Ok(device) => {
            let hold: &'static DeviceHold = Box::leak(Box::new(DeviceHold {
                world,
                id: device,
                adapter,
                architecture: OnceLock::new(),
                data: PrivateData::default(),
                object: OnceLock::new(),
                query_interface: query_interface_of::<C>,
            }));
            let object = create(make(hold));
            hold.object.get_or_init(|| object);
            entries.insert(key, object);
            let result = query_interface_of::<C>(object, Some(id), out);
            drop(entries);
            release::<C>(object, || ());
            result
        }
        Err(code) => code.into(),
    }
}

impl DeviceHold {
    fn object(&self) -> Interface {
        self.object.get().copied().unwrap_or(Interface::NULL)
    }

    /// Adds a reference to the device; false if the device is released.
    pub fn add(&self) -> bool {
        self.object().add_reference() > 0
    }

    /// Removes a reference of an object of the device.
    pub fn remove(&self) {
        self.object().release();
    }

    /// Releases the device in the runtime. In a copy of the process the device is the parent's.
    pub fn release(&self) {
        if self.world.generation != generation() {
            return;
        }
        let devices = Devices::new(self.world);
        // Under the lock, so that no thread gets the device from the runtime in between.
        let _removal = Removal { devices, entries: devices.lock(), key: (self.world.generation, self.adapter.0) };
        // A device that the session has ended is released already.
        let _ = self.world.release_device(self.id);
    }

    /// Size of descriptors of a heap type, as the driver answers.
    pub fn descriptor_bytes(&self, heap_type: DescriptorHeapType) -> usize {
        let profile = self.world.adapters().profiles().nth(self.adapter.index());
        profile.map_or(0, |profile| profile.descriptors.size_bytes(heap_type) as usize)
    }

    /// Gives the device to the client.
    pub fn give(&self, id: Option<Guid>, out: OutPointer) -> Hresult {
        (self.query_interface)(self.object(), id, out)
    }

    /// Sets private data of the device or of one of its objects; a name is also the object's in the runtime.
    pub fn set_private_data(
        &self,
        data: &PrivateData,
        object: ObjectId,
        id: Guid,
        bytes: Option<Vec<u8>>,
    ) -> HResultCode {
        let name = bytes.as_ref().and_then(|bytes| private_data::name(id, bytes));
        let result = data.set(id, bytes);
        if let Some(name) = name {
            // Private data has no errors of names; the error is in the trace.
            let _ = self.name(object, name);
        }
        result
    }

    /// Names the device or one of its objects.
    pub fn set_name(&self, data: &PrivateData, object: ObjectId, name: WideText) -> Hresult {
        let Some(name) = name.read() else { return HResultCode::E_INVALIDARG.into() };
        data.set(WIDE_NAME, Some(wide_bytes(&name)));
        self.name(object, name).into()
    }

    /// Names an object in the runtime, which has no names of devices.
    fn name(&self, object: ObjectId, name: String) -> HResult<()> {
        if object == ObjectId::NULL {
            return Ok(());
        }
        self.world.call(d3d12::SetName { object, name })
    }
}
