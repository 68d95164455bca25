//! Flags of a pool's heaps, by their names in a dump.

use serde::Deserialize;
use serde::de::Error;
use taut_schemas::{CpuPageProperty, HeapFlags, MemoryPool};

/// D3D12_HEAP_FLAGS by their names in a dump.
const HEAP_FLAGS: [(&str, u32); 11] = [
    ("HEAP_FLAG_SHARED", 0x1),
    ("HEAP_FLAG_DENY_BUFFERS", 0x4),
    ("HEAP_FLAG_ALLOW_DISPLAY", 0x8),
    ("HEAP_FLAG_CROSS_ADAPTER", 0x20),
    ("HEAP_FLAG_DENY_RT_DS_TEXTURES", 0x40),
    ("HEAP_FLAG_DENY_NON_RT_DS_TEXTURES", 0x80),
    ("HEAP_FLAG_HARDWARE_PROTECTED", 0x100),
    ("HEAP_FLAG_ALLOW_WRITE_WATCH", 0x200),
    ("HEAP_FLAG_ALLOW_SHADER_ATOMICS", 0x400),
    ("HEAP_FLAG_CREATE_NOT_RESIDENT", 0x800),
    ("HEAP_FLAG_CREATE_NOT_ZEROED", 0x1000),
];
// Names in the order of the enumerations: the index is the value.
const MEMORY_POOLS: [&str; 3] = ["MEMORY_POOL_UNKNOWN", "MEMORY_POOL_L0", "MEMORY_POOL_L1"];
const CPU_PAGES: [&str; 4] = [
    "CPU_PAGE_PROPERTY_UNKNOWN",
    "CPU_PAGE_PROPERTY_NOT_AVAILABLE",
    "CPU_PAGE_PROPERTY_WRITE_COMBINE",
    "CPU_PAGE_PROPERTY_WRITE_BACK",
];

/// Properties and flags with which a pool's heaps are created.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PoolFlags {
    pub flags: HeapFlags,
    pub memory_pool: MemoryPool,
    pub cpu_page_property: CpuPageProperty,
}

/// Element of `Flags`: a name, or a number for flags without a name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "the name of a heap flag, or a number")]
enum Flag {
    Name(String),
    Number(u32),
}

/// Deserialises `Flags`.
pub(super) fn flags<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<PoolFlags, D::Error> {
    let mut found = PoolFlags::default();
    for flag in Vec::<Flag>::deserialize(deserializer)? {
        let name = match flag {
            Flag::Number(bits) => {
                found.flags = HeapFlags(found.flags.0 | bits);
                continue;
            }
            Flag::Name(name) => name,
        };
        let at = |names: &[&str]| names.iter().position(|known| *known == name).map(|at| at as u32);
        if let Some((_, bits)) = HEAP_FLAGS.iter().find(|(known, _)| *known == name) {
            found.flags = HeapFlags(found.flags.0 | bits);
        } else if let Some(pool) = at(&MEMORY_POOLS) {
            found.memory_pool = MemoryPool(pool);
        } else if let Some(property) = at(&CPU_PAGES) {
            found.cpu_page_property = CpuPageProperty(property);
        } else {
            let name = name.escape_debug();
            return Err(D::Error::custom(format_args!("expected the name of a heap flag, found \"{name}\"")));
        }
    }
    Ok(found)
}
