//! Dump as heaps and resources.

use super::document::{RawAllocation, RawDump, RawPool};
use super::error::DumpError;
use super::excerpt::{Excerpt, SurroundingText};
use super::text::text;
use super::totals::DumpTotals;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::path::Path;
use taut_schemas::{CpuPageProperty, Dimension, HeapFlags, HeapType, MemoryPool, ResourceFlags, TextureLayout};
use taut_traces::{MAX_TEXT_BYTES, read_limited};

/// Content of an allocator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// Name of the file, without its folder.
    pub name: String,
    /// Name of the GPU, as reported by the system.
    pub gpu: String,
    /// Pools; the default pools are first.
    pub pools: Vec<Pool>,
    /// Totals of a dump without a detailed map, which has no pools.
    pub totals: Option<DumpTotals>,
    /// Text around the dump in its file.
    pub surroundings: SurroundingText,
}

/// Pool of heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Type of the pool's heaps; for a custom pool followed by its number and name.
    pub name: String,
    /// D3D12_HEAP_PROPERTIES::Type of its heaps.
    pub heap_type: HeapType,
    /// D3D12_HEAP_FLAGS.
    pub flags: HeapFlags,
    /// MemoryPoolPreference of custom heaps.
    pub memory_pool: MemoryPool,
    /// CPUPageProperty of custom heaps.
    pub cpu_page_property: CpuPageProperty,
    pub blocks: Vec<Block>,
    /// Committed resources.
    pub dedicated: Vec<Allocation>,
}

/// Heap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Number of the heap in the allocator.
    pub name: String,
    pub size_bytes: u64,
    /// Allocations by ascending offset.
    pub held: Vec<(u64, Allocation)>,
}

/// Allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Dimension of the resource; unknown for memory without a resource.
    pub dimension: Dimension,
    /// SizeInBytes.
    pub size_bytes: u64,
    /// D3D12_RESOURCE_DESC::Flags.
    pub flags: ResourceFlags,
    /// D3D12_RESOURCE_DESC::Layout.
    pub layout: TextureLayout,
    /// Name; empty if there is none.
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

/// Keys of the form before version 2.1, which has no `General`.
const OLD_KEYS: [&str; 3] = ["Total", "DefaultPools", "DetailedMap"];

/// Reads a dump.
///
/// # Errors
/// The file cannot be read, or is not a dump of version 2.1 or later.
pub fn read(path: &Path) -> Result<Dump, DumpError> {
    let origin = path.display().to_string();
    let bytes =
        read_limited(path, MAX_TEXT_BYTES).map_err(|source| DumpError::Read { origin: origin.clone(), source })?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Dump::new(&bytes, name, &origin)
}

impl Dump {
    /// Parses the dump in a file's bytes; errors name the file `origin`.
    pub(super) fn new(bytes: &[u8], name: String, origin: &str) -> Result<Dump, DumpError> {
        let text = text(bytes, origin)?;
        let excerpt = Excerpt::find(&text);
        let fault = |line: usize, column: usize, fault: String| DumpError::Json {
            origin: origin.to_owned(),
            line: line + excerpt.line - 1,
            column: if line == 1 { column + excerpt.column } else { column },
            fault,
        };
        let mut parser = serde_json::Deserializer::from_str(excerpt.text);
        let raw = RawDump::deserialize(&mut parser).map_err(|error| {
            if is_old_form(excerpt.text) {
                return fault(1, 1, OLD_FORM.to_owned());
            }
            let message = error.to_string();
            // The parser appends the position, which is reported separately.
            let message = message.rfind(" at line ").map_or(message.as_str(), |end| &message[..end]);
            fault(error.line(), error.column(), expected_and_found(message))
        })?;
        let bytes = parser.into_iter::<IgnoredAny>().byte_offset();
        let text = &excerpt.text[..bytes];
        let end = (text.lines().count().max(1), text.lines().last().map_or(0, str::len).max(1));
        let totals = match (&raw.default_pools, &raw.total) {
            (Some(_), _) => None,
            (None, Some(total)) => Some(DumpTotals::from_raw(total, &raw.memory)),
            (None, None) => {
                let expected =
                    "expected a key `DefaultPools` (BuildStatsString with DetailedMap TRUE) or `Total`, found neither";
                return Err(fault(end.0, end.1, expected.to_owned()));
            }
        };
        let gpu = raw.general.gpu.clone();
        let pools = pools(raw).map_err(|message| fault(end.0, end.1, message))?;
        Ok(Dump { name, gpu, pools, totals, surroundings: excerpt.surroundings(bytes) })
    }
}

const OLD_FORM: &str = "expected a dump of D3D12MemoryAllocator 2.1 or later, which has a key `General`, found the form \
                        before version 2.1: dump again with version 2.1 or later";

/// True if a text is a dump from before version 2.1.
fn is_old_form(text: &str) -> bool {
    let mut parser = serde_json::Deserializer::from_str(text);
    let keys = BTreeMap::<String, IgnoredAny>::deserialize(&mut parser).unwrap_or_default();
    !keys.contains_key("General") && OLD_KEYS.iter().any(|key| keys.contains_key(*key))
}

/// Converts the pools of a dump; a dump without a detailed map has no pools.
fn pools(raw: RawDump) -> Result<Vec<Pool>, String> {
    let mut pools: Vec<Pool> = Vec::new();
    for (name, raw) in raw.default_pools.unwrap_or_default().0 {
        let mut pool = Pool::from_raw(heap_type(&name)?, name, raw);
        // Where an allocator has several default pools of one heap type, each lists the dedicated allocations of
        // that type, so only the first pool's are used.
        if pools.iter().any(|other| other.heap_type == pool.heap_type) {
            pool.dedicated.clear();
        }
        pools.push(pool);
    }
    for (name, raw) in raw.custom_pools.0 {
        let heap_type = heap_type(&name)?;
        pools.extend(raw.into_iter().map(|raw| Pool::from_raw(heap_type, format!("{name}: {}", raw.name), raw)));
    }
    Ok(pools)
}

/// Rewrites a message of the JSON parser in the project's order: expected value, then found value.
fn expected_and_found(message: &str) -> String {
    if message.starts_with("EOF while parsing") {
        return "expected the dump to go on, found the end of the file".to_owned();
    }
    let found =
        ["invalid type: ", "invalid value: ", "invalid "].iter().find_map(|prefix| message.strip_prefix(prefix));
    match (found.and_then(|rest| rest.rsplit_once(", expected ")), message.strip_prefix("missing field ")) {
        (Some((found, expected)), _) => format!("expected {expected}, found {found}"),
        (None, Some(field)) => format!("expected a key {field}, found none"),
        (None, None) => message.to_owned(),
    }
}

/// Returns the heap type at the start of a pool's name.
fn heap_type(name: &str) -> Result<HeapType, String> {
    let word = name.split(" - ").next().unwrap_or_default();
    let known = HEAP_TYPES.iter().find(|(known, _)| *known == word);
    known.map(|(_, heap_type)| *heap_type).ok_or_else(|| {
        let names = HEAP_TYPES.map(|(name, _)| name).join(", ");
        format!("expected a pool's name to begin with one of {names}, found \"{}\"", name.escape_debug())
    })
}

impl Pool {
    fn from_raw(heap_type: HeapType, name: String, raw: RawPool) -> Pool {
        let block = |(name, raw): (String, super::document::RawBlock)| Block {
            name,
            size_bytes: raw.total_bytes,
            held: raw.held.into_iter().map(|(offset, held)| (offset, Allocation::from_raw(held))).collect(),
        };
        Pool {
            name,
            heap_type,
            flags: raw.flags.flags,
            memory_pool: raw.flags.memory_pool,
            cpu_page_property: raw.flags.cpu_page_property,
            blocks: raw.blocks.0.into_iter().map(block).collect(),
            dedicated: raw.dedicated.into_iter().map(Allocation::from_raw).collect(),
        }
    }
}

impl Allocation {
    fn from_raw(raw: RawAllocation) -> Allocation {
        Allocation {
            dimension: raw.dimension.unwrap_or_default(),
            size_bytes: raw.size_bytes,
            flags: raw.flags(),
            layout: raw.layout(),
            name: raw.name,
        }
    }
}
