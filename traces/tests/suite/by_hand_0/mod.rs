//! Encoder of files of version 0 by FORMAT-0.md alone, without any of the crate's code, so that files can be wrong in
//! every way.
#![allow(dead_code, clippy::unwrap_used)]

pub fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 })
    };
    !bytes.iter().fold(!0, step)
}

fn put(out: &mut Vec<u8>, size: usize, number: u64) {
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
    pub lost_before: u64,
    pub stamps: (u64, u64),
    pub row_bytes: u32,
    pub depth: u32,
    pub open: Vec<u16>,
    pub kinds: Vec<(u16, u32)>,
    /// Slot, number of values, payload.
    pub columns: Vec<(u16, u32, Vec<u8>)>,
    pub zero: u16,
    pub key: Option<u32>,
}

impl Block {
    /// Two calls, `Make(size 256, "ab", [7, 8])` and `Make(size 64, "", [])`, both of which return 0.
    pub fn sound() -> Block {
        Block {
            thread: 5,
            records: 4,
            number: 0,
            records_before: 0,
            lost_before: 0,
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
        }
    }

    pub fn bytes(&self, key: u32) -> Vec<u8> {
        let head_bytes = 84 + 2 * self.open.len() + 6 * self.kinds.len() + 10 * self.columns.len();
        let payload_bytes: usize = self.columns.iter().map(|column| column.2.len()).sum();
        let mut out = b"\xb1TB0".to_vec();
        let length = head_bytes + payload_bytes + 4;
        let narrow = [head_bytes as u32, length as u32, self.key.unwrap_or(key), self.thread, self.records];
        narrow.iter().for_each(|number| put(&mut out, 4, u64::from(*number)));
        let wide = [self.number, self.records_before, self.lost_before, self.stamps.0, self.stamps.1];
        wide.iter().for_each(|number| put(&mut out, 8, *number));
        put(&mut out, 4, self.row_bytes.into());
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

pub fn head(text: &str) -> Vec<u8> {
    let mut out = b"\x89TAUT\r\n\x1a".to_vec();
    put(&mut out, 4, 0);
    put(&mut out, 4, text.len() as u64);
    put(&mut out, 4, crc(text.as_bytes()).into());
    let head_crc = crc(&out);
    put(&mut out, 4, head_crc.into());
    out.extend(text.as_bytes());
    out
}

/// A whole file of `blocks`.
pub fn file(text: &str, blocks: &[Block]) -> Vec<u8> {
    let key = crc(text.as_bytes());
    let mut out = head(text);
    let mut footer = b"\xb1TF0".to_vec();
    put(&mut footer, 4, key.into());
    put(&mut footer, 8, blocks.iter().map(|block| u64::from(block.records)).sum());
    put(&mut footer, 8, blocks.iter().map(|block| block.lost_before).sum());
    let mut codes = std::collections::BTreeMap::<u16, u64>::new();
    for (code, records) in blocks.iter().flat_map(|block| &block.kinds) {
        *codes.entry(*code).or_default() += u64::from(*records);
    }
    put(&mut footer, 4, blocks.len() as u64);
    put(&mut footer, 4, codes.len() as u64);
    put(&mut footer, 4, 0);
    for block in blocks {
        let bytes = block.bytes(key);
        put(&mut footer, 8, out.len() as u64);
        [bytes.len() as u32, block.thread, block.records]
            .iter()
            .for_each(|number| put(&mut footer, 4, u64::from(*number)));
        [block.lost_before, block.stamps.0, block.stamps.1].iter().for_each(|number| put(&mut footer, 8, *number));
        out.extend(bytes);
    }
    for (code, records) in codes {
        put(&mut footer, 2, code.into());
        put(&mut footer, 8, records);
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
