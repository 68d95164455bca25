//! Field tables of known providers, read from `etl/providers/*.tsv` (made by `tools/etl_tables.py`,
//! that of Kernel-Process by hand from its public manifests).
//!
//! Lines have columns separated by tabs: `P guid name`, `K mask keyword`, `M map value=text…` (values), `F map …` (bits),
//! `E id version symbol build:fields,… field…`, and `O build:fields,… field…` for a build that has another layout of the
//! event before. A field is a code of its type, its name, then `[count field`, `(length field` and `=map` as needed.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use crate::decode::{Extent, Field, FieldType, Layout};
use crate::guid::Guid;

/// Tables of the graphics providers and of processes, 239 KB.
const TABLES: [&str; 7] = [
    include_str!("../providers/DxgKrnl.tsv"),
    include_str!("../providers/DXGI.tsv"),
    include_str!("../providers/Direct3D12.tsv"),
    include_str!("../providers/Direct3D11.tsv"),
    include_str!("../providers/Direct3DShaderCache.tsv"),
    include_str!("../providers/D3D9.tsv"),
    include_str!("../providers/KernelProcess.tsv"),
];

/// Events of one provider.
#[derive(Debug, Default)]
pub struct Provider {
    pub name: String,
    /// Keywords and their masks.
    pub keywords: Vec<(String, u64)>,
    pub(crate) maps: HashMap<String, ValueMap>,
    pub(crate) events: HashMap<(u16, u8), EventTable, BuildHasherDefault<KeyHasher>>,
}

/// Hasher of (id, version), one of which each event of a file looks up.
#[derive(Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // Odd, with the digits of the golden ratio.
            self.0 = (self.0.rotate_left(8) ^ u64::from(*byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write(&[number]);
    }

    fn write_u16(&mut self, number: u16) {
        self.write(&number.to_le_bytes());
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Names of a field's values.
#[derive(Debug, Clone, Default)]
pub struct ValueMap {
    /// The values are bits that combine.
    pub is_bits: bool,
    pub values: HashMap<u64, String>,
}

/// Layouts of one (id, version).
#[derive(Debug)]
pub struct EventTable {
    pub symbol: String,
    pub layouts: Vec<Layout>,
}

impl EventTable {
    /// Layout of the newest build that is not newer than `build`; without one, of the oldest.
    pub fn layout(&self, build: u32) -> Option<&Layout> {
        if let [only] = self.layouts.as_slice() {
            return Some(only);
        }
        let newest = |layout: &&Layout| layout.builds.iter().map(|known| known.0).filter(|known| *known <= build).max();
        match self.layouts.iter().filter(|layout| newest(layout).is_some()).max_by_key(newest) {
            Some(layout) => Some(layout),
            None => self.layouts.iter().min_by_key(|layout| layout.builds.iter().map(|known| known.0).min()),
        }
    }
}

impl Provider {
    pub fn event(&self, id: u16, version: u8) -> Option<&EventTable> {
        self.events.get(&(id, version))
    }

    /// All events by id and version, in no order.
    pub fn events(&self) -> impl Iterator<Item = ((u16, u8), &EventTable)> {
        self.events.iter().map(|(key, event)| (*key, event))
    }

    pub fn map(&self, name: &str) -> Option<&ValueMap> {
        self.maps.get(name)
    }

    /// Number of (id, version) with a layout.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }
}

/// All known providers.
pub fn providers() -> &'static HashMap<Guid, Provider> {
    static PROVIDERS: OnceLock<HashMap<Guid, Provider>> = OnceLock::new();
    PROVIDERS.get_or_init(|| TABLES.iter().filter_map(|text| parse(text)).collect())
}

/// Table of a known provider.
pub(crate) fn known_provider(guid: Guid) -> Option<&'static Provider> {
    // A comparison of a few numbers is faster than a hash.
    static LIST: OnceLock<Vec<(Guid, &'static Provider)>> = OnceLock::new();
    let list = LIST.get_or_init(|| providers().iter().map(|(guid, provider)| (*guid, provider)).collect());
    list.iter().find(|known| known.0 == guid).map(|known| known.1)
}

/// Parses a table. `None` if it is not of the form that the module describes; a test reads all of them.
fn parse(text: &str) -> Option<(Guid, Provider)> {
    let mut provider = Provider::default();
    let (mut guid, mut last) = (None, (0, 0));
    for line in text.lines() {
        let mut columns = line.split('\t');
        match columns.next()? {
            "P" => {
                guid = Guid::parse(columns.next()?);
                provider.name = columns.next()?.to_owned();
            }
            "K" => {
                let mask = u64::from_str_radix(columns.next()?.strip_prefix("0x")?, 16).ok()?;
                provider.keywords.push((columns.next()?.to_owned(), mask));
            }
            kind @ ("M" | "F") => {
                let name = columns.next()?.to_owned();
                let value = |text: &str| {
                    let (value, name) = text.split_once('=')?;
                    Some((u64::from_str_radix(value, 16).ok()?, name.to_owned()))
                };
                let values = columns.map(value).collect::<Option<_>>()?;
                provider.maps.insert(name, ValueMap { is_bits: kind == "F", values });
            }
            "E" => {
                last = (columns.next()?.parse().ok()?, columns.next()?.parse().ok()?);
                let symbol = columns.next()?.to_owned();
                let layouts = vec![layout(&mut columns)?];
                provider.events.insert(last, EventTable { symbol, layouts });
            }
            "O" => provider.events.get_mut(&last)?.layouts.push(layout(&mut columns)?),
            _ => return None,
        }
    }
    Some((guid?, provider))
}

/// Builds and fields of a line.
fn layout<'a>(columns: &mut impl Iterator<Item = &'a str>) -> Option<Layout> {
    let build = |text: &str| {
        let (build, fields) = text.split_once(':')?;
        Some((build.parse().ok()?, fields.parse().ok()?))
    };
    let builds = columns.next()?.split(',').map(build).collect::<Option<_>>()?;
    let mut fields: Vec<Field> = Vec::new();
    for text in columns.filter(|text| !text.is_empty()) {
        let field = field(text, &fields)?;
        fields.push(field);
    }
    Some(Layout { fields, builds })
}

/// A field, with the positions of the fields that hold its count and length.
fn field(text: &str, earlier: &[Field]) -> Option<Field> {
    let field_type = FieldType::from_code(text.chars().next()?)?;
    let (text, map) = match text[1..].split_once('=') {
        Some((text, map)) => (text, Some(map.to_owned())),
        None => (&text[1..], None),
    };
    let extent = |name: &str| {
        // Names repeat within an event (`Reserved`); the nearest one before holds the count.
        let index = earlier.iter().rposition(|field| field.name == name)?;
        Some(Extent::Field(index))
    };
    let (text, length) = match text.split_once('(') {
        Some((text, name)) => (text, extent(name)?),
        None => (text, Extent::None),
    };
    let (name, count) = match text.split_once('[') {
        Some((text, name)) => (text, extent(name)?),
        None => (text, Extent::None),
    };
    Some(Field { name: name.to_owned(), field_type, count, length, map })
}
