//! Synthetic event stream for benchmarks of recorders: 200 kinds of events with five 64-bit arguments each.

use taut_schemas::{
    EventCode, EventSchema, FieldKind, FieldSchema, IdSpace, Layer, Level, Opcode, Role, ScalarSchema, SchemaTable,
    Slot,
};

/// Number of kinds of events.
const KINDS: u16 = 200;

const SIZES: [u64; 16] = [256, 256, 4096, 65536, 256, 1024, 64, 64, 4096, 256, 16384, 1 << 20, 256, 64, 4096, 512];

/// Event of the stream: kind and five arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StandardEvent {
    /// Code of the event. Kinds follow Zipf's law.
    pub code: EventCode,
    /// A handle that changes slowly, a size, a counter that rises like a frame number, 24 random bits, and an HRESULT
    /// that is rarely nonzero.
    pub arguments: [u64; 5],
}

/// Synthetic event stream for benchmarks of recorders. Generating an event takes about 2 ns.
#[derive(Debug)]
pub struct StandardStream {
    /// Kinds by cumulative frequency.
    kinds: Vec<u16>,
    next: u64,
    random: u64,
}

impl Default for StandardStream {
    fn default() -> Self {
        let weights: Vec<f64> = (1..=u32::from(KINDS)).map(|rank| 1.0 / f64::from(rank)).collect();
        let total: f64 = weights.iter().sum();
        let mut kinds = Vec::with_capacity(4096);
        let (mut kind, mut sum) = (0_u16, weights.first().copied().unwrap_or_default());
        for cell in 0..4096u32 {
            while (f64::from(cell) + 0.5) / 4096.0 * total > sum && kind + 1 < KINDS {
                kind += 1;
                sum += weights.get(usize::from(kind)).copied().unwrap_or_default();
            }
            kinds.push(kind);
        }
        StandardStream { kinds, next: 0, random: 0 }
    }
}

impl StandardStream {
    /// Generates the next event.
    #[inline]
    pub fn event(&mut self) -> StandardEvent {
        let i = self.next;
        self.next += 1;
        // SplitMix64: deterministic, so that every run sees the same stream.
        let mut h = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        h ^= h >> 31;
        self.random = h;
        let failed = if h >> 44 & 0x7f == 0 { 0x8007_000e } else { 0 };
        let handle = 0x7f00_0000_0000 + ((i >> 5).wrapping_mul(7) & 0xfff) * 0x90;
        let kind = self.kinds.get((h >> 52) as usize).copied().unwrap_or_default();
        let arguments = [handle, SIZES[(h & 15) as usize], i >> 3, h >> 8 & 0xff_ffff, failed];
        StandardEvent { code: code(kind), arguments }
    }

    /// Simulated ticks between the last event and the one before, for callers without a clock: even numbers, as
    /// a time-stamp counter has, tens of ticks apart, with an occasional pause.
    #[inline]
    pub fn ticks(&self) -> u64 {
        let h = self.random;
        24 + 2 * (h >> 32 & 0x1f) + if self.next.is_multiple_of(4096) { 20_000 + (h >> 20 & 0xfff) } else { 0 }
    }

    /// Schema table of the events.
    pub fn schema() -> SchemaTable {
        SchemaTable { events: (0..KINDS).map(event_schema).collect(), ..SchemaTable::default() }
    }
}

fn code(kind: u16) -> EventCode {
    EventCode::new(kind + 1, Opcode::Info)
}

fn event_schema(kind: u16) -> EventSchema {
    let fields = [
        ("handle", Role::Id),
        ("size", Role::Size),
        ("frame", Role::Count),
        ("bits", Role::Value),
        ("hr", Role::HResult),
    ];
    let field = |(name, role): (&str, Role)| {
        let (name, slot, doc) = (name.to_owned(), Slot::new(role, false), String::new());
        let space = (role == Role::Id).then_some(IdSpace::Object);
        let scalar =
            ScalarSchema { name: name.clone(), width_bytes: 8, role, space, slot, code: None, doc: doc.clone() };
        FieldSchema { name, doc, kind: FieldKind::Scalar(scalar) }
    };
    EventSchema {
        code: code(kind),
        name: format!("Call{kind}"),
        provider: "stream".to_owned(),
        layer: Layer::Api,
        opcode: Opcode::Info,
        level: Level::default(),
        keywords: 0,
        etw: None,
        doc: String::new(),
        fields: fields.into_iter().map(field).collect(),
    }
}
