//! Reading of a Windows trace: words, fields and compressed buffers.

use std::hint::black_box;
use taut_etl::{Decoder, Etl, Guid, buffer_flags, decompress};

/// Microsoft-Windows-DxgKrnl.
const DXGKRNL: &str = "802ec45a-1e99-4b83-9920-87c98277ba9d";
/// WMI_BUFFER_HEADER: its size, and the offsets of BufferSize, SavedOffset and the flags.
const HEADER_BYTES: usize = 72;
const SIZE_AT: usize = 0;
const SAVED_AT: usize = 4;
const FLAGS_AT: usize = 0x34;
/// Largest content that is measured; ETW's own limit of a buffer.
const MAX_CONTENT_BYTES: usize = 16 << 20;

/// Sum of all 8-byte words: the floor of a walk.
pub fn sum_of_words(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(0, |sum: u64, word| sum.wrapping_add(u64::from_le_bytes(*word)))
}

/// Walks over the file and decodes every field of the events of DxgKrnl. Returns the numbers of events and fields.
pub fn decode_kernel(file: &Etl, decoder: &Decoder) -> (u64, u64) {
    let provider = Guid::parse(DXGKRNL);
    let (mut events, mut count, mut fields) = (file.events(), 0, 0);
    while let Some(record) = events.next_record() {
        if record.provider == provider {
            count += 1;
            decoder.decode(&record, &mut |_, value| {
                fields += 1;
                black_box(&value);
            });
        }
    }
    (count, fields)
}

/// Compressed buffers of a file: their bytes, and the size of their content.
pub struct Compressed<'f> {
    buffers: Vec<(&'f [u8], usize)>,
    /// All content, decompressed once, and memory for its copy.
    content: Vec<u8>,
    copy: Vec<u8>,
}

impl<'f> Compressed<'f> {
    /// `None` if the file has no buffer that decompresses.
    pub fn new(file: &'f Etl) -> Option<Self> {
        let (mut rest, mut found) = (file.bytes(), Self { buffers: Vec::new(), content: Vec::new(), copy: Vec::new() });
        while let Some(header) = rest.get(..HEADER_BYTES) {
            let number = |at: usize| header[at..at + 4].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            let size = number(SIZE_AT);
            let Some(payload) = rest.get(HEADER_BYTES..size) else { break };
            let content = number(SAVED_AT).saturating_sub(HEADER_BYTES).min(MAX_CONTENT_BYTES);
            if number(FLAGS_AT) as u16 & buffer_flags::COMPRESSED != 0 {
                let mut output = vec![0; content];
                if decompress(payload, &mut output).is_ok() {
                    found.buffers.push((payload, content));
                    found.content.append(&mut output);
                }
            }
            rest = &rest[size..];
        }
        found.copy = vec![0; found.content.len()];
        (!found.buffers.is_empty()).then_some(found)
    }

    pub fn buffers(&self) -> u64 {
        self.buffers.len() as u64
    }

    pub fn content_bytes(&self) -> u64 {
        self.content.len() as u64
    }

    /// Copies the content at once: the floor.
    pub fn copy(&mut self) {
        self.copy.copy_from_slice(&self.content);
        black_box(&self.copy);
    }

    /// Decompresses all buffers on two threads.
    pub fn decompress(&self) {
        let (first, second) = self.buffers.split_at(self.buffers.len() / 2);
        let all = |buffers: &[(&[u8], usize)]| {
            let mut output = Vec::new();
            for (payload, content) in buffers {
                output.resize(*content, 0);
                // `new` has decompressed it.
                let _ = black_box(decompress(payload, &mut output));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| all(first));
            all(second);
        });
    }
}
