//! A dump as heaps and resources.

use super::document::{Named, RawDump, RawHeld, RawPool};
use super::error::DumpError;
use super::text::text;
use std::path::Path;
use taut_schemas::{CpuPageProperty, Dimension, HeapFlags, HeapType, MemoryPool, ResourceFlags, TextureLayout};

/// What an allocator holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Name of the file, without its folder.
    pub name: String,
    /// The graphics processor, as the system calls it.
    pub gpu: String,
    /// The pools: the default ones first.
    pub pools: Vec<Pool>,
}

/// A pool of heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Its name: the type of its heaps; of a custom one with its number and its own name.
    pub name: String,
    /// D3D12_HEAP_PROPERTIES::Type of its heaps.
    pub heap_type: HeapType,
    /// D3D12_HEAP_FLAGS.
    pub flags: HeapFlags,
    /// Of custom heaps.
    pub memory_pool: MemoryPool,
    /// Of custom heaps.
    pub cpu_page_property: CpuPageProperty,
    /// Its heaps.
    pub blocks: Vec<Block>,
    /// Resources that have heaps of their own.
    pub dedicated: Vec<Held>,
}

/// A heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The allocator's number for it.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Offsets, rising, and what lies there.
    pub held: Vec<(u64, Held)>,
}

/// An allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// What it is; unknown if it is memory alone.
    pub dimension: Dimension,
    /// SizeInBytes.
    pub size_bytes: u64,
    /// D3D12_RESOURCE_DESC::Flags.
    pub flags: ResourceFlags,
    /// D3D12_RESOURCE_DESC::Layout.
    pub layout: TextureLayout,
    /// Its name; empty if it has none.
    pub name: String,
}

/// Names of heap types in a dump.
const HEAP_TYPES: [(&str, HeapType); 5] = [
    ("DEFAULT", HeapType::DEFAULT),
    ("UPLOAD", HeapType::UPLOAD),
    ("READBACK", HeapType::READBACK),
    ("CUSTOM", HeapType::CUSTOM),
    ("GPU_UPLOAD", HeapType::GPU_UPLOAD),
];

/// Reads a dump.
///
/// # Errors
/// The file cannot be read, or does not say what a dump with a detailed map says.
pub fn read(path: &Path) -> Result<Dump, DumpError> {
    let origin = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| DumpError::Read { origin: origin.clone(), source })?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Dump::new(&bytes, name, &origin)
}

impl Dump {
    /// The dump in a file's bytes; errors name `origin`.
    pub(super) fn new(bytes: &[u8], name: String, origin: &str) -> Result<Dump, DumpError> {
        let text = text(bytes, origin)?;
        let fault = |line, column, fault: String| DumpError::Json { origin: origin.to_owned(), line, column, fault };
        let raw: RawDump = serde_json::from_str(&text).map_err(|error| {
            let told = error.to_string();
            let told = told.rfind(" at line ").map_or(told.as_str(), |end| &told[..end]);
            fault(error.line(), error.column(), expected_and_found(told))
        })?;
        let end = (text.lines().count().max(1), text.lines().last().map_or(0, str::len).max(1));
        let said = |told: String| fault(end.0, end.1, told);
        let Some(Named(default_pools)) = raw.default_pools else {
            let expected = "expected `DefaultPools`, which BuildStatsString gives with DetailedMap, found none";
            return Err(said(expected.to_owned()));
        };
        let mut pools: Vec<Pool> = Vec::new();
        for (name, raw) in default_pools {
            let mut pool = Pool::of(heap_type(&name).map_err(&said)?, name, raw);
            // Where heaps are apart by what they hold, each of a type's pools tells the same dedicated allocations.
            let of_type = pools.iter().filter(|other| other.heap_type == pool.heap_type);
            if of_type.last().is_some() {
                pool.dedicated.clear();
            }
            pools.push(pool);
        }
        for (name, raw) in raw.custom_pools.0 {
            let heap_type = heap_type(&name).map_err(&said)?;
            pools.extend(raw.into_iter().map(|raw| Pool::of(heap_type, format!("{name}: {}", raw.name), raw)));
        }
        Ok(Dump { name, gpu: raw.general.gpu, pools })
    }
}

/// What the parser says, as everything here is told: what was expected, then what was found.
fn expected_and_found(told: &str) -> String {
    if told.starts_with("EOF while parsing") {
        return "expected the dump to go on, found the end of the file".to_owned();
    }
    let found = ["invalid type: ", "invalid value: ", "invalid "].iter().find_map(|prefix| told.strip_prefix(prefix));
    match (found.and_then(|rest| rest.rsplit_once(", expected ")), told.strip_prefix("missing field ")) {
        (Some((found, expected)), _) => format!("expected {expected}, found {found}"),
        (None, Some(field)) => format!("expected a key {field}, found none"),
        (None, None) => told.to_owned(),
    }
}

/// The type that a pool's name begins with.
fn heap_type(name: &str) -> Result<HeapType, String> {
    let word = name.split(" - ").next().unwrap_or_default();
    let known = HEAP_TYPES.iter().find(|(known, _)| *known == word);
    known.map(|(_, heap_type)| *heap_type).ok_or_else(|| {
        let names = HEAP_TYPES.map(|(name, _)| name).join(", ");
        format!("expected a pool's name to begin with one of {names}, found \"{}\"", name.escape_debug())
    })
}

impl Pool {
    fn of(heap_type: HeapType, name: String, raw: RawPool) -> Pool {
        let block = |(name, raw): (String, super::document::RawBlock)| Block {
            name,
            size_bytes: raw.total_bytes,
            held: raw.held.into_iter().map(|(offset, held)| (offset, Held::of(held))).collect(),
        };
        Pool {
            name,
            heap_type,
            flags: raw.flags.flags,
            memory_pool: raw.flags.memory_pool,
            cpu_page_property: raw.flags.cpu_page_property,
            blocks: raw.blocks.0.into_iter().map(block).collect(),
            dedicated: raw.dedicated.into_iter().map(Held::of).collect(),
        }
    }
}

impl Held {
    fn of(raw: RawHeld) -> Held {
        Held {
            dimension: raw.dimension.unwrap_or_default(),
            size_bytes: raw.size_bytes,
            flags: raw.flags(),
            layout: raw.layout(),
            name: raw.name,
        }
    }
}
