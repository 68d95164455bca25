//! Encoder of files by FORMAT.md alone, without any of the crate's code, so that files can be wrong in every way.
#![allow(dead_code, clippy::unwrap_used)]

pub fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 })
    };
    !bytes.iter().fold(!0, step)
}

pub fn put(out: &mut Vec<u8>, size: usize, number: u64) {
    out.extend(&number.to_le_bytes()[..size]);
}

/// Codes of the two events in [`TEXT`]: the start of a call with a size and a list, and its stop.
pub const START: u16 = 4 << 2 | 1;
pub const STOP: u16 = 4 << 2 | 2;

pub const TEXT: &str = r#"{"schema":{"events":[
{"code":17,"name":"Make","layer":"api","opcode":"start","doc":"","fields":[
 {"name":"size","doc":"","kind":{"scalar":{"name":"size","width_bytes":4,"role":"size","slot":6,"doc":""}}},
 {"name":"name","doc":"","kind":"text"},
 {"name":"list","doc":"","kind":{"list":[{"name":"value","width_bytes":2,"role":"value","slot":25,"doc":""}]}}]},
{"code":18,"name":"Make","layer":"api","opcode":"stop","doc":"","fields":[
 {"name":"hr","doc":"","kind":{"scalar":{"name":"hr","width_bytes":4,"role":"h_result","slot":20,"doc":""}}}]}
]},"world":{"driver":"by hand"}}"#;

/// A block before its lengths and checksums.
#[derive(Clone)]
pub struct Block {
    pub thread: u32,
    pub records: u32,
    pub number: u64,
    pub records_before: u64,
    /// Losses since the thread began.
    pub lost: u64,
    pub stamps: (u64, u64),
    pub row_bytes: u32,
    pub depth: u32,
    pub open: Vec<u16>,
    pub kinds: Vec<(u16, u32)>,
    /// Slot, number of values, payload.
    pub columns: Vec<(u16, u32, Vec<u8>)>,
    pub zero: u16,
    pub key: Option<u32>,
    pub kind: u16,
    pub flags: u16,
}

impl Block {
    /// Two calls, `Make(size 256, "ab", [7, 8])` and `Make(size 64, "", [])`, both of which return 0.
    pub fn sound() -> Block {
        Block {
            thread: 5,
            records: 4,
            number: 0,
            records_before: 0,
            lost: 0,
            stamps: (100, 130),
            row_bytes: 12 + 6 + 4 + 12 + 4,
            depth: 0,
            open: vec![],
            kinds: vec![(START, 2), (STOP, 2)],
            columns: vec![
                (0xffff, 4, vec![1, 0, 1, 0, 1]),
                // Differences of 10: base, one plane, constant except for the first.
                (0xfffe, 4, [vec![1, 1], 100u64.to_le_bytes().to_vec(), vec![1, 4, 0, 0, 0, 0, 10, 10, 10]].concat()),
                (0, 2, vec![1, b'a', b'b']),
                (1, 4, vec![0, 1, 1, 4, 0, 0, 0, 2, 2, 0, 0]),
                // A dictionary of 256 and 64; positions 0 and 1 in the two lowest bits of a byte.
                (
                    6,
                    2,
                    [&[3, 1, 2, 0][..], &[0, 1, 0, 0, 0, 0, 0, 0], &[64, 0, 0, 0, 0, 0, 0, 0], &[1, 1, 0, 0, 0, 2]]
                        .concat(),
                ),
                (20, 2, vec![0, 1, 0, 1, 0, 0, 0, 0]),
                (25, 2, vec![2, 1, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2]),
            ],
            zero: 0,
            key: None,
            kind: 1,
            flags: 0,
        }
    }

    pub fn bytes(&self, key: u32) -> Vec<u8> {
        let head_bytes = 88 + 2 * self.open.len() + 6 * self.kinds.len() + 10 * self.columns.len();
        let payload_bytes: usize = self.columns.iter().map(|column| column.2.len()).sum();
        let mut out = b"\xb1TB1".to_vec();
        let length = head_bytes + payload_bytes + 4;
        let envelope = [head_bytes as u32, length as u32, self.key.unwrap_or(key)];
        envelope.iter().for_each(|number| put(&mut out, 4, u64::from(*number)));
        [self.kind, self.flags].iter().for_each(|number| put(&mut out, 2, u64::from(*number)));
        put(&mut out, 4, self.thread.into());
        put(&mut out, 8, self.number);
        [self.records, self.row_bytes].iter().for_each(|number| put(&mut out, 4, u64::from(*number)));
        let wide = [self.records_before, self.lost, self.stamps.0, self.stamps.1];
        wide.iter().for_each(|number| put(&mut out, 8, *number));
        put(&mut out, 4, self.depth.into());
        let counts = [self.open.len(), self.kinds.len(), self.columns.len(), self.zero.into()];
        counts.iter().for_each(|number| put(&mut out, 2, *number as u64));
        self.open.iter().for_each(|code| put(&mut out, 2, u64::from(*code)));
        for (code, records) in &self.kinds {
            put(&mut out, 2, u64::from(*code));
            put(&mut out, 4, u64::from(*records));
        }
        for (slot, values, payload) in &self.columns {
            put(&mut out, 2, u64::from(*slot));
            put(&mut out, 4, u64::from(*values));
            put(&mut out, 4, payload.len() as u64);
        }
        let head_crc = crc(&out);
        put(&mut out, 4, head_crc.into());
        self.columns.iter().for_each(|column| out.extend(&column.2));
        let block_crc = crc(&out);
        put(&mut out, 4, block_crc.into());
        out
    }
}

/// A block of an unknown kind: a head with `more` bytes after its envelope, and a payload.
pub fn other(
    key: u32,
    (kind, flags): (u16, u16),
    (stream, number): (u32, u64),
    more: &[u8],
    payload: &[u8],
) -> Vec<u8> {
    let mut out = b"\xb1TB1".to_vec();
    let head_bytes = 32 + more.len() + 4;
    [head_bytes as u64, (head_bytes + payload.len() + 4) as u64, key.into()]
        .iter()
        .for_each(|number| put(&mut out, 4, *number));
    [kind, flags].iter().for_each(|number| put(&mut out, 2, u64::from(*number)));
    put(&mut out, 4, stream.into());
    put(&mut out, 8, number);
    out.extend(more);
    let head_crc = crc(&out);
    put(&mut out, 4, head_crc.into());
    out.extend(payload);
    let block_crc = crc(&out);
    put(&mut out, 4, block_crc.into());
    out
}

pub fn head(text: &str) -> Vec<u8> {
    head_of(text.as_bytes(), 0)
}

/// A head with the stored form of a text, and with flags.
pub fn head_of(text: &[u8], flags: u16) -> Vec<u8> {
    let mut out = b"\x89TAUT\r\n\x1a".to_vec();
    put(&mut out, 2, 1);
    put(&mut out, 2, flags.into());
    put(&mut out, 4, text.len() as u64);
    put(&mut out, 4, crc(text).into());
    let head_crc = crc(&out);
    put(&mut out, 4, head_crc.into());
    out.extend(text);
    out
}

/// A whole file of `blocks`.
pub fn file(text: &str, blocks: &[Block]) -> Vec<u8> {
    let key = crc(text.as_bytes());
    let entries: Vec<(Block, Vec<u8>)> = blocks.iter().map(|block| (block.clone(), block.bytes(key))).collect();
    file_of(head(text), key, &entries)
}

/// A whole file of a head and blocks, each with its index entry and its bytes.
pub fn file_of(head: Vec<u8>, key: u32, blocks: &[(Block, Vec<u8>)]) -> Vec<u8> {
    let mut out = head;
    let mut footer = b"\xb1TF1".to_vec();
    put(&mut footer, 4, key.into());
    let of_records = || blocks.iter().map(|(block, _)| block).filter(|block| block.kind == 1);
    put(&mut footer, 8, of_records().map(|block| u64::from(block.records)).sum());
    let lost: std::collections::BTreeMap<u32, u64> = of_records().map(|block| (block.thread, block.lost)).collect();
    put(&mut footer, 8, lost.values().sum());
    put(&mut footer, 4, blocks.len() as u64);
    put(&mut footer, 4, 0);
    for (block, bytes) in blocks {
        put_entry(&mut footer, block, out.len() as u64, bytes.len() as u32);
        out.extend(bytes);
    }
    let footer_crc = crc(&footer);
    put(&mut footer, 4, footer_crc.into());
    let offset = out.len() as u64;
    out.extend(&footer);
    let mut trailer = Vec::new();
    put(&mut trailer, 8, offset);
    put(&mut trailer, 8, footer.len() as u64);
    let trailer_crc = crc(&trailer);
    put(&mut trailer, 4, trailer_crc.into());
    out.extend(trailer);
    out.extend(b"\xb1TAUTEND");
    out
}

/// An index block before its checksums: each block of records with its offset and its length.
#[derive(Clone, Default)]
pub struct Index {
    pub number: u64,
    pub offset: u64,
    pub before: u64,
    pub zero: u64,
    pub entries: Vec<(Block, u64, u32)>,
    /// Number of entries stated instead of the actual one.
    pub count: Option<u32>,
    /// Bytes after the entries.
    pub more: Vec<u8>,
}

impl Index {
    pub fn bytes(&self, key: u32) -> Vec<u8> {
        let (mut head, mut payload) = (Vec::new(), Vec::new());
        put(&mut head, 4, self.count.unwrap_or(self.entries.len() as u32).into());
        [self.offset, self.before, self.zero, 0].iter().for_each(|word| put(&mut head, 8, *word));
        for (block, offset, length_bytes) in &self.entries {
            put_entry(&mut payload, block, *offset, *length_bytes);
        }
        payload.extend(&self.more);
        other(key, (2, 0), (u32::MAX, self.number), &head, &payload)
    }
}

pub fn put_entry(out: &mut Vec<u8>, block: &Block, offset: u64, length_bytes: u32) {
    put(out, 8, offset);
    put(out, 4, length_bytes.into());
    [block.kind, block.flags].iter().for_each(|number| put(out, 2, u64::from(*number)));
    put(out, 4, block.thread.into());
    put(out, 8, block.number);
    put(out, 4, block.records.into());
    let wide = [block.records_before, block.lost, block.stamps.0, block.stamps.1];
    wide.iter().for_each(|number| put(out, 8, *number));
    put(out, 2, block.kinds.len() as u64);
    for (code, records) in &block.kinds {
        put(out, 2, u64::from(*code));
        put(out, 4, u64::from(*records));
    }
}
