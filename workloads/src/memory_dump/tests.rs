//! Dumps: generated ones that are read back, and invalid ones.

use super::{Allocation, Block, Dump, MemoryBudget, Pool, SurroundingText, run};
use crate::bundled::memory_session::MemorySession;
use proptest::prelude::*;
use serde_json::{Value, json};
use taut_schemas::{
    CpuPageProperty, Dimension, HeapFlags, HeapId, HeapType, MemoryPool, ResourceFlags, TextureLayout, mark,
};

const TYPES: [(&str, Dimension); 5] = [
    ("UNKNOWN", Dimension::UNKNOWN),
    ("BUFFER", Dimension::BUFFER),
    ("TEXTURE1D", Dimension::TEXTURE1D),
    ("TEXTURE2D", Dimension::TEXTURE2D),
    ("TEXTURE3D", Dimension::TEXTURE3D),
];
const HEAPS: [(&str, HeapType); 4] = [
    ("DEFAULT", HeapType::DEFAULT),
    ("UPLOAD", HeapType::UPLOAD),
    ("READBACK", HeapType::READBACK),
    ("GPU_UPLOAD", HeapType::GPU_UPLOAD),
];

fn held() -> impl Strategy<Value = Allocation> {
    let dimension = prop::sample::select(TYPES.map(|(_, dimension)| dimension).to_vec());
    (dimension, 1_u64..1 << 30, 0_u32..2048, 0_u32..3, "[a-z/ \"\\\\é]{0,8}").prop_map(
        |(dimension, size_bytes, flags, layout, name)| Allocation {
            dimension,
            size_bytes,
            flags: ResourceFlags(flags),
            layout: TextureLayout(layout),
            name,
        },
    )
}

fn block() -> impl Strategy<Value = Block> {
    (prop::collection::vec((0_u64..1 << 20, held()), 0..6), 0_u64..1 << 20).prop_map(|(gaps, tail)| {
        let (mut end, mut all) = (0, Vec::new());
        for (gap, held) in gaps {
            let offset = end + gap;
            end = offset + held.size_bytes;
            all.push((offset, held));
        }
        Block { name: String::new(), size_bytes: end + tail, held: all }
    })
}

fn pool() -> impl Strategy<Value = Pool> {
    let flags = (any::<bool>(), 0_u32..3, 0_u32..4);
    (prop::collection::vec(block(), 0..3), prop::collection::vec(held(), 0..3), flags).prop_map(
        |(mut blocks, dedicated, (shared, memory_pool, page))| {
            (0..).zip(&mut blocks).for_each(|(number, block): (u32, &mut Block)| block.name = number.to_string());
            Pool {
                name: String::new(),
                heap_type: HeapType::DEFAULT,
                flags: HeapFlags(u32::from(shared)),
                memory_pool: MemoryPool(memory_pool),
                cpu_page_property: CpuPageProperty(page),
                blocks,
                dedicated,
            }
        },
    )
}

fn dumped(held: &Allocation) -> Value {
    let (name, _) = TYPES.into_iter().find(|(_, dimension)| *dimension == held.dimension).unwrap();
    let mut dumped = json!({ "Type": name, "Size": held.size_bytes, "Usage": held.flags.0 });
    if !held.name.is_empty() {
        dumped["Name"] = held.name.clone().into();
    }
    if held.layout.0 > 0 {
        dumped["Layout"] = held.layout.0.into();
    }
    dumped
}

fn dump_block(block: &Block) -> Value {
    let (mut end, mut all) = (0, Vec::new());
    let free = |from: u64, to: u64| json!({ "Offset": from, "Type": "FREE", "Size": to - from });
    for (offset, held) in &block.held {
        if *offset > end {
            all.push(free(end, *offset));
        }
        let mut one = dumped(held);
        one["Offset"] = (*offset).into();
        all.push(one);
        end = offset + held.size_bytes;
    }
    if end < block.size_bytes {
        all.push(free(end, block.size_bytes));
    }
    json!({ "TotalBytes": block.size_bytes, "UnusedBytes": 0, "Suballocations": all })
}

fn dump_pool(pool: &Pool) -> Value {
    let mut flags = Vec::new();
    if pool.flags.0 == 1 {
        flags.push("HEAP_FLAG_SHARED");
    }
    flags.push(["MEMORY_POOL_UNKNOWN", "MEMORY_POOL_L0", "MEMORY_POOL_L1"][pool.memory_pool.0 as usize]);
    let pages = ["UNKNOWN", "NOT_AVAILABLE", "WRITE_COMBINE", "WRITE_BACK"];
    let page = format!("CPU_PAGE_PROPERTY_{}", pages[pool.cpu_page_property.0 as usize]);
    let blocks: serde_json::Map<String, Value> =
        pool.blocks.iter().map(|block| (block.name.clone(), dump_block(block))).collect();
    let dedicated: Vec<Value> = pool.dedicated.iter().map(dumped).collect();
    let mut flags: Vec<Value> = flags.into_iter().map(Value::from).collect();
    flags.push(page.into());
    json!({ "Flags": flags, "PreferredBlockSize": 1, "Blocks": blocks, "DedicatedAllocations": dedicated })
}

/// Returns the text of a dump with these pools, default ones in the order of types and custom ones, and the expected
/// result.
fn dump(default: Vec<Pool>, custom: Vec<Pool>) -> (String, Dump) {
    let (mut pools, mut document) = (Vec::new(), json!({ "General": { "API": "Direct3D 12", "GPU": "A GPU" } }));
    document["DefaultPools"] = json!({});
    for (pool, (name, heap_type)) in default.into_iter().zip(HEAPS) {
        document["DefaultPools"][name] = dump_pool(&pool);
        pools.push(Pool { name: name.to_owned(), heap_type, ..pool });
    }
    // A JSON value sorts its keys by name, so the expected pools are sorted, too.
    pools.sort_by(|one, other| one.name.cmp(&other.name));
    let mut all = Vec::new();
    for (number, pool) in custom.into_iter().enumerate() {
        let mut dumped = dump_pool(&pool);
        dumped["Name"] = format!("{number} - mine").into();
        all.push(dumped);
        pools.push(Pool { name: format!("CUSTOM: {number} - mine"), heap_type: HeapType::CUSTOM, ..pool });
    }
    document["CustomPools"] = json!({ "CUSTOM": all });
    let text = serde_json::to_string_pretty(&document).unwrap();
    let surroundings = SurroundingText::default();
    (text, Dump { name: "dump.json".to_owned(), gpu: "A GPU".to_owned(), pools, totals: None, surroundings })
}

/// Encodes a text as UTF-8, or as UTF-16 of either byte order, with and without a byte order mark.
fn encoded(text: &str, encoding: usize) -> Vec<u8> {
    let mark = std::iter::once(0xfeff).take(encoding % 2);
    let units = mark.chain(text.encode_utf16());
    match encoding {
        0 | 1 => units.flat_map(u16::to_le_bytes).collect(),
        2 | 3 => units.flat_map(u16::to_be_bytes).collect(),
        _ => text.as_bytes().to_vec(),
    }
}

fn read(bytes: &[u8]) -> Result<Dump, super::DumpError> {
    Dump::new(bytes, "dump.json".to_owned(), "dump.json")
}

proptest! {
    #[test]
    fn a_dump_is_read_as_written_and_recorded_as_read(
        default in prop::collection::vec(pool(), 0..4),
        custom in prop::collection::vec(pool(), 0..3),
        encoding in 0..5_usize,
        terminated in any::<bool>(),
    ) {
        let (mut text, dump) = dump(default, custom);
        if terminated {
            text.push('\0');
        }
        let bytes = encoded(&text, encoding);
        prop_assert_eq!(&read(&bytes).unwrap(), &dump);
        let session = MemorySession::with_driver("reference");
        run(&dump, &session).unwrap();
        let events = session.events();
        let heaps: Vec<_> = events.iter().filter_map(|event| event.mark::<mark::SnapshotHeap>()).collect();
        let resources: Vec<_> = events.iter().filter_map(|event| event.mark::<mark::SnapshotResource>()).collect();
        let summary = dump.summary();
        prop_assert_eq!(heaps.len() as u64, summary.heaps);
        prop_assert_eq!(heaps.iter().map(|heap| heap.size_bytes).sum::<u64>(), summary.heap_bytes);
        let committed = resources.iter().filter(|resource| resource.heap == HeapId::NULL).count() as u64;
        prop_assert_eq!((committed, resources.len() as u64), (summary.committed, summary.placed + summary.committed));
        prop_assert_eq!(resources.iter().map(|one| one.size_bytes).sum::<u64>(), summary.resource_bytes);
        for resource in resources.iter().filter(|resource| resource.heap != HeapId::NULL) {
            let heap = heaps.iter().find(|heap| heap.heap == resource.heap).unwrap();
            prop_assert!(resource.heap_offset_bytes + resource.size_bytes <= heap.size_bytes);
        }
    }

    #[test]
    fn no_bytes_are_too_wrong_to_be_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).is_err());
    }
}

#[test]
fn a_dedicated_allocation_listed_in_every_pool_is_counted_once() {
    let dedicated = r#"[{ "Type": "BUFFER", "Size": 65536, "Usage": 0 }]"#;
    let pool =
        |name: &str| format!(r#""{name}": {{ "Flags": [], "Blocks": {{}}, "DedicatedAllocations": {dedicated} }}"#);
    let pools = ["DEFAULT - Buffers", "DEFAULT - Textures", "DEFAULT - Textures RT/DS", "UPLOAD - Buffers"].map(pool);
    let text = format!(r#"{{ "General": {{ "API": "Direct3D 12" }}, "DefaultPools": {{ {} }} }}"#, pools.join(", "));
    assert_eq!(read(text.as_bytes()).unwrap().summary().committed, 2);
}

#[test]
fn faults_are_reported_with_position_expected_and_found() {
    let sound =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/allocator-dump.json")).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(sound.contains(from), "{from}");
        sound.replacen(from, to, 1)
    };
    let cases = [
        String::new(),
        "[]".to_owned(),
        sound[..sound.len() / 2].to_owned(),
        changed("Direct3D 12", "Vulkan"),
        changed("\"General\"", "\"Generic\""),
        r#"{ "General": { "API": "Direct3D 12" } }"#.to_owned(),
        format!("00:12 dump:\n00:12 {}", changed("\"DEFAULT\"", "\"DEFOULT\"")),
        changed("\"TEXTURE3D\"", "\"TEXTURE4D\""),
        changed("\"Offset\": 6291456", "\"Offset\": 1"),
        changed("\"TotalBytes\": 4194304", "\"TotalBytes\": 65536"),
        changed("\"Size\": 65536", "\"Size\": \"65536\""),
        changed("\"Size\": 65536", "\"Sise\": 65536"),
        changed("\"3\":", "\"0\":"),
        changed("HEAP_FLAG_CREATE_NOT_ZEROED", "HEAP_FLAG_ZEROED"),
        changed("\"READBACK\"", "\"REDBACK\""),
    ];
    let dumped: Vec<String> = cases.iter().map(|text| read(text.as_bytes()).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(dumped.join("\n"));
    assert_eq!(
        read(b"\xff\xfe{\0\x00\xd8").unwrap_err().to_string(),
        "dump.json: byte 4: expected UTF-16, each surrogate with its other half, found another byte"
    );
    assert_eq!(
        read(b"{\xff").unwrap_err().to_string(),
        "dump.json: byte 1: expected UTF-8 or UTF-16, found another byte"
    );
}

const TOTALS: &str = r#"{
  "General": { "API": "Direct3D 12", "GPU": "A GPU" },
  "Total": { "BlockCount": 3, "BlockBytes": 3000, "AllocationCount": 2, "AllocationBytes": 2500, "UnusedRangeCount": 1 },
  "MemoryInfo": { "L0": { "Budget": { "BudgetBytes": 2000, "UsageBytes": 3500 } }, "L1": {} }
}"#;

#[test]
fn a_dump_without_a_map_has_its_totals_and_no_pools() {
    let dump = read(TOTALS.as_bytes()).unwrap();
    assert_eq!(dump.pools, []);
    let totals = dump.totals.clone().unwrap();
    assert_eq!((totals.blocks, totals.block_bytes, totals.free_ranges), (3, 3000, 1));
    assert_eq!((totals.allocations, totals.allocation_bytes), (2, 2500));
    assert_eq!(totals.budgets.len(), 1);
    assert_eq!(totals.budgets["L0"], MemoryBudget { budget_bytes: 2000, usage_bytes: 3500 });
    let text = dump.summary().to_string();
    for part in
        ["3 blocks of 3,000 bytes", "budget 2,000 bytes, usage 3,500 bytes: 1,500 bytes above", "DetailedMap TRUE"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(dump.facts()["dump.memory.L0.usage_bytes"], 3500);
}

#[test]
fn a_dump_in_a_log_is_read_without_the_lines_around_it() {
    let log = format!("[0] started\n[1] out of memory {TOTALS}\n[2] exit\n");
    let dump = read(log.as_bytes()).unwrap();
    assert_eq!(dump.totals, read(TOTALS.as_bytes()).unwrap().totals);
    assert_eq!(dump.surroundings, SurroundingText { lines_before: 2, lines_after: 1, more_dumps: 0 });
    let twice = read(format!("{log}{log}").as_bytes()).unwrap().surroundings;
    assert_eq!(twice.more_dumps, 1);
    assert_eq!(read(TOTALS.as_bytes()).unwrap().surroundings.note(), None);
}
