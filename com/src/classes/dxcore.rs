//! DXCore: the adapters of the session.

use crate::interfaces::{
    IDXCoreAdapter, IDXCoreAdapterFactory, IDXCoreAdapterFactoryTable, IDXCoreAdapterList, IDXCoreAdapterListTable,
    IDXCoreAdapterTable,
};
use crate::unsafe_abi::{
    Class, Guid, Hresult, In, Interface, Luid, Opaque, Out, OutPointer, TablePointer, Tables, give,
};
use crate::world::World;
use taut_schemas::{AdapterId, HResultCode};

/// DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS and DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE.
const ATTRIBUTES: [Guid; 2] =
    [Guid::new(0x0c9ece4d_2f6e_4f01_8c96_e89e331b47b1), Guid::new(0x248e2800_a793_4724_abaa_23a6de1be090)];

/// Memory of an adapter in bytes: dedicated, and shared with the system. Profiles do not have it.
pub const MEMORY_BYTES: [u64; 2] = [8 << 30, 8 << 30];

/// DXCoreAdapterState::AdapterMemoryBudget.
const MEMORY_BUDGET: u32 = 1;

/// LUID of an adapter.
pub fn luid(adapter: AdapterId) -> Luid {
    Luid { low: adapter.index() as u32 + 1, high: 0 }
}

/// Name of an adapter.
pub fn adapter_name(world: &World, adapter: AdapterId) -> String {
    let profile = world.adapters().profiles().nth(adapter.index());
    format!("Taut simulated adapter ({})", profile.map_or("", |profile| profile.name.as_str()))
}

/// IDXCoreAdapterFactory.
pub struct AdapterFactory {
    pub world: &'static World,
}

impl Class for AdapterFactory {
    const INTERFACES: &'static [Guid] = &[<AdapterFactory as IDXCoreAdapterFactory>::IID];

    fn table() -> TablePointer {
        static TABLES: Tables<IDXCoreAdapterFactoryTable> = IDXCoreAdapterFactoryTable::of::<AdapterFactory>();
        TablePointer::new(&TABLES)
    }
}

impl IDXCoreAdapterFactory for AdapterFactory {
    fn create_adapter_list(&self, count: u32, attributes: In<Guid>, id: In<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        let wanted = attributes.list(count as usize).filter(|wanted| !wanted.is_empty() && !out.is_null());
        let Some(wanted) = wanted else { return HResultCode::E_INVALIDARG.into() };
        let has_adapters = wanted.iter().all(|attribute| ATTRIBUTES.contains(attribute));
        let adapters = if has_adapters { self.world.adapters().profiles().count() } else { 0 };
        give(AdapterList { world: self.world, adapters }, id.get(), out)
    }

    fn get_adapter_by_luid(&self, wanted: In<Luid>, id: In<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        let count = self.world.adapters().profiles().count();
        let adapter = AdapterId::first(count).find(|adapter| Some(luid(*adapter)) == wanted.get());
        match adapter {
            Some(adapter) => give(Adapter { world: self.world, adapter }, id.get(), out),
            None => HResultCode::E_INVALIDARG.into(),
        }
    }

    fn is_notification_type_supported(&self, _: u32) -> bool {
        // Adapters and their budgets do not change.
        false
    }

    fn register_event_notification(&self, _: Interface, _: u32, _: Opaque, _: Out<u8>, cookie: Out<u32>) -> Hresult {
        cookie.set(0);
        HResultCode::DXGI_ERROR_INVALID_CALL.into()
    }

    fn unregister_event_notification(&self, _: u32) -> Hresult {
        HResultCode::E_INVALIDARG.into()
    }
}

/// IDXCoreAdapterList.
struct AdapterList {
    world: &'static World,
    adapters: usize,
}

impl Class for AdapterList {
    const INTERFACES: &'static [Guid] = &[<AdapterList as IDXCoreAdapterList>::IID];

    fn table() -> TablePointer {
        static TABLES: Tables<IDXCoreAdapterListTable> = IDXCoreAdapterListTable::of::<AdapterList>();
        TablePointer::new(&TABLES)
    }
}

impl IDXCoreAdapterList for AdapterList {
    fn get_adapter(&self, index: u32, id: In<Guid>, out: OutPointer) -> Hresult {
        out.clear();
        match AdapterId::first(self.adapters).nth(index as usize) {
            Some(adapter) => give(Adapter { world: self.world, adapter }, id.get(), out),
            None => HResultCode::E_INVALIDARG.into(),
        }
    }

    fn get_adapter_count(&self) -> u32 {
        self.adapters as u32
    }

    fn is_stale(&self) -> bool {
        false
    }

    fn get_factory(&self, id: In<Guid>, out: OutPointer) -> Hresult {
        give(AdapterFactory { world: self.world }, id.get(), out)
    }

    fn is_adapter_preference_supported(&self, _: u32) -> bool {
        false
    }

    fn sort(&self, _: u32, _: Opaque) -> Hresult {
        // Adapters have the order of the session: the first is the default.
        HResultCode::S_OK.into()
    }
}

/// IDXCoreAdapter.
pub struct Adapter {
    world: &'static World,
    pub adapter: AdapterId,
}

impl Class for Adapter {
    const INTERFACES: &'static [Guid] = &[<Adapter as IDXCoreAdapter>::IID];

    fn table() -> TablePointer {
        static TABLES: Tables<IDXCoreAdapterTable> = IDXCoreAdapterTable::of::<Adapter>();
        TablePointer::new(&TABLES)
    }
}

impl Adapter {
    /// Value of a DXCoreAdapterProperty.
    fn property(&self, property: u32) -> Option<Vec<u8>> {
        let [dedicated, shared] = MEMORY_BYTES;
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let Luid { low, high } = luid(self.adapter);
        Some(match property {
            0 => [low.to_le_bytes(), high.to_le_bytes()].concat(),
            // Version of the driver.
            1 => 1_u64.to_le_bytes().to_vec(),
            2 => (adapter_name(self.world, self.adapter) + "\0").into_bytes(),
            // Vendor, device, subsystem and revision: no vendor's.
            3 => words(&[0; 4]),
            7 => dedicated.to_le_bytes().to_vec(),
            8 => 0_u64.to_le_bytes().to_vec(),
            9 => shared.to_le_bytes().to_vec(),
            // Control-flow guard, integrated and detachable: no. Hardware: yes, because clients skip other adapters.
            10 | 12 | 13 => vec![0],
            11 => vec![1],
            14 => words(&[0; 5]),
            _ => return None,
        })
    }
}

impl IDXCoreAdapter for Adapter {
    fn is_valid(&self) -> bool {
        true
    }

    fn is_attribute_supported(&self, attribute: In<Guid>) -> bool {
        attribute.get().is_some_and(|attribute| ATTRIBUTES.contains(&attribute))
    }

    fn is_property_supported(&self, property: u32) -> bool {
        self.property(property).is_some()
    }

    fn get_property(&self, property: u32, size: usize, data: Out<u8>) -> Hresult {
        match self.property(property) {
            Some(value) if size >= value.len() && !data.is_null() => {
                data.set_list(&value);
                HResultCode::S_OK.into()
            }
            _ => HResultCode::E_INVALIDARG.into(),
        }
    }

    fn get_property_size(&self, property: u32, size: Out<usize>) -> Hresult {
        match self.property(property) {
            Some(value) if !size.is_null() => {
                size.set(value.len());
                HResultCode::S_OK.into()
            }
            _ => HResultCode::E_INVALIDARG.into(),
        }
    }

    fn is_query_state_supported(&self, state: u32) -> bool {
        state == MEMORY_BUDGET
    }

    fn query_state(&self, state: u32, _: usize, details: In<u8>, size: usize, output: Out<u8>) -> Hresult {
        // A constant: live objects are not summed up.
        let budget = [MEMORY_BYTES[0], 0, MEMORY_BYTES[0] / 2, 0];
        if state != MEMORY_BUDGET || details.is_null() || output.is_null() || size < size_of_val(&budget) {
            return HResultCode::E_INVALIDARG.into();
        }
        output.cast().set_list(&budget);
        HResultCode::S_OK.into()
    }

    fn is_set_state_supported(&self, _: u32) -> bool {
        false
    }

    fn set_state(&self, _: u32, _: usize, _: In<u8>, _: usize, _: In<u8>) -> Hresult {
        HResultCode::DXGI_ERROR_INVALID_CALL.into()
    }

    fn get_factory(&self, id: In<Guid>, out: OutPointer) -> Hresult {
        give(AdapterFactory { world: self.world }, id.get(), out)
    }
}
