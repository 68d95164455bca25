//! The devices of a process: one per adapter, as long as its client or one of its objects holds it.

use crate::convert;
use crate::interfaces::ID3D12ObjectTable;
use crate::unsafe_abi::{
    Class, Guid, Hresult, IUNKNOWN, In, Interface, OutPointer, create, query_interface_of, release,
};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use taut_schemas::{AdapterId, DeviceId, HResultCode, ObjectId, d3d12};

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
    holders: AtomicU32,
    give: GiveDevice,
}

/// Function that gives the device of an adapter to the client; creates it unless it exists.
pub type GiveDevice = fn(&'static World, d3d12::CreateDevice, Option<Guid>, OutPointer) -> Hresult;

/// The device of an adapter.
struct Entry {
    /// The client's object; NULL once its references are gone.
    object: Interface,
    hold: &'static DeviceHold,
}

/// Devices by number of forks and adapter.
type Entries = BTreeMap<(u32, u64), Entry>;

/// Devices of the first process, and of its copies: a lock that another thread held during the fork stays held.
static DEVICES: [Mutex<Entries>; 2] = [Mutex::new(BTreeMap::new()), Mutex::new(BTreeMap::new())];

fn entries(world: &World) -> MutexGuard<'static, Entries> {
    DEVICES[usize::from(world.generation > 0)].lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the device of an adapter to the client as an object of the class that `make` returns; creates it unless it
/// exists. `give` is the function that calls this one for the class.
pub fn give_device<C: Class>(
    world: &'static World,
    create_device: d3d12::CreateDevice,
    interface: (Option<Guid>, OutPointer),
    make: fn(&'static DeviceHold) -> C,
    give: GiveDevice,
) -> Hresult {
    let (id, out) = interface;
    let is_known = id.is_some_and(|id| id == IUNKNOWN || C::INTERFACES.contains(&id));
    if !is_known {
        return HResultCode::E_NOINTERFACE.into();
    }
    let adapter = create_device.adapter;
    let mut entries = entries(world);
    if let Some(entry) = entries.get_mut(&(world.generation, adapter.0)) {
        if !entry.object.is_null() && query_interface_of::<C>(entry.object, id, out) == HResultCode::S_OK.into() {
            return HResultCode::S_OK.into();
        }
        // Objects of the device keep it alive without the client's reference.
        if entry.hold.add() {
            entry.object = create(make(entry.hold));
            return hand_over::<C>(entry.object, id, out);
        }
    }
    match world.call(create_device) {
        Ok(device) => {
            let (architecture, holders) = (OnceLock::new(), AtomicU32::new(1));
            let hold = DeviceHold { world, id: device, adapter, architecture, holders, give };
            let hold: &'static DeviceHold = Box::leak(Box::new(hold));
            let object = create(make(hold));
            entries.insert((world.generation, adapter.0), Entry { object, hold });
            hand_over::<C>(object, id, out)
        }
        Err(code) => code.into(),
    }
}

/// Gives a new object's reference to the client.
fn hand_over<C: Class>(object: Interface, id: Option<Guid>, out: OutPointer) -> Hresult {
    let result = query_interface_of::<C>(object, id, out);
    release::<C>(object);
    result
}

impl DeviceHold {
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
        let _entries = entries(self.world);
        if self.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
            // A device that the session has ended is released already.
            let _ = self.world.release_device(self.id);
        }
    }

    /// Forgets the client's object, which is of class `C`, once it is released.
    pub fn forget_object<C: Class>(&self) {
        if let Some(entry) = entries(self.world).get_mut(&(self.world.generation, self.adapter.0))
            && entry.object.class::<C>().is_none()
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
        (self.give)(self.world, create_device, id, out)
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
