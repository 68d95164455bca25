//! Events of a trace, in the order of their times.

use crate::gfxrecon::RowFault;
use crate::gfxrecon::args::RawResourceDesc;
use crate::gfxrecon::value::{ResourceStates, Value};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use taut_schemas::format::Format;
use taut_schemas::{ClearValue, HeapFlags, HeapType, ResourceDesc};

/// Event with its time.
#[derive(Debug)]
pub(super) struct Event {
    pub time_us: f64,
    pub thread: u64,
    /// Number of the event in the file, from 0.
    pub index: u64,
    pub kind: EventKind,
}

#[derive(Debug)]
pub(super) enum EventKind {
    /// ResourceAllocator.CreateResource.
    CreateResource(Box<Creation>),
    /// The allocation that the thread's last creation made.
    NewAllocation {
        id: String,
    },
    DeleteAllocation {
        id: String,
    },
    /// Heap.CreateResidencyHeap, in versions before 2023-04 Heap.CreateHeap.
    CreateHeap {
        size_bytes: u64,
    },
    /// Another event, by its name.
    Other {
        name: String,
    },
}

/// Creation of a resource.
#[derive(Debug)]
pub(super) struct Creation {
    pub desc: ResourceDesc,
    pub heap_type: HeapType,
    pub heap_flags: HeapFlags,
    pub initial_state: u32,
    pub clear_value: Option<ClearValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "a trace event, an object")]
struct RawEvent<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    ph: Cow<'a, str>,
    id: Option<String>,
    #[serde(default)]
    tid: u64,
    #[serde(default)]
    ts: f64,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "the parameters of CreateResource, an object")]
struct RawCreation {
    /// Absent for imported resources, and for messages of the allocator.
    allocation_descriptor: Option<RawAllocation>,
    resource_descriptor: Option<RawResourceDesc>,
    initial_resource_state: Option<Value<ResourceStates>>,
    clear_value: Option<RawClear>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "a RESOURCE_ALLOCATION_DESC, an object")]
struct RawAllocation {
    heap_type: Value<HeapType>,
    extra_required_heap_flags: Option<Value<HeapFlags>>,
}

/// Clear value; empty for none.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "a clear value, an object")]
struct RawClear {
    format: Option<Value<Format>>,
    color: Option<RawColor>,
    depth_stencil: Option<RawDepthStencil>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "a color, an object")]
struct RawColor {
    r: f64,
    g: f64,
    b: f64,
    a: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "depth and stencil, an object")]
struct RawDepthStencil {
    depth: f64,
    stencil: u8,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "the parameters of CreateResidencyHeap, an object")]
struct RawHeapCreation {
    heap: Option<RawHeap>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", expecting = "a heap, an object")]
struct RawHeap {
    size_in_bytes: u64,
}

impl Event {
    /// Parses an event.
    pub(super) fn parse(text: &[u8], index: u64) -> Result<Event, RowFault> {
        let raw: RawEvent<'_> = serde_json::from_slice(text).map_err(|error| RowFault::json(&error, text, 0))?;
        let RawEvent { name, ph, id, tid: thread, ts: time_us, args } = raw;
        let other = || EventKind::Other { name: name.clone().into_owned() };
        let kind = match (&*name, &*ph, id) {
            // Versions before 2023-04 have no "I" before the name of an object.
            ("IResourceAllocation" | "ResourceAllocation", "N", Some(id)) => EventKind::NewAllocation { id },
            ("IResourceAllocation" | "ResourceAllocation", "D", Some(id)) => EventKind::DeleteAllocation { id },
            ("ResourceAllocator.CreateResource", "i" | "I", _) => {
                creation(text, args)?.map_or_else(other, |creation| EventKind::CreateResource(Box::new(creation)))
            }
            ("Heap.CreateResidencyHeap" | "Heap.CreateHeap", "i" | "I", _) => {
                match parse::<RawHeapCreation>(text, args)?.heap {
                    Some(heap) => EventKind::CreateHeap { size_bytes: heap.size_in_bytes },
                    None => other(),
                }
            }
            _ => other(),
        };
        Ok(Event { time_us, thread, index, kind })
    }
}

fn parse<'a, T: Deserialize<'a>>(event: &[u8], args: Option<&'a RawValue>) -> Result<T, RowFault> {
    let Some(args) = args else { return Err(RowFault::unexpected(0, "`args` of the event", "none")) };
    let text = args.get();
    // The raw text is a part of the event.
    let base = (text.as_ptr() as usize).saturating_sub(event.as_ptr() as usize);
    serde_json::from_str(text).map_err(|error| RowFault::json(&error, text.as_bytes(), base))
}

/// Returns the creation of an event; `None` for a message or an imported resource.
fn creation(event: &[u8], args: Option<&RawValue>) -> Result<Option<Creation>, RowFault> {
    let raw: RawCreation = parse(event, args)?;
    let (Some(allocation), Some(desc)) = (raw.allocation_descriptor, raw.resource_descriptor) else { return Ok(None) };
    // The allocator chooses a heap type if there is none.
    let heap_type =
        Some(allocation.heap_type.0).filter(|chosen| *chosen != HeapType::NONE).unwrap_or(HeapType::DEFAULT);
    Ok(Some(Creation {
        desc: desc.desc(),
        heap_type,
        heap_flags: allocation.extra_required_heap_flags.unwrap_or_default().0,
        initial_state: raw.initial_resource_state.unwrap_or_default().0.0,
        clear_value: raw.clear_value.and_then(|clear| clear.value()),
    }))
}

impl RawClear {
    fn value(&self) -> Option<ClearValue> {
        let bits = |value: f64| (value as f32).to_bits();
        let [word0, word1, word2, word3] = match (&self.color, &self.depth_stencil) {
            (Some(RawColor { r, g, b, a }), _) => [*r, *g, *b, *a].map(bits),
            (None, Some(RawDepthStencil { depth, stencil })) => [bits(*depth), u32::from(*stencil), 0, 0],
            (None, None) => [0; 4],
        };
        self.format.map(|format| ClearValue { format: format.0, word0, word1, word2, word3 })
    }
}
