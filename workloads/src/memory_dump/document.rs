//! JSON structs of a dump. Unknown fields are ignored, so that later versions may add some.

use super::flags::{PoolFlags, flags};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
use taut_schemas::{Dimension, ResourceFlags, TextureLayout};

#[derive(Deserialize)]
#[serde(expecting = "a dump of D3D12MemoryAllocator, an object")]
pub(super) struct RawDump {
    #[serde(rename = "General")]
    pub general: RawGeneral,
    #[serde(rename = "Total")]
    pub total: Option<RawStatistics>,
    #[serde(rename = "MemoryInfo", default)]
    pub memory: Named<RawMemory>,
    /// Present if the dump has a detailed map.
    #[serde(rename = "DefaultPools")]
    pub default_pools: Option<Named<RawPool>>,
    #[serde(rename = "CustomPools", default)]
    pub custom_pools: Named<Vec<RawPool>>,
}

#[derive(Deserialize)]
#[serde(expecting = "General, an object")]
pub(super) struct RawGeneral {
    #[serde(rename = "API", deserialize_with = "direct3d")]
    pub _api: (),
    #[serde(rename = "GPU", default)]
    pub gpu: String,
}

/// Statistics of the whole allocator.
#[derive(Default, Deserialize)]
#[serde(expecting = "statistics, an object")]
pub(super) struct RawStatistics {
    #[serde(rename = "BlockCount", default)]
    pub blocks: u64,
    #[serde(rename = "BlockBytes", default)]
    pub block_bytes: u64,
    #[serde(rename = "AllocationCount", default)]
    pub allocations: u64,
    #[serde(rename = "AllocationBytes", default)]
    pub allocation_bytes: u64,
    #[serde(rename = "UnusedRangeCount", default)]
    pub free_ranges: u64,
}

/// Memory segment group.
#[derive(Deserialize)]
#[serde(expecting = "a memory segment group, an object")]
pub(super) struct RawMemory {
    #[serde(rename = "Budget")]
    pub budget: Option<RawBudget>,
}

#[derive(Deserialize)]
#[serde(expecting = "a budget, an object")]
pub(super) struct RawBudget {
    #[serde(rename = "BudgetBytes", default)]
    pub budget_bytes: u64,
    #[serde(rename = "UsageBytes", default)]
    pub usage_bytes: u64,
}

#[derive(Deserialize)]
#[serde(expecting = "a pool, an object")]
pub(super) struct RawPool {
    /// Number of a custom pool, with its name if it has one.
    #[serde(rename = "Name", default)]
    pub name: String,
    #[serde(rename = "Flags", default, deserialize_with = "flags")]
    pub flags: PoolFlags,
    #[serde(rename = "Blocks")]
    pub blocks: Named<RawBlock>,
    #[serde(rename = "DedicatedAllocations", default)]
    pub dedicated: Vec<RawAllocation>,
}

/// Heap.
#[derive(Deserialize)]
#[serde(try_from = "RawBlockParts")]
pub(super) struct RawBlock {
    pub total_bytes: u64,
    pub held: Vec<(u64, RawAllocation)>,
}

#[derive(Deserialize)]
#[serde(expecting = "a block, an object")]
struct RawBlockParts {
    #[serde(rename = "TotalBytes")]
    total_bytes: u64,
    #[serde(rename = "Suballocations")]
    suballocations: Vec<RawSuballocation>,
}

#[derive(Deserialize)]
#[serde(expecting = "an allocation or a free range, an object")]
struct RawSuballocation {
    #[serde(rename = "Offset")]
    offset: u64,
    #[serde(flatten)]
    held: RawAllocation,
}

/// Allocation, or a free range.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(expecting = "an allocation, an object")]
pub(super) struct RawAllocation {
    /// `None` for a free range.
    #[serde(rename = "Type", deserialize_with = "dimension")]
    pub dimension: Option<Dimension>,
    #[serde(rename = "Size")]
    pub size_bytes: u64,
    #[serde(rename = "Usage", default)]
    pub usage: u32,
    #[serde(rename = "Name", default)]
    pub name: String,
    #[serde(rename = "Layout", default)]
    pub layout: u32,
}

impl RawAllocation {
    pub(super) fn flags(&self) -> ResourceFlags {
        ResourceFlags(self.usage)
    }

    pub(super) fn layout(&self) -> TextureLayout {
        TextureLayout(self.layout)
    }
}

/// Converts a block. Its suballocations must be in order, without overlap, and inside the block.
impl TryFrom<RawBlockParts> for RawBlock {
    type Error = String;

    fn try_from(parts: RawBlockParts) -> Result<RawBlock, String> {
        let mut end_bytes = 0;
        let mut held = Vec::new();
        for RawSuballocation { offset, held: one } in parts.suballocations {
            if offset < end_bytes {
                return Err(format!(
                    "expected an Offset of at least {end_bytes}, where the one before ends, found {offset}"
                ));
            }
            let end = offset.checked_add(one.size_bytes).filter(|end| *end <= parts.total_bytes);
            end_bytes = end.ok_or_else(|| {
                let room = parts.total_bytes.saturating_sub(offset);
                format!("expected a Size of at most {room} at Offset {offset}, found {}", one.size_bytes)
            })?;
            if one.dimension.is_some() {
                held.push((offset, one));
            }
        }
        Ok(RawBlock { total_bytes: parts.total_bytes, held })
    }
}

fn direct3d<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let found = String::deserialize(deserializer)?;
    if found == "Direct3D 12" {
        return Ok(());
    }
    Err(D::Error::custom(format_args!("expected \"Direct3D 12\" as API, found \"{}\"", found.escape_debug())))
}

fn dimension<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Dimension>, D::Error> {
    let found = String::deserialize(deserializer)?;
    Ok(Some(match found.as_str() {
        "FREE" => return Ok(None),
        "UNKNOWN" => Dimension::UNKNOWN,
        "BUFFER" => Dimension::BUFFER,
        "TEXTURE1D" => Dimension::TEXTURE1D,
        "TEXTURE2D" => Dimension::TEXTURE2D,
        "TEXTURE3D" => Dimension::TEXTURE3D,
        _ => {
            let known = "FREE, UNKNOWN, BUFFER, TEXTURE1D, TEXTURE2D or TEXTURE3D";
            let found = found.escape_debug();
            return Err(D::Error::custom(format_args!("expected {known} as Type, found \"{found}\"")));
        }
    }))
}

/// JSON object whose entries keep their order; duplicate names are an error.
pub(super) struct Named<T>(pub Vec<(String, T)>);

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Named<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("things by name, an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<T>, A::Error> {
                let (mut named, mut known) = (Vec::new(), std::collections::HashSet::new());
                while let Some(name) = map.next_key::<String>()? {
                    if !known.insert(name.clone()) {
                        let name = name.escape_debug();
                        return Err(A::Error::custom(format_args!("expected each name once, found \"{name}\" again")));
                    }
                    named.push((name, map.next_value()?));
                }
                Ok(Named(named))
            }
        }
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}
