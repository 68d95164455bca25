//! Random worlds of heaps and resources, written as events of Direct3D 12 in the buffers of several processors: files with
//! shuffled, lost and cut buffers are imported equal, or their loss is counted.

use super::memory::DIRECT3D12;
use super::provider_events::{Field, Fields, ProviderEvent, number, written};
use super::{ImportOptions, import_bytes};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use std::collections::HashMap;
use taut_analyze::Analysis;
use taut_analyze::memory::{Backing, World};
use taut_traces::{Trace, fields};

/// Size of the buffers that the writer makes.
const BUFFER: usize = 64 << 10;
const BUFFER_HEADER: usize = 72;
const PROCESSORS: u16 = 3;

/// A step of a program.
#[derive(Debug, Clone, Copy)]
enum Step {
    CreateHeap {
        bytes: u64,
    },
    /// A resource in one of the existing heaps.
    Place {
        heap: prop::sample::Index,
        bytes: u64,
    },
    Commit {
        bytes: u64,
    },
    Name {
        object: prop::sample::Index,
        units: usize,
    },
    Destroy {
        object: prop::sample::Index,
    },
}

/// A step, the ticks since the step before it, and the processor on which it runs.
type Timed = (Step, u64, u16);

fn step() -> impl Strategy<Value = Step> {
    let (bytes, index) = (1_u64..1 << 40, any::<prop::sample::Index>());
    prop_oneof![
        2 => bytes.clone().prop_map(|bytes| Step::CreateHeap { bytes }),
        3 => (index.clone(), bytes.clone()).prop_map(|(heap, bytes)| Step::Place { heap, bytes }),
        1 => bytes.prop_map(|bytes| Step::Commit { bytes }),
        6 => (index.clone(), 0_usize..4_000).prop_map(|(object, units)| Step::Name { object, units }),
        1 => index.prop_map(|object| Step::Destroy { object }),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Timed>> {
    // Half of the steps have the tick of the step before them.
    let ticks = prop_oneof![Just(0_u64), 1_u64..3];
    proptest::collection::vec((step(), ticks, 0..PROCESSORS), 0..250)
}

/// An object as the program knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Object {
    pointer: u64,
    is_heap: bool,
    /// Size of the heap, of the implicit heap, or of the placed resource.
    bytes: u64,
    /// Heap of a placed resource.
    heap: Option<u64>,
    name: String,
    /// Ticks of creation and destruction.
    created: u64,
    destroyed: Option<u64>,
}

/// The program's own account, and the events of each step with their processor.
#[derive(Debug, Default)]
struct Program {
    objects: Vec<Object>,
    events: Vec<(u16, ProviderEvent)>,
}

impl Program {
    fn new(steps: &[Timed]) -> Self {
        let (mut program, mut tick, mut processor) = (Self::default(), 100, 0);
        for (step, ticks, on) in steps {
            // A thread changes its processor in no time of 0: equal ticks of two processors have no order.
            if *ticks > 0 {
                (tick, processor) = (tick + ticks, *on);
            }
            program.step(*step, tick, processor);
        }
        program
    }

    fn event(&mut self, key: (u16, u8), at: (u64, u16), fields: &Fields<'_>) {
        self.events.push((at.1, ProviderEvent::new(DIRECT3D12, key, (at.0, 7), fields)));
    }

    fn step(&mut self, step: Step, tick: u64, processor: u16) {
        let (at, pointer) = ((tick, processor), 0x1000 * (self.objects.len() as u64 + 1));
        let live = |one: &&mut Object| one.destroyed.is_none();
        let new = |is_heap, bytes, heap| Object {
            pointer,
            is_heap,
            bytes,
            heap,
            name: String::new(),
            created: tick,
            destroyed: None,
        };
        match step {
            Step::CreateHeap { bytes } => {
                self.event((72, 0), at, &heap(pointer, bytes, 0));
                self.objects.push(new(true, bytes, None));
            }
            Step::Place { heap, bytes } => {
                let heaps: Vec<u64> =
                    self.objects.iter_mut().filter(live).filter(|one| one.is_heap).map(|one| one.pointer).collect();
                if heaps.is_empty() {
                    return;
                }
                let heap = *heap.get(&heaps);
                self.event((91, 1), at, &resource(pointer, 0, heap, bytes));
                self.objects.push(new(false, bytes, Some(heap)));
            }
            Step::Commit { bytes } => {
                let implicit = pointer + 8;
                self.event((91, 1), at, &resource(pointer, 1, implicit, 0));
                self.event((72, 0), at, &heap(implicit, bytes, pointer));
                self.objects.push(new(false, bytes, None));
            }
            Step::Name { object, units } => {
                let mut live: Vec<&mut Object> = self.objects.iter_mut().filter(live).collect();
                if live.is_empty() {
                    return;
                }
                let index = object.index(live.len());
                let (pointer, name) = (live[index].pointer, format!("{tick} {}", "é".repeat(units)));
                live[index].name.clone_from(&name);
                let units = name.encode_utf16().count() as u64;
                let fields = [
                    ("pObject", number(pointer)),
                    ("CchNewDebugObjectName", number(units)),
                    ("NewDebugObjectName", Field::Text(&name)),
                ];
                self.event((55, 0), at, &HashMap::from(fields));
            }
            Step::Destroy { object } => {
                let mut live: Vec<&mut Object> = self.objects.iter_mut().filter(live).collect();
                if live.is_empty() {
                    return;
                }
                let index = object.index(live.len());
                live[index].destroyed = Some(tick);
                let (pointer, is_heap) = (live[index].pointer, live[index].is_heap);
                match is_heap {
                    true => self.event((73, 0), at, &heap(pointer, 0, 0)),
                    false => self.event((92, 1), at, &HashMap::from([("pID3D12Resource", number(pointer))])),
                }
            }
        }
    }

    /// The file.
    fn bytes(&self) -> Vec<u8> {
        written(PROCESSORS.into(), self.events.iter().map(|(processor, event)| (*processor, event)))
    }
}

fn heap(pointer: u64, bytes: u64, resource: u64) -> Fields<'static> {
    HashMap::from([
        ("pID3D12Heap", number(pointer)),
        ("SizeInBytes", number(bytes)),
        ("Type", number(1_u64)),
        ("pID3D12ConjoinedResource", number(resource)),
    ])
}

fn resource(pointer: u64, placement: u64, heap: u64, bytes: u64) -> Fields<'static> {
    let buffer = [
        ("Dimension", 1),
        ("Width", 16),
        ("Height", 1),
        ("Depth", 1),
        ("MipLevels", 1),
        ("ArraySize", 1),
        ("Layout", 1),
    ];
    let place = [("pID3D12Resource", pointer), ("HeapType", placement), ("pHeap", heap), ("PlacedSize", bytes)];
    buffer.into_iter().chain(place).map(|(name, value)| (name, number(value))).collect()
}

/// Objects of an imported world, in the form of the program's account.
fn objects(world: &World) -> Vec<Object> {
    let stamp = |turn| world.moment(turn).stamp;
    let heaps = world.heaps.iter().map(|heap| Object {
        pointer: heap.id.0,
        is_heap: true,
        bytes: heap.size_bytes,
        heap: None,
        name: world.names.get(heap.name).to_owned(),
        created: stamp(heap.created),
        destroyed: heap.released.map(stamp),
    });
    let resources = world.resources.iter().map(|resource| Object {
        pointer: resource.id.0,
        is_heap: false,
        bytes: match resource.backing {
            Backing::Committed { implicit_heap_bytes, .. } => implicit_heap_bytes,
            _ => resource.allocation.map_or(0, |allocation| allocation.size_bytes),
        },
        heap: match resource.backing {
            Backing::Placed { heap, .. } => Some(heap.0),
            _ => None,
        },
        name: world.names.get(resource.name).to_owned(),
        created: stamp(resource.created),
        destroyed: resource.released.map(stamp),
    });
    let mut objects: Vec<Object> = heaps.chain(resources).collect();
    objects.sort_by_key(|object| object.pointer);
    objects
}

/// Stamp, name and fields of each event of the trace, in order. The program has one thread.
fn rows(trace: &Trace) -> Vec<(u64, String, Value)> {
    super::rows(trace).into_iter().filter(|((process, _), _)| *process == 9).flat_map(|(_, rows)| rows).collect()
}

/// Events of a buffer's first `length` bytes. The sizes of the records lead from one to the next.
fn whole_records(buffer: &[u8], length: usize) -> Vec<Vec<u8>> {
    let end = u32::from_le_bytes(buffer[0x30..0x34].try_into().unwrap()) as usize;
    let (end, mut at, mut found) = (end.min(length), BUFFER_HEADER, Vec::new());
    while at + 8 <= end {
        let size = usize::from(u16::from_le_bytes(buffer[at..at + 2].try_into().unwrap()));
        if at + size > end {
            break;
        }
        found.push(buffer[at..at + size].to_vec());
        at += size.next_multiple_of(8);
    }
    found
}

/// Tick and payload of the events of these buffers, as a sum that does not depend on their order.
fn multiset(records: impl IntoIterator<Item = Vec<u8>>) -> Vec<(u64, usize)> {
    let tick = |record: &[u8]| u64::from_le_bytes(record[16..24].try_into().unwrap());
    let mut all: Vec<_> = records.into_iter().map(|record| (tick(&record), record.len())).collect();
    all.sort_unstable();
    all
}

fn import(bytes: &[u8]) -> (Trace, super::Imported) {
    import_bytes(bytes, ImportOptions::default()).unwrap()
}

/// The buffers after the header's in another order.
fn shuffled(bytes: &[u8], order: &[usize]) -> Vec<u8> {
    let buffers: Vec<&[u8]> = bytes.chunks(BUFFER).collect();
    std::iter::once(0).chain(order.iter().map(|index| index + 1)).flat_map(|index| buffers[index].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_world_in_shuffled_buffers_is_imported_equal_with_equal_ticks_in_order(steps in steps(), seed: u64) {
        let program = Program::new(&steps);
        let bytes = program.bytes();
        let mut order: Vec<usize> = (0..bytes.len() / BUFFER - 1).collect();
        order.sort_by_key(|index| (*index as u64 + 1).wrapping_mul(seed | 1).rotate_left(29));
        let (trace, imported) = import(&shuffled(&bytes, &order));
        prop_assert_eq!((imported.events, imported.is_incomplete()), (program.events.len() as u64, false), "{:?}", imported.damage);
        let expected: Vec<(u64, u16)> = program.events.iter().map(|(_, event)| (event.tick, event.id)).collect();
        let schema = &trace.header().schema;
        let (mut rows, mut found) = (trace.rows(), Vec::new());
        while let Some(row) = rows.next_row() {
            let event = schema.event(row.code).unwrap();
            prop_assert!(fields(schema, row.code, row.payload).is_ok());
            found.push((row.stamp, event.etw.unwrap().id));
        }
        prop_assert_eq!(found, expected);
        let analysis = Analysis::new(trace).unwrap();
        prop_assert_eq!(objects(analysis.world().unwrap()), program.objects);
    }

    #[test]
    fn of_lost_and_cut_buffers_the_other_events_are_imported_and_the_loss_is_counted(
        steps in steps(), lost in 0_u64..256, cut in any::<prop::sample::Index>(),
    ) {
        let program = Program::new(&steps);
        let whole = program.bytes();
        let buffers = whole.len() / BUFFER - 1;
        let left: Vec<usize> = (0..buffers).filter(|index| lost >> index & 1 == 0).collect();
        let mut bytes = shuffled(&whole, &left);
        bytes.truncate(BUFFER + cut.index(bytes.len() - BUFFER + 1));
        let expected = bytes[BUFFER..].chunks(BUFFER).filter(|buffer| buffer.len() >= BUFFER_HEADER);
        let expected = multiset(expected.flat_map(|buffer| whole_records(buffer, buffer.len())));
        let is_damaged = bytes.len() < whole.len();
        let (trace, imported) = import(&bytes);
        prop_assert_eq!(imported.is_incomplete(), is_damaged, "{:?}", imported.damage);
        prop_assert_eq!((imported.events, imported.damage_count > 0), (expected.len() as u64, is_damaged));
        let mut stamps: Vec<u64> = rows(&trace).into_iter().map(|(stamp, ..)| stamp).collect();
        prop_assert!(stamps.is_sorted());
        stamps.sort_unstable();
        prop_assert_eq!(stamps, expected.into_iter().map(|(tick, _)| tick).collect::<Vec<_>>());
        let names = imported.damage.join("\n");
        prop_assert!(!is_damaged || names.contains("expected") && names.contains("found"), "{}", names);
    }
}

#[test]
fn most_random_worlds_fill_several_buffers() {
    // The other tests prove nothing on files of one buffer.
    let mut runner = TestRunner::deterministic();
    let mut buffers = || Program::new(&steps().new_tree(&mut runner).unwrap().current()).bytes().len() / BUFFER;
    let several = (0..20).filter(|_| buffers() > 4).count();
    assert!(several > 10, "{several} of 20");
}
